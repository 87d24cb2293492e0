// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention with a soft cap on its scores: two products, tanh and exp.
func.func @soft_cap(%g: !mp.graph<complete>, %q: tensor<?x8x64xf32>, %k: tensor<?x8x64xf32>,
                    %v: tensor<?x8x64xf32>) -> tensor<?x8x64xf32> {
  %s, %x = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x8x64xf32>)
      src(%kj = %k : tensor<?x8x64xf32>, %vj = %v : tensor<?x8x64xf32>)
      -> !mp.edges<8xf32>, !mp.edges<8x64xf32> {
    %d = mp.dot %qi, %kj : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8xf32>
    %c = arith.constant dense<0.025> : tensor<8xf32>
    %e = arith.mulf %d, %c : tensor<8xf32>
    %t = math.tanh %e : tensor<8xf32>
    %five = arith.constant dense<5.0> : tensor<8xf32>
    %f = arith.mulf %t, %five : tensor<8xf32>
    mp.yield %f, %vj : tensor<8xf32>, tensor<8x64xf32>
  }
  %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %x
      : (!mp.edges<8xf32>, !mp.edges<8x64xf32>) -> tensor<?x8x64xf32>
  return %m : tensor<?x8x64xf32>
}
