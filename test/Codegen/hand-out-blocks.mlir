// RUN: clique-opt %s --convert-scf-to-openmp --clique-hand-out-blocks --canonicalize --cse | FileCheck %s

// CHECK-DAG:   func.func private @omp_get_num_threads() -> i32
// CHECK-DAG:   func.func private @clique_rt_goes_on(!llvm.ptr) -> (i1
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:    %[[N:.*]]: index, %[[OUT:.*]]: memref<?xf32>)
// CHECK-DAG:     %[[COUNTER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8xi64>
// CHECK:         %[[INTERRUPTION:.*]] = call @clique_rt_interruption() : () -> !llvm.ptr
// CHECK:         memref.store %c0_i64, %[[COUNTER]]
// CHECK:         %[[LENGTH:.*]] = arith.subi %[[N]], %c2
// CHECK:         %[[BLOCKS:.*]] = arith.maxsi %[[LENGTH]], %c0
// A single block is not worth waking other threads.
// CHECK:         %[[SHARED:.*]] = arith.cmpi ugt, %[[BLOCKS]], %c1
// CHECK:         omp.parallel if(%[[SHARED]]) {
// CHECK:           %[[THREADS:.*]] = func.call @omp_get_num_threads()
// CHECK:           math.ctlz
// CHECK:           scf.while : () -> (index, index) {
// CHECK:             %[[SHARE:.*]] = memref.atomic_rmw addi %c1_i64, %[[COUNTER]]
// CHECK:             %[[END:.*]] = arith.minui %{{.*}}, %[[BLOCKS]]
// CHECK:             %[[LEFT:.*]] = arith.cmpi ult, %[[BEGIN:.*]], %[[BLOCKS]]
// CHECK:             scf.condition(%[[LEFT]]) %[[BEGIN]], %[[END]]
// CHECK:           } do {
// CHECK:           ^bb0(%[[FIRST:.*]]: index, %[[LAST:.*]]: index):
// CHECK:             scf.for %[[I:.*]] = %[[FIRST]] to %[[LAST]] step %c1
// CHECK:               %[[B:.*]] = arith.addi %[[I]], %c2
// CHECK:               %[[GOES_ON:.*]] = func.call @clique_rt_goes_on(%[[INTERRUPTION]])
// CHECK:               scf.if %[[GOES_ON]] {
// CHECK:                 memref.store %{{.*}}, %[[OUT]][%[[B]]]
// CHECK:         call @clique_rt_fail_if_interrupted(%[[INTERRUPTION]])
// CHECK-NOT:     omp.wsloop
func.func @blocks(%n: index, %out: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 1.0 : f32
  scf.parallel (%b) = (%c2) to (%n) step (%c1) {
    memref.store %x, %out[%b] : memref<?xf32>
  }
  return
}

// Other loops than those over blocks are left to OpenMP.
// CHECK-LABEL: func.func @strided(
// CHECK:         omp.wsloop
func.func @strided(%n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 1.0 : f32
  scf.parallel (%b) = (%c0) to (%n) step (%c2) {
    memref.store %x, %out[%b] : memref<?xf32>
  }
  return
}

// The scope of a body that takes no memory on the stack goes: a loop in it becomes branches.
// CHECK-LABEL: func.func @scopes
// CHECK:       call @clique_rt_goes_on
// CHECK-NEXT:  scf.if
// CHECK-NEXT:    scf.for
// CHECK:       memref.alloca_scope {
// CHECK-NEXT:    func.call @use
func.func private @use(memref<1xf32>)
func.func @scopes(%n: index, %m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%b) : index = (%c0) to (%n) step (%c1) {
        memref.alloca_scope {
          scf.for %i = %c0 to %b step %c1 {
            memref.store %x, %m[%i] : memref<?xf32>
          }
        }
        omp.yield
      }
    }
    omp.terminator
  }
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%b) : index = (%c0) to (%n) step (%c1) {
        memref.alloca_scope {
          %s = memref.alloca() : memref<1xf32>
          func.call @use(%s) : (memref<1xf32>) -> ()
        }
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
