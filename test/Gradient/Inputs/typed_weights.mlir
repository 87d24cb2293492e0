// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights by the type of an edge, whose gradient is a sum over the edges of each type: one factor
// is known at one end, the other one at the other end, with the edge, or to both.

func.func @typed_weights(%g: !mp.graph, %h: tensor<?x24xf32>, %type: !mp.edges<i32>, %c: !mp.edges<f32>,
                         %w: tensor<5x24x16xf32>, %u: tensor<3x24x2xf32>)
    -> (tensor<?x16xf32>, tensor<?x16xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  // x_j, and what the destination receives.
  %plain = mp.message %g src(%hj = %h : tensor<?x24xf32>) edge(%t = %type : !mp.edges<i32>) -> !mp.edges<16xf32> {
    %wt = mp.lookup %w[%t] : tensor<5x24x16xf32>, tensor<i32> -> tensor<24x16xf32>
    %y = mp.linear %hj, %wt : (tensor<24xf32>, tensor<24x16xf32>) -> tensor<16xf32>
    mp.yield %y : tensor<16xf32>
  }
  %o0 = mp.aggregate %g mean %plain : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  // x_j, and what the destination receives times what the edge has.
  %scaled = mp.message %g src(%hj = %h : tensor<?x24xf32>)
      edge(%t = %type : !mp.edges<i32>, %ce = %c : !mp.edges<f32>) -> !mp.edges<16xf32> {
    %wt = mp.lookup %w[%t] : tensor<5x24x16xf32>, tensor<i32> -> tensor<24x16xf32>
    %y = mp.linear %hj, %wt : (tensor<24xf32>, tensor<24x16xf32>) -> tensor<16xf32>
    %cs = mp.broadcast %ce : tensor<f32> to tensor<16xf32>
    %s = arith.mulf %cs, %y : tensor<16xf32>
    mp.yield %s : tensor<16xf32>
  }
  %o1 = mp.aggregate %g sum %scaled : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  // x_j, and what depends on all of the edge.
  %curved = mp.message %g src(%hj = %h : tensor<?x24xf32>) edge(%t = %type : !mp.edges<i32>) -> !mp.edges<2xf32> {
    %ut = mp.lookup %u[%t] : tensor<3x24x2xf32>, tensor<i32> -> tensor<24x2xf32>
    %y = mp.linear %hj, %ut : (tensor<24xf32>, tensor<24x2xf32>) -> tensor<2xf32>
    %s = mp.silu %y : tensor<2xf32>
    mp.yield %s : tensor<2xf32>
  }
  %o2 = mp.aggregate %g sum %curved : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  // x_i x_j, and what the destination receives, by a type that is computed.
  %both = mp.message %g dst(%hi = %h : tensor<?x24xf32>) src(%hj = %h : tensor<?x24xf32>)
      edge(%t = %type : !mp.edges<i32>) -> !mp.edges<2xf32> {
    %two = arith.constant dense<2> : tensor<i32>
    %from = arith.subi %two, %t : tensor<i32>
    %ut = mp.lookup %u[%from] : tensor<3x24x2xf32>, tensor<i32> -> tensor<24x2xf32>
    %p = arith.mulf %hi, %hj : tensor<24xf32>
    %y = mp.linear %p, %ut : (tensor<24xf32>, tensor<24x2xf32>) -> tensor<2xf32>
    mp.yield %y : tensor<2xf32>
  }
  %o3 = mp.aggregate %g sum %both : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %o0, %o1, %o2, %o3 : tensor<?x16xf32>, tensor<?x16xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}
