// RUN: clique-opt %s --convert-scf-to-openmp --clique-guided-schedule | FileCheck %s

// CHECK: omp.wsloop nowait schedule(guided)
func.func @blocks(%n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  scf.parallel (%b) = (%c0) to (%n) step (%c1) {
    memref.store %x, %out[%b] : memref<?xf32>
  }
  return
}
