// While a tile is computed, each of its register blocks fetches some of the next tile's sources.
// Blocks of cliques are one tile.
// RUN: clique-opt %s --mp-split-heads --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s
// RUN: sed "s/<blocks, 64>/<cliques>/g" %s | clique-opt --mp-split-heads --mp-schedule-kernels | FileCheck %s --check-prefix=CLIQUES

// CHECK-LABEL: func.func private @attention_dense(
// CHECK:         scf.for %[[TILE:.*]] = %{{.*}} to %[[TILES:[^ ]*]] step %c1
// CHECK:           %[[NEXT:.*]] = arith.addi %[[TILE]], %c1
// CHECK:           %[[IS_TILE:.*]] = arith.cmpi slt, %[[NEXT]], %[[TILES]]
// CHECK:           %[[NUMBER:.*]] = arith.select %[[IS_TILE]], %[[NEXT]], %[[TILE]]
// Behind the last tile there is none to fetch.
// CHECK:           %[[PAST:.*]] = arith.select %[[IS_TILE]], %{{.*}}, %[[FIRST:.*]] : index
// CHECK:           %[[COUNT:.*]] = arith.subi %[[PAST]], %[[FIRST]]
// CHECK:           %[[SHARE:.*]] = arith.ceildivui %[[COUNT]],
// CHECK:           scf.for
// CHECK:             %[[END:.*]] = arith.minsi %{{.*}}, %[[PAST]]
// CHECK:             scf.for %[[ROW:.*]] = %{{.*}} to %[[END]] step %c1
// CHECK-COUNT-4:       memref.prefetch %{{.*}}[%[[ROW]], %c{{[07]}}], read, locality<3>, data
// CHECK-NOT:           memref.prefetch
// CHECK:             linalg.generic

// CLIQUES: schedule(#mp.tiles<rows = {{.*}}, prefetch = 1>)
func.func @attention(%g: !mp.graph<blocks, 64>, %q: tensor<?x2x8xf32>, %k: tensor<?x2x8xf32>,
                     %v: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %o = mp.kernel "attention" dense -> tensor<?x2x8xf32> {
    %s, %value = mp.message %g : !mp.graph<blocks, 64> dst(%qi = %q : tensor<?x2x8xf32>)
        src(%kj = %k : tensor<?x2x8xf32>, %vj = %v : tensor<?x2x8xf32>)
        -> !mp.edges<2xf32>, !mp.edges<2x8xf32> {
      %d = mp.dot %qi, %kj : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
      mp.yield %d, %vj : tensor<2xf32>, tensor<2x8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<blocks, 64> softmax(%s) %value
        : (!mp.edges<2xf32>, !mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
    mp.yield %a : tensor<?x2x8xf32>
  }
  return %o : tensor<?x2x8xf32>
}
