// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a deep network: normalisation, activation, softmax aggregation with a
// learned inverse temperature t per feature, and a residual.
//
//   z    = relu(LN(h))
//   m_j  = z_j + 1e-7
//   h_i' = h_i + W (z_i + sum_{j in N(i)} softmax_j(t m_j) m_j)
//
// Li, Xiong, Thabet, Ghanem: DeeperGCN: All You Need to Train Deeper GCNs, 2020,
// equations 4 and 7 (softmax aggregation) and 9 (pre-activation residual).
//
// h [n, 32], scale, shift, t [32], w [32, 32] -> out [n, 32]
//
//   clique-run examples/families/deepgcn.mlir --graph=examples/graphs/karate.mtx --verify

func.func @deepgcn(%g: !mp.graph, %h: tensor<?x32xf32>, %scale: tensor<32xf32>,
                   %shift: tensor<32xf32>, %t: tensor<32xf32>, %w: tensor<32x32xf32>)
    -> tensor<?x32xf32> {
  %z = mp.update (%hi = %h : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %n = mp.layer_norm %hi scale %scale shift %shift
        : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %r = mp.relu %n : tensor<32xf32>
    mp.yield %r : tensor<32xf32>
  }
  %s, %m = mp.message %g src(%zj = %z : tensor<?x32xf32>)
      -> !mp.edges<32xf32>, !mp.edges<32xf32> {
    %eps = arith.constant dense<1.0e-7> : tensor<32xf32>
    %x = arith.addf %zj, %eps : tensor<32xf32>
    %tx = arith.mulf %t, %x : tensor<32xf32>
    mp.yield %tx, %x : tensor<32xf32>, tensor<32xf32>
  }
  %a = mp.aggregate %g softmax(%s) %m
      : (!mp.edges<32xf32>, !mp.edges<32xf32>) -> tensor<?x32xf32>
  %out = mp.update (%hi = %h : tensor<?x32xf32>, %zi = %z : tensor<?x32xf32>,
                    %ai = %a : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %x = arith.addf %zi, %ai : tensor<32xf32>
    %y = mp.linear %x, %w : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %r = arith.addf %hi, %y : tensor<32xf32>
    mp.yield %r : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}
