// RUN: clique-opt %s --clique-outline-sums --cse --split-input-file | FileCheck %s

// A number of terms that only a run knows is divided into parts, which are summed by themselves, and rows of the
// result: of 97 a block of 64, and the rest.
// CHECK-DAG: #[[$PARTS:.*]] = affine_map<()[s0] -> (s0 ceildiv 616)>
// CHECK-DAG: #[[$LENGTH:.*]] = affine_map<()[s0, s1] -> (s1 - s0 * 616, 616)>
// CHECK-DAG: #[[$BEGIN:.*]] = affine_map<()[s0] -> (s0 * 616)>
// CHECK-LABEL: func.func private @product_sum_0(
// CHECK-SAME:    %[[ROW:.*]]: index, %[[PART:.*]]: index, {{.*}} %[[SUMS:.*]]: memref<?x97x64xf32>) attributes {clique.sum}
// CHECK-DAG:     %[[FIRST:.*]] = affine.apply #[[$BEGIN]]()[%[[PART]]]
// CHECK-DAG:     %[[SIZE:.*]] = affine.min #[[$LENGTH]]()[%[[PART]], %{{.*}}]
// CHECK-DAG:     %[[X:.*]] = tensor.extract_slice %{{.*}}[%[[FIRST]], %[[ROW]]] [%[[SIZE]], 64]
// CHECK-DAG:     %[[Y:.*]] = tensor.extract_slice %{{.*}}[%[[FIRST]], 0] [%[[SIZE]], 64]
// CHECK-DAG:     %[[NONE:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<64x64xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[Y]] {{.*}} outs(%[[NONE]] : tensor<64x64xf32>)
// CHECK:         %[[VIEW:.*]] = memref.subview %[[SUMS]][%[[PART]], %[[ROW]], 0] [1, 64, 64] [1, 1, 1]
// CHECK:         bufferization.materialize_in_destination %{{.*}} in writable %[[VIEW]]
// CHECK-LABEL: func.func private @product_sum_0_rest(
// CHECK:         memref.subview %{{.*}} [1, 33, 64] [1, 1, 1]
// The sums of parts are summed as any tensor.
// CHECK-LABEL: func.func private @product_sum_0_parts(
// CHECK-SAME:    %{{.*}}: index, %{{.*}}: memref<?x97x64xf32>, %{{.*}}: memref<97x64xf32>, %{{.*}}: memref<97x64xf32>)
// CHECK:         linalg.reduce {{.*}} dimensions = [0]
// CHECK-LABEL: func.func private @product_sum_0_parts_rest(
// CHECK-LABEL: func.func @product(
// CHECK:         %[[COUNT:.*]] = affine.apply #[[$PARTS]]()
// CHECK:         %[[ALL:.*]] = memref.alloc(%[[COUNT]]) : memref<?x97x64xf32>
// CHECK:         scf.parallel (%[[BLOCK:.*]]) =
// CHECK:           call @product_sum_0(%{{.*}}, %{{.*}}, %{{.*}}, %[[ALL]])
// CHECK:         scf.parallel (%[[REST:.*]]) =
// CHECK:           call @product_sum_0_rest(
// CHECK:         %[[OUT:.*]] = memref.alloc() : memref<97x64xf32>
// CHECK:         call @product_sum_0_parts({{.*}}, %[[OUT]])
// CHECK:         call @product_sum_0_parts_rest(
// CHECK:         bufferization.to_tensor %[[OUT]] restrict writable
func.func @product(%x: tensor<?x97xf32>, %y: tensor<?x64xf32>) -> tensor<97x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<97x64xf32>
  %w = linalg.generic {
      indexing_maps = [affine_map<(a, b, n) -> (n, a)>, affine_map<(a, b, n) -> (n, b)>, affine_map<(a, b, n) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x97xf32>, tensor<?x64xf32>) outs(%zero : tensor<97x64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<97x64xf32>
  return %w : tensor<97x64xf32>
}

// -----

// Sums of half precision are rounded once: they are divided by rows alone. So is a sum of as many terms as is known.
// CHECK-LABEL: func.func private @rows_sum_0(
// CHECK-SAME:    %{{.*}}: index, %{{.*}}: memref<?x128x64xbf16>, %{{.*}}: memref<128x64xbf16>, %{{.*}}: memref<128x64xbf16>)
// CHECK-LABEL: func.func private @rows_sum_1(
// CHECK-SAME:    %{{.*}}: index, %{{.*}}: memref<9x128x64xf32>, %{{.*}}: memref<128x64xf32>, %{{.*}}: memref<128x64xf32>)
// CHECK-LABEL: func.func @rows(
// CHECK:         scf.parallel (%[[BLOCK:.*]]) =
// CHECK:           %[[ROW:.*]] = arith.muli %[[BLOCK]]
// CHECK:           call @rows_sum_0(%[[ROW]],
func.func @rows(%x: tensor<?x128x64xbf16>, %y: tensor<9x128x64xf32>) -> (tensor<128x64xbf16>, tensor<128x64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<128x64xbf16>
  %0 = arith.constant dense<0.0> : tensor<128x64xf32>
  %w = linalg.reduce ins(%x : tensor<?x128x64xbf16>) outs(%zero : tensor<128x64xbf16>) dimensions = [0]
      (%i: bf16, %o: bf16) {
        %s = arith.addf %o, %i : bf16
        linalg.yield %s : bf16
      }
  %v = linalg.reduce ins(%y : tensor<9x128x64xf32>) outs(%0 : tensor<128x64xf32>) dimensions = [0]
      (%i: f32, %o: f32) {
        %s = arith.addf %o, %i : f32
        linalg.yield %s : f32
      }
  return %w, %v : tensor<128x64xbf16>, tensor<128x64xf32>
}

// -----

// One dimension lies along vectors. A scalar that the body takes stays.
// CHECK-LABEL: func.func private @sum_sum_0(
// CHECK-LABEL: func.func @sum(
// CHECK: scf.parallel
// CHECK: call @sum_sum_0(
// CHECK-NOT: scf.parallel
// CHECK: call @sum_sum_0_parts(
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

// -----

// Of many columns a block has a part: 2 x 4 blocks. What the sum begins with is
// no number, and is read.
// CHECK-LABEL: func.func private @columns_sum_0(%arg0: index, %arg1: index,
// CHECK: %[[INIT:.*]] = tensor.extract_slice %{{.*}}[%arg0, %arg1] [64, 512] [1, 1] : tensor<128x2048xf32>
// CHECK: linalg.generic {{.*}} outs(%[[INIT]] : tensor<64x512xf32>)
// CHECK: memref.subview %{{.*}}[%arg0, %arg1] [64, 512] [1, 1]
// CHECK-LABEL: func.func @columns(
// CHECK: scf.parallel (%[[BLOCK:.*]]) = (%{{.*}}) to (%c8) step
// CHECK-DAG: %[[DOWN:.*]] = arith.divui %[[BLOCK]], %c4
// CHECK-DAG: %[[ACROSS:.*]] = arith.remui %[[BLOCK]], %c4
// CHECK-DAG: %[[COLUMN:.*]] = arith.muli %[[ACROSS]], %c512
// CHECK-DAG: %[[ROW:.*]] = arith.muli %[[DOWN]], %c64
// CHECK: call @columns_sum_0(%[[ROW]], %[[COLUMN]],
func.func @columns(%x: tensor<?x128xf32>, %y: tensor<?x2048xf32>, %init: tensor<128x2048xf32>) -> tensor<128x2048xf32> {
  %w = linalg.generic {
      indexing_maps = [affine_map<(a, b, n) -> (n, a)>, affine_map<(a, b, n) -> (n, b)>, affine_map<(a, b, n) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x128xf32>, tensor<?x2048xf32>) outs(%init : tensor<128x2048xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<128x2048xf32>
  return %w : tensor<128x2048xf32>
}

// -----

// Weights are transposed in parallel; of node features the size is not known.
// CHECK-LABEL: func.func private @transposed_sum_0(
// CHECK: linalg.transpose ins(%{{.*}} : tensor<128x32xf32>) outs(%{{.*}} : tensor<32x128xf32>)
// CHECK-LABEL: func.func @transposed(
// CHECK: scf.parallel
// CHECK: call @transposed_sum_0(
// CHECK: linalg.transpose ins(%{{.*}} : tensor<?x64xf32>)
func.func @transposed(%w: tensor<128x64xf32>, %x: tensor<?x64xf32>, %n: index) -> (tensor<64x128xf32>, tensor<64x?xf32>) {
  %e = tensor.empty() : tensor<64x128xf32>
  %t = linalg.transpose ins(%w : tensor<128x64xf32>) outs(%e : tensor<64x128xf32>) permutation = [1, 0]
  %f = tensor.empty(%n) : tensor<64x?xf32>
  %u = linalg.transpose ins(%x : tensor<?x64xf32>) outs(%f : tensor<64x?xf32>) permutation = [1, 0]
  return %t, %u : tensor<64x128xf32>, tensor<64x?xf32>
}
