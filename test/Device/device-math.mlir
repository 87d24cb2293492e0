// What a GPU computes itself becomes an intrinsic; the rest has no library.

// RUN: clique-opt %s -split-input-file -pass-pipeline="builtin.module(gpu.module(convert-device-math-to-llvm))" \
// RUN:   -verify-diagnostics | FileCheck %s

gpu.module @device {
  // CHECK-LABEL: gpu.func @exact
  gpu.func @exact(%x: f32, %v: vector<4xf32>, %d: f64, %i: i32) kernel {
    // CHECK: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) {{.*}}: (f32) -> f32
    %0 = math.sqrt %x : f32
    // CHECK: llvm.call_intrinsic "llvm.floor"(%{{.*}}) {{.*}}: (vector<4xf32>) -> vector<4xf32>
    %1 = math.floor %v : vector<4xf32>
    // CHECK: llvm.call_intrinsic "llvm.fma"({{.*}}) {{.*}}: (f64, f64, f64) -> f64
    %2 = math.fma %d, %d, %d : f64
    // CHECK: %[[ROOT:.*]] = llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) {{.*}}: (f32) -> f32
    // CHECK: arith.divf %{{.*}}, %[[ROOT]] : f32
    %3 = math.rsqrt %x : f32
    // CHECK: arith.divf
    // CHECK: llvm.call_intrinsic "llvm.trunc"
    %4 = arith.remf %x, %x : f32
    // CHECK: arith.maxsi
    %5 = math.absi %i : i32
    // CHECK: "llvm.intr.is.fpclass"(%{{.*}}) <{bit = 504 : i32}> : (f64) -> i1
    %6 = math.isfinite %d : f64
    // CHECK: "llvm.intr.is.fpclass"(%{{.*}}) <{bit = 516 : i32}> : (vector<4xf32>) -> vector<4xi1>
    %7 = math.isinf %v : vector<4xf32>
    // CHECK: "llvm.intr.is.fpclass"(%{{.*}}) <{bit = 3 : i32}> : (f32) -> i1
    %8 = math.isnan %x : f32
    // CHECK: "llvm.intr.is.fpclass"(%{{.*}}) <{bit = 264 : i32}> : (f32) -> i1
    %9 = math.isnormal %x : f32
    gpu.return
  }

  // exp2 is good enough as it is, the others only where the spec says so.
  // CHECK-LABEL: gpu.func @approximate
  gpu.func @approximate(%x: f32) kernel {
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%{{.*}}) : (f32) -> f32
    %0 = math.exp2 %x : f32
    // CHECK: llvm.call_intrinsic "llvm.log2"(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>}
    %1 = math.log2 %x fastmath<afn> : f32
    // CHECK: llvm.call_intrinsic "llvm.sin"(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>}
    %2 = math.sin %x fastmath<afn> : f32
    gpu.return
  }
}

// -----

// What is no instruction and no polynomial is libclc's, number by number.
// CHECK-LABEL: gpu.module @library
gpu.module @library {
  // CHECK-DAG: llvm.func @_Z3expd(f64) -> f64
  // CHECK-DAG: llvm.func @_Z4powndi(f64, i32) -> f64
  // CHECK-DAG: llvm.func @_Z5atan2ff(f32, f32) -> f32
  // CHECK: gpu.func @functions
  gpu.func @functions(%x: vector<2xf64>, %y: f32, %n: i32) kernel {
    // CHECK: %[[X0:.*]] = llvm.extractelement %{{.*}}[%{{.*}} : i64] : vector<2xf64>
    // CHECK: %[[E0:.*]] = llvm.call @_Z3expd(%[[X0]]) : (f64) -> f64
    // CHECK: llvm.insertelement %[[E0]]
    // CHECK: llvm.call @_Z3expd
    %0 = math.exp %x : vector<2xf64>
    // CHECK: llvm.call @_Z5atan2ff(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
    %1 = math.atan2 %y, %y : f32
    %2 = vector.extract %x[0] : f64 from vector<2xf64>
    // CHECK: llvm.call @_Z4powndi
    %3 = math.fpowi %2, %n : f64, i32
    gpu.return
  }
}

// -----

// Zero bits before and behind the ones: all of them where there is no one.
// CHECK-LABEL: gpu.module @zeros
gpu.module @zeros {
  // CHECK: gpu.func @count(%[[X:.*]]: vector<1xi64>)
  gpu.func @count(%x: vector<1xi64>) kernel {
    // CHECK: %[[LEADING:.*]] = "llvm.intr.ctlz"(%[[X]]) <{is_zero_poison = false}>
    %0 = math.ctlz %x : vector<1xi64>
    // CHECK: "llvm.intr.cttz"(%[[LEADING]]) <{is_zero_poison = false}>
    %1 = math.cttz %0 : vector<1xi64>
    gpu.return
  }
}

// -----

gpu.module @device {
  gpu.func @half(%x: f16) kernel {
    // expected-error @below {{op has no lowering for 'f16' on a GPU; compute it in f32 or f64}}
    %0 = math.exp %x : f16
    gpu.return
  }
}
