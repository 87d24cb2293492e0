// Vector ops become those that LLVM's dialect has: one dimension, loads, stores
// and shuffles.

// RUN: clique-opt %s --clique-lower-vectors | FileCheck %s

// CHECK-LABEL: func @transfer
// CHECK:       vector.load {{.*}} : memref<?xf32>, vector<8xf32>
// CHECK:       vector.shuffle {{.*}} [4, 5, 6, 7]
func.func @transfer(%m: memref<?xf32>, %i: index) -> vector<4xf32> {
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%i], %zero {in_bounds = [true]} : memref<?xf32>, vector<8xf32>
  %r = vector.extract_strided_slice %v {offsets = [4], sizes = [4], strides = [1]}
      : vector<8xf32> to vector<4xf32>
  return %r : vector<4xf32>
}

// Lanes behind the end are masked.
// CHECK-LABEL: func @end
// CHECK:       arith.cmpi sgt
// CHECK:       vector.maskedload
func.func @end(%m: memref<?xf32>, %i: index) -> vector<8xf32> {
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%i], %zero : memref<?xf32>, vector<8xf32>
  return %v : vector<8xf32>
}

// CHECK-LABEL: func @product
// CHECK-NOT:   vector.contract
// CHECK-COUNT-2: vector.reduction <add>
#a = affine_map<(i, k) -> (i, k)>
#b = affine_map<(i, k) -> (k)>
#c = affine_map<(i, k) -> (i)>
func.func @product(%m: vector<2x4xf32>, %v: vector<4xf32>, %acc: vector<2xf32>) -> vector<2xf32> {
  %r = vector.contract {indexing_maps = [#a, #b, #c],
      iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %m, %v, %acc : vector<2x4xf32>, vector<4xf32> into vector<2xf32>
  return %r : vector<2xf32>
}
