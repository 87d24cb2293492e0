// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GATv2: the nonlinearity stands before the attention vector, so that the ranking
// of the neighbours depends on the destination. For each of 8 heads:
//
//   s_ij = a . leaky_relu(L h_i + R h_j, 0.2)
//   h_i' = ||_heads sum_{j in N(i)} softmax_j(s_ij) R h_j
//
// Brody, Alon, Yahav: How Attentive are Graph Attention Networks?, ICLR 2022.
//
// h [n, 64], l, r [64, 8, 8], a [8, 8] -> out [n, 64]
//
//   clique-run examples/gatv2.mlir --graph=examples/graphs/karate.mtx --verify

func.func @gatv2(%g: !mp.graph, %h: tensor<?x64xf32>, %l: tensor<64x8x8xf32>,
                 %r: tensor<64x8x8xf32>, %a: tensor<8x8xf32>) -> tensor<?x64xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
      -> !mp.edges<8xf32>, !mp.edges<8x8xf32> {
    %zi = mp.linear %hi, %l : (tensor<64xf32>, tensor<64x8x8xf32>) -> tensor<8x8xf32>
    %zj = mp.linear %hj, %r : (tensor<64xf32>, tensor<64x8x8xf32>) -> tensor<8x8xf32>
    %z = arith.addf %zi, %zj : tensor<8x8xf32>
    %x = mp.leaky_relu %z slope 0.2 : tensor<8x8xf32>
    %e = mp.dot %a, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    mp.yield %e, %zj : tensor<8xf32>, tensor<8x8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<8xf32>, !mp.edges<8x8xf32>) -> tensor<?x8x8xf32>
  %out = tensor.collapse_shape %m [[0], [1, 2]] : tensor<?x8x8xf32> into tensor<?x64xf32>
  return %out : tensor<?x64xf32>
}
