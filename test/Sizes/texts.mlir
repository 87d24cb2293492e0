// The texts of checks that no layer of the tests fails.
// RUN: clique-opt %s --split-input-file --mp-check-sizes | FileCheck %s

// CHECK-LABEL: func.func @expanded(
// CHECK:         mp.check %{{.*}}, "{{.*}}'tensor.expand_shape': size of dimension 0 of the result"
func.func @expanded(%h: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %r = tensor.expand_shape %h [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @padded(
// CHECK:         mp.check %{{.*}}, "{{.*}}'tensor.pad': low padding of dimension 0"
// CHECK:         mp.check %{{.*}}, "{{.*}}'tensor.pad': high padding of dimension 1"
func.func @padded(%h: tensor<?x4xf32>, %low: index, %high: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %h low[%low, 0] high[0, %high] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @dimension(
// CHECK:         mp.check %{{.*}}, "{{.*}}'tensor.dim': number of the dimension"
func.func @dimension(%h: tensor<?x4xf32>, %k: index) -> index {
  %r = tensor.dim %h, %k : tensor<?x4xf32>
  return %r : index
}

// -----

// CHECK-LABEL: func.func @rows(
// CHECK:         mp.check %{{.*}}, "{{.*}}'mp.update': result #0 has as many rows as its type says"
func.func @rows(%h: tensor<?x4xf32>) -> tensor<5x4xf32> {
  %r = mp.update (%a = %h : tensor<?x4xf32>) -> tensor<5x4xf32> {
    mp.yield %a : tensor<4xf32>
  }
  return %r : tensor<5x4xf32>
}
