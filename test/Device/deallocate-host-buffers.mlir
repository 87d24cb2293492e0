// Buffers of the host are freed, those of a block's threads are not.
// RUN: clique-opt %s --clique-deallocate-host-buffers --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @host
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[BASE:[a-z_]*]], {{.*}} = memref.extract_strided_metadata %[[B]]
// CHECK: bufferization.dealloc (%[[BASE]] : memref<f32>)
func.func @host(%n: index, %x: f32) {
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %b[%n] : memref<?xf32>
  return
}

// CHECK-LABEL: func private @block
// CHECK: memref.alloc(
// CHECK-NOT: dealloc
// CHECK: return
func.func private @block(%n: index, %x: f32) attributes {mp.threads = 32 : i64} {
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %b[%n] : memref<?xf32>
  return
}

// -----

// expected-error @below {{Only structured control-flow loops are supported}}
func.func @branches(%again: i1) {
  cf.br ^loop
^loop:
  cf.cond_br %again, ^loop, ^end
^end:
  return
}
