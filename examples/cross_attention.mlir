// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-attention: the nodes of one set receive from all nodes of another.
//
//   s_ij = (Q x_i) . (K y_j) / sqrt(16)                  for each of 4 heads
//   x_i' = x_i + O ||_heads sum_j softmax_j(s_ij) V y_j
//
// Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin:
// Attention Is All You Need, NeurIPS 2017.
//
// x [n, 64], y [m, 48], wq [64, 4, 16], wk, wv [48, 4, 16], wo [64, 64] -> out [n, 64]
//
//   clique-run examples/cross_attention.mlir --graph=bipartite:100x300 --verify

func.func @cross_attention(%g: !mp.graph<bipartite>, %x: tensor<?x64xf32>,
                           %y: tensor<?x48xf32>, %wq: tensor<64x4x16xf32>,
                           %wk: tensor<48x4x16xf32>, %wv: tensor<48x4x16xf32>,
                           %wo: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %s, %v = mp.message %g : !mp.graph<bipartite> dst(%xi = %x : tensor<?x64xf32>)
      src(%yj = %y : tensor<?x48xf32>) -> !mp.edges<4xf32>, !mp.edges<4x16xf32> {
    %q = mp.linear %xi, %wq : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %k = mp.linear %yj, %wk : (tensor<48xf32>, tensor<48x4x16xf32>) -> tensor<4x16xf32>
    %w = mp.linear %yj, %wv : (tensor<48xf32>, tensor<48x4x16xf32>) -> tensor<4x16xf32>
    %d = mp.dot %q, %k : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.25> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %e, %w : tensor<4xf32>, tensor<4x16xf32>
  }
  %m = mp.aggregate %g : !mp.graph<bipartite> softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x16xf32>) -> tensor<?x4x16xf32>
  %out = mp.update (%xi = %x : tensor<?x64xf32>, %mi = %m : tensor<?x4x16xf32>)
      -> tensor<?x64xf32> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
    %o = mp.linear %f, %wo : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>
    %r = arith.addf %xi, %o : tensor<64xf32>
    mp.yield %r : tensor<64xf32>
  }
  return %out : tensor<?x64xf32>
}
