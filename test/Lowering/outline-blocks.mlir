// Kernels become loops over blocks, which call a function that has the kernel for
// one block of its rows.
// RUN: clique-opt %s --mp-outline-blocks | FileCheck %s
// What was outlined stays.
// RUN: clique-opt %s --mp-outline-blocks | clique-opt --mp-outline-blocks | FileCheck %s

// The functions of whole rows, of a chunk of a divided row, of the chunks' join.
// CHECK-LABEL: func.func private @sum_0_sparse(
// CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: index, %[[LAST:[a-z0-9]+]]: index, %[[INDPTR:[a-z0-9]+]]: memref<?xi64>, %[[ROWS:[a-z0-9]+]]: memref<?xi64>,
// CHECK-SAME:    %[[SOURCES:[a-z0-9]+]]: memref<?xi32> {mp.prefetch = 16 : i64}, %[[IDS:[a-z0-9]+]]: memref<?xi64>,
// CHECK-SAME:    %[[IN:[a-z0-9]+]]: memref<?x8xf32>, %[[OUT:[a-z0-9]+]]: memref<?x8xf32>)
// CHECK:         %[[H:.*]] = bufferization.to_tensor %[[IN]] restrict
// CHECK:         mp.block rows %[[FIRST]] to %[[LAST]] arrays(%[[INDPTR]], %[[ROWS]], %[[SOURCES]], %[[IDS]] : {{.*}}) outs(%[[OUT]] : memref<?x8xf32>) {
// CHECK-NEXT:    ^bb0(%[[G:.*]]: !mp.graph):
// CHECK-NEXT:      %[[O:.*]] = mp.kernel "sum_0" sparse schedule(#mp.row_blocks<rows = 32, edges = 512, part = 64, prefetch = 16>)
// CHECK:             mp.message %[[G]] src(%{{.*}} = %[[H]] : tensor<?x8xf32>)
// CHECK:           mp.yield %[[O]] : tensor<?x8xf32>
// CHECK:         return
// CHECK-LABEL: func.func private @sum_0_sparse_chunk(
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: memref<?x8xf32>, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index, %[[CHUNK:[a-z0-9]+]]: index, %[[SCRATCH:[a-z0-9]+]]: memref<?x8xf32>)
// CHECK:         mp.block chunk {{.*}} args(%[[BEGIN]], %[[END]], %[[CHUNK]] : index, index, index) scratch(%[[SCRATCH]] : memref<?x8xf32>) outs(%[[OUT]]
// CHECK:           mp.kernel "sum_0" sparse schedule(#mp.row_blocks<rows = 1, edges = 512, part = 64, prefetch = 16>)
// CHECK-LABEL: func.func private @sum_0_sparse_merge(
// CHECK:         mp.block merge {{.*}} args(%{{.*}}, %{{.*}} : index, index) scratch(%{{.*}} : memref<?x8xf32>)
// CHECK:           mp.kernel "sum_0" sparse schedule(#mp.row_blocks<rows = 1,
// CHECK-LABEL: func.func @sum(
// CHECK-NOT:     mp.kernel
// CHECK:         %[[SPLIT:.*]] = mp.row_blocks %{{.*}} rows %{{.*}} edges
// CHECK:         mp.hub_chunks
// CHECK:         scf.parallel
// CHECK:           func.call @sum_0_sparse_chunk(
// CHECK:         scf.parallel
// CHECK:           func.call @sum_0_sparse_merge(
// CHECK:         scf.parallel
// CHECK:           memref.load %[[SPLIT]]
// CHECK:           func.call @sum_0_sparse(
func.func @sum(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "sum_0" sparse schedule(#mp.row_blocks<rows = 32, edges = 512, part = 64, prefetch = 16>) -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// The states of a divided row are those of its aggregator; edge features come and go
// as tensors.
// CHECK-LABEL: func.func private @weighed_0_sparse(
// CHECK-SAME:    %[[E:[a-z0-9]+]]: memref<?xf32>, %{{[a-z0-9]+}}: memref<?x8xf32>, %[[OUT:[a-z0-9]+]]: memref<?xf32>)
// CHECK:         %[[ROWS:.*]] = bufferization.to_tensor %[[E]]
// CHECK:         %[[EDGES:.*]] = mp.to_edges %[[ROWS]] : tensor<?xf32> -> !mp.edges<f32>
// CHECK:         mp.block rows {{.*}} outs(%{{.*}}, %[[OUT]] : memref<?x8xf32>, memref<?xf32>)
// CHECK:           mp.message {{.*}} edge(%{{.*}} = %[[EDGES]] : !mp.edges<f32>)
// CHECK-LABEL: func.func private @weighed_0_sparse_chunk(
// CHECK:         mp.block chunk {{.*}} scratch(%{{.*}}, %{{.*}}, %{{.*}} : memref<?xf32>, memref<?xf32>, memref<?x8xf32>)
func.func @weighed(%g: !mp.graph, %h: tensor<?x8xf32>, %e: !mp.edges<f32>) -> (tensor<?x8xf32>, !mp.edges<f32>) {
  %o:2 = mp.kernel "weighed_0" sparse schedule(#mp.row_blocks<rows = 32, edges = 512>) -> tensor<?x8xf32>, !mp.edges<f32> {
    %s, %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) edge(%x = %e : !mp.edges<f32>)
        -> !mp.edges<f32>, !mp.edges<8xf32> {
      %t = math.tanh %x : tensor<f32>
      mp.yield %t, %hj : tensor<f32>, tensor<8xf32>
    }
    %m = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m, %s : tensor<?x8xf32>, !mp.edges<f32>
  }
  return %o#0, %o#1 : tensor<?x8xf32>, !mp.edges<f32>
}

// Weights of half precision are widened once for all blocks, constants belong to the
// function.
// CHECK-LABEL: func.func private @map_0_nodes(
// CHECK-SAME:    %[[H:[a-z0-9]+]]: memref<?x8xbf16>, %[[W:[a-z0-9]+]]: memref<8x8xf32> {mp.widened_from = bf16}, %[[EPS:[a-z0-9]+]]: bf16, %{{[a-z0-9]+}}: memref<?x8xbf16>)
// CHECK-DAG:     %[[WIDE:.*]] = bufferization.to_tensor %[[W]]
// CHECK-DAG:     %[[WEIGHTS:.*]] = arith.truncf %[[WIDE]] : tensor<8x8xf32> to tensor<8x8xbf16>
// CHECK-DAG:     %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<8xbf16>
// CHECK:         mp.block rows %{{.*}} to %{{[a-z0-9]+}} outs(%{{.*}} : memref<?x8xbf16>) {
// CHECK-NEXT:      mp.kernel "map_0" nodes
// CHECK:             mp.linear %{{.*}}, %[[WEIGHTS]]
// CHECK:             tensor.splat %[[EPS]]
// CHECK:             arith.mulf %{{.*}}, %[[TWO]]
// CHECK-LABEL: func.func @map(
// CHECK:         arith.extf %{{.*}} : tensor<8x8xbf16> to tensor<8x8xf32>
func.func @map(%h: tensor<?x8xbf16>, %w: tensor<8x8xbf16>, %eps: bf16) -> tensor<?x8xbf16> {
  %two = arith.constant dense<2.0> : tensor<8xbf16>
  %o = mp.kernel "map_0" nodes schedule(#mp.node_blocks<rows = 24>) -> tensor<?x8xbf16> {
    %u = mp.update (%hi = %h : tensor<?x8xbf16>) -> tensor<?x8xbf16> {
      %y = mp.linear %hi, %w : (tensor<8xbf16>, tensor<8x8xbf16>) -> tensor<8xbf16>
      %s = tensor.splat %eps : tensor<8xbf16>
      %a = arith.addf %y, %s : tensor<8xbf16>
      %z = arith.mulf %a, %two : tensor<8xbf16>
      mp.yield %z : tensor<8xbf16>
    }
    mp.yield %u : tensor<?x8xbf16>
  }
  return %o : tensor<?x8xbf16>
}

// A head of a block is a job: its kernel speaks of that head. Of the next job the
// function knows what to fetch.
// CHECK-LABEL: func.func private @heads_0_dense(
// CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: index, %[[LAST:[a-z0-9]+]]: index, %[[HEAD:[a-z0-9]+]]: index,
// CHECK-SAME:    %[[IN:[a-z0-9]+]]: memref<?x4x16xf32>, %[[OUT:[a-z0-9]+]]: memref<?x4x16xf32>, %[[T0:[a-z0-9]+]]: index, %[[T1:[a-z0-9]+]]: index, %[[N0:[a-z0-9]+]]: index, %[[N1:[a-z0-9]+]]: index, %[[N2:[a-z0-9]+]]: index, %[[S0:[a-z0-9]+]]: index, %[[S1:[a-z0-9]+]]: index, %[[S2:[a-z0-9]+]]: index)
// CHECK:         %[[ALL:.*]] = bufferization.to_tensor %[[IN]]
// CHECK:         %[[X:.*]] = tensor.extract_slice %[[ALL]][0, %[[HEAD]], 0] [%{{.*}}, 1, 16] [1, 1, 1] : tensor<?x4x16xf32> to tensor<?x16xf32>
// CHECK:         %[[PART:.*]] = memref.subview %[[OUT]][0, %[[HEAD]], 0]
// CHECK:         mp.block rows %[[FIRST]] to %[[LAST]] head %[[HEAD]] arrays({{.*}}) args(%[[T0]], %[[T1]], %[[N0]], %[[N1]], %[[N2]], %[[S0]], %[[S1]], %[[S2]] : {{.*}}) outs(%[[PART]] :
// CHECK:           mp.kernel "heads_0" dense schedule({{.*}}) -> tensor<?x16xf32>
// CHECK:             src(%{{.*}} = %[[X]] : tensor<?x16xf32>)
// CHECK-LABEL: func.func @heads(
// CHECK:         mp.tile_list
// CHECK:         scf.parallel
// CHECK:           func.call @heads_0_dense(
func.func @heads(%g: !mp.graph<cliques>, %x: tensor<?x4x16xf32>) -> tensor<?x4x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4x16xf32>
  %o = mp.kernel "heads_0" dense heads(4) schedule(#mp.tiles<rows = 32, tile_rows = 8, columns = 64, border = 32, prefetch = 1>)
      -> tensor<?x4x16xf32> {
  ^bb0(%head: index):
    %xh = tensor.extract_slice %x[0, %head, 0] [%n, 1, 16] [1, 1, 1] : tensor<?x4x16xf32> to tensor<?x16xf32>
    %v = mp.message %g : !mp.graph<cliques> src(%xj = %xh : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      mp.yield %xj : tensor<16xf32>
    }
    %m = mp.aggregate %g : !mp.graph<cliques> sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %m : tensor<?x16xf32>
  }
  return %o : tensor<?x4x16xf32>
}

// CHECK-LABEL: func.func @unscheduled(
// CHECK:         mp.kernel "unscheduled_0" nodes ->
func.func @unscheduled(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "unscheduled_0" nodes -> tensor<?x8xf32> {
    %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}
