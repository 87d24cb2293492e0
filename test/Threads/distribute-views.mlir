// Parts of tensors in other shapes and orders: views where the memory has them, copies else.
// RUN: clique-opt %s --clique-distribute-to-threads --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @views(
// CHECK-DAG:     %[[A:.*]] = memref.load %arg0[%c1, %c2] : memref<4x6xf32>
// CHECK-DAG:     %[[B:.*]] = memref.load %arg0[%c2, %c1] : memref<4x6xf32>
// Every thread has the four elements; one stores them.
// CHECK:         vector.from_elements %[[A]], %[[B]], %cst, %[[A]] : vector<4xf32>
// CHECK:         memref.store %[[A]], %arg2[
// CHECK:         %[[COLUMNS:.*]] = memref.subview %arg0[0, 1] [4, 2] [1, 2]
// CHECK:         memref.load %[[COLUMNS]]
// CHECK:         nvvm.bar.warp.sync
// CHECK:         vector.store %{{.*}}, %[[COPY:[^\[]*]][
// CHECK:         nvvm.bar.warp.sync
// CHECK:         %[[ROW:.*]] = memref.collapse_shape %[[COPY]] {{\[\[}}0, 1]]
// CHECK:         memref.load %[[ROW]]
// CHECK-NOT:     nvvm.bar
// CHECK:         %[[COLUMN:.*]] = memref.subview %arg0[0, 1] [4, 1] [1, 1] : memref<4x6xf32> to memref<4xf32, strided<[6], offset: 1>>
// CHECK:         memref.expand_shape %[[COLUMN]] {{.*}} into memref<2x2xf32, strided<[12, 6], offset: 1>>
// A part of what is transposed is the part, transposed: rows 1 and 3, columns 3 and 4.
// CHECK:         %[[PART:.*]] = memref.subview %arg0[1, 3] [2, 2] [2, 1]
// CHECK:         %[[X:.*]] = memref.load %[[PART]][%[[P:[0-9]+]], %[[Q:[0-9]+]]]
// CHECK:         memref.store %[[X]], %arg5[%[[Q]], %[[P]]]
func.func private @views(%x: memref<4x6xf32>, %o: memref<2x2xf32>, %p: memref<6xf32>, %r: memref<8xf32>, %u: memref<2x2xf32>, %s: memref<2x2xf32>)
    attributes {mp.threads = 32 : i64, mp.rows = 0 : i64} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<4x6xf32> to tensor<4x6xf32>
  // Elements one by one.
  %a = tensor.extract %xt[%c1, %c2] : tensor<4x6xf32>
  %b = tensor.extract %xt[%c2, %c1] : tensor<4x6xf32>
  %four = tensor.from_elements %a, %b, %zero, %a : tensor<2x2xf32>
  bufferization.materialize_in_destination %four in writable %o : (tensor<2x2xf32>, memref<2x2xf32>) -> ()
  // Part of a constant, of another shape.
  %init = tensor.empty() : tensor<4x6xf32>
  %fill = linalg.fill ins(%a : f32) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  %row = tensor.extract_slice %fill[1, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
  %flat = tensor.collapse_shape %row [[0, 1]] : tensor<1x6xf32> into tensor<6xf32>
  bufferization.materialize_in_destination %flat in writable %p : (tensor<6xf32>, memref<6xf32>) -> ()
  // Columns that lie apart are copied before they become one row; one column is split where it is.
  %columns = tensor.extract_slice %xt[0, 1] [4, 2] [1, 2] : tensor<4x6xf32> to tensor<4x2xf32>
  %all = tensor.collapse_shape %columns [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  bufferization.materialize_in_destination %all in writable %r : (tensor<8xf32>, memref<8xf32>) -> ()
  %column = tensor.extract_slice %xt[0, 1] [4, 1] [1, 1] : tensor<4x6xf32> to tensor<4xf32>
  %two = tensor.expand_shape %column [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  bufferization.materialize_in_destination %two in writable %u : (tensor<2x2xf32>, memref<2x2xf32>) -> ()
  // Part of what is transposed is the part, transposed.
  %turn = tensor.empty() : tensor<6x4xf32>
  %t = linalg.transpose ins(%xt : tensor<4x6xf32>) outs(%turn : tensor<6x4xf32>) permutation = [1, 0]
  %corner = tensor.extract_slice %t[3, 1] [2, 2] [1, 2] : tensor<6x4xf32> to tensor<2x2xf32>
  bufferization.materialize_in_destination %corner in writable %s : (tensor<2x2xf32>, memref<2x2xf32>) -> ()
  return
}
