// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention that fades with the length of an edge and knows how far apart in the
// numbering its ends are; of the 8 heads the largest value is kept.
//
//   s_ij = (Q h_i) . (K h_j) / sqrt(16) - gamma l_ij + bias[clamp(j - i, -16, 16)]
//   m_i  = sum_{j in N(i)} softmax_j(s_ij) V h_j
//   h_i' = max_heads m_i
//
// The bias: Shaw, Uszkoreit, Vaswani: Self-Attention with Relative Position
// Representations, NAACL 2018, in the form of Raffel, Shazeer, Roberts, Lee, Narang,
// Matena, Zhou, Li, Liu: Exploring the Limits of Transfer Learning with a Unified
// Text-to-Text Transformer, JMLR 2020.
//
// h [n, 64], length [edges], gamma [8], bias [33, 8], wq, wk, wv [64, 8, 16] -> out [n, 16]
// Edges are in the order of the graph's file.
//
//   clique-run examples/distance_attention.mlir --graph=examples/graphs/karate.mtx --verify

func.func @distance_attention(%g: !mp.graph, %h: tensor<?x64xf32>, %length: !mp.edges<f32>,
                              %gamma: tensor<8xf32>, %bias: tensor<33x8xf32>,
                              %wq: tensor<64x8x16xf32>, %wk: tensor<64x8x16xf32>,
                              %wv: tensor<64x8x16xf32>) -> tensor<?x16xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
      edge(%l = %length : !mp.edges<f32>) -> !mp.edges<8xf32>, !mp.edges<8x16xf32> {
    %q = mp.linear %hi, %wq : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<8x16xf32>
    %k = mp.linear %hj, %wk : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<8x16xf32>
    %w = mp.linear %hj, %wv : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<8x16xf32>
    %qk = mp.dot %q, %k : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
    %c = arith.constant dense<0.25> : tensor<8xf32>
    %score = arith.mulf %qk, %c : tensor<8xf32>

    %ls = mp.broadcast %l : tensor<f32> to tensor<8xf32>
    %fade = arith.mulf %gamma, %ls : tensor<8xf32>
    %faded = arith.subf %score, %fade : tensor<8xf32>

    // A look-up clamps its index: row 0 holds -16 and less, row 32 holds 16 and more.
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %offset = arith.subi %j, %i : tensor<i32>
    %middle = arith.constant dense<16> : tensor<i32>
    %row = arith.addi %offset, %middle : tensor<i32>
    %b = mp.lookup %bias[%row] : tensor<33x8xf32>, tensor<i32> -> tensor<8xf32>
    %e = arith.addf %faded, %b : tensor<8xf32>
    mp.yield %e, %w : tensor<8xf32>, tensor<8x16xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<8xf32>, !mp.edges<8x16xf32>) -> tensor<?x8x16xf32>
  %out = mp.update (%mi = %m : tensor<?x8x16xf32>) -> tensor<?x16xf32> {
    %r = mp.reduce max %mi dims [0] : tensor<8x16xf32> -> tensor<16xf32>
    mp.yield %r : tensor<16xf32>
  }
  return %out : tensor<?x16xf32>
}
