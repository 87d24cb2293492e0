// A result of an update that a message's gradient wants is kept; the update's own gradient reads
// it too, in place of the linear map that makes it. Of few terms it is computed again.
// RUN: clique-opt %s --mp-differentiate | FileCheck %s
// RUN: clique-run -O1 %s --entry=gat --graph=complete:50 --gradients --verify --threads=2
// RUN: clique-run -O1 %s --entry=few --graph=complete:50 --gradients --verify --threads=2

// CHECK-LABEL: func.func @gat_backward(
// CHECK-SAME:    %[[Z:[^ ]*]]: tensor<?x8xf32> {mp.donatable, mp.name = "kept3"}
// CHECK:         mp.update ({{.*}} = %[[Z]] : tensor<?x8xf32>) -> tensor<?x32xf32>, tensor<?x8xf32>, tensor<?x8xf32>
// CHECK-NOT:     mp.linear %{{.*}} : (tensor<32xf32>
// CHECK:         mp.linear %{{.*}} : (tensor<8xf32>, tensor<8x32xf32>) -> tensor<32xf32>
// CHECK:         return
func.func @gat(%g: !mp.graph, %h: tensor<?x32xf32>, %w: tensor<32x8xf32>, %a: tensor<8xf32>) -> tensor<?x8xf32> {
  %s, %z = mp.message %g src(%hj = %h : tensor<?x32xf32>) -> !mp.edges<f32>, !mp.edges<8xf32> {
    %zj = mp.linear %hj, %w : (tensor<32xf32>, tensor<32x8xf32>) -> tensor<8xf32>
    %e = mp.dot %a, %zj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %e, %zj : tensor<f32>, tensor<8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %z : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %m : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @few_backward(
// CHECK:         mp.linear %{{.*}} : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
func.func @few(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4x8xf32>, %a: tensor<8xf32>) -> tensor<?x8xf32> {
  %s, %z = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<f32>, !mp.edges<8xf32> {
    %zj = mp.linear %hj, %w : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
    %e = mp.dot %a, %zj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %e, %zj : tensor<f32>, tensor<8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %z : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %m : tensor<?x8xf32>
}
