// Sparse rows: one loop over the block's rows, one over a row's edges that
// carries the state, nothing stored per edge; a row is written as it is done.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows --canonicalize | FileCheck %s
// RUN: clique-opt %s --mp-attach-target='target="#mp.gpu<shared_bytes = 232448, multiprocessor_shared_bytes = 233472, matrix = mma>"' --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows | FileCheck %s --check-prefix=THREADS
// Threads have four numbers each of a row's largest value, but four take part.
// THREADS: func.func private @sum_0_sparse({{.*}} mp.threads = 4 :
// THREADS: func.func private @sum_0_sparse_chunk({{.*}} mp.threads = 4 :
// THREADS: func.func private @sum_0_sparse_merge({{.*}} mp.threads = 4 :
// THREADS: func.func private @softmax_0_sparse({{.*}} mp.threads = 8 :
// THREADS: func.func private @product_0_sparse({{.*}} mp.threads = 16 :
// THREADS: func.func private @product_0_sparse_merge({{.*}} mp.threads = 16 :
// THREADS: func.func private @wide_0_sparse({{.*}} mp.threads = 32 :

// CHECK-LABEL: func.func private @sum_0_sparse(
// CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: index, %[[LAST:[a-z0-9]+]]: index, %[[INDPTR:[a-z0-9]+]]: memref<?xi64>,
// CHECK-SAME:    %[[ROWS:[a-z0-9]+]]: memref<?xi64>, %[[SOURCES:[a-z0-9]+]]: memref<?xi32> {mp.prefetch = 40 : i64}, %{{[a-z0-9]+}}: memref<?xi64>,
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?x8xf32>, %{{[a-z0-9]+}}: memref<?x8xf32>)
// CHECK:         scf.for %[[I:[a-z0-9]+]] = %[[FIRST]] to %[[LAST]]
// CHECK:           memref.load %[[INDPTR]][%[[I]]]
// Rows may share sources: those of an edge stand elsewhere than the edge.
// CHECK:           memref.load %[[ROWS]][%[[I]]]
// CHECK:           %[[SHIFT:[a-z0-9]+]] = arith.subi
// CHECK:           %[[SUM:[a-z0-9]+]] = scf.for %[[E:[a-z0-9]+]] = {{.*}} -> (tensor<8xf32>)
// CHECK:             %[[PLACE:[a-z0-9]+]] = arith.addi %[[E]], %[[SHIFT]]
// CHECK:             memref.load %[[SOURCES]][%[[PLACE]]]
// CHECK:             tensor.extract_slice {{.*}} to tensor<8xf32>
// CHECK:             linalg.generic
// CHECK:               arith.addf
// CHECK:           memref.subview %{{.*}}[%[[I]], 0] [1, 8]
// CHECK:           bufferization.materialize_in_destination %[[SUM]]

// A chunk of a hub takes its edges to scratch, as another function the scratch to
// the row.
// CHECK-LABEL: func.func private @sum_0_sparse_chunk(
// CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: index, {{.*}}, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index, %[[CHUNK:[a-z0-9]+]]: index, %[[SCRATCH:[a-z0-9]+]]: memref<?x8xf32>)
// CHECK:         %[[SUM:[a-z0-9]+]] = scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK:         memref.subview %[[SCRATCH]][%[[CHUNK]], 0] [1, 8]
// CHECK:         bufferization.materialize_in_destination %[[SUM]]

// CHECK-LABEL: func.func private @sum_0_sparse_merge(
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: memref<?x8xf32>, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index, %[[SCRATCH:[a-z0-9]+]]: memref<?x8xf32>)
// CHECK:           scf.for %[[GROUP:.*]] = %[[BEGIN]] to %[[END]] step %c64{{.*}} -> (tensor<8xf32>)
// CHECK:             %[[PART:.*]] = scf.for %[[CHUNK:[a-z0-9]+]] = %[[GROUP]] to %{{.*}} -> (tensor<8xf32>)
// CHECK:               memref.subview %[[SCRATCH]][%[[CHUNK]], 0] [1, 8]
// CHECK:               arith.addf
// CHECK:             linalg.generic {{.*}}ins(%[[PART]] : tensor<8xf32>)
// CHECK:           memref.subview %[[OUT]]

// CHECK-LABEL: func.func @sum
// CHECK:         mp.row_blocks %{{.*}} rows %c{{.*}} edges %c512{{.*}} : !mp.graph
// CHECK:         mp.hub_chunks %{{.*}} edges %c512
// CHECK:         scf.if
// CHECK:           memref.alloc
// CHECK:           scf.parallel
// CHECK:             func.call @sum_0_sparse_chunk
// CHECK:           mp.hubs %{{.*}} edges %c512
// CHECK:           scf.parallel
// CHECK:             func.call @sum_0_sparse_merge
// CHECK:         scf.parallel
// CHECK:           func.call @sum_0_sparse(
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

// What an update reads is kept for the rows of a block.
// CHECK-LABEL: func.func private @updated_0_sparse(
// CHECK:         %[[ROWS:[a-z0-9]+]] = scf.for {{.*}} -> (tensor<32x8xf32>)
// CHECK:           %[[SUM:[a-z0-9]+]] = scf.for {{.*}} -> (tensor<8xf32>)
// CHECK:           tensor.insert_slice %[[SUM]]
// CHECK:         linalg.generic {{.*}} ins(%[[ROWS]]
// CHECK:         bufferization.materialize_in_destination
func.func @updated(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "updated_0" sparse -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    %u = mp.update (%mi = %m : tensor<?x8xf32>) -> tensor<?x8xf32> {
      %n = arith.negf %mi : tensor<8xf32>
      mp.yield %n : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// A softmax takes its edges in chunks: all scores, then their weights as vectors
// of four edges, then the weighted values. Each loop fetches ahead what it reads
// (clique-prefetch-gathers), the last element too: rows may begin in the middle of a line.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows --canonicalize --clique-prefetch-gathers | FileCheck %s --check-prefix=FETCHED
// FETCHED-LABEL: func.func private @softmax_0_sparse(
// FETCHED:         scf.for {{.*}} -> (tensor<32x4xf32>)
// FETCHED:           memref.prefetch {{.*}} memref<?x4xf32>
// FETCHED-NOT:       memref.prefetch
// FETCHED:           tensor.insert_slice
// FETCHED:         scf.for {{.*}} -> (tensor<4x8xf32>)
// FETCHED:           memref.prefetch {{.*}} memref<?x4x8xf32>
// FETCHED:           memref.prefetch {{.*}} memref<?x4x8xf32>
// FETCHED-DAG:       %[[HEAD:.*]] = arith.constant 3 : index
// FETCHED-DAG:       %[[LAST:.*]] = arith.constant 7 : index
// FETCHED:           memref.prefetch %{{.*}}[%{{.*}}, %[[HEAD]], %[[LAST]]], {{.*}} memref<?x4x8xf32>
// FETCHED-NOT:       memref.prefetch
// FETCHED-LABEL: func.func
// CHECK-LABEL: func.func private @softmax_0_sparse(
// CHECK:         %{{.*}}:3 = scf.for {{.*}} step %c32 {{.*}} -> (tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>)
// CHECK:           %[[COUNT:[a-z0-9]+]] = arith.minsi %{{.*}}, %c32
// CHECK:           vector.transfer_write %{{.*}} : vector<16xf32>, tensor<8x16xf32>
// CHECK:           scf.for {{.*}} to %[[COUNT]] {{.*}} -> (tensor<32x4xf32>)
// CHECK:             tensor.insert_slice
// CHECK:           scf.for {{.*}} -> (vector<16xf32>)
// CHECK:             %[[LARGER:.*]] = arith.cmpf ogt, %[[SCORES:.*]], %[[MAX:.*]] : vector<16xf32>
// CHECK:             arith.select %[[LARGER]], %[[SCORES]], %[[MAX]]
// CHECK:           math.exp {{.*}} : vector<4xf32>
// CHECK:           scf.for {{.*}} -> (tensor<8x16xf32>, vector<16xf32>)
// CHECK:             math.exp {{.*}} : vector<16xf32>
// CHECK:             arith.addf
// CHECK:           scf.for {{.*}} to %[[COUNT]] {{.*}} -> (tensor<4x8xf32>)
// CHECK-NOT:         math.exp
// CHECK:             linalg.generic
// CHECK:         linalg.reciprocal
func.func @softmax(%g: !mp.graph, %a: tensor<?x4xf32>, %h: tensor<?x4x8xf32>)
    -> tensor<?x4x8xf32> {
  %o = mp.kernel "softmax_0" sparse -> tensor<?x4x8xf32> {
    %s, %v = mp.message %g src(%aj = %a : tensor<?x4xf32>, %hj = %h : tensor<?x4x8xf32>)
        -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
      mp.yield %aj, %hj : tensor<4xf32>, tensor<4x8xf32>
    }
    %m = mp.aggregate %g softmax(%s) %v
        : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
    mp.yield %m : tensor<?x4x8xf32>
  }
  return %o : tensor<?x4x8xf32>
}

// A value that is dear to compute is computed with the score, and kept.
// CHECK-LABEL: func.func private @dear_0_sparse(
// CHECK:           scf.for {{.*}} -> (tensor<32xf32>, tensor<32x8xf32>)
// CHECK:             math.tanh
// CHECK:           scf.for {{.*}} -> (tensor<8xf32>)
// CHECK-NOT:         math.tanh
// CHECK:           bufferization.materialize_in_destination
func.func @dear(%g: !mp.graph, %a: tensor<?xf32>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "dear_0" sparse -> tensor<?x8xf32> {
    %s, %v = mp.message %g src(%aj = %a : tensor<?xf32>, %hj = %h : tensor<?x8xf32>)
        -> !mp.edges<f32>, !mp.edges<8xf32> {
      %t = math.tanh %hj : tensor<8xf32>
      mp.yield %aj, %t : tensor<f32>, tensor<8xf32>
    }
    %m = mp.aggregate %g softmax(%s) %v
        : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// The weights of a product are not a row's, what it computes is: 40 numbers.
// CHECK-LABEL: func.func private @product_0_sparse(
func.func @product(%g: !mp.graph, %h: tensor<?x5xf32>, %w: tensor<5x40xf32>) -> tensor<?x40xf32> {
  %o = mp.kernel "product_0" sparse -> tensor<?x40xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x5xf32>) -> !mp.edges<40xf32> {
      %p = mp.linear %hj, %w : (tensor<5xf32>, tensor<5x40xf32>) -> tensor<40xf32>
      mp.yield %p : tensor<40xf32>
    }
    %m = mp.aggregate %g max %v : (!mp.edges<40xf32>) -> tensor<?x40xf32>
    mp.yield %m : tensor<?x40xf32>
  }
  return %o : tensor<?x40xf32>
}

// A state may be larger than what comes and what leaves.
// CHECK-LABEL: func.func private @wide_0_sparse(
func.func @wide(%g: !mp.graph, %h: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %o = mp.kernel "wide_0" sparse -> tensor<?x5xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x5xf32>) -> !mp.edges<5xf32> {
      mp.yield %hj : tensor<5xf32>
    }
    %m = mp.aggregate %g custom %v : (!mp.edges<5xf32>) -> tensor<?x5xf32>
      identity {
        %zero = arith.constant dense<0.0> : tensor<5x70xf32>
        mp.yield %zero : tensor<5x70xf32>
      }
      lift {
      ^bb0(%x: tensor<5xf32>):
        %all = mp.broadcast %x : tensor<5xf32> to tensor<5x70xf32>
        mp.yield %all : tensor<5x70xf32>
      }
      combine {
      ^bb0(%a: tensor<5x70xf32>, %b: tensor<5x70xf32>):
        %ab = arith.addf %a, %b : tensor<5x70xf32>
        mp.yield %ab : tensor<5x70xf32>
      }
      finalise {
      ^bb0(%a: tensor<5x70xf32>):
        %s = mp.reduce max %a dims [1] : tensor<5x70xf32> -> tensor<5xf32>
        mp.yield %s : tensor<5xf32>
      }
    mp.yield %m : tensor<?x5xf32>
  }
  return %o : tensor<?x5xf32>
}

// Outer products whose sum does not fit registers: their factors are put together
// for a chunk of edges, whose sum is a product of matrices. What else is summed
// takes the edges one by one.
// CHECK-LABEL: func.func private @outer_0_sparse(
// CHECK:         %{{.*}}:2 = scf.for {{.*}} step %c32 iter_args(%[[SUM:[a-z0-9]+]] = {{.*}}) -> (tensor<40x24xf32>, tensor<24xf32>)
// CHECK:           %[[COUNT:[a-z0-9]+]] = arith.minsi %{{.*}}, %c32
// CHECK:           %[[CHUNK:[a-z0-9]+]]:3 = scf.for {{.*}} to %[[COUNT]] {{.*}} -> (tensor<24xf32>, tensor<32x24xf32>, tensor<32x40xf32>)
// CHECK:             tensor.insert_slice {{.*}} into tensor<32x24xf32>
// CHECK:             tensor.insert_slice {{.*}} into tensor<32x40xf32>
// CHECK:           %[[X:[a-z0-9_]+]] = tensor.extract_slice %[[CHUNK]]#1[0, 0] [%[[COUNT]], 24]
// CHECK:           %[[Y:[a-z0-9_]+]] = tensor.extract_slice %[[CHUNK]]#2[0, 0] [%[[COUNT]], 40]
// CHECK:           linalg.generic {{.*}}["parallel", "parallel", "reduction"]} ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[SUM]]
// Parts of a divided row do the same.
// CHECK-LABEL: func.func private @outer_0_sparse_chunk(
// CHECK:         scf.for {{.*}} step %c32
// CHECK:           linalg.generic {{.*}}["parallel", "parallel", "reduction"]
func.func @outer(%g: !mp.graph, %x: tensor<?x24xf32>, %y: tensor<?x40xf32>)
    -> (tensor<?x40x24xf32>, tensor<?x24xf32>) {
  %o:2 = mp.kernel "outer_0" sparse -> tensor<?x40x24xf32>, tensor<?x24xf32> {
    %p, %v = mp.message %g src(%xj = %x : tensor<?x24xf32>, %yj = %y : tensor<?x40xf32>)
        -> !mp.edges<40x24xf32>, !mp.edges<24xf32> {
      %a = mp.broadcast %xj trailing : tensor<24xf32> to tensor<40x24xf32>
      %b = mp.broadcast %yj : tensor<40xf32> to tensor<40x24xf32>
      %ab = arith.mulf %a, %b : tensor<40x24xf32>
      mp.yield %ab, %xj : tensor<40x24xf32>, tensor<24xf32>
    }
    %m:2 = mp.aggregate %g sum %p, %v
        : (!mp.edges<40x24xf32>, !mp.edges<24xf32>) -> (tensor<?x40x24xf32>, tensor<?x24xf32>)
    mp.yield %m#0, %m#1 : tensor<?x40x24xf32>, tensor<?x24xf32>
  }
  return %o#0, %o#1 : tensor<?x40x24xf32>, tensor<?x24xf32>
}
