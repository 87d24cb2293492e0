// Copies of rows are linalg.copy, not a library call.
// RUN: clique-opt %s --clique-bufferize | FileCheck %s
// RUN: clique-opt %s --clique-bufferize | FileCheck %s --check-prefix=CONSTANTS

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

// In vectors that LLVM keeps whole.
// CHECK-LABEL: @row_of_48(
// CHECK:         vector.transfer_read %{{.*}}[%c0{{.*}}], {{.*}}, vector<32xf32>
// CHECK:         vector.transfer_read %{{.*}}[%c32{{.*}}], {{.*}}, vector<16xf32>
// CHECK-NOT:     vector<48xf32>
func.func @row_of_48(%h: tensor<?x48xf32>, %from: index, %tile: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %row = tensor.extract_slice %h[%from, 0] [1, 48] [1, 1] : tensor<?x48xf32> to tensor<48xf32>
  %next = tensor.insert_slice %row into %tile[0, 0] [1, 48] [1, 1] : tensor<48xf32> into tensor<32x48xf32>
  return %next : tensor<32x48xf32>
}

// Constants are numbered by where they are used first.
// CONSTANTS:         memref.global "private" constant @__constant_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
// CONSTANTS-NEXT:    memref.global "private" constant @__constant_1 : memref<2xf32> = dense<[3.000000e+00, 4.000000e+00]>
// CONSTANTS-NEXT:    memref.global "private" constant @__constant_2 : memref<1xi8> = dense<5>
// CONSTANTS-LABEL:   @first(
// CONSTANTS:           memref.get_global @__constant_0
// CONSTANTS-LABEL:   @second(
// CONSTANTS:           memref.get_global @__constant_1
// CONSTANTS:           memref.get_global @__constant_0
// CONSTANTS:           memref.get_global @__constant_2
func.func @first(%i: index) -> f32 {
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %x = tensor.extract %t[%i] : tensor<2xf32>
  return %x : f32
}
func.func @second(%i: index) -> (f32, f32, i8) {
  %s = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %u = arith.constant dense<[5]> : tensor<1xi8>
  %x = tensor.extract %s[%i] : tensor<2xf32>
  %y = tensor.extract %t[%i] : tensor<2xf32>
  %z = tensor.extract %u[%i] : tensor<1xi8>
  return %x, %y, %z : f32, f32, i8
}
