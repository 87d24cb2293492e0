// RUN: clique-opt %s --mp-differentiate | FileCheck %s

// Whether an argument is a result that is kept or a cotangent, its name says: no cotangent has the
// name of a result, kept or not.

// CHECK-LABEL: func.func @results_backward(
// CHECK-SAME:    {mp.name = "h"}, %{{[^:]*}}: tensor<?x4xf32> {mp.donatable, mp.name = "grad_x"},
// CHECK-SAME:    {mp.donatable, mp.name = "kept2"}, %{{[^:]*}}: tensor<?x4xf32> {mp.name = "grad_x_"}, %{{[^:]*}}: tensor<?x4xf32> {mp.name = "grad_grad_x"})
// CHECK-SAME:    mp.cotangent_of = array<i64: 0, 1>, mp.gradient_of = array<i64: 1>, mp.kept = array<i64: 1, 2, 3, 4>
func.func @results(%g: !mp.graph, %h: tensor<?x4xf32> {mp.name = "h"})
    -> (tensor<?x4xf32> {mp.name = "x"}, tensor<?x4xf32> {mp.name = "grad_x"}) {
  %s, %v = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<f32>, !mp.edges<4xf32> {
    %s = mp.reduce sum %hj dims [0] : tensor<4xf32> -> tensor<f32>
    mp.yield %s, %hj : tensor<f32>, tensor<4xf32>
  }
  %x = mp.aggregate %g sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %y = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %x, %y : tensor<?x4xf32>, tensor<?x4xf32>
}

// Of an argument neither; the name of one result does not hang on whether another one is kept.

// CHECK-LABEL: func.func @arguments_backward(
// CHECK-SAME:    {mp.name = "x"},
// CHECK-SAME:    {mp.name = "grad_x"},
// CHECK-SAME:    {mp.name = "grad_x_"})
// CHECK-SAME:    mp.cotangent_of = array<i64: 0>, mp.gradient_of = array<i64: 0, 1>, mp.kept = array<i64>
func.func @arguments(%x: tensor<?x4xf32> {mp.name = "x"}, %s: tensor<?x4xf32> {mp.name = "grad_x"})
    -> (tensor<?x4xf32> {mp.name = "x"}) {
  %y = mp.update (%v = %x : tensor<?x4xf32>, %w = %s : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %p = arith.mulf %v, %w : tensor<4xf32>
    mp.yield %p : tensor<4xf32>
  }
  return %y : tensor<?x4xf32>
}

// A function that nobody calls from outside has another name where one that is made needs it.

// CHECK-LABEL: func.func @calls(
// CHECK:         call @calls_forward_0(
// CHECK-LABEL: func.func @calls_forward(
// CHECK:       func.func private @calls_forward_0(
func.func @calls(%x: tensor<?x4xf32>, %y: tensor<?x4xi32>) -> (tensor<?x4xf32>, tensor<?x4xi32>) {
  %s = math.sin %x : tensor<?x4xf32>
  %n = func.call @calls_forward(%y) : (tensor<?x4xi32>) -> tensor<?x4xi32>
  return %s, %n : tensor<?x4xf32>, tensor<?x4xi32>
}
func.func private @calls_forward(%x: tensor<?x4xi32>) -> tensor<?x4xi32> {
  %y = arith.muli %x, %x : tensor<?x4xi32>
  return %y : tensor<?x4xi32>
}
