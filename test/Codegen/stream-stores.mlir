// What a block function only writes goes past the caches in whole lines.
// RUN: clique-opt %s --clique-stream-stores --canonicalize --split-input-file | FileCheck %s

// CHECK:         func.func private @clique_rt_outgrows_caches(index) -> (i1 {llvm.zeroext})

// CHECK-LABEL: @rows
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: memref<?x64xf32>)
// CHECK:         %[[N:.*]] = memref.dim %[[OUT]], %c0
// CHECK:         %[[BYTES:.*]] = arith.muli %[[N]], %c256
// CHECK:         %[[LARGE:.*]] = call @clique_rt_outgrows_caches(%[[BYTES]])
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[ROW:.*]] = memref.subview %[[OUT]][%[[I]], 0]
// CHECK:           %[[START:.*]] = memref.extract_aligned_pointer_as_index
// CHECK:           %[[ADDRESS:.*]] = arith.addi %[[START]], %{{.*}}
// CHECK:           %[[IN_LINE:.*]] = arith.andi %[[ADDRESS]], %c63
// CHECK:           %[[ALIGNED:.*]] = arith.cmpi eq, %[[IN_LINE]], %c0
// CHECK:           %[[BOTH:.*]] = arith.andi %[[LARGE]], %[[ALIGNED]]
// CHECK:           scf.if %[[BOTH]] {
// CHECK:             vector.store %{{.*}}, %[[ROW]][%c0] {alignment = 64 : i64, nontemporal = true}
// CHECK:           } else {
// CHECK:             vector.store %{{.*}}, %[[ROW]][%c0] :
// CHECK:           }
// CHECK:         }
func.func private @rows(%begin: index, %end: index, %in: memref<?x64xf32>, %out: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %row = vector.load %in[%i, %c0] : memref<?x64xf32>, vector<64xf32>
    %to = memref.subview %out[%i, 0] [1, 64] [1, 1]
        : memref<?x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    vector.store %row, %to[%c0] : memref<64xf32, strided<[1], offset: ?>>, vector<64xf32>
  }
  return
}

// The threads' stores are there when the region ends.
// CHECK-LABEL: @shared
// CHECK:         omp.parallel {
// CHECK:           call @rows
// CHECK-NEXT:      llvm.fence seq_cst
// CHECK-NEXT:      omp.terminator
func.func @shared(%begin: index, %end: index, %in: memref<?x64xf32>, %out: memref<?x64xf32>) {
  omp.parallel {
    func.call @rows(%begin, %end, %in, %out) : (index, index, memref<?x64xf32>, memref<?x64xf32>) -> ()
    omp.terminator
  }
  return
}

// -----

// Left alone: what is read again, part of a line, a scalar, what may end early.
// CHECK-LABEL: @left
// CHECK-NOT:     clique_rt_outgrows_caches
// CHECK-NOT:     nontemporal
func.func private @left(%a: memref<?x64xf32>, %b: memref<?x8xf32>, %c: memref<?xf32>,
                        %d: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %row = vector.load %a[%i, %c0] : memref<?x64xf32>, vector<64xf32>
  vector.store %row, %a[%c0, %c0] : memref<?x64xf32>, vector<64xf32>
  %short = arith.constant dense<1.0> : vector<8xf32>
  vector.store %short, %b[%i, %c0] : memref<?x8xf32>, vector<8xf32>
  memref.store %zero, %c[%i] : memref<?xf32>
  vector.transfer_write %row, %d[%i] : vector<64xf32>, memref<?xf32>
  return
}
