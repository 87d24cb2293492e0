// A launch packs its parameters on the stack, as the driver takes them.

// RUN: clique-opt %s -split-input-file -convert-gpu-launch-to-runtime -canonicalize -verify-diagnostics | FileCheck %s

// CHECK: func.func private @clique_rt_launch(!llvm.ptr, !llvm.ptr, !llvm.ptr, index, !llvm.ptr)
// CHECK: llvm.mlir.global internal constant @clique_string("scale\00")
// CHECK: llvm.mlir.global external @clique_device_code() {{.*}}: !llvm.struct<(i32, i32, ptr, ptr)>
// CHECK: gpu.func @scale
module attributes {gpu.container_module} {
  gpu.module @clique_device {
    gpu.func @scale(%m: memref<?x4xf32>, %x: f32, %flag: i1, %n: index) kernel {
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @loop
  // CHECK-SAME: %[[M:.*]]: memref<?x4xf32>, %[[X:.*]]: f32, %[[FLAG:.*]]: i1, %[[N:.*]]: index
  func.func @loop(%m: memref<?x4xf32>, %x: f32, %flag: i1, %n: index) {
    // The stack space is taken once, before the loop.
    // CHECK-DAG: %[[POINTERS:.*]] = llvm.alloca %{{.*}} x !llvm.array<10 x ptr>
    // CHECK-DAG: %[[SLOTS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr, i64, i64, i64, i64, i64, f32, i1, i64)>
    // CHECK-DAG: %[[GRID:.*]] = llvm.alloca %{{.*}} x !llvm.array<6 x i64>
    // CHECK-DAG: %[[NAME:.*]] = llvm.mlir.addressof @clique_string
    // CHECK-DAG: %[[CODE:.*]] = llvm.mlir.addressof @clique_device_code
    // CHECK-DAG: %[[SHARED:.*]] = arith.constant 1024 : index
    // CHECK: scf.for
    // CHECK-NOT: llvm.alloca
    // CHECK: %[[G0:.*]] = llvm.getelementptr %[[GRID]][0, 0]
    // CHECK: llvm.store %{{.*}}, %[[G0]] : i64
    // CHECK: %[[G3:.*]] = llvm.getelementptr %[[GRID]][0, 3]
    // CHECK: llvm.store %{{.*}}, %[[G3]] : i64
    // CHECK: %[[PX:.*]] = llvm.getelementptr %[[SLOTS]][0, 7]
    // CHECK: llvm.store %[[X]], %[[PX]] : f32
    // CHECK: %[[P7:.*]] = llvm.getelementptr %[[POINTERS]][0, 7]
    // CHECK: llvm.store %[[PX]], %[[P7]]
    // CHECK: call @clique_rt_launch(%[[CODE]], %[[NAME]], %[[GRID]], %[[SHARED]], %[[POINTERS]])
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %s = arith.constant 1024 : i32
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch_func @clique_device::@scale blocks in (%i, %c1, %c1) threads in (%c128, %c1, %c1)
        dynamic_shared_memory_size %s
        args(%m : memref<?x4xf32>, %x : f32, %flag : i1, %i : index)
    }
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @clique_device {
    gpu.func @nothing() kernel {
      gpu.return
    }
  }
  func.func @async() {
    %c1 = arith.constant 1 : index
    // expected-error @below {{op is asynchronous; launches go to the stream of the invocation, in order: leave 'async' out}}
    %t = gpu.launch_func async @clique_device::@nothing blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @clique_device {
    gpu.func @nothing() kernel {
      gpu.return
    }
  }
  func.func @clusters() {
    %c1 = arith.constant 1 : index
    // expected-error @below {{op has clusters of blocks, which the runtime does not start; leave 'clusters' out}}
    gpu.launch_func @clique_device::@nothing clusters in (%c1, %c1, %c1) blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}
