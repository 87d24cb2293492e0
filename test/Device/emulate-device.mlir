// Kernels as functions of the processor.

// RUN: clique-opt %s -split-input-file -clique-emulate-device -verify-diagnostics | FileCheck %s
// RUN: clique-opt %S/Inputs/kernels.mlir -clique-emulated-to-llvm | FileCheck %s --check-prefix=LLVM

// LLVM-NOT: unrealized_conversion_cast
// LLVM: llvm.func @clique_emu_kernel_sums(%{{.*}}: !llvm.ptr)
// LLVM-NOT: unrealized_conversion_cast

#shared = #gpu.address_space<workgroup>
// The functions of the host are not part of it.
// CHECK-NOT: func.func @host
// What asks for the place of a thread may be asked once, a barrier may not.
// CHECK-DAG: llvm.func @clique_emu_barrier()
// CHECK-DAG: llvm.func @clique_emu_thread_id(i32) -> i64 attributes {memory_effects = #llvm.memory_effects<other = none, {{.*}}>, no_unwind, will_return}
module attributes {gpu.container_module} {
  gpu.module @clique_device {
    // CHECK: memref.global "private" constant @table
    memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
    // CHECK-LABEL: func.func private @body
    gpu.func @body(%n: index, %m: memref<?xf32>, %flag: i1) kernel {
      %c0 = arith.constant 0 : index
      %width = arith.constant 32 : i32
      %mask = arith.constant -1 : i32
      // CHECK: %[[X:.*]] = arith.constant 0 : i32
      // CHECK: llvm.call @clique_emu_thread_id(%[[X]]) : (i32) -> i64
      %t = gpu.thread_id x
      // CHECK: %[[Y:.*]] = arith.constant 1 : i32
      // CHECK: llvm.call @clique_emu_block_id(%[[Y]])
      %b = gpu.block_id y
      // CHECK: llvm.call @clique_emu_shared() : () -> !llvm.ptr
      // CHECK: memref.view %{{.*}} : memref<?xi8> to memref<64xf32>
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
      %s = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<64xf32, #shared>
      // CHECK: llvm.call @clique_emu_copy_async({{.*}}) : (!llvm.ptr, !llvm.ptr, i32, i32) -> ()
      %copy = nvgpu.device_async_copy %m[%t], %s[%t], 4 : memref<?xf32> to memref<64xf32, #shared>
      // CHECK: llvm.call @clique_emu_copy_commit()
      %group = nvgpu.device_async_create_group %copy
      // CHECK: %[[LEFT:.*]] = arith.constant 1 : i32
      // CHECK: llvm.call @clique_emu_copy_wait(%[[LEFT]])
      nvgpu.device_async_wait %group {numGroups = 1 : i32}
      // CHECK: llvm.call @clique_emu_barrier()
      gpu.barrier
      // CHECK: llvm.call @clique_emu_warp_sync(%[[MASK:.*]]) :
      nvvm.bar.warp.sync %mask : i32
      // CHECK: %[[V:.*]] = memref.load %{{.*}} : memref<64xf32>
      // Upstream's lowering of gpu.shuffle names the first lanes.
      // CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
      // CHECK: %[[FIRST:.*]] = arith.shrui %{{.*}}, %[[LEFT]] : i32
      // CHECK: %[[I:.*]] = arith.bitcast %[[V]] : f32 to i32
      // CHECK: %[[BITS:.*]] = arith.extui %[[I]] : i32 to i64
      // CHECK: %[[IDX:.*]] = arith.constant 3 : i32
      // CHECK: %[[FOUND:.*]] = llvm.call @clique_emu_shuffle(%[[BITS]], %{{.*}}, %{{.*}}, %[[IDX]], %[[FIRST]])
      // CHECK: arith.trunci %[[FOUND]] : i64 to i32
      %v = memref.load %s[%t] : memref<64xf32, #shared>
      %w, %p = gpu.shuffle idx %v, %mask, %width : f32
      memref.store %w, %m[%b] : memref<?xf32>
      // Four lanes after the other: 28 of 32 in the segment's bits.
      // CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
      // CHECK: %[[XOR:.*]] = arith.constant 0 : i32
      // CHECK: llvm.call @clique_emu_shuffle(%{{.*}}, %{{.*}}, %[[FOUR]], %[[XOR]], %[[MASK]])
      %segment = arith.constant 7199 : i32
      %one = arith.constant 1 : i32
      %x = nvvm.shfl.sync bfly %mask, %v, %one, %segment : f32 -> f32
      memref.store %x, %m[%b] : memref<?xf32>
      // CHECK: return
      gpu.return
    }
    // CHECK-LABEL: func.func @clique_emu_kernel_body
    // CHECK-SAME: %[[PARAMETERS:.*]]: !llvm.ptr
    // CHECK: llvm.getelementptr %[[PARAMETERS]][6]
    // CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
    // CHECK: arith.trunci %[[BYTE]] : i8 to i1
    // CHECK: call @body(
    // CHECK-LABEL: func.func private @matrices
    gpu.func @matrices(%m: memref<16x8xf32, #shared>, %to: memref<4xf32>) kernel {
      %c0 = arith.constant 0 : index
      // CHECK: llvm.call @clique_emu_ldmatrix(
      // CHECK: vector.shape_cast %{{.*}} : vector<4xf32> to vector<4x1xf32>
      %a = nvgpu.ldmatrix %m[%c0, %c0] {numTiles = 4 : i32, transpose = false} : memref<16x8xf32, #shared> -> vector<4x1xf32>
      %b = arith.constant dense<1.0> : vector<2x1xf32>
      %c = arith.constant dense<0.0> : vector<2x2xf32>
      // CHECK: %[[TYPE:.*]] = arith.constant 2 : i32
      // CHECK: llvm.call @clique_emu_mma(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[TYPE]])
      %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
      %f = vector.shape_cast %d : vector<2x2xf32> to vector<4xf32>
      vector.store %f, %to[%c0] : memref<4xf32>, vector<4xf32>
      gpu.return
    }
  }
  func.func @host() { return }
}
// CHECK-LABEL: func.func @clique_emu_kernel_matrices

// -----

module attributes {gpu.container_module} {
  gpu.module @clique_device {
    gpu.func @reduce(%x: i32, %to: memref<i32>) kernel {
      // expected-error @below {{op has no emulation on the processor}}
      %s = gpu.subgroup_reduce add %x : (i32) -> i32
      memref.store %s, %to[] : memref<i32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @clique_device {
    gpu.func @shuffle(%mask: i32, %x: i32, %to: memref<i32>) kernel {
      %lane = arith.constant 1 : i32
      %last = arith.constant 7 : i32
      // expected-error @below {{op has no emulation on the processor}}
      %s = nvvm.shfl.sync idx %mask, %x, %lane, %last : i32 -> i32
      memref.store %s, %to[] : memref<i32>
      gpu.return
    }
  }
}
