// Elementwise ops are computed in the loops that store their rows.
// RUN: clique-opt %s --clique-fuse-into-stores --canonicalize --split-input-file | FileCheck %s

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: @mean
// CHECK-SAME:    %[[SUM:.*]]: tensor<8x64xf32>, %[[INVERSE:.*]]: tensor<8xf32>, %[[COUNT:.*]]: index, %[[OUT:.*]]: memref<?x64xf32>
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[COUNT]]
// CHECK:           %[[PLACE:.*]] = memref.subview %[[OUT]][%[[I]], 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<64xf32
// CHECK:           %[[SUMS:.*]] = tensor.extract_slice %[[SUM]][%[[I]], 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<64xf32>
// CHECK:           %[[BY:.*]] = tensor.extract_slice %[[INVERSE]][%[[I]]] [1] [1] : tensor<8xf32> to tensor<f32>
// CHECK:           %[[ROW:.*]] = linalg.generic {{.*}} ins(%[[SUMS]], %[[BY]] : tensor<64xf32>, tensor<f32>)
// CHECK:           bufferization.materialize_in_destination %[[ROW]] in writable %[[PLACE]]
// CHECK-NOT:     tensor<8x64xf32>
func.func @mean(%sum: tensor<8x64xf32>, %inverse: tensor<8xf32>, %count: index, %out: memref<?x64xf32>) {
  %empty = tensor.empty() : tensor<8x64xf32>
  %mean = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %inverse : tensor<8x64xf32>, tensor<8xf32>) outs(%empty : tensor<8x64xf32>) {
  ^bb0(%s: f32, %i: f32, %o: f32):
    %m = arith.mulf %s, %i : f32
    linalg.yield %m : f32
  } -> tensor<8x64xf32>
  %first = tensor.extract_slice %mean[0, 0] [%count, 64] [1, 1] : tensor<8x64xf32> to tensor<?x64xf32>
  bufferization.materialize_in_destination %first in writable %out : (tensor<?x64xf32>, memref<?x64xf32>) -> ()
  return
}

// -----

#rows = affine_map<(i, j) -> (i, j)>

// Rows of nodes in another order are stored one by one.
// CHECK-LABEL: @ordered
// CHECK:         scf.if
// CHECK:           scf.for %[[I:.*]] =
// CHECK:             %[[LOADED:.*]] = memref.load
// CHECK:             %[[PLACE:.*]] = memref.subview %{{.*}}[%[[LOADED]], 0]
// CHECK:             tensor.extract_slice %{{.*}}[%[[I]], 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<64xf32>
// CHECK:             %[[ROW:.*]] = linalg.generic
// CHECK:             bufferization.materialize_in_destination %[[ROW]] in writable %[[PLACE]]
// CHECK:         else
// CHECK:           scf.for
// CHECK:             linalg.generic
// CHECK:             bufferization.materialize_in_destination
func.func @ordered(%x: tensor<8x64xf32>, %count: index, %out: memref<?x64xf32>, %order: memref<?xindex>, %is: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<8x64xf32>
  %y = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) {
  ^bb0(%e: f32, %o: f32):
    %n = arith.negf %e : f32
    linalg.yield %n : f32
  } -> tensor<8x64xf32>
  scf.if %is {
    scf.for %i = %c0 to %count step %c1 {
      %node = memref.load %order[%i] : memref<?xindex>
      %row = tensor.extract_slice %y[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<64xf32>
      %place = memref.subview %out[%node, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<64xf32, strided<[1], offset: ?>>
      bufferization.materialize_in_destination %row in writable %place : (tensor<64xf32>, memref<64xf32, strided<[1], offset: ?>>) -> ()
    }
  } else {
    %first = tensor.extract_slice %y[0, 0] [%count, 64] [1, 1] : tensor<8x64xf32> to tensor<?x64xf32>
    bufferization.materialize_in_destination %first in writable %out : (tensor<?x64xf32>, memref<?x64xf32>) -> ()
  }
  return
}

// -----

#rows = affine_map<(i, j) -> (i, j)>

// What finishes a product stays, rows that fill no vectors, what has another use, and what is not
// stored from the first row on.
// CHECK-LABEL: @others
// CHECK-NOT:     scf.for
func.func @others(%a: tensor<8x32xf32>, %w: tensor<32x64xf32>, %zero: tensor<8x64xf32>, %x: tensor<8x4xf32>,
                  %z: tensor<8x64xf32>, %count: index, %out: memref<?x64xf32>, %narrow: memref<?x4xf32>,
                  %other: memref<?x64xf32>, %later: memref<?x64xf32>) -> tensor<8x64xf32> {
  %empty = tensor.empty() : tensor<8x64xf32>
  %empty4 = tensor.empty() : tensor<8x4xf32>
  %sums = linalg.matmul ins(%a, %w : tensor<8x32xf32>, tensor<32x64xf32>) outs(%zero : tensor<8x64xf32>) -> tensor<8x64xf32>
  %finished = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) {
  ^bb0(%e: f32, %o: f32):
    %n = arith.negf %e : f32
    linalg.yield %n : f32
  } -> tensor<8x64xf32>
  %1 = tensor.extract_slice %finished[0, 0] [%count, 64] [1, 1] : tensor<8x64xf32> to tensor<?x64xf32>
  bufferization.materialize_in_destination %1 in writable %out : (tensor<?x64xf32>, memref<?x64xf32>) -> ()
  %small = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x4xf32>) outs(%empty4 : tensor<8x4xf32>) {
  ^bb0(%e: f32, %o: f32):
    %n = arith.negf %e : f32
    linalg.yield %n : f32
  } -> tensor<8x4xf32>
  %2 = tensor.extract_slice %small[0, 0] [%count, 4] [1, 1] : tensor<8x4xf32> to tensor<?x4xf32>
  bufferization.materialize_in_destination %2 in writable %narrow : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  %kept = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) {
  ^bb0(%e: f32, %o: f32):
    %n = arith.negf %e : f32
    linalg.yield %n : f32
  } -> tensor<8x64xf32>
  %3 = tensor.extract_slice %kept[0, 0] [%count, 64] [1, 1] : tensor<8x64xf32> to tensor<?x64xf32>
  bufferization.materialize_in_destination %3 in writable %other : (tensor<?x64xf32>, memref<?x64xf32>) -> ()
  %halves = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) {
  ^bb0(%e: f32, %o: f32):
    %n = math.absf %e : f32
    linalg.yield %n : f32
  } -> tensor<8x64xf32>
  %4 = tensor.extract_slice %halves[%count, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
  %some = memref.subview %later[0, 0] [4, 64] [1, 1] : memref<?x64xf32> to memref<4x64xf32, strided<[64, 1]>>
  bufferization.materialize_in_destination %4 in writable %some : (tensor<4x64xf32>, memref<4x64xf32, strided<[64, 1]>>) -> ()
  return %kept : tensor<8x64xf32>
}
