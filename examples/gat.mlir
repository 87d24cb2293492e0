// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph attention in its original, additive form; z = W h, for each of 8 heads:
//
//   s_ij = leaky_relu(a . [z_i || z_j], 0.2)
//   h_i' = elu(||_heads sum_{j in N(i)} softmax_j(s_ij) z_j)
//
// As in the paper, every node is among its own neighbours.
//
// Velickovic, Cucurull, Casanova, Romero, Lio, Bengio: Graph Attention Networks,
// ICLR 2018.
//
// h [n, 64], w [64, 8, 8], a [8, 16] -> out [n, 64]
//
//   clique-run examples/gat.mlir --graph=examples/graphs/karate.mtx --verify

func.func @gat(%g: !mp.graph, %h: tensor<?x64xf32>, %w: tensor<64x8x8xf32>,
               %a: tensor<8x16xf32>) -> tensor<?x64xf32> {
  %n = mp.self_loops %g
  %s, %z = mp.message %n dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
      -> !mp.edges<8xf32>, !mp.edges<8x8xf32> {
    %zi = mp.linear %hi, %w : (tensor<64xf32>, tensor<64x8x8xf32>) -> tensor<8x8xf32>
    %zj = mp.linear %hj, %w : (tensor<64xf32>, tensor<64x8x8xf32>) -> tensor<8x8xf32>
    %zz = tensor.concat dim(1) %zi, %zj
        : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
    %d = mp.dot %a, %zz : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
    %e = mp.leaky_relu %d slope 0.2 : tensor<8xf32>
    mp.yield %e, %zj : tensor<8xf32>, tensor<8x8xf32>
  }
  %m = mp.aggregate %n softmax(%s) %z
      : (!mp.edges<8xf32>, !mp.edges<8x8xf32>) -> tensor<?x8x8xf32>
  %out = mp.update (%mi = %m : tensor<?x8x8xf32>) -> tensor<?x64xf32> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
    %r = mp.elu %f : tensor<64xf32>
    mp.yield %r : tensor<64xf32>
  }
  return %out : tensor<?x64xf32>
}
