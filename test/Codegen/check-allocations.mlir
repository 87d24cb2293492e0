// RUN: clique-opt %s --clique-check-allocations | FileCheck %s

// CHECK-DAG: llvm.func @clique_rt_try_alloc(i64, i64) -> !llvm.ptr
// CHECK-DAG: llvm.func @clique_rt_out_of_memory(i64)
llvm.func @_mlir_memref_to_llvm_aligned_alloc(i64, i64) -> !llvm.ptr
llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
llvm.func @use(!llvm.ptr)

// What was had when the second one fails is given back, but not twice.
// CHECK-LABEL: llvm.func @block(
// CHECK-SAME:      -> i64
// CHECK:         %[[A:.*]] = llvm.call @clique_rt_try_alloc(%{{.*}}, %[[SIZE:.*]]) :
// CHECK:         %[[NONE:.*]] = llvm.icmp "eq" %[[A]], %{{.*}} : !llvm.ptr
// CHECK:         %[[BYTES:.*]] = llvm.intr.umax(%[[SIZE]], %{{.*}})
// CHECK:         llvm.cond_br %[[NONE]], ^[[FAIL:.*]], ^[[GOON:.*]]
// CHECK:       ^[[FAIL]]:
// CHECK-NEXT:    llvm.return %[[BYTES]] : i64
// CHECK:       ^[[GOON]]:
// CHECK:         %[[B:.*]] = llvm.call @clique_rt_try_alloc
// CHECK:         llvm.cond_br %{{.*}}, ^[[FAIL:.*]], ^[[GOON:.*]]
// CHECK:       ^[[FAIL]]:
// CHECK-NEXT:    llvm.call @_mlir_memref_to_llvm_free(%[[A]])
// CHECK-NEXT:    llvm.return
// CHECK:       ^[[GOON]]:
// CHECK:         llvm.call @_mlir_memref_to_llvm_free(%[[A]])
// CHECK:         llvm.call @clique_rt_try_alloc
// CHECK:         llvm.cond_br %{{.*}}, ^[[FAIL:.*]], ^[[GOON:.*]]
// CHECK:       ^[[FAIL]]:
// CHECK-NEXT:    llvm.call @_mlir_memref_to_llvm_free(%[[B]])
// CHECK-NEXT:    llvm.return
// CHECK:       ^[[GOON]]:
// CHECK:         %[[ZERO:.*]] = llvm.mlir.zero : i64
// CHECK-NEXT:    llvm.return %[[ZERO]] : i64
llvm.func @block(%alignment: i64, %size: i64) attributes {sym_visibility = "private"} {
  %a = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%alignment, %size) : (i64, i64) -> !llvm.ptr
  %b = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%alignment, %size) : (i64, i64) -> !llvm.ptr
  llvm.call @use(%b) : (!llvm.ptr) -> ()
  llvm.call @_mlir_memref_to_llvm_free(%a) : (!llvm.ptr) -> ()
  %c = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%alignment, %size) : (i64, i64) -> !llvm.ptr
  llvm.call @_mlir_memref_to_llvm_free(%b) : (!llvm.ptr) -> ()
  llvm.call @_mlir_memref_to_llvm_free(%c) : (!llvm.ptr) -> ()
  llvm.return
}

// A function between the region and the one that allocates.
// CHECK-LABEL: llvm.func @outer(
// CHECK:         %[[BYTES:.*]] = llvm.call @block({{.*}}) : (i64, i64) -> i64
// CHECK:         %[[FAILED:.*]] = llvm.icmp "ne" %[[BYTES]]
// CHECK:         llvm.cond_br %[[FAILED]], ^[[FAIL:.*]], ^
// CHECK:       ^[[FAIL]]:
// CHECK-NEXT:    llvm.return %[[BYTES]]
llvm.func @outer(%size: i64) attributes {sym_visibility = "private"} {
  llvm.call @block(%size, %size) : (i64, i64) -> ()
  llvm.return
}

// The invoking thread allocates as ever.
// CHECK-LABEL: llvm.func @layer(
// CHECK:         %[[PLACE:.*]] = llvm.alloca %{{.*}} x i64
// CHECK:         llvm.call @_mlir_memref_to_llvm_aligned_alloc
// CHECK:         llvm.store %{{.*}}, %[[PLACE]]
// CHECK:         omp.parallel {
// CHECK:           %[[BYTES:.*]] = llvm.call @outer(
// CHECK:           llvm.cond_br %{{.*}}, ^[[FAIL:.*]], ^[[GOON:.*]]
// CHECK:         ^[[FAIL]]:
// CHECK-NEXT:      llvm.store %[[BYTES]], %[[PLACE]] atomic monotonic {alignment = 8 : i64}
// CHECK-NEXT:      llvm.br ^[[GOON]]
// CHECK:         ^[[GOON]]:
// CHECK-NEXT:      omp.terminator
// CHECK:         %[[LOST:.*]] = llvm.load %[[PLACE]]
// CHECK:         llvm.cond_br %{{.*}}, ^[[END:.*]], ^[[GOON:.*]]
// CHECK:       ^[[END]]:
// CHECK-NEXT:    llvm.call @clique_rt_out_of_memory(%[[LOST]])
// CHECK-NEXT:    llvm.br ^[[GOON]]
// CHECK:       ^[[GOON]]:
// CHECK:         %[[BYTES:.*]] = llvm.call @outer(
// CHECK:         llvm.cond_br
// CHECK:         llvm.call @clique_rt_out_of_memory(%[[BYTES]])
llvm.func @layer(%size: i64) {
  %a = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%size, %size) : (i64, i64) -> !llvm.ptr
  omp.parallel {
    llvm.call @outer(%size) : (i64) -> ()
    omp.terminator
  }
  llvm.call @outer(%size) : (i64) -> ()
  llvm.return
}
