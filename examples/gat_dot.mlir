// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph attention with a dot product for a score: one projection z = W h serves
// as query, key and value, for each of 8 heads.
//
//   s_ij = z_i . z_j / sqrt(8)
//   h_i' = elu(||_heads sum_{j in N(i)} softmax_j(s_ij) z_j)
//
// Velickovic, Cucurull, Casanova, Romero, Lio, Bengio: Graph Attention Networks,
// ICLR 2018, with the score of Vaswani et al.: Attention Is All You Need,
// NeurIPS 2017.
//
// h [n, 64], w [64, 8, 8] -> out [n, 64]
//
//   clique-run examples/gat_dot.mlir --graph=examples/graphs/karate.mtx --verify

func.func @gat_dot(%g: !mp.graph, %h: tensor<?x64xf32>, %w: tensor<64x8x8xf32>)
    -> tensor<?x64xf32> {
  %s, %z = mp.message %g dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
      -> !mp.edges<8xf32>, !mp.edges<8x8xf32> {
    %zi = mp.linear %hi, %w : (tensor<64xf32>, tensor<64x8x8xf32>) -> tensor<8x8xf32>
    %zj = mp.linear %hj, %w : (tensor<64xf32>, tensor<64x8x8xf32>) -> tensor<8x8xf32>
    %d = mp.dot %zi, %zj : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %c = arith.constant dense<0.35355339059327373> : tensor<8xf32>
    %e = arith.mulf %d, %c : tensor<8xf32>
    mp.yield %e, %zj : tensor<8xf32>, tensor<8x8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %z
      : (!mp.edges<8xf32>, !mp.edges<8x8xf32>) -> tensor<?x8x8xf32>
  %out = mp.update (%mi = %m : tensor<?x8x8xf32>) -> tensor<?x64xf32> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
    %r = mp.elu %f : tensor<64xf32>
    mp.yield %r : tensor<64xf32>
  }
  return %out : tensor<?x64xf32>
}
