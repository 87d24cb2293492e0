// Linear maps of nodes in half precision: weights stay so up to the tensor cores.
// RUN: clique-compile %s --target=cuda --emit=kernels -o - | FileCheck %s

// Rows and weights are copied together, and rounded once, when the result is stored.

// CHECK-LABEL: gpu.func @small_0_nodes(
// CHECK-SAME:    %{{.*}}: memref<64x64xbf16>
// CHECK-SAME:    known_block_size = array<i32: 128, 1, 1>
// CHECK-NOT:     gpu.barrier
// CHECK:         nvgpu.device_async_copy {{.*}} to memref<64x64xbf16
// CHECK-NOT:     gpu.barrier
// CHECK:         nvgpu.device_async_copy {{.*}} : memref<64x64xbf16, strided<[64, 1]>> to memref<64x64xbf16
// CHECK:         nvgpu.device_async_wait
// CHECK-NEXT:    gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         nvgpu.ldmatrix {{.*}} transpose = false
// CHECK:         nvgpu.ldmatrix {{.*}} transpose = true
// CHECK-COUNT-32: nvgpu.mma.sync({{.*}}) {mmaShape = [16, 8, 16]}
// CHECK-NOT:     nvgpu.mma.sync
// CHECK:         arith.truncf {{.*}} to vector<32xbf16>
func.func @small(%h: tensor<?x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<?x64xbf16> {
  %o = mp.update (%x = %h : tensor<?x64xbf16>) -> tensor<?x64xbf16> {
    %y = mp.linear %x, %w : (tensor<64xbf16>, tensor<64x64xbf16>) -> tensor<64xbf16>
    mp.yield %y : tensor<64xbf16>
  }
  return %o : tensor<?x64xbf16>
}

// Large weights come in parts, and so do the rows; the next ones are copied while those
// that came before are multiplied.

// CHECK-LABEL: gpu.func @deep_0_nodes(
// CHECK:         nvgpu.device_async_copy
// CHECK:         scf.for %[[K:.*]] = %c0{{.*}} to %c256{{.*}} step %c128{{.*}} iter_args(
// CHECK:           nvgpu.device_async_wait
// CHECK-NEXT:      gpu.barrier
// CHECK:           scf.if
// CHECK:             memref.subview %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, 128] [1, 1] : memref<?x256xbf16>
// CHECK:             nvgpu.device_async_copy {{.*}}, 8 {bypassL1} : memref<64x128xbf16, strided<[256, 1]
// CHECK:             nvgpu.device_async_copy {{.*}}, 8 {bypassL1} : memref<128x64xbf16, strided<[64, 1]
// CHECK:           nvgpu.device_async_create_group
// CHECK-NOT:       gpu.barrier
// CHECK-COUNT-64:  nvgpu.mma.sync
// CHECK:           scf.yield
func.func @deep(%h: tensor<?x256xbf16>, %w: tensor<256x4x16xbf16>) -> tensor<?x4x16xbf16> {
  %o = mp.update (%x = %h : tensor<?x256xbf16>) -> tensor<?x4x16xbf16> {
    %y = mp.linear %x, %w : (tensor<256xbf16>, tensor<256x4x16xbf16>) -> tensor<4x16xbf16>
    mp.yield %y : tensor<4x16xbf16>
  }
  return %o : tensor<?x4x16xbf16>
}

// 512 numbers of 32 rows are in the registers of 256 threads: four warps have the same
// rows, and take the columns in turn. What was computed is rounded for all of them.

// CHECK-LABEL: gpu.func @wide_0_nodes(
// CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>
// CHECK:         arith.addf {{.*}} : vector<{{.*}}xf32>
// CHECK:         arith.truncf {{.*}} : vector<{{.*}}xf32> to vector<{{.*}}xbf16>
// CHECK:         vector.store {{.*}}#gpu.address_space<workgroup>
// CHECK:         scf.for
// CHECK-COUNT-16:  nvgpu.mma.sync
// CHECK-NOT:       nvgpu.mma.sync
func.func @wide(%h: tensor<?x64xbf16>, %w: tensor<64x512xbf16>) -> tensor<?x512xbf16> {
  %o = mp.update (%x = %h : tensor<?x64xbf16>) -> tensor<?x512xbf16> {
    %t = arith.addf %x, %x : tensor<64xbf16>
    %y = mp.linear %t, %w : (tensor<64xbf16>, tensor<64x512xbf16>) -> tensor<512xbf16>
    mp.yield %y : tensor<512xbf16>
  }
  return %o : tensor<?x512xbf16>
}

// The first of two results is stored before the second is computed.

// CHECK-LABEL: gpu.func @two_0_nodes(
// CHECK-COUNT-32: nvgpu.mma.sync
// CHECK:         vector.store {{.*}} : memref<?x64xbf16
// CHECK:         nvgpu.mma.sync
func.func @two(%h: tensor<?x64xbf16>, %w: tensor<64x64xbf16>, %v: tensor<64x64xbf16>)
    -> (tensor<?x64xbf16>, tensor<?x64xbf16>) {
  %o:2 = mp.update (%x = %h : tensor<?x64xbf16>) -> tensor<?x64xbf16>, tensor<?x64xbf16> {
    %y = mp.linear %x, %w : (tensor<64xbf16>, tensor<64x64xbf16>) -> tensor<64xbf16>
    %z = mp.linear %x, %v : (tensor<64xbf16>, tensor<64x64xbf16>) -> tensor<64xbf16>
    mp.yield %y, %z : tensor<64xbf16>, tensor<64xbf16>
  }
  return %o#0, %o#1 : tensor<?x64xbf16>, tensor<?x64xbf16>
}

// Where something is stored in f32, and where sizes are no multiples of what an
// instruction takes, products are on ordinary units.

// CHECK-LABEL: gpu.func @mixed_0_nodes(
// CHECK-NOT:     nvgpu.mma.sync
func.func @mixed(%h: tensor<?x64xbf16>, %w: tensor<64x64xbf16>, %b: tensor<64xf32>) -> tensor<?x64xbf16> {
  %o = mp.update (%x = %h : tensor<?x64xbf16>) -> tensor<?x64xbf16> {
    %s = arith.truncf %b : tensor<64xf32> to tensor<64xbf16>
    %y = mp.linear %x, %w bias %s : (tensor<64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>) -> tensor<64xbf16>
    mp.yield %y : tensor<64xbf16>
  }
  return %o : tensor<?x64xbf16>
}
// CHECK-LABEL: gpu.func @odd_0_nodes(
// CHECK-NOT:     nvgpu.mma.sync
// CHECK:         gpu.return
func.func @odd(%h: tensor<?x40xbf16>, %w: tensor<40x64xbf16>) -> tensor<?x64xbf16> {
  %o = mp.update (%x = %h : tensor<?x40xbf16>) -> tensor<?x64xbf16> {
    %y = mp.linear %x, %w : (tensor<40xbf16>, tensor<40x64xbf16>) -> tensor<64xbf16>
    mp.yield %y : tensor<64xbf16>
  }
  return %o : tensor<?x64xbf16>
}
