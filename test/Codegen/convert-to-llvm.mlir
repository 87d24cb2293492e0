// What is left of all dialects becomes LLVM's in one walk.

// RUN: clique-opt %s --clique-convert-to-llvm | FileCheck %s --implicit-check-not=unrealized

// Sums of a vector in any order; a size that is known by its number is read from
// the descriptor, not from a copy of the sizes in memory.
// CHECK-LABEL: llvm.func @sum
// CHECK-NOT:   llvm.alloca
// CHECK:       llvm.extractvalue {{.*}}[3, 0]
// CHECK:       llvm.icmp "slt"
// CHECK:       llvm.load {{.*}} : !llvm.ptr -> vector<8xf32>
// CHECK:       llvm.intr.sqrt
// CHECK:       "llvm.intr.vector.reduce.fadd"{{.*}}reassoc
func.func @sum(%m: memref<?xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %m, %c0 : memref<?xf32>
  %fits = arith.cmpi slt, %i, %n : index
  cf.cond_br %fits, ^bb1, ^bb2(%zero : f32)
^bb1:
  %v = vector.load %m[%i] : memref<?xf32>, vector<8xf32>
  %w = math.sqrt %v : vector<8xf32>
  %s = vector.reduction <add>, %w, %zero : vector<8xf32> into f32
  cf.br ^bb2(%s : f32)
^bb2(%r: f32):
  return %r : f32
}

// A number of a dimension that comes as an argument is unknown.
// CHECK-LABEL: llvm.func @any_size
// CHECK:       llvm.alloca {{.*}} x !llvm.array<2 x i64>
func.func @any_size(%m: memref<?x?xf32>, %d: index) -> index {
  %n = memref.dim %m, %d : memref<?x?xf32>
  return %n : index
}

// Memory comes from the runtime; the library has what LLVM has no intrinsic for.
// CHECK-LABEL: llvm.func @scratch
// CHECK:       llvm.call @_mlir_memref_to_llvm_aligned_alloc
// CHECK:       llvm.call @cbrtf
// CHECK:       llvm.call @_mlir_memref_to_llvm_free
func.func @scratch(%n: index, %x: f32) {
  %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  %c0 = arith.constant 0 : index
  %y = math.cbrt %x : f32
  memref.store %y, %m[%c0] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return
}

// CHECK-LABEL: llvm.func @parallel
// CHECK:       omp.parallel
// CHECK:       llvm.add {{.*}} : i64
func.func @parallel(%m: memref<1xindex>, %i: index) {
  %c0 = arith.constant 0 : index
  omp.parallel {
    %j = arith.addi %i, %i : index
    memref.store %j, %m[%c0] : memref<1xindex>
    omp.terminator
  }
  return
}

// What is said of a loop is said by the op itself, which the translation reads.
// CHECK-LABEL: llvm.func @annotated
// CHECK:       llvm.br ^bb1({{.*}}) {loop_annotation = #{{.*}}}
func.func @annotated(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^bb1(%c0 : index)
^bb1(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^bb2, ^bb3
^bb2:
  %next = arith.addi %i, %c1 : index
  cf.br ^bb1(%next : index) {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
^bb3:
  return
}
