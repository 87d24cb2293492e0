// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-sparse self-attention: positions come in blocks of 32, and a block
// receives from some blocks, all of them or none of their positions. Which ones is the
// graph's matter: every eighth block, the neighbours and the first one, ...
//
//   s_ij = (Q x_i) . (K x_j) / sqrt(16)                  for each of 4 heads
//   x_i' = x_i + O ||_heads sum_{j in N(i)} softmax_j(s_ij) V x_j
//
// Child, Gray, Radford, Sutskever: Generating Long Sequences with Sparse
// Transformers, 2019. Zaheer, Guruganesh, Dubey, Ainslie, Alberti, Ontanon,
// Pham, Ravula, Wang, Yang, Ahmed: Big Bird: Transformers for Longer Sequences,
// NeurIPS 2020.
//
// x [n, 64], wq, wk, wv [64, 4, 16], wo [64, 64] -> out [n, 64]
//
//   clique-run examples/block_sparse.mlir --graph=blocks:1024,64,8 --verify

func.func @block_sparse(%g: !mp.graph<blocks, 32>, %x: tensor<?x64xf32>,
                        %wq: tensor<64x4x16xf32>, %wk: tensor<64x4x16xf32>,
                        %wv: tensor<64x4x16xf32>, %wo: tensor<64x64xf32>)
    -> tensor<?x64xf32> {
  %s, %v = mp.message %g : !mp.graph<blocks, 32> dst(%xi = %x : tensor<?x64xf32>)
      src(%xj = %x : tensor<?x64xf32>) -> !mp.edges<4xf32>, !mp.edges<4x16xf32> {
    %q = mp.linear %xi, %wq : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %k = mp.linear %xj, %wk : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %w = mp.linear %xj, %wv : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %d = mp.dot %q, %k : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.25> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %e, %w : tensor<4xf32>, tensor<4x16xf32>
  }
  %m = mp.aggregate %g : !mp.graph<blocks, 32> softmax(%s) %v
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
