// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention whose weights are products of features of both ends, f(x) = elu(x) + 1:
//
//   out_i = sum_j (f(q_i) . f(k_j)) v_j / sum_j f(q_i) . f(k_j)         4 heads of 8
//
// Katharopoulos, Vyas, Pappas, Fleuret: Transformers are RNNs, ICML 2020, equation 5.
//
// x [n, 32], wq, wk, wv [32, 4, 8] -> out [n, 4, 8]
//
// The graph's type says that it is complete: the sums over j are then alike for every i, and are
// made once, in place of a weight for each pair.
//
//   clique-run examples/families/linear_attention.mlir --graph=complete:128 --verify

func.func @linear_attention(%g: !mp.graph<complete>, %x: tensor<?x32xf32>,
                            %wq: tensor<32x4x8xf32>, %wk: tensor<32x4x8xf32>,
                            %wv: tensor<32x4x8xf32>)
    -> tensor<?x4x8xf32> {
  %w, %wx = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x32xf32>)
      src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %q = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %k = mp.linear %xj, %wk : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %v = mp.linear %xj, %wv : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %one = arith.constant dense<1.0> : tensor<4x8xf32>
    %eq = mp.elu %q : tensor<4x8xf32>
    %ek = mp.elu %k : tensor<4x8xf32>
    %fq = arith.addf %eq, %one : tensor<4x8xf32>
    %fk = arith.addf %ek, %one : tensor<4x8xf32>
    %d = mp.dot %fq, %fk : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %ds = mp.broadcast %d : tensor<4xf32> to tensor<4x8xf32>
    %r = arith.mulf %ds, %v : tensor<4x8xf32>
    mp.yield %d, %r : tensor<4xf32>, tensor<4x8xf32>
  }
  %sum = mp.aggregate %g : !mp.graph<complete> sum %w
      : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %top = mp.aggregate %g : !mp.graph<complete> sum %wx
      : (!mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  %out = mp.update (%ti = %top : tensor<?x4x8xf32>, %si = %sum : tensor<?x4xf32>)
      -> tensor<?x4x8xf32> {
    // No edge, no weight: 0 / 1.
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %one = arith.constant dense<1.0> : tensor<4xf32>
    %some = arith.cmpf ogt, %si, %zero : tensor<4xf32>
    %den = arith.select %some, %si, %one : tensor<4xi1>, tensor<4xf32>
    %ds = mp.broadcast %den : tensor<4xf32> to tensor<4x8xf32>
    %r = arith.divf %ti, %ds : tensor<4x8xf32>
    mp.yield %r : tensor<4x8xf32>
  }
  return %out : tensor<?x4x8xf32>
}
