// RUN: clique-opt %s --clique-lower-scalar-transfers | FileCheck %s

// Whatever the strides; the conversion to LLVM takes a last stride of 1 only.
// CHECK-LABEL: func @copy
// CHECK:         %[[X:.*]] = memref.load %{{.*}}[%{{.*}}] : memref<16xf32, strided<[12], offset: ?>>
// CHECK:         %[[V:.*]] = vector.broadcast %[[X]] : f32 to vector<f32>
// CHECK:         %[[SUM:.*]] = arith.addf %[[V]], %[[V]] : vector<f32>
// CHECK:         %[[Y:.*]] = vector.extract %[[SUM]][] : f32 from vector<f32>
// CHECK:         memref.store %[[Y]], %{{.*}}[%{{.*}}, %{{.*}}] : memref<4x4xf32, strided<[?, ?], offset: ?>>
func.func @copy(%m: memref<16xf32, strided<[12], offset: ?>>,
                %n: memref<4x4xf32, strided<[?, ?], offset: ?>>, %i: index) {
  %p = ub.poison : f32
  %v = vector.transfer_read %m[%i], %p : memref<16xf32, strided<[12], offset: ?>>, vector<f32>
  %s = arith.addf %v, %v : vector<f32>
  vector.transfer_write %s, %n[%i, %i] : vector<f32>, memref<4x4xf32, strided<[?, ?], offset: ?>>
  return
}

// CHECK-LABEL: func @vectors_stay
// CHECK:         vector.transfer_read
// CHECK:         vector.transfer_write
func.func @vectors_stay(%m: memref<16xf32>, %i: index) {
  %p = ub.poison : f32
  %v = vector.transfer_read %m[%i], %p : memref<16xf32>, vector<1xf32>
  vector.transfer_write %v, %m[%i] : vector<1xf32>, memref<16xf32>
  return
}
