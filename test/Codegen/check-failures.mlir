// RUN: clique-opt %s --clique-check-failures | FileCheck %s

llvm.func @clique_rt_num_dst(!llvm.ptr) -> i64
llvm.func @clique_rt_reverse(!llvm.ptr) -> !llvm.ptr
llvm.func @clique_rt_check(i64, i64, i64, !llvm.ptr)
llvm.func @_mlir_ciface_clique_rt_indptr(!llvm.ptr, !llvm.ptr)
llvm.func @use(!llvm.ptr)

// What MLIR makes of a declaration with a C interface leaves it to its caller.
// CHECK-LABEL: llvm.func @clique_rt_indptr(
// CHECK-NOT:     clique_rt_has_failed
llvm.func @clique_rt_indptr(%g: !llvm.ptr) -> !llvm.ptr attributes {sym_visibility = "private"} {
  %one = llvm.mlir.constant(1 : i64) : i64
  %out = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.call @_mlir_ciface_clique_rt_indptr(%out, %g) : (!llvm.ptr, !llvm.ptr) -> ()
  %array = llvm.load %out : !llvm.ptr -> !llvm.ptr
  llvm.return %array : !llvm.ptr
}

// Some functions cannot fail; one return serves all that can.
// CHECK-LABEL: llvm.func @part(
// CHECK:         llvm.call @clique_rt_num_dst
// CHECK-NEXT:    %[[R:.*]] = llvm.call @clique_rt_reverse
// CHECK-NEXT:    %[[FAILED:.*]] = llvm.call @clique_rt_has_failed() : () -> i1
// CHECK-NEXT:    llvm.cond_br %[[FAILED]], ^[[END:.*]], ^[[NEXT:.*]]
// CHECK:       ^[[NEXT]]:
// CHECK-NEXT:    llvm.call @clique_rt_indptr(%[[R]])
// CHECK-NEXT:    %[[FAILED:.*]] = llvm.call @clique_rt_has_failed()
// CHECK-NEXT:    llvm.cond_br %[[FAILED]], ^[[END]], ^[[NEXT:.*]]
// CHECK:       ^[[NEXT]]:
// CHECK-NEXT:    llvm.return %[[R]]
// CHECK:       ^[[END]]:
// CHECK-NEXT:    %[[NONE:.*]] = llvm.mlir.poison : !llvm.ptr
// CHECK-NEXT:    llvm.return %[[NONE]]
llvm.func @part(%g: !llvm.ptr) -> !llvm.ptr attributes {sym_visibility = "private"} {
  %n = llvm.call @clique_rt_num_dst(%g) : (!llvm.ptr) -> i64
  %r = llvm.call @clique_rt_reverse(%g) : (!llvm.ptr) -> !llvm.ptr
  %a = llvm.call @clique_rt_indptr(%r) : (!llvm.ptr) -> !llvm.ptr
  llvm.return %r : !llvm.ptr
}

// Who calls it returns as well, from inside a loop too.
// CHECK-LABEL: llvm.func @layer(
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[R:.*]] = llvm.call @part
// CHECK-NEXT:    %[[FAILED:.*]] = llvm.call @clique_rt_has_failed()
// CHECK-NEXT:    llvm.cond_br %[[FAILED]], ^[[END:.*]], ^[[NEXT:.*]]
// CHECK:       ^[[NEXT]]:
// CHECK-NEXT:    llvm.call @use(%[[R]])
// CHECK-NEXT:    llvm.cond_br %{{.*}}, ^bb1, ^
// CHECK:         llvm.return
// CHECK:       ^[[END]]:
// CHECK-NEXT:    llvm.return
llvm.func @layer(%g: !llvm.ptr, %again: i1) {
  llvm.br ^bb1
^bb1:
  %r = llvm.call @part(%g) : (!llvm.ptr) -> !llvm.ptr
  llvm.call @use(%r) : (!llvm.ptr) -> ()
  llvm.cond_br %again, ^bb1, ^bb2
^bb2:
  llvm.return
}

// CHECK-LABEL: llvm.func @nothing(
// CHECK-NEXT:    llvm.call @use
// CHECK-NEXT:    llvm.return
llvm.func @nothing(%g: !llvm.ptr) {
  llvm.call @use(%g) : (!llvm.ptr) -> ()
  llvm.return
}
