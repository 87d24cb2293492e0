// A tile reads sources that are only summed where they lie: those of one head of several if a block has few rows, and
// not those of cliques; rows side by side always. Fewer sources than a tile has are copied side by side.
// RUN: clique-opt %s --mp-split-heads --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s
// RUN: sed "s/complete/cliques/g" %s | clique-opt --mp-split-heads --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s --check-prefix=CLIQUES

// CHECK-LABEL: func.func private @heads_dense(
// CHECK-SAME:    %[[FIRST:arg[0-9]+]]: index, %[[LAST:arg[0-9]+]]: index
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<512xf32>
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [64, 8], strides: [8, 1]
// CHECK:         %[[SCRATCH:.*]] = memref.cast %[[VIEW]] : {{.*}} to memref<64x8xf32, strided<[?, 1], offset: ?>>
// CHECK:         %[[IS_SMALL:.*]] = arith.cmpi ule, %{{.*}}, %c64
// CHECK:           %[[IS_FULL:.*]] = arith.cmpi eq, %{{.*}}, %c64
// CHECK:           %[[IN_PLACE:.*]] = arith.andi %[[IS_FULL]], %[[IS_SMALL]]
// CHECK:           %[[ROWS:.*]] = scf.if %[[IN_PLACE]] -> (memref<64x8xf32, strided<[?, 1], offset: ?>>) {
// CHECK:             %[[PLACE:.*]] = memref.subview %{{.*}}[64, 8] [1, 1] : memref<?x8xf32, strided<[16, 1], offset: ?>>
// CHECK:             %[[CAST:.*]] = memref.cast %[[PLACE]]
// CHECK:             scf.yield %[[CAST]]
// CHECK:           } else {
// CHECK:             bufferization.materialize_in_destination %{{.*}} in restrict writable %[[SCRATCH]]
// CHECK:             scf.yield %[[SCRATCH]]
// CHECK:           bufferization.to_tensor %[[ROWS]] restrict :
// CHECK-LABEL: func.func @heads(

// CLIQUES-LABEL: func.func private @heads_dense(
// CLIQUES-NOT:     sizes: [64, 8]
// CLIQUES-LABEL: func.func @heads(
func.func @heads(%g: !mp.graph<complete>, %q: tensor<?x2x8xf32>, %k: tensor<?x2x8xf32>,
                 %v: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %o = mp.kernel "heads" dense -> tensor<?x2x8xf32> {
    %s, %value = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x2x8xf32>)
        src(%kj = %k : tensor<?x2x8xf32>, %vj = %v : tensor<?x2x8xf32>)
        -> !mp.edges<2xf32>, !mp.edges<2x8xf32> {
      %d = mp.dot %qi, %kj : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
      mp.yield %d, %vj : tensor<2xf32>, tensor<2x8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> softmax(%s) %value
        : (!mp.edges<2xf32>, !mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
    mp.yield %a : tensor<?x2x8xf32>
  }
  return %o : tensor<?x2x8xf32>
}

// CHECK-LABEL: func.func private @weighted_dense(
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [64, 8], strides: [8, 1]
// CHECK:           %[[IS_FULL:.*]] = arith.cmpi eq, %{{.*}}, %c64
// CHECK:           scf.if %[[IS_FULL]] -> (memref<64x8xf32, strided<[8, 1], offset: ?>>) {
// CHECK-NEXT:        memref.subview %{{.*}} [64, 8] [1, 1] : memref<?x8xf32>
func.func @weighted(%g: !mp.graph<cliques>, %a: tensor<?xf32>, %b: tensor<?xf32>,
                    %v: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "weighted" dense -> tensor<?x8xf32> {
    %m = mp.message %g : !mp.graph<cliques> dst(%ai = %a : tensor<?xf32>)
        src(%bj = %b : tensor<?xf32>, %vj = %v : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      %w = arith.mulf %ai, %bj : tensor<f32>
      %ws = mp.broadcast %w : tensor<f32> to tensor<8xf32>
      %s = arith.mulf %vj, %ws : tensor<8xf32>
      mp.yield %s : tensor<8xf32>
    }
    %r = mp.aggregate %g : !mp.graph<cliques> sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %r : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}
