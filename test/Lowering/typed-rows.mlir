// Weights by the type of an edge: sums of the edges of one type and destination
// come before the product, and several of them make one.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-typed-rows --canonicalize | FileCheck %s
// RUN: clique-opt %s --mp-attach-target='target="#mp.gpu<shared_bytes = 232448, multiprocessor_shared_bytes = 233472, matrix = mma>"' --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows | FileCheck %s --check-prefix=THREADS
// THREADS-NOT: _typed

// CHECK-LABEL: func.func private @typed_0_typed(
// CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: index, %[[LAST:[a-z0-9]+]]: index
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<3x16x24xf32>, %{{[a-z0-9]+}}: memref<?x24xf32>,
// CHECK-SAME:    %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index, %[[CHUNKS:[a-z0-9]+]]: memref<?xi64>,
// CHECK-SAME:    %[[GROUPS:[a-z0-9]+]]: memref<?xi64>, %[[SOURCES:[a-z0-9]+]]: memref<?xi32> {mp.prefetch = 40 : i64}, %{{[a-z0-9]+}}: memref<?xi64>)
// CHECK-DAG:     %[[COUNT:.*]] = arith.subi %[[LAST]], %[[FIRST]]
// CHECK-DAG:     %[[WEIGHTS:.*]] = bufferization.to_tensor %[[W]]
// Only as many rows as the block has are cleared.
// CHECK:         %[[ZEROS:.*]] = scf.for %{{.*}} to %[[COUNT]] step %c32{{.*}} -> (tensor<4096x24xf32>)
// CHECK:           tensor.insert_slice %{{.*}}[32, 24] [1, 1]
// CHECK:         %[[STATES:.*]] = scf.for %[[CHUNK:.*]] = %[[BEGIN]] to %[[END]] {{.*}} = %[[ZEROS]]) -> (tensor<4096x24xf32>)
// CHECK:           memref.load %[[CHUNKS]]
// CHECK:           memref.load %[[CHUNKS]]
// CHECK:           %[[TYPE:.*]] = arith.index_cast
// CHECK:           %[[SUMS:.*]] = scf.for {{.*}} -> (tensor<8x16xf32>)
// CHECK:             %[[SUM:.*]] = scf.for {{.*}} -> (tensor<16xf32>)
// CHECK:               memref.load %[[SOURCES]]
// CHECK:               arith.addf
// CHECK:             tensor.insert_slice %[[SUM]]
// CHECK:           %[[WR:.*]] = tensor.extract_slice %[[WEIGHTS]][%[[TYPE]], 0, 0] [1, 16, 24]
// CHECK:           %[[Y:.*]] = linalg.generic {{.*}} ins(%[[SUMS]], %[[WR]] : tensor<8x16xf32>, tensor<16x24xf32>)
// CHECK:           scf.for {{.*}} -> (tensor<4096x24xf32>)
// CHECK:             tensor.extract_slice %[[Y]]
// CHECK:             arith.addf
// CHECK:         scf.for
// CHECK:           tensor.extract_slice %[[STATES]]
// CHECK:           bufferization.materialize_in_destination

// Rows of very many edges are divided among threads; their edges come one by one.
// CHECK-LABEL: func.func private @typed_0_sparse_chunk(

// CHECK-LABEL: func.func @typed(
// CHECK:         %[[EDGES:.*]] = mp.num_edges
// CHECK:         arith.ceildivui %{{.*}}, %c16
// CHECK:         %[[LEAST:.*]] = arith.maxui %{{.*}}, %c512
// CHECK:         %[[LIMIT:.*]] = arith.minui %[[LEAST]], %c65536
// CHECK:         mp.row_blocks %{{.*}} rows %c4096{{.*}} edges %[[LIMIT]] : !mp.graph
// CHECK:         mp.hub_chunks %{{.*}} edges %[[LIMIT]]
// CHECK:         mp.edges_by_type %{{.*}}, %{{.*}} rows %c4096{{.*}} edges %[[LIMIT]] groups 8 types 3 : !mp.graph
// CHECK:         scf.parallel
// CHECK:           func.call @typed_0_typed(
func.func @typed(%g: !mp.graph, %h: tensor<?x16xf32>, %type: !mp.edges<i32>,
                 %w: tensor<3x16x24xf32>) -> tensor<?x24xf32> {
  %o = mp.kernel "typed_0" sparse -> tensor<?x24xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x16xf32>) edge(%r = %type : !mp.edges<i32>)
        -> !mp.edges<24xf32> {
      %wr = mp.lookup %w[%r] : tensor<3x16x24xf32>, tensor<i32> -> tensor<16x24xf32>
      %m = mp.linear %hj, %wr : (tensor<16xf32>, tensor<16x24xf32>) -> tensor<24xf32>
      mp.yield %m : tensor<24xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<24xf32>) -> tensor<?x24xf32>
    mp.yield %m : tensor<?x24xf32>
  }
  return %o : tensor<?x24xf32>
}

// An aggregator that is no sum takes every product, as does one of small weights: those are
// left to mp-lower-rows.
// CHECK-LABEL: func.func private @largest_0_sparse(
// CHECK:         mp.kernel "largest_0" sparse schedule(#mp.row_blocks
func.func @largest(%g: !mp.graph, %h: tensor<?x16xf32>, %type: !mp.edges<i32>,
                   %w: tensor<3x16x24xf32>) -> tensor<?x24xf32> {
  %o = mp.kernel "largest_0" sparse -> tensor<?x24xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x16xf32>) edge(%r = %type : !mp.edges<i32>)
        -> !mp.edges<24xf32> {
      %wr = mp.lookup %w[%r] : tensor<3x16x24xf32>, tensor<i32> -> tensor<16x24xf32>
      %m = mp.linear %hj, %wr : (tensor<16xf32>, tensor<16x24xf32>) -> tensor<24xf32>
      mp.yield %m : tensor<24xf32>
    }
    %m = mp.aggregate %g max %v : (!mp.edges<24xf32>) -> tensor<?x24xf32>
    mp.yield %m : tensor<?x24xf32>
  }
  return %o : tensor<?x24xf32>
}

// CHECK-LABEL: func.func private @small_0_sparse(
// CHECK:         mp.kernel "small_0" sparse schedule(#mp.row_blocks
func.func @small(%g: !mp.graph, %h: tensor<?x4xf32>, %type: !mp.edges<i32>,
                 %w: tensor<3x4x4xf32>) -> tensor<?x4xf32> {
  %o = mp.kernel "small_0" sparse -> tensor<?x4xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x4xf32>) edge(%r = %type : !mp.edges<i32>)
        -> !mp.edges<4xf32> {
      %wr = mp.lookup %w[%r] : tensor<3x4x4xf32>, tensor<i32> -> tensor<4x4xf32>
      %m = mp.linear %hj, %wr : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
      mp.yield %m : tensor<4xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %m : tensor<?x4xf32>
  }
  return %o : tensor<?x4xf32>
}
