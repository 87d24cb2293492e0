// A loop that writes to two tensors of which the last rows are 0 has two of them.
// RUN: clique-opt %s --clique-split-filled | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<48x64xf32>
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} -> tensor<?x64xf32>
// CHECK:         %[[X:.*]] = tensor.insert_slice %[[F]] into %[[E]]
// CHECK:         %[[E0:.*]] = tensor.empty() : tensor<48x64xf32>
// CHECK:         %[[S0:.*]] = tensor.extract_slice %[[E0]]
// CHECK:         %[[F0:.*]] = linalg.fill {{.*}} outs(%[[S0]] : tensor<?x64xf32>)
// CHECK:         %[[X0:.*]] = tensor.insert_slice %[[F0]] into %[[E0]]
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[X]], %{{.*}} = %[[X0]])
func.func @two(%h: tensor<?x64xf32>, %n: index, %rest: index) -> (tensor<48x64xf32>, tensor<48x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x64xf32>
  %s = tensor.extract_slice %e[%n, 0] [%rest, 64] [1, 1] : tensor<48x64xf32> to tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<?x64xf32>) -> tensor<?x64xf32>
  %x = tensor.insert_slice %f into %e[%n, 0] [%rest, 64] [1, 1] : tensor<?x64xf32> into tensor<48x64xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<48x64xf32>, tensor<48x64xf32>) {
    %row = tensor.extract_slice %h[%i, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %u = tensor.insert_slice %row into %a[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<48x64xf32>
    %v = tensor.insert_slice %row into %b[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<48x64xf32>
    scf.yield %u, %v : tensor<48x64xf32>, tensor<48x64xf32>
  }
  return %r#0, %r#1 : tensor<48x64xf32>, tensor<48x64xf32>
}

// What holds something else is not made twice.

// CHECK-LABEL: func.func @of_an_argument(
// CHECK:         %[[X:.*]] = tensor.insert_slice
// CHECK-NOT:     tensor.insert_slice
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[X]], %{{.*}} = %[[X]])
func.func @of_an_argument(%e: tensor<48x64xf32>, %h: tensor<8x64xf32>, %n: index) -> (tensor<48x64xf32>, tensor<48x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.insert_slice %h into %e[%n, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<48x64xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<48x64xf32>, tensor<48x64xf32>) {
    scf.yield %b, %a : tensor<48x64xf32>, tensor<48x64xf32>
  }
  return %r#0, %r#1 : tensor<48x64xf32>, tensor<48x64xf32>
}
