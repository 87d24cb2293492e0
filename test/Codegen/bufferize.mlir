// Copies of rows are linalg.copy, not a library call.
// RUN: clique-opt %s --clique-bufferize | FileCheck %s

// CHECK-LABEL: @stage(
// CHECK-SAME:    %{{.*}}: memref<?x8xf32>
// CHECK:         memref.subview
// CHECK:         linalg.copy
// CHECK-NOT:     memref.copy
func.func @stage(%h: tensor<?x8xf32>, %from: index, %n: index) -> tensor<32x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x8xf32>) -> tensor<32x8xf32>
  %rows = tensor.extract_slice %h[%from, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %tile = tensor.insert_slice %rows into %init[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<32x8xf32>
  return %tile : tensor<32x8xf32>
}

// A small copy goes through a vector.
// CHECK-LABEL: @row(
// CHECK:         %[[ROW:.*]] = vector.transfer_read {{.*}} vector<8xf32>
// CHECK:         vector.transfer_write %[[ROW]]
// CHECK-NOT:     linalg.copy
func.func @row(%h: tensor<?x8xf32>, %from: index, %tile: tensor<32x8xf32>) -> tensor<32x8xf32> {
  %row = tensor.extract_slice %h[%from, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
  %next = tensor.insert_slice %row into %tile[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<32x8xf32>
  return %next : tensor<32x8xf32>
}
