// Blocks that share sources are one job, whose sums are added to the same rows.
// With heads and few sources all heads of a block come before the next block, but
// not where the later blocks of a head belong to the first one's job: all jobs
// would be the first thread's.
// RUN: clique-compile %s --gradients --cpu=x86-64-v3 --emit=blocks -o - | FileCheck %s

// CHECK-LABEL: func.func @attend_backward(
// CHECK:         %[[BLOCKS:.*]] = mp.row_blocks %{{.*}} aligned
// CHECK:         %[[DIM:.*]] = memref.dim %[[BLOCKS]],
// CHECK:         %[[COUNT:.*]] = arith.subi %[[DIM]],
// CHECK:         %[[FEW:.*]] = arith.cmpi ule,
// CHECK:         %[[SEVERAL:.*]] = arith.cmpi ugt, %[[COUNT]],
// CHECK:         %[[APART:.*]] = scf.if %[[SEVERAL]] -> (i1)
// CHECK:           %[[LAST:.*]] = arith.subi %[[COUNT]],
// CHECK:           memref.load %[[BLOCKS]][%[[LAST]]]
// CHECK:         %[[HEADSFIRST:.*]] = arith.andi %[[FEW]], %[[APART]]
// CHECK:         scf.parallel
// CHECK:           arith.select %[[HEADSFIRST]]
func.func @attend(%g: !mp.graph<complete>, %q: tensor<?x64x16xf32>, %k: tensor<?x64x16xf32>, %v: tensor<?x64x16xf32>) -> tensor<?x64x16xf32> {
  %s, %m = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x64x16xf32>)
      src(%kj = %k : tensor<?x64x16xf32>, %vj = %v : tensor<?x64x16xf32>) -> !mp.edges<64xf32>, !mp.edges<64x16xf32> {
    %d = mp.dot %qi, %kj : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64xf32>
    mp.yield %d, %vj : tensor<64xf32>, tensor<64x16xf32>
  }
  %o = mp.aggregate %g : !mp.graph<complete> softmax(%s) %m : (!mp.edges<64xf32>, !mp.edges<64x16xf32>) -> tensor<?x64x16xf32>
  return %o : tensor<?x64x16xf32>
}
