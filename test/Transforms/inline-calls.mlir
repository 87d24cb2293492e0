// Functions that regions call are inlined there, also those that these call.

// RUN: clique-opt %s -inline | FileCheck %s

// CHECK-LABEL: func @layer
// CHECK: mp.message
// CHECK-NEXT: %[[Y:.*]] = mp.linear
// CHECK-NEXT: %[[Z:.*]] = mp.relu %[[Y]]
// CHECK-NEXT: %[[E:.*]] = math.exp %[[Z]]
// CHECK-NEXT: mp.yield %[[E]]
// CHECK: mp.aggregate
// CHECK: mp.update
// CHECK: mp.linear
// CHECK-NEXT: mp.relu
// CHECK-NEXT: mp.yield
// CHECK-NOT: func
func.func @layer(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %v = func.call @exponential(%hj, %w) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    mp.yield %v : tensor<4xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %o = mp.update (%x = %s : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %v = func.call @mlp(%x, %w) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    mp.yield %v : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}
func.func private @exponential(%x: tensor<4xf32>, %w: tensor<4x4xf32>) -> tensor<4xf32> {
  %y = call @mlp(%x, %w) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %z = math.exp %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func private @mlp(%x: tensor<4xf32>, %w: tensor<4x4xf32>) -> tensor<4xf32> {
  %y = mp.linear %x, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %z = mp.relu %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
