// Scratch on the stack is taken once per call, and once per round of a parallel
// loop, not once per round of any other.
// RUN: clique-opt %s --clique-hoist-allocas | FileCheck %s
// RUN: clique-opt %s --clique-hoist-allocas=max-bytes=4096 | FileCheck %s --check-prefix=SMALL
// RUN: clique-opt %S/Inputs/dense_attention.mlir --clique-stage-algebra --clique-stage-topology --clique-stage-fusion --clique-stage-schedule --clique-stage-blocks --clique-stage-tensors --clique-stage-loops --clique-stage-vectors --clique-stage-memref | FileCheck %s --check-prefix=KERNEL

// CHECK-LABEL: @loop
// CHECK-NEXT:    memref.alloca() : memref<12x64xf32>
// CHECK:         scf.for
// CHECK-NOT:     memref.alloca
// CHECK:         return
func.func @loop(%n: index, %yes: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %yes {
      %a = memref.alloca() : memref<12x64xf32>
      memref.store %x, %a[%c0, %c0] : memref<12x64xf32>
    }
  }
  return
}

// CHECK-LABEL: @parallel
// CHECK-NOT:     memref.alloca
// CHECK:         scf.parallel
// CHECK-NEXT:      memref.alloca() : memref<8xf32>
// CHECK:           scf.for
func.func @parallel(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.alloca() : memref<8xf32>
      memref.store %x, %a[%c0] : memref<8xf32>
    }
  }
  return
}

// The stack of a thread is small: what does not fit is allocated.
// CHECK-LABEL: @many
// CHECK-COUNT-2: memref.alloca() : memref<12x64xf32>
// SMALL-LABEL: @many
// SMALL-NEXT:    memref.alloc() : memref<12x64xf32>
// SMALL-NEXT:    memref.alloca() : memref<12x64xf32>
// SMALL:         scf.for
func.func @many(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca() : memref<12x64xf32>
    %b = memref.alloca() : memref<12x64xf32>
    memref.store %x, %a[%i, %c0] : memref<12x64xf32>
    memref.store %x, %b[%i, %c0] : memref<12x64xf32>
  }
  return
}

// The largest goes, wherever it stands: the others stay.
// SMALL-LABEL: @largest
// SMALL-NEXT:    memref.alloca() : memref<16xf32>
// SMALL-NEXT:    memref.alloc() : memref<12x96xf32>
// SMALL-NEXT:    memref.alloca() : memref<12x8xf32>
func.func @largest(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<16xf32>
  %b = memref.alloca() : memref<12x96xf32>
  %c = memref.alloca() : memref<12x8xf32>
  memref.store %x, %a[%c0] : memref<16xf32>
  memref.store %x, %b[%n, %c0] : memref<12x96xf32>
  memref.store %x, %c[%n, %c0] : memref<12x8xf32>
  return
}

// A whole kernel: behind its first loop nothing is taken from the stack.
// KERNEL-LABEL: func.func private @soft_cap_0_dense
// KERNEL:         memref.alloca
// KERNEL:         scf.for
// KERNEL-NOT:     memref.alloca
// KERNEL:         return
