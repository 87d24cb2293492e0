// Products of warpgroups as wgmma: an instruction for every 16 of the depth, whose right operand is a
// descriptor: the address in units of 16 bytes, the strides between panels and between groups of 8
// rows in the same unit from bits 16 and 32 on, and the swizzle in the last two bits.

// RUN: clique-opt %s -split-input-file -verify-diagnostics \
// RUN:   -pass-pipeline="builtin.module(gpu.module(clique-convert-warpgroups-to-ptx,canonicalize))" | FileCheck %s

#shared = #gpu.address_space<workgroup>

module attributes {mp.target = #mp.gpu<shared_bytes = 232448, multiprocessor_shared_bytes = 233472, matrix = wgmma>} {
gpu.module @device {
  // CHECK-LABEL: gpu.func @columns
  // CHECK-NOT: nvvm.minctasm
  gpu.func @columns(%a: vector<4x2xbf16>, %b: vector<4x2xbf16>, %sums: vector<64xf32>, %to: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
    %right = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<32x128xbf16, #shared>
    // Panels of 4096 bytes, groups of 1024, 128 bytes: 0x4000004001000000.
    // CHECK-DAG: %[[BITS:.*]] = arith.constant 4611686293322072064 : i64
    // CHECK-DAG: %[[STEP:.*]] = arith.constant 128 : i64
    // CHECK: %[[FIRST:.*]] = arith.ori %{{.*}}, %[[BITS]] : i64
    // CHECK: %[[SECOND:.*]] = arith.addi %[[FIRST]], %[[STEP]] : i64
    // CHECK: llvm.inline_asm has_side_effects
    // CHECK-SAME: wgmma.fence.sync.aligned;
    // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {$0, {{.*}}, $63}, {$64, $65, $66, $67}, $72, all, 1, 1, 1;
    // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {$0, {{.*}}, $63}, {$68, $69, $70, $71}, $73, all, 1, 1, 1;
    // CHECK-SAME: wgmma.commit_group.sync.aligned;
    // CHECK-SAME: wgmma.wait_group.sync.aligned 0;
    // CHECK-SAME: r,r,r,r,r,r,r,r,l,l,0,1,
    // CHECK-SAME: 63,~{memory}" {{.*}}, %[[FIRST]], %[[SECOND]],
    %r = mp.warpgroup_product left(%a, %b : vector<4x2xbf16>, vector<4x2xbf16>)
        right(%right : memref<32x128xbf16, #shared>) sums(%sums : vector<64xf32>) {panels} -> vector<64xf32>
    vector.store %r, %to[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rows
  gpu.func @rows(%a: vector<4x2xf16>, %b: vector<4x2xf16>, %to: memref<32xf32>) kernel {
    %c0 = arith.constant 0 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
    %right = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<64x32xf16, #shared>
    // Groups of 512 bytes, 64 bytes: 0x8000002001000000; the second step begins 32 bytes later.
    // CHECK-DAG: arith.constant -9223371899399045120 : i64
    // CHECK-DAG: %[[STEP:.*]] = arith.constant 2 : i64
    // CHECK: arith.addi %{{.*}}, %[[STEP]] : i64
    // CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{{.*}}}, {$32, $33, $34, $35}, $40, none, 1, 1, 0;
    // CHECK-SAME: {$36, $37, $38, $39}, $41, all, 1, 1, 0;
    %r = mp.warpgroup_product left(%a, %b : vector<4x2xf16>, vector<4x2xf16>)
        right(%right : memref<64x32xf16, #shared>) {panels, transposed} -> vector<32xf32>
    vector.store %r, %to[%c0] : memref<32xf32>, vector<32xf32>
    gpu.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>

gpu.module @unordered {
  gpu.func @rows(%a: vector<4x2xf16>, %right: memref<16x64xf16, #shared>, %to: memref<32xf32>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{reads no panels: run clique-swizzle-shared first}}
    %r = mp.warpgroup_product left(%a : vector<4x2xf16>) right(%right : memref<16x64xf16, #shared>) -> vector<32xf32>
    vector.store %r, %to[%c0] : memref<32xf32>, vector<32xf32>
    gpu.return
  }
}
