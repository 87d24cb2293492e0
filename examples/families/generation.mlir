// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of generation: the new token attends to itself and to all tokens before it,
// whose keys and values the caller keeps. The graph is bipartite, with one destination.
//
//   k' = [k || K x]    v' = [v || V x]    out = O ||_heads sum_j softmax_j(Q x . k'_j / sqrt(8)) v'_j
//
// Shazeer: Fast Transformer Decoding, 2019, section 2.4 (incremental attention).
//
// x [1, 32], keys, values [t, 4, 8] (of the tokens so far, none at first), wq, wk, wv
// [32, 4, 8], wo [32, 32] -> out [1, 32], keys_out, values_out [t + 1, 4, 8]
//
//   clique-run examples/families/generation.mlir --input=keys=keys.npy \
//       --input=values=values.npy --verify

func.func @generation(%x: tensor<?x32xf32>, %keys: tensor<?x4x8xf32>,
                      %values: tensor<?x4x8xf32>, %wq: tensor<32x4x8xf32>,
                      %wk: tensor<32x4x8xf32>, %wv: tensor<32x4x8xf32>,
                      %wo: tensor<32x32xf32>)
    -> (tensor<?x32xf32> {mp.name = "out"}, tensor<?x4x8xf32> {mp.name = "keys_out"},
        tensor<?x4x8xf32> {mp.name = "values_out"}) {
  %c0 = arith.constant 0 : index
  %one = tensor.dim %x, %c0 : tensor<?x32xf32>
  %k, %v = mp.update (%xi = %x : tensor<?x32xf32>) -> tensor<?x4x8xf32>, tensor<?x4x8xf32> {
    %a = mp.linear %xi, %wk : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %b = mp.linear %xi, %wv : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    mp.yield %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
  }
  %ks = tensor.concat dim(0) %keys, %k
      : (tensor<?x4x8xf32>, tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
  %vs = tensor.concat dim(0) %values, %v
      : (tensor<?x4x8xf32>, tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
  %t = tensor.dim %ks, %c0 : tensor<?x4x8xf32>
  %g = mp.bipartite %one, %t
  %s, %w = mp.message %g : !mp.graph<bipartite> dst(%xi = %x : tensor<?x32xf32>)
      src(%kj = %ks : tensor<?x4x8xf32>, %vj = %vs : tensor<?x4x8xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %q = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %d = mp.dot %q, %kj : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.35355339> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %e, %vj : tensor<4xf32>, tensor<4x8xf32>
  }
  %m = mp.aggregate %g : !mp.graph<bipartite> softmax(%s) %w
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  %out = mp.update (%mi = %m : tensor<?x4x8xf32>) -> tensor<?x32xf32> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    %o = mp.linear %f, %wo : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    mp.yield %o : tensor<32xf32>
  }
  return %out, %ks, %vs : tensor<?x32xf32>, tensor<?x4x8xf32>, tensor<?x4x8xf32>
}
