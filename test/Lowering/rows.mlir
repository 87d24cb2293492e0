// Sparse rows: one loop over the block's rows, one over a row's edges that
// carries the state, nothing stored per edge.
// RUN: clique-opt %s --convert-mp-kernels --canonicalize | FileCheck %s

// CHECK-LABEL: func.func private @sum_0_sparse(
// CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: index, %[[LAST:[a-z0-9]+]]: index, %[[INDPTR:[a-z0-9]+]]: memref<?xi64>,
// CHECK-SAME:    %[[INDICES:[a-z0-9]+]]: memref<?xi32>, %{{[a-z0-9]+}}: memref<?xi64>,
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?x8xf32>, %{{[a-z0-9]+}}: memref<?x8xf32>)
// CHECK:         scf.for %[[I:[a-z0-9]+]] = %[[FIRST]] to %[[LAST]] {{.*}} -> (tensor<32x8xf32>)
// CHECK:           memref.load %[[INDPTR]][%[[I]]]
// CHECK:           %[[SUM:[a-z0-9]+]] = scf.for %[[E:[a-z0-9]+]] = {{.*}} -> (tensor<8xf32>)
// CHECK:             memref.load %[[INDICES]][%[[E]]]
// CHECK:             tensor.extract_slice {{.*}} to tensor<8xf32>
// CHECK:             linalg.generic
// CHECK:               arith.addf
// CHECK:           tensor.insert_slice %[[SUM]]
// CHECK:         bufferization.materialize_in_destination

// CHECK-LABEL: func.func @sum
// CHECK:         call @clique_rt_check_extent
// CHECK:         call @clique_rt_row_blocks
// CHECK:         scf.parallel
// CHECK:           func.call @sum_0_sparse
// CHECK:         bufferization.to_tensor %{{.*}} restrict writable
func.func @sum(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "sum_0" sparse -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}
