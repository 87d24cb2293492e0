// Where all rows of a register block receive the first sources of a tile, as those of a clique do,
// parts have one mask of columns, and features of sources are summed without
// a look at what they are, up to the last column that has one. Half precision is summed by pairs.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s
// RUN: sed "s/<cliques>/<causal>/g" %s | clique-opt --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse \
// RUN:   | FileCheck %s --check-prefix=CAUSAL
// RUN: sed "s/f32/bf16/g" %s | clique-opt --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse \
// RUN:   | FileCheck %s --check-prefix=HALF

// CHECK-LABEL: func.func private @attention_dense(
// A full tile.
// CHECK:         math.exp {{.*}} : f32
// The first part of an even register block begins at column 0; parts are as wide as on the border,
// and behind them is a narrow one if that is enough.
// CHECK:         %[[END:.*]] = arith.subi %[[PAST:.*]], %[[FIRST:.*]] : index
// CHECK:         %[[COLUMNS:.*]] = arith.minsi %[[END]], %{{.*}} : index
// CHECK:         %[[MORE:.*]] = arith.addi %[[COLUMNS]], %c15 : index
// CHECK:         %[[WIDE:.*]] = arith.divui %[[MORE]], %c32 : index
// CHECK:         %[[MIDDLE:.*]] = arith.muli %[[WIDE]], %c32 : index
// CHECK:         scf.for %{{.*}} = %c0 to %[[MIDDLE]] step %c32
// CHECK:           linalg.generic {{.*}} ins(%{{.*}} : tensor<8x32xf32>, tensor<32xi8>)
// A state that has received nothing takes the largest score, and nothing is rescaled.
// CHECK:           scf.if
// CHECK-NOT:         math.exp
// CHECK:           } else {
// CHECK-NOT:       arith.cmpf uno
// CHECK:         scf.for %[[COLUMN:.*]] = %[[MIDDLE]] to %[[COLUMNS]] step %c16
// CHECK:           %[[PART:.*]] = arith.addi %[[FIRST]], %[[COLUMN]] : index
// CHECK:           %[[REST:.*]] = arith.subi %[[PAST]], %[[PART]] : index
// CHECK:           %[[POSITIVE:.*]] = arith.maxsi %[[REST]], %c0 : index
// CHECK:           %[[COUNT:.*]] = arith.minsi %[[POSITIVE]], %c16 : index
// CHECK:           %[[MASK:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16xi8>)
// CHECK:           linalg.generic {{.*}} ins(%{{.*}}, %[[MASK]] : tensor<8x16xf32>, tensor<16xi8>)
// CHECK-NOT:       arith.cmpf uno
// CHECK:           %[[WEIGHTS:.*]] = tensor.extract_slice %{{.*}}[0, 0] [8, %[[COUNT]]] [1, 1] : tensor<8x16xf32> to tensor<8x?xf32>
// CHECK:           %[[VALUES:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%[[COUNT]], 8] [1, 1] : tensor<16x8xf32> to tensor<?x8xf32>
// CHECK:           linalg.generic {{.*}} ins(%[[WEIGHTS]], %[[VALUES]] : tensor<8x?xf32>, tensor<?x8xf32>)
// CHECK-NOT:       arith.cmpf uno
// Others have one of pairs, and such a look.
// CHECK:         scf.for {{.*}} step %c32
// CHECK:           tensor<8x32xi8>
// CHECK:           arith.cmpf uno

// Rows of a causal graph end at different sources.
// CAUSAL-LABEL: func.func private @attention_dense(
// CAUSAL-NOT:     tensor<16xi8>

// HALF-LABEL: func.func private @attention_dense(
// HALF:         tensor<16xi8>
// HALF-NOT:     tensor<8x?xf32>
func.func @attention(%g: !mp.graph<cliques>, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>,
                     %v: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "attention" dense -> tensor<?x8xf32> {
    %s, %value = mp.message %g : !mp.graph<cliques> dst(%qi = %q : tensor<?x8xf32>)
        src(%kj = %k : tensor<?x8xf32>, %vj = %v : tensor<?x8xf32>)
        -> !mp.edges<f32>, !mp.edges<8xf32> {
      %d = mp.dot %qi, %kj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
      mp.yield %d, %vj : tensor<f32>, tensor<8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %value
        : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}
