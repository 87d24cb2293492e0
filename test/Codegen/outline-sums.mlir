// RUN: clique-opt %s --clique-outline-sums --split-input-file | FileCheck %s

// Rows of the result are divided: three blocks of 32, and one more row.
// CHECK-LABEL: func.func private @product_sum_0(
// CHECK-SAME: attributes {clique.sum}
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<32x8xf32>)
// CHECK: bufferization.materialize_in_destination
// CHECK-LABEL: func.func private @product_sum_0_rest(%arg0: index,
// CHECK: memref.subview %arg4[%arg0, 0] [1, 8] [1, 1]
// CHECK-LABEL: func.func @product(
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<97x8xf32>
// CHECK: scf.parallel (%[[BLOCK:.*]]) = (%{{.*}}) to (%{{.*}})
// CHECK: %[[ROW:.*]] = arith.muli %[[BLOCK]]
// CHECK: call @product_sum_0(%[[ROW]], {{.*}}, %[[OUT]])
// CHECK: call @product_sum_0_rest(
// CHECK: bufferization.to_tensor %[[OUT]] restrict writable
func.func @product(%x: tensor<?x97xf32>, %y: tensor<?x8xf32>) -> tensor<97x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<97x8xf32>
  %w = linalg.generic {
      indexing_maps = [affine_map<(a, b, n) -> (n, a)>, affine_map<(a, b, n) -> (n, b)>, affine_map<(a, b, n) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x97xf32>, tensor<?x8xf32>) outs(%zero : tensor<97x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<97x8xf32>
  return %w : tensor<97x8xf32>
}

// -----

// One dimension lies along vectors. A scalar that the body takes stays.
// CHECK-LABEL: func.func private @sum_sum_0(
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: scf.parallel
// CHECK: call @sum_sum_0(
// CHECK: linalg.generic
func.func @sum(%x: tensor<?x97xf32>, %c: f32) -> (tensor<97xf32>, tensor<97xf32>) {
  %zero = arith.constant dense<0.0> : tensor<97xf32>
  %w = linalg.reduce ins(%x : tensor<?x97xf32>) outs(%zero : tensor<97xf32>) dimensions = [0]
      (%i: f32, %o: f32) {
        %s = arith.addf %o, %i : f32
        linalg.yield %s : f32
      }
  %v = linalg.generic {
      indexing_maps = [affine_map<(a, n) -> (n, a)>, affine_map<(a, n) -> (a)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x97xf32>) outs(%zero : tensor<97xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.mulf %i, %c : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<97xf32>
  return %w, %v : tensor<97xf32>, tensor<97xf32>
}
