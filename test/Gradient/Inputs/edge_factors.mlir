// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights whose gradient has both factors on the edge: a map of what both ends make, on a graph
// that is known to be sparse, and maps by the type of an edge.

func.func @edge_factors(%g: !mp.graph<sparse>, %h: tensor<?x5xf32>, %type: !mp.edges<i32>,
                        %w: tensor<5x6xf32>, %r: tensor<3x6x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g : !mp.graph<sparse> dst(%hi = %h : tensor<?x5xf32>) src(%hj = %h : tensor<?x5xf32>)
      edge(%t = %type : !mp.edges<i32>) -> !mp.edges<4xf32> {
    %p = arith.mulf %hi, %hj : tensor<5xf32>
    %a = mp.linear %p, %w : (tensor<5xf32>, tensor<5x6xf32>) -> tensor<6xf32>
    %s = mp.silu %a : tensor<6xf32>
    %rt = mp.lookup %r[%t] : tensor<3x6x4xf32>, tensor<i32> -> tensor<6x4xf32>
    %y = mp.linear %s, %rt : (tensor<6xf32>, tensor<6x4xf32>) -> tensor<4xf32>
    mp.yield %y : tensor<4xf32>
  }
  %o = mp.aggregate %g : !mp.graph<sparse> max %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}
