// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multi-head attention with a residual:
//
//   s_ij = (Q h_i) . (K h_j) / sqrt(16)                  for each of 8 heads
//   m_i  = sum_{j in N(i)} softmax_j(s_ij) V h_j
//   h_i' = h_i + O m_i
//
// On a complete graph this is a Transformer's, on a sparse one a GAT's.
//
// Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin:
// Attention Is All You Need, NeurIPS 2017.
//
// h [n, 64], wq, wk, wv [64, 8, 16], wo [128, 64] -> out [n, 64]
//
//   clique-run examples/attention.mlir --graph=examples/graphs/karate.mtx --verify
//   clique-run examples/attention.mlir --graph=complete:1024 --verify

func.func @attention(%g: !mp.graph, %h: tensor<?x64xf32>,
                     %wq: tensor<64x8x16xf32>, %wk: tensor<64x8x16xf32>,
                     %wv: tensor<64x8x16xf32>, %wo: tensor<128x64xf32>)
    -> tensor<?x64xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
      -> !mp.edges<8xf32>, !mp.edges<8x16xf32> {
    %q = mp.linear %hi, %wq : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<8x16xf32>
    %k = mp.linear %hj, %wk : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<8x16xf32>
    %w = mp.linear %hj, %wv : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<8x16xf32>
    %d = mp.dot %q, %k : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
    %c = arith.constant dense<0.25> : tensor<8xf32>
    %e = arith.mulf %d, %c : tensor<8xf32>
    mp.yield %e, %w : tensor<8xf32>, tensor<8x16xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<8xf32>, !mp.edges<8x16xf32>) -> tensor<?x8x16xf32>
  %o = mp.update (%hi = %h : tensor<?x64xf32>, %mi = %m : tensor<?x8x16xf32>) -> tensor<?x64xf32> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
    %p = mp.linear %f, %wo : (tensor<128xf32>, tensor<128x64xf32>) -> tensor<64xf32>
    %r = arith.addf %hi, %p : tensor<64xf32>
    mp.yield %r : tensor<64xf32>
  }
  return %o : tensor<?x64xf32>
}
