// A network on edges: the messages of a chunk of edges of several rows are products of
// matrices; what leaves the chunk is taken in by row.
// RUN: clique-opt %s --mp-schedule-kernels | FileCheck %s --check-prefix=SCHEDULE
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-edge-blocks --canonicalize | FileCheck %s
// RUN: clique-opt %s --mp-attach-target='target="#mp.gpu<shared_bytes = 232448, multiprocessor_shared_bytes = 233472, matrix = mma>"' --mp-schedule-kernels | FileCheck %s --check-prefix=GPU
// GPU-NOT: #mp.edge_blocks

// SCHEDULE: mp.kernel "network_0" sparse schedule(#mp.edge_blocks<rows = 256, step = 32, edges = 512, chunk = 48, part = 48, prefetch = 40>)

// CHECK-LABEL: func.func private @network_0_edges(
// CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: index, %[[LAST:[a-z0-9]+]]: index, %[[INDPTR:[a-z0-9]+]]: memref<?xi64>
// CHECK-SAME:    %[[ROWSOURCES:[a-z0-9]+]]: memref<?xi64>, %[[SOURCES:[a-z0-9]+]]: memref<?xi32> {mp.prefetch = 40 : i64}, %[[IDS:[a-z0-9]+]]: memref<?xi64>
// Only as many rows as the block has are cleared.
// CHECK:         scf.for %{{.*}} to %{{.*}} step %c32{{.*}} -> (tensor<256x24xf32>)
// CHECK:         %[[B:.*]] = memref.load %[[INDPTR]][%[[FIRST]]]
// CHECK:         %[[BEGIN:.*]] = arith.index_cast %[[B]]
// CHECK:         %[[E:.*]] = memref.load %[[INDPTR]][%[[LAST]]]
// CHECK:         %[[END:.*]] = arith.index_cast %[[E]]
// CHECK:         %[[STATES:.*]]:2 = scf.for %[[AT:.*]] = %[[BEGIN]] to %[[END]] step %c48 iter_args(%[[ROW:.*]] = %[[FIRST]],
// The row of the chunk's last edge.
// CHECK:           %[[LASTROW:.*]] = scf.while (%{{.*}} = %[[ROW]])
// What the last chunk does not fill is cleared.
// CHECK:           linalg.fill
// CHECK:           %[[GATHERED:.*]]:2 = scf.for %{{.*}} = %[[ROW]] to %{{.*}} -> (tensor<48x16xf32>, tensor<48x16xf32>)
// CHECK:             scf.for
// CHECK:               memref.load %[[SOURCES]]
// CHECK:               tensor.insert_slice
// CHECK:           linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<48x16xf32>, tensor<16x24xf32>) outs(%{{.*}} : tensor<48x24xf32>)
// CHECK:           scf.for %{{.*}} = %[[ROW]] to %{{.*}} -> (tensor<256x24xf32>)
// CHECK:             tensor.extract_slice %{{.*}} : tensor<256x24xf32> to tensor<24xf32>
// CHECK:             scf.for
// CHECK:               tensor.extract_slice %{{.*}} : tensor<48x24xf32> to tensor<24xf32>
// CHECK:               arith.addf
// CHECK:             tensor.insert_slice
// CHECK:           scf.yield %[[LASTROW]]
// CHECK:         scf.for %{{.*}} step %c32
// CHECK:           bufferization.materialize_in_destination

// A row of very many edges is divided; each part is taken in chunks too, and in parts that are added up first.
// CHECK-LABEL: func.func private @network_0_edges_chunk(
// CHECK:         scf.for {{.*}} step %c48
// CHECK:           scf.for {{.*}} step %c48
// CHECK:             linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<48x16xf32>, tensor<16x24xf32>)
// CHECK-LABEL: func.func private @network_0_sparse_merge(
// CHECK-LABEL: func.func @network(
// CHECK:         func.call @network_0_edges(
func.func @network(%g: !mp.graph, %h: tensor<?x16xf32>, %w: tensor<16x24xf32>) -> tensor<?x24xf32> {
  %o = mp.kernel "network_0" sparse -> tensor<?x24xf32> {
    %v = mp.message %g dst(%hi = %h : tensor<?x16xf32>) src(%hj = %h : tensor<?x16xf32>) -> !mp.edges<24xf32> {
      %p = arith.mulf %hi, %hj : tensor<16xf32>
      %m = mp.linear %p, %w : (tensor<16xf32>, tensor<16x24xf32>) -> tensor<24xf32>
      mp.yield %m : tensor<24xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<24xf32>) -> tensor<?x24xf32>
    mp.yield %m : tensor<?x24xf32>
  }
  return %o : tensor<?x24xf32>
}

// Large values of an edge come in smaller chunks; one column has nothing to share; small
// products are not worth a chunk.
// SCHEDULE: mp.kernel "large_0" sparse schedule(#mp.edge_blocks<rows = 256, step = 32, edges = 512, chunk = 16, part = 64, prefetch = 40>)
// SCHEDULE: mp.kernel "column_0" sparse schedule(#mp.row_blocks<
// SCHEDULE: mp.kernel "small_0" sparse schedule(#mp.row_blocks<
func.func @others(%g: !mp.graph, %e: !mp.edges<512xf32>, %w: tensor<512x8192xf32>, %c: tensor<512x1xf32>,
                  %f: !mp.edges<3xf32>, %s: tensor<3x5xf32>)
    -> (tensor<?x8192xf32>, tensor<?x1xf32>, tensor<?x5xf32>) {
  %a = mp.kernel "large_0" sparse -> tensor<?x8192xf32> {
    %v = mp.message %g edge(%x = %e : !mp.edges<512xf32>) -> !mp.edges<8192xf32> {
      %m = mp.linear %x, %w : (tensor<512xf32>, tensor<512x8192xf32>) -> tensor<8192xf32>
      mp.yield %m : tensor<8192xf32>
    }
    %m = mp.aggregate %g max %v : (!mp.edges<8192xf32>) -> tensor<?x8192xf32>
    mp.yield %m : tensor<?x8192xf32>
  }
  %b = mp.kernel "column_0" sparse -> tensor<?x1xf32> {
    %v = mp.message %g edge(%x = %e : !mp.edges<512xf32>) -> !mp.edges<1xf32> {
      %m = mp.linear %x, %c : (tensor<512xf32>, tensor<512x1xf32>) -> tensor<1xf32>
      mp.yield %m : tensor<1xf32>
    }
    %m = mp.aggregate %g max %v : (!mp.edges<1xf32>) -> tensor<?x1xf32>
    mp.yield %m : tensor<?x1xf32>
  }
  %d = mp.kernel "small_0" sparse -> tensor<?x5xf32> {
    %v = mp.message %g edge(%x = %f : !mp.edges<3xf32>) -> !mp.edges<5xf32> {
      %m = mp.linear %x, %s : (tensor<3xf32>, tensor<3x5xf32>) -> tensor<5xf32>
      mp.yield %m : tensor<5xf32>
    }
    %m = mp.aggregate %g max %v : (!mp.edges<5xf32>) -> tensor<?x5xf32>
    mp.yield %m : tensor<?x5xf32>
  }
  return %a, %b, %d : tensor<?x8192xf32>, tensor<?x1xf32>, tensor<?x5xf32>
}

// A monoid of the spec takes its edges from the chunk one after the other. What a message repeats
// along its features the chunk has once for each edge.
// SCHEDULE: mp.kernel "monoid_0" sparse schedule(#mp.edge_blocks<
// CHECK-LABEL: func.func private @monoid_0_edges(
// CHECK:         scf.for %{{.*}} step %c48
// CHECK:           %[[Y:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<48x64xf32>, tensor<64x64xf32>)
// CHECK-NOT:       tensor<48x64xi64>
// CHECK:           scf.for {{.*}} -> (tensor<256x64xf32>, tensor<256x64xi64>)
// CHECK:             scf.for {{.*}} -> (tensor<64xf32>, tensor<64xi64>)
// CHECK-DAG:           tensor.extract_slice %[[Y]]{{.*}} to tensor<64xf32>
// CHECK-DAG:           tensor.extract_slice %{{.*}} : tensor<48xi64> to tensor<i64>
// CHECK:               arith.cmpf ogt
// CHECK-LABEL: func.func private @monoid_0_sparse_merge(
// CHECK:         arith.cmpf ogt
// Where the linear maps are small, the states would pass the caches for too little.
// SCHEDULE: mp.kernel "monoid_1" sparse schedule(#mp.row_blocks<
func.func @monoid(%g: !mp.graph, %e: !mp.edges<64xf32>, %w: tensor<64x64xf32>, %v: tensor<64x16xf32>)
    -> (tensor<?x64xi64>, tensor<?x16xi64>) {
  %o = mp.kernel "monoid_0" sparse -> tensor<?x64xi64> {
    %m:2 = mp.message %g edge(%x = %e : !mp.edges<64xf32>) -> !mp.edges<64xf32>, !mp.edges<64xi64> {
      %y = mp.linear %x, %w : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>
      %k = mp.position edge : tensor<i64>
      %ks = mp.broadcast %k : tensor<i64> to tensor<64xi64>
      mp.yield %y, %ks : tensor<64xf32>, tensor<64xi64>
    }
    %a = mp.aggregate %g custom %m#0, %m#1 : (!mp.edges<64xf32>, !mp.edges<64xi64>) -> tensor<?x64xi64> identity {
      %x = arith.constant dense<0xFF800000> : tensor<64xf32>
      %k = arith.constant dense<-1> : tensor<64xi64>
      mp.yield %x, %k : tensor<64xf32>, tensor<64xi64>
    } lift {
    ^bb0(%x: tensor<64xf32>, %k: tensor<64xi64>):
      mp.yield %x, %k : tensor<64xf32>, tensor<64xi64>
    } combine {
    ^bb0(%x: tensor<64xf32>, %k: tensor<64xi64>, %y: tensor<64xf32>, %l: tensor<64xi64>):
      %c = arith.cmpf ogt, %y, %x : tensor<64xf32>
      %z = arith.select %c, %y, %x : tensor<64xi1>, tensor<64xf32>
      %n = arith.select %c, %l, %k : tensor<64xi1>, tensor<64xi64>
      mp.yield %z, %n : tensor<64xf32>, tensor<64xi64>
    } finalise {
    ^bb0(%x: tensor<64xf32>, %k: tensor<64xi64>):
      mp.yield %k : tensor<64xi64>
    }
    mp.yield %a : tensor<?x64xi64>
  }
  %p = mp.kernel "monoid_1" sparse -> tensor<?x16xi64> {
    %m:2 = mp.message %g edge(%x = %e : !mp.edges<64xf32>) -> !mp.edges<16xf32>, !mp.edges<16xi64> {
      %y = mp.linear %x, %v : (tensor<64xf32>, tensor<64x16xf32>) -> tensor<16xf32>
      %k = mp.position edge : tensor<i64>
      %ks = mp.broadcast %k : tensor<i64> to tensor<16xi64>
      mp.yield %y, %ks : tensor<16xf32>, tensor<16xi64>
    }
    %a = mp.aggregate %g custom %m#0, %m#1 : (!mp.edges<16xf32>, !mp.edges<16xi64>) -> tensor<?x16xi64> identity {
      %x = arith.constant dense<0xFF800000> : tensor<16xf32>
      %k = arith.constant dense<-1> : tensor<16xi64>
      mp.yield %x, %k : tensor<16xf32>, tensor<16xi64>
    } lift {
    ^bb0(%x: tensor<16xf32>, %k: tensor<16xi64>):
      mp.yield %x, %k : tensor<16xf32>, tensor<16xi64>
    } combine {
    ^bb0(%x: tensor<16xf32>, %k: tensor<16xi64>, %y: tensor<16xf32>, %l: tensor<16xi64>):
      %c = arith.cmpf ogt, %y, %x : tensor<16xf32>
      %z = arith.select %c, %y, %x : tensor<16xi1>, tensor<16xf32>
      %n = arith.select %c, %l, %k : tensor<16xi1>, tensor<16xi64>
      mp.yield %z, %n : tensor<16xf32>, tensor<16xi64>
    } finalise {
    ^bb0(%x: tensor<16xf32>, %k: tensor<16xi64>):
      mp.yield %k : tensor<16xi64>
    }
    mp.yield %a : tensor<?x16xi64>
  }
  return %o, %p : tensor<?x64xi64>, tensor<?x16xi64>
}
