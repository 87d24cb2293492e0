// RUN: clique-opt %s --clique-pipeline-copies --canonicalize --cse | FileCheck %s

#shared = #gpu.address_space<workgroup>
!tile = memref<64x64xbf16, strided<[64, 1], offset: ?>>
!buffer = memref<64x64xbf16, strided<[64, 1], offset: ?>, #shared>

// The first tile is on its way before the loop, the next one while a round computes; a
// round has one barrier, before which no copy may start.

// CHECK-LABEL: func.func private @twoBuffers(
// CHECK-SAME:    %[[KEYS:.*]]: memref<?x64xbf16>, %{{.*}}: memref<?xindex>, %{{.*}}: memref<?xf32>, %[[BEGIN:.*]]: index, %[[END:.*]]: index)
// CHECK:         %[[ANY:.*]] = arith.cmpi slt, %[[BEGIN]], %[[END]]
// CHECK:         scf.if %[[ANY]] {
// CHECK:           nvgpu.device_async_copy
// CHECK:         }
// CHECK:         %[[FIRST:.*]] = nvgpu.device_async_create_group {mp.tiles}
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]] step %c64 iter_args({{.*}}, %[[OWN:.*]] = %[[FIRST]]) -> (f32, !nvgpu.device.async.token)
// CHECK:           nvgpu.device_async_wait %[[OWN]]
// CHECK-NEXT:      gpu.barrier
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %c64
// CHECK:           %[[HAS:.*]] = arith.cmpi slt, %[[NEXT]], %[[END]]
// CHECK:           scf.if %[[HAS]] {
// CHECK:             memref.load %{{.*}}[%[[NEXT]]]
// CHECK:             nvgpu.device_async_copy
// CHECK:           }
// CHECK:           %[[GROUP:.*]] = nvgpu.device_async_create_group {mp.tiles}
// CHECK-NOT:       gpu.barrier
// CHECK:           memref.load %{{.*}} : memref<64x64xbf16, {{.*}}workgroup>>
// CHECK:           scf.yield {{.*}}, %[[GROUP]]
func.func private @twoBuffers(%keys: memref<?x64xbf16>, %places: memref<?xindex>, %o: memref<?xf32>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %x = gpu.thread_id x
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
  %both = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<2x64x64xbf16, #shared>
  %sum = scf.for %i = %begin to %end step %c64 iter_args(%s = %zero) -> (f32) {
    %past = arith.subi %i, %begin : index
    %round = arith.divui %past, %c64 : index
    %turn = arith.remui %round, %c2 : index
    %mine = memref.subview %both[%turn, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xbf16, #shared> to !buffer
    %place = memref.load %places[%i] : memref<?xindex>
    %tile = memref.subview %keys[%place, 0] [64, 64] [1, 1] : memref<?x64xbf16> to !tile
    nvgpu.device_async_copy %tile[%x, %c0], %mine[%x, %c0], 8 : !tile to !buffer
    %g = nvgpu.device_async_create_group {mp.tiles}
    nvgpu.device_async_wait %g
    gpu.barrier
    %v = memref.load %mine[%x, %c2] : !buffer
    %w = arith.extf %v : bf16 to f32
    %n = arith.addf %s, %w : f32
    scf.yield %n : f32
  }
  memref.store %sum, %o[%x] : memref<?xf32>
  return
}

// In one buffer a tile would be overwritten while it is read.

// CHECK-LABEL: func.func private @oneBuffer(
// CHECK-NOT:     nvgpu.device_async_create_group
// CHECK:         scf.for
func.func private @oneBuffer(%keys: memref<?x64xbf16>, %o: memref<?xbf16>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = gpu.thread_id x
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
  %one = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<64x64xbf16, #shared>
  scf.for %i = %begin to %end step %c64 {
    %tile = memref.subview %keys[%i, 0] [64, 64] [1, 1] : memref<?x64xbf16> to !tile
    gpu.barrier
    nvgpu.device_async_copy %tile[%x, %c0], %one[%x, %c0], 8 : !tile to memref<64x64xbf16, #shared>
    %g = nvgpu.device_async_create_group {mp.tiles}
    nvgpu.device_async_wait %g
    gpu.barrier
    %v = memref.load %one[%x, %c0] : memref<64x64xbf16, #shared>
    memref.store %v, %o[%i] : memref<?xbf16>
  }
  return
}

// A tile whose place a round may still write cannot be copied before it.

// CHECK-LABEL: func.func private @placesAreWritten(
// CHECK-NOT:     nvgpu.device_async_create_group
// CHECK:         scf.for
func.func private @placesAreWritten(%keys: memref<?x64xbf16>, %places: memref<?xindex>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %x = gpu.thread_id x
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
  %both = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<2x64x64xbf16, #shared>
  scf.for %i = %begin to %end step %c64 {
    %turn = arith.remui %i, %c2 : index
    %mine = memref.subview %both[%turn, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xbf16, #shared> to !buffer
    %place = memref.load %places[%i] : memref<?xindex>
    %tile = memref.subview %keys[%place, 0] [64, 64] [1, 1] : memref<?x64xbf16> to !tile
    nvgpu.device_async_copy %tile[%x, %c0], %mine[%x, %c0], 8 : !tile to !buffer
    %g = nvgpu.device_async_create_group {mp.tiles}
    nvgpu.device_async_wait %g
    gpu.barrier
    memref.store %x, %places[%i] : memref<?xindex>
  }
  return
}
