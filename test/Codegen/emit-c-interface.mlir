// RUN: clique-opt %s --clique-emit-c-interface | FileCheck %s

// CHECK: func.func private @runtime()
// CHECK-NOT: llvm.emit_c_interface
// CHECK: func.func @layer() attributes {llvm.emit_c_interface}
// CHECK: func.func private @block() {
func.func private @runtime()
func.func @layer() { return }
func.func private @block() { return }
