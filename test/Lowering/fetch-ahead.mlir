// Blocks of cliques share no sources: steps of a block fetch some of the next block's rows.
// RUN: clique-opt %s --mp-split-heads --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s
// RUN: sed "s/<cliques>/<complete>/g" %s | clique-opt --mp-schedule-kernels | FileCheck %s --check-prefix=COMPLETE

// CHECK-LABEL: func.func private @attention_dense(
// CHECK-SAME:    index, %[[FIRST:[^:]*]]: index, %[[LAST:[^:]*]]: index, %[[HEAD:[^:]*]]: index, %[[SLICE:[^:]*]]: index, %[[PAST:[^:]*]]: index, %[[HEADS:[^:]*]]: index) {
// CHECK:         %[[POSITION:.*]] = memref.alloca() : memref<index>
// Positions and shares have 16 bits behind the point.
// CHECK:         %[[FRACTIONS:.*]] = arith.shli %[[FIRST]], %c16
// CHECK:         memref.store %[[FRACTIONS]], %[[POSITION]][]
// CHECK:         %[[COUNT:.*]] = arith.subi %[[LAST]], %[[FIRST]]
// CHECK:         %[[ROWS:.*]] = arith.shli %[[COUNT]], %c16
// CHECK:         %[[SHARE:.*]] = arith.ceildivui %[[ROWS]], %{{.*}}
// CHECK:         %[[BEFORE:.*]] = memref.load %[[POSITION]][]
// CHECK:         %[[AFTER:.*]] = arith.addi %[[BEFORE]], %[[SHARE]]
// CHECK:         memref.store %[[AFTER]], %[[POSITION]][]
// CHECK:         %[[FROM:.*]] = arith.shrui %[[BEFORE]], %c16
// CHECK:         %[[BEGIN:.*]] = arith.minui %[[FROM]], %[[LAST]]
// CHECK:         %[[TO:.*]] = arith.shrui %[[AFTER]], %c16
// CHECK:         %[[END:.*]] = arith.minui %[[TO]], %[[LAST]]
// CHECK:         scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]] step %c1
// CHECK-DAG:       memref.subview %{{.*}}[0, %[[HEAD]], 0]
// Rows begin where they like: the last element may be in a line of its own.
// CHECK:           memref.prefetch %{{.*}}[%[[ROW]], %c0], read, locality<3>, data
// CHECK-COUNT-5:   memref.prefetch %{{.*}}[%[[ROW]], %c{{[07]}}], read, locality<3>, data
// Of short blocks a row of the block behind all heads of this one too, head by head.
// CHECK:           %[[ANY:.*]] = arith.cmpi ult, %[[SLICE]], %[[PAST]]
// CHECK:           scf.if %[[ANY]] {
// CHECK:             %[[STEP:.*]] = arith.subi %[[ROW]], %[[FIRST]]
// CHECK:             %[[NEXT:.*]] = arith.addi %[[SLICE]], %[[STEP]]
// CHECK:             %[[OF:.*]] = arith.minui %[[NEXT]],
// CHECK-DAG:         %[[WHOLE:.*]] = arith.divui %[[OF]], %[[HEADS]]
// CHECK-DAG:         %[[PART:.*]] = arith.remui %[[OF]], %[[HEADS]]
// CHECK:             memref.subview %{{.*}}[0, %[[PART]], 0]
// CHECK-COUNT-6:     memref.prefetch %{{.*}}[%[[WHOLE]], %c{{[07]}}], read, locality<3>, data
// CHECK-NOT:       memref.prefetch
// CHECK:         linalg.generic

// The rows of the job behind this one, and its head; and as many slices of the rows of the next
// block, if it has few rows and there is much to read.
// CHECK-LABEL: func.func @attention(
// CHECK:         scf.parallel (%[[JOB:.*]]) =
// CHECK:           %[[BEHIND:.*]] = arith.addi %[[JOB]], %c1
// CHECK:           arith.minui %[[BEHIND]],
// CHECK:           %[[SHORT:.*]] = arith.cmpi ule, %{{.*}}, %c23
// CHECK:           %[[FAR:.*]] = arith.cmpi uge, %{{.*}}, %c87381
// CHECK:           %[[BOTH:.*]] = arith.andi %[[SHORT]], %[[FAR]]
// CHECK:           %[[SLICED:.*]] = arith.andi %[[BOTH]],
// CHECK:           %[[SLICES:.*]] = arith.select %[[SLICED]], %{{.*}}, %c0
// CHECK:           call @attention_dense({{.*}}, %[[SLICES]], %c2)

// COMPLETE-NOT: prefetch = 1
func.func @attention(%g: !mp.graph<cliques>, %q: tensor<?x2x8xf32>, %k: tensor<?x2x8xf32>,
                     %v: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %o = mp.kernel "attention" dense -> tensor<?x2x8xf32> {
    %s, %value = mp.message %g : !mp.graph<cliques> dst(%qi = %q : tensor<?x2x8xf32>)
        src(%kj = %k : tensor<?x2x8xf32>, %vj = %v : tensor<?x2x8xf32>)
        -> !mp.edges<2xf32>, !mp.edges<2x8xf32> {
      %d = mp.dot %qi, %kj : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
      mp.yield %d, %vj : tensor<2xf32>, tensor<2x8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %value
        : (!mp.edges<2xf32>, !mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
    mp.yield %a : tensor<?x2x8xf32>
  }
  return %o : tensor<?x2x8xf32>
}
