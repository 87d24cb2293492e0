// What loops read of a graph: calls that give arrays, and of an object with
// several results those that are used.

// RUN: clique-opt %s --convert-mp-to-runtime | FileCheck %s

// CHECK-LABEL: func @arrays
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr)
func.func @arrays(%g: !mp.graph) {
  // CHECK: call @clique_rt_indptr(%[[G]])
  %0 = mp.indptr %g : !mp.graph
  // CHECK: call @clique_rt_row_sources(%[[G]])
  %1 = mp.row_sources %g : !mp.graph
  // CHECK: call @clique_rt_sources(%[[G]])
  %2 = mp.sources %g : !mp.graph
  // CHECK: call @clique_rt_edge_ids(%[[G]])
  %3 = mp.edge_ids %g : !mp.graph
  // CHECK: call @clique_rt_row_begin(%[[G]])
  %4 = mp.row_begin %g : !mp.graph
  // CHECK: call @clique_rt_row_end(%[[G]])
  %5 = mp.row_end %g : !mp.graph
  // CHECK: call @clique_rt_no_self(%[[G]])
  %6 = mp.no_self %g : !mp.graph
  // CHECK: %[[ORDERED:.*]] = call @clique_rt_in_order(%[[G]])
  %7 = mp.in_order %g : !mp.graph
  // CHECK: call @clique_rt_node_order(%[[ORDERED]])
  // CHECK-NOT: clique_rt_release
  %8 = mp.node_order %7 : !mp.graph
  return
}

// CHECK-LABEL: func @division
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr, %[[ROWS:.*]]: index, %[[EDGES:.*]]: index, %[[LONGEST:.*]]: index)
func.func @division(%g: !mp.graph, %rows: index, %edges: index, %longest: index) {
  // CHECK: %[[NO:.*]] = arith.constant false
  // CHECK: %[[ANY:.*]] = arith.constant 0 : index
  // CHECK: call @clique_rt_row_blocks(%[[G]], %[[ROWS]], %[[EDGES]], %[[ANY]], %[[NO]])
  %0 = mp.row_blocks %g rows %rows edges %edges : !mp.graph
  // CHECK: %[[YES:.*]] = arith.constant true
  // CHECK: call @clique_rt_row_blocks(%[[G]], %[[ROWS]], %[[EDGES]], %{{.*}}, %[[YES]])
  %1 = mp.row_blocks %g rows %rows edges %edges aligned : !mp.graph
  // CHECK: %[[NO:.*]] = arith.constant false
  // CHECK: call @clique_rt_row_blocks(%[[G]], %[[ROWS]], %[[EDGES]], %[[LONGEST]], %[[NO]])
  %longBlocks = mp.row_blocks %g rows %rows edges %edges longest %longest : !mp.graph
  // CHECK: call @clique_rt_hub_chunks(%[[G]], %[[EDGES]])
  %2 = mp.hub_chunks %g edges %edges : !mp.graph
  // CHECK: call @clique_rt_hubs(%[[G]], %[[EDGES]])
  %3 = mp.hubs %g edges %edges : !mp.graph
  return
}

// CHECK-LABEL: func @tiles
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr, %[[ROWS:.*]]: index)
func.func @tiles(%g: !mp.graph, %rows: index) -> (i1, memref<?xi64>) {
  // CHECK-DAG: %[[TILE_ROWS:.*]] = arith.constant 12 : index
  // CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 64 : index
  // CHECK: %[[T:.*]] = call @clique_rt_tiles(%[[G]], %[[ROWS]], %[[TILE_ROWS]], %[[COLUMNS]])
  // CHECK: %[[LISTED:.*]] = call @clique_rt_tiles_are_listed(%[[T]])
  // CHECK: %[[ARRAY:.*]] = call @clique_rt_tile_words(%[[T]])
  // CHECK: %[[WORDS:.*]] = builtin.unrealized_conversion_cast %[[ARRAY]]
  // CHECK-NOT: call
  // CHECK: return %[[LISTED]], %[[WORDS]]
  %t:6 = mp.tile_list %g rows %rows tile_rows 12 columns 64 : !mp.graph
  return %t#0, %t#4 : i1, memref<?xi64>
}

// CHECK-LABEL: func @by_type
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr, %[[TYPES:.*]]: memref<?xi32>, %[[N:.*]]: index)
func.func @by_type(%g: !mp.graph, %types: memref<?xi32>, %n: index) -> memref<?xi64> {
  // CHECK: %[[YES:.*]] = arith.constant true
  // CHECK: %[[T:.*]] = call @clique_rt_edges_by_type(%[[G]], %[[TYPES]], %[[N]], %[[N]], %c8{{.*}}, %c3{{.*}}, %[[YES]])
  // CHECK: call @clique_rt_type_edge_ids(%[[T]])
  %e:5 = mp.edges_by_type %g, %types rows %n edges %n groups 8 types 3 with_ids : !mp.graph
  return %e#4 : memref<?xi64>
}

// CHECK-LABEL: func @features
// CHECK-SAME: (%[[E:.*]]: tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT: return %[[E]]
func.func @features(%e: !mp.edges<8xf32>) -> !mp.edges<8xf32> {
  %t = mp.to_tensor %e : !mp.edges<8xf32> -> tensor<?x8xf32>
  %same = mp.to_edges %t : tensor<?x8xf32> -> !mp.edges<8xf32>
  return %same : !mp.edges<8xf32>
}
