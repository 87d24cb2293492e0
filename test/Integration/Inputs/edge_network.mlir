// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network on edges whose messages are taken in by a sum, a softmax and a
// deviation, and leave the layer.
func.func @edge_network(%g: !mp.graph, %h: tensor<?x16xf32>, %e: !mp.edges<8xf32>,
                        %w1: tensor<16x24xf32>, %w2: tensor<24x8xf32>)
    -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, !mp.edges<8xf32>) {
  %m = mp.message %g dst(%hi = %h : tensor<?x16xf32>) src(%hj = %h : tensor<?x16xf32>)
      edge(%ij = %e : !mp.edges<8xf32>) -> !mp.edges<8xf32> {
    %p = arith.mulf %hi, %hj : tensor<16xf32>
    %a = mp.linear %p, %w1 : (tensor<16xf32>, tensor<16x24xf32>) -> tensor<24xf32>
    %s = mp.silu %a : tensor<24xf32>
    %b = mp.linear %s, %w2 bias %ij
        : (tensor<24xf32>, tensor<24x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %t = math.tanh %b : tensor<8xf32>
    mp.yield %t : tensor<8xf32>
  }
  %sum = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %soft = mp.aggregate %g softmax(%m) %m : (!mp.edges<8xf32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  %std = mp.aggregate %g std %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %sum, %soft, %std, %m : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, !mp.edges<8xf32>
}
