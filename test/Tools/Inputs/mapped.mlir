// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Only what is computed from x is on the graph.
func.func @mapped(%g: !mp.graph, %x: tensor<?x8xf32>, %w: tensor<8x4xf32>)
    -> tensor<?x4xf32> {
  %z = mp.linear %x, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %r = mp.relu %z : tensor<?x4xf32>
  %m = mp.message %g src(%rj = %r : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %rj : tensor<4xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
