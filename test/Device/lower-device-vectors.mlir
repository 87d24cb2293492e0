// Fragments of two dimensions as rows.

// RUN: clique-opt %s -pass-pipeline="builtin.module(gpu.module(clique-lower-device-vectors))" | FileCheck %s

gpu.module @device {
  // CHECK-LABEL: gpu.func @fragments
  gpu.func @fragments(%m: vector<2x2xf32>, %x: f32, %to: memref<8xf32>) kernel {
    // CHECK-NOT: vector.shape_cast
    // CHECK-NOT: vector.insert_strided_slice
    // CHECK: vector.extract %{{.*}}[0] : vector<2xf32> from vector<2x2xf32>
    // CHECK: vector.store %{{.*}} : memref<8xf32>, vector<4xf32>
    %c0 = arith.constant 0 : index
    %f = vector.shape_cast %m : vector<2x2xf32> to vector<4xf32>
    vector.store %f, %to[%c0] : memref<8xf32>, vector<4xf32>
    gpu.return
  }
}
