// As many blocks as registers are there for, and shared memory; kernels with small products are left
// alone.

// RUN: clique-opt %s -pass-pipeline="builtin.module(gpu.module(clique-bound-registers))" | FileCheck %s

#shared = #gpu.address_space<workgroup>

module attributes {mp.target = #mp.gpu<shared_bytes = 232448, multiprocessor_shared_bytes = 233472, matrix = wgmma>} {
gpu.module @device {
  // Sums of 64 and 32 registers, of left operands 4 each: 72 others give 176, two blocks of 128 threads.
  // CHECK-LABEL: gpu.func @large(
  // CHECK-SAME: nvvm.minctasm = 2 : i32
  gpu.func @large(%a: vector<4x2xbf16>, %b: vector<4x2xbf16>, %c: vector<4x2xbf16>, %sums: vector<64xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
    %wide = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<32x128xbf16, #shared>
    %narrow = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<16x64xbf16, #shared>
    %c1 = arith.constant 1 : index
    %all = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %sums) -> (vector<64xf32>) {
      %r = mp.warpgroup_product left(%a, %b : vector<4x2xbf16>, vector<4x2xbf16>)
          right(%wide : memref<32x128xbf16, #shared>) sums(%sum : vector<64xf32>) -> vector<64xf32>
      %s = mp.warpgroup_product left(%c : vector<4x2xbf16>) right(%narrow : memref<16x64xbf16, #shared>) -> vector<32xf32>
      scf.yield %r : vector<64xf32>
    }
    gpu.return
  }

  // Registers for two, but shared memory for one.
  // CHECK-LABEL: gpu.func @shared(
  // CHECK-NOT: nvvm.minctasm
  gpu.func @shared(%a: vector<4x2xbf16>, %sums: vector<128xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
    %tile = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<16x256xbf16, #shared>
    %other = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<120x1024xi8, #shared>
    %c1 = arith.constant 1 : index
    %all = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %sums) -> (vector<128xf32>) {
      %r = mp.warpgroup_product left(%a : vector<4x2xbf16>) right(%tile : memref<16x256xbf16, #shared>) sums(%sum : vector<128xf32>) -> vector<128xf32>
      scf.yield %r : vector<128xf32>
    }
    gpu.return
  }

  // One product after the other.
  // CHECK-LABEL: gpu.func @sequence(
  // CHECK-NOT: nvvm.minctasm
  gpu.func @sequence(%a: vector<4x2xbf16>, %sums: vector<128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
    %tile = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<16x256xbf16, #shared>
    %r = mp.warpgroup_product left(%a : vector<4x2xbf16>) right(%tile : memref<16x256xbf16, #shared>) sums(%sums : vector<128xf32>) -> vector<128xf32>
    gpu.return
  }

  // Products of warps: sums that go on take no registers of their own.
  // CHECK-LABEL: gpu.func @small(
  // CHECK-NOT: nvvm.minctasm
  gpu.func @small(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %s = nvgpu.mma.sync (%a, %b, %r) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    gpu.return
  }
}
}
