// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Graph attention on scores and values that are given, 8 heads of 8.
func.func @attention(%g: !mp.graph, %a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %h: tensor<?x8x8xf32>)
    -> tensor<?x8x8xf32> {
  %s, %v = mp.message %g dst(%bi = %b : tensor<?x8xf32>)
      src(%aj = %a : tensor<?x8xf32>, %hj = %h : tensor<?x8x8xf32>)
      -> !mp.edges<8xf32>, !mp.edges<8x8xf32> {
    %d = arith.addf %aj, %bi : tensor<8xf32>
    %e = mp.leaky_relu %d slope 0.2 : tensor<8xf32>
    mp.yield %e, %hj : tensor<8xf32>, tensor<8x8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<8xf32>, !mp.edges<8x8xf32>) -> tensor<?x8x8xf32>
  return %m : tensor<?x8x8xf32>
}
