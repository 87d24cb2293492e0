// Each use of an empty tensor has its own, in the order of the uses.
// RUN: clique-opt %s --clique-split-empties | FileCheck %s

// CHECK-LABEL: func.func @uses(
// CHECK-SAME:    %[[N:.*]]: index, %[[X:.*]]: f32
// CHECK:         %[[FIRST:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK:         %[[THIRD:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK:         %[[SECOND:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK:         linalg.fill ins(%[[X]] : f32) outs(%[[FIRST]] : tensor<?xf32>)
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[SECOND]])
// CHECK:         return %{{.*}}, %{{.*}}, %[[THIRD]]
func.func @uses(%n: index, %x: f32) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<?xf32>) {
    %s = tensor.insert %x into %t[%i] : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %a, %b, %e : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @one_use(
// CHECK:         tensor.empty
// CHECK-NOT:     tensor.empty
func.func @one_use(%x: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
