// A value that a kernel yields twice is written once, and is both results.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-nodes --mp-lower-rows --mp-lower-tiles | FileCheck %s
// RUN: clique-run %s --entry=rows --graph=%graphs/karate.mtx --verify | FileCheck %s --check-prefix=VERIFY
// RUN: clique-run %s --entry=tiles --graph=complete:70 --verify | FileCheck %s --check-prefix=VERIFY
// VERIFY-COUNT-3: verify out{{[0-2]}}: max error {{.*}}: ok

// CHECK-LABEL: func.func @rows(
// CHECK:         %[[SUM:.*]] = memref.alloc(%[[N:.*]]) : memref<?x8xf32>
// CHECK-NEXT:    %[[NEGATED:.*]] = memref.alloc(%[[N]]) : memref<?x8xf32>
// CHECK:         call @rows_0_sparse({{.*}}, %[[SUM]], %[[NEGATED]], %[[SUM]])
// CHECK:         %[[S:.*]] = bufferization.to_tensor %[[SUM]] restrict writable
// CHECK-NEXT:    %[[M:.*]] = bufferization.to_tensor %[[NEGATED]] restrict writable
// CHECK-NEXT:    return %[[S]], %[[M]], %[[S]]
func.func @rows(%g: !mp.graph, %h: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %o:3 = mp.kernel "rows_0" sparse -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    %u = mp.update (%mi = %m : tensor<?x8xf32>) -> tensor<?x8xf32> {
      %r = arith.negf %mi : tensor<8xf32>
      mp.yield %r : tensor<8xf32>
    }
    mp.yield %m, %u, %m : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %o#0, %o#1, %o#2 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @tiles(
// CHECK:         %[[EDGES:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NEXT:    %[[SUM:.*]] = memref.alloc(%{{.*}}) : memref<?x4xf32>
// CHECK:         call @tiles_0_dense({{.*}}, %[[EDGES]], %[[SUM]], %[[EDGES]], %
// CHECK:         %[[E:.*]] = mp.to_edges
// CHECK-NEXT:    %[[S:.*]] = bufferization.to_tensor %[[SUM]] restrict writable
// CHECK-NEXT:    return %[[E]], %[[S]], %[[E]]
func.func @tiles(%g: !mp.graph, %h: tensor<?x4xf32>) -> (!mp.edges<f32>, tensor<?x4xf32>, !mp.edges<f32>) {
  %o:3 = mp.kernel "tiles_0" dense -> !mp.edges<f32>, tensor<?x4xf32>, !mp.edges<f32> {
    %d, %v = mp.message %g dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>)
        -> !mp.edges<f32>, !mp.edges<4xf32> {
      %d = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      mp.yield %d, %hj : tensor<f32>, tensor<4xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %d, %m, %d : !mp.edges<f32>, tensor<?x4xf32>, !mp.edges<f32>
  }
  return %o#0, %o#1, %o#2 : !mp.edges<f32>, tensor<?x4xf32>, !mp.edges<f32>
}

// CHECK-LABEL: func.func @nodes(
// CHECK:         %[[OUT:.*]] = memref.alloc
// CHECK:         call @nodes_0_nodes({{.*}}, %[[OUT]], %[[OUT]])
// CHECK:         %[[R:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK-NEXT:    return %[[R]], %[[R]]
func.func @nodes(%h: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %o:2 = mp.kernel "nodes_0" nodes -> tensor<?x8xf32>, tensor<?x8xf32> {
    %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      %r = arith.negf %hi : tensor<8xf32>
      mp.yield %r : tensor<8xf32>
    }
    mp.yield %u, %u : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %o#0, %o#1 : tensor<?x8xf32>, tensor<?x8xf32>
}
