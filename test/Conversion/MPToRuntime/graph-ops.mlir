// Every op that makes, changes or measures a graph becomes a call of the
// runtime with the op's operands and attributes.

// RUN: clique-opt %s --convert-mp-to-runtime | FileCheck %s

// A bool is extended to the register that the runtime reads; an array comes
// and goes through the C interface.
// CHECK-DAG: func private @clique_rt_complete(index, i1 {llvm.zeroext}) -> !llvm.ptr{{$}}
// CHECK-DAG: func private @clique_rt_cliques(memref<?xi64>, i1 {llvm.zeroext}, i1 {llvm.zeroext}) -> !llvm.ptr attributes {llvm.emit_c_interface}
// CHECK-DAG: func private @clique_rt_csr(memref<?xi64>, memref<?xi32>, index) -> !llvm.ptr attributes {llvm.emit_c_interface}
// CHECK-DAG: func private @clique_rt_indptr(!llvm.ptr) -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> attributes {llvm.emit_c_interface}
// CHECK-DAG: func private @clique_rt_choose_dense(!llvm.ptr, !llvm.ptr, index, index, index, index, index, index, index, index, index, index, index) -> (i1 {llvm.zeroext})
// One string per text.
// CHECK-DAG: llvm.mlir.global internal constant @[[$FIRST:.*]]("gcn_0\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[$SECOND:.*]]("gcn_1\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[$WHAT:.*]]("rows\00")
// CHECK-NOT: llvm.mlir.global {{.*}}("{{gcn|rows}}

// CHECK-LABEL: func @implicit
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index)
func.func @implicit(%n: index, %m: index) {
  // Errors of a graph that is made begin with where that is.
  // CHECK: %[[YES:.*]] = arith.constant true
  // CHECK: %[[PLACE:.*]] = llvm.mlir.addressof
  // CHECK: call @clique_rt_at(%[[PLACE]])
  // CHECK: call @clique_rt_complete(%[[N]], %[[YES]])
  // CHECK: %[[NOWHERE:.*]] = llvm.mlir.zero
  // CHECK: call @clique_rt_at(%[[NOWHERE]])
  %0 = mp.complete %n no_self
  // CHECK: %[[NO:.*]] = arith.constant false
  // CHECK: call @clique_rt_complete(%[[N]], %[[NO]])
  %1 = mp.complete %n
  // CHECK: call @clique_rt_bipartite(%[[N]], %[[M]])
  %2 = mp.bipartite %n, %m
  // CHECK: %[[YES:.*]] = arith.constant true
  // CHECK: call @clique_rt_causal(%[[M]], %[[YES]])
  %3 = mp.causal %m no_self
  // CHECK: %[[WIDTH:.*]] = arith.constant 128 : index
  // CHECK: %[[NO:.*]] = arith.constant false
  // CHECK: call @clique_rt_window(%[[N]], %[[WIDTH]], %[[NO]])
  %4 = mp.window %n, 128
  return
}

// CHECK-LABEL: func @lists
// CHECK-SAME: (%[[OFFSETS:.*]]: tensor<?xi64>, %[[PTR:.*]]: tensor<4xi64>, %[[IDX:.*]]: tensor<?xi32>, %[[N:.*]]: index, %[[M:.*]]: index)
func.func @lists(%offsets: tensor<?xi64>, %ptr: tensor<4xi64>,
                 %idx: tensor<?xi32>, %n: index, %m: index) {
  // CHECK: %[[A:.*]] = bufferization.to_buffer %[[OFFSETS]] read_only
  // CHECK: %[[CAUSAL:.*]] = arith.constant true
  // CHECK: %[[NO_SELF:.*]] = arith.constant false
  // CHECK: call @clique_rt_cliques(%[[A]], %[[CAUSAL]], %[[NO_SELF]])
  %0 = mp.cliques %offsets causal : tensor<?xi64> -> !mp.graph<causal_cliques>
  // CHECK: %[[CAST:.*]] = tensor.cast %[[PTR]] : tensor<4xi64> to tensor<?xi64>
  // CHECK: %[[A:.*]] = bufferization.to_buffer %[[CAST]] read_only
  // CHECK: %[[B:.*]] = bufferization.to_buffer %[[IDX]] read_only
  // CHECK: call @clique_rt_csr(%[[A]], %[[B]], %[[N]])
  %1 = mp.csr %ptr, %idx, %n : tensor<4xi64>, tensor<?xi32> -> !mp.graph
  // CHECK: call @clique_rt_coo(%{{.*}}, %{{.*}}, %[[N]], %[[M]])
  %2 = mp.coo %idx, %idx, %n, %m : tensor<?xi32>, tensor<?xi32> -> !mp.graph
  // CHECK: %[[DST:.*]] = arith.constant dense<[0, 1, 2]> : tensor<3xi32>
  // CHECK: %[[SRC:.*]] = arith.constant dense<[1, 0, 0]> : tensor<3xi32>
  // CHECK: %[[C3:.*]] = arith.constant 3 : index
  // CHECK: %[[C2:.*]] = arith.constant 2 : index
  // CHECK: call @clique_rt_coo(%{{.*}}, %{{.*}}, %[[C3]], %[[C2]])
  %3 = mp.edge_list dense<[[0, 1], [1, 0], [2, 0]]> : tensor<3x2xi32>, 3, 2 : !mp.graph
  return
}

// The size ops of a cast graph are those of the graph itself.
// CHECK-LABEL: func @sizes
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr {mp.name = "g"})
func.func @sizes(%g: !mp.graph<complete> {mp.name = "g"}) -> (index, index, index) {
  // CHECK-NEXT: %[[A:.*]] = call @clique_rt_num_dst(%[[G]])
  // CHECK-NEXT: %[[B:.*]] = call @clique_rt_num_src(%[[G]])
  // CHECK-NEXT: %[[C:.*]] = call @clique_rt_num_edges(%[[G]])
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
  %u = mp.cast %g : !mp.graph<complete> to !mp.graph
  %0 = mp.num_dst %u : !mp.graph
  %1 = mp.num_src %u : !mp.graph
  %2 = mp.num_edges %g : !mp.graph<complete>
  return %0, %1, %2 : index, index, index
}

// A degree is the difference of two neighbours, in a tensor of its own: it
// outlives the graph, whose array is only read.
// CHECK-LABEL: func @degree
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr)
func.func @degree(%g: !mp.graph) -> (tensor<?xf64>, tensor<?xbf16>) {
  // CHECK: %[[ARRAY:.*]] = call @clique_rt_indptr(%[[G]])
  // CHECK: %[[MEMREF:.*]] = builtin.unrealized_conversion_cast %[[ARRAY]] : {{.*}} to memref<?xi64>
  // CHECK: %[[PTR:.*]] = bufferization.to_tensor %[[MEMREF]] restrict :
  // CHECK: %[[N:.*]] = call @clique_rt_num_dst(%[[G]])
  // CHECK-DAG: %[[EMPTY:.*]] = tensor.empty(%[[N]]) : tensor<?xf64>
  // CHECK-DAG: %[[LOW:.*]] = tensor.extract_slice %[[PTR]][0] [%[[N]]] [1]
  // CHECK-DAG: %[[HIGH:.*]] = tensor.extract_slice %[[PTR]][1] [%[[N]]] [1]
  // CHECK: linalg.generic {{.*}} ins(%[[LOW]], %[[HIGH]] : {{.*}}) outs(%[[EMPTY]]
  // CHECK-NEXT: ^bb0(%[[A:.*]]: i64, %[[B:.*]]: i64, %{{.*}}: f64):
  // CHECK-NEXT: %[[D:.*]] = arith.subi %[[B]], %[[A]]
  // CHECK-NEXT: %[[F:.*]] = arith.sitofp %[[D]] : i64 to f64
  // CHECK-NEXT: linalg.yield %[[F]]
  %0 = mp.degree %g : !mp.graph -> tensor<?xf64>
  // CHECK: %[[F:.*]] = arith.sitofp %{{.*}} : i64 to f32
  // CHECK-NEXT: %[[H:.*]] = arith.truncf %[[F]] : f32 to bf16
  // CHECK-NEXT: linalg.yield %[[H]]
  %1 = mp.degree %g : !mp.graph -> tensor<?xbf16>
  return %0, %1 : tensor<?xf64>, tensor<?xbf16>
}

// CHECK-LABEL: func @choose
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr)
func.func @choose(%g: !mp.graph) -> (i1, i1, i1) {
  // CHECK: %[[NAME:.*]] = llvm.mlir.addressof @[[$FIRST]]
  // CHECK: %[[V:.*]] = arith.constant 3 : index
  // CHECK: %[[EDGE:.*]] = arith.constant 1024 : index
  // CHECK: %[[FAR:.*]] = arith.constant 204 : index
  // CHECK: %[[BYTES:.*]] = arith.constant 64 : index
  // CHECK: %[[ROW:.*]] = arith.constant 80 : index
  // CHECK: %[[PAIR:.*]] = arith.constant 544 : index
  // CHECK: %[[MASKED:.*]] = arith.constant 762 : index
  // CHECK: %[[TILE:.*]] = arith.constant 7 : index
  // CHECK: %[[ROWS:.*]] = arith.constant 8 : index
  // CHECK: %[[BLOCK:.*]] = arith.constant 512 : index
  // CHECK: %[[SAVING:.*]] = arith.constant 9 : index
  // CHECK: call @clique_rt_choose_dense(%[[G]], %[[NAME]], %[[V]], %[[EDGE]], %[[FAR]], %[[BYTES]], %[[ROW]], %[[PAIR]], %[[MASKED]], %[[TILE]], %[[ROWS]], %[[BLOCK]], %[[SAVING]])
  %0 = mp.choose_dense %g, "gcn_0" versions both cost <edge = 1024, far_edge = 204, source_bytes = 64, row = 80, pair = 544, masked_pair = 762, tile_edge = 7, tile_rows = 8, register_block = 512, even_saving = 9> : !mp.graph
  // CHECK: llvm.mlir.addressof @[[$SECOND]]
  %1 = mp.choose_dense %g, "gcn_1" versions sparse cost <edge = 8, far_edge = 1, source_bytes = 64, row = 9, pair = 1, masked_pair = 1, tile_edge = 0, tile_rows = 8, register_block = 2> : !mp.graph
  // CHECK: llvm.mlir.addressof @[[$FIRST]]
  %2 = mp.choose_dense %g, "gcn_0" versions both cost <edge = 1024, far_edge = 204, source_bytes = 64, row = 80, pair = 544, masked_pair = 762, tile_edge = 7, tile_rows = 8, register_block = 512> : !mp.graph
  // CHECK: call @clique_rt_choose_dense
  // CHECK: %[[ORDERED:.*]] = arith.constant 7 : index
  // CHECK: call @clique_rt_choose_dense(%[[G]], %{{[^,]*}}, %[[ORDERED]],
  %3 = mp.choose_dense %g, "gcn_2" versions both in_order cost <edge = 1024, far_edge = 204, source_bytes = 64, row = 80, pair = 544, masked_pair = 762, tile_edge = 7, tile_rows = 8, register_block = 512> : !mp.graph
  return %0, %1, %2 : i1, i1, i1
}

// CHECK-LABEL: func @check
// CHECK-SAME: (%[[N:.*]]: index, %[[E:.*]]: tensor<?x8xf32>)
// CHECK: %[[ROWS:.*]] = tensor.dim %[[E]], %c0
// CHECK: %[[WHAT:.*]] = llvm.mlir.addressof @[[$WHAT]]
// CHECK: call @clique_rt_check(%[[ROWS]], %[[N]], %[[N]], %[[WHAT]])
func.func @check(%n: index, %e: !mp.edges<8xf32>) {
  %rows = mp.num_rows %e : !mp.edges<8xf32>
  mp.check %rows in %n to %n, "rows"
  return
}

// Arrays that a graph lends are copied where they are used, and not asked for elsewhere.
// CHECK-LABEL: func @parts
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr, %[[F:.*]]: index, %[[N:.*]]: index)
// CHECK: %[[L:.*]] = call @clique_rt_levels(%[[G]])
// CHECK: call @clique_rt_level_nodes(%[[L]])
// CHECK: %[[LENT:.*]] = bufferization.to_tensor %{{.*}} restrict : memref<?xi32> to tensor<?xi32>
// CHECK: %[[NODES:.*]] = bufferization.alloc_tensor() copy(%[[LENT]]) : tensor<?xi32>
// CHECK-NOT: clique_rt_level_
// CHECK: %[[R:.*]] = call @clique_rt_rows(%[[L]], %[[F]], %[[N]])
// CHECK: call @clique_rt_row_edges(%[[R]])
// CHECK: %[[EDGES:.*]] = bufferization.alloc_tensor() copy({{.*}}) : tensor<?xi64>
// CHECK: call @clique_rt_release(%[[R]])
// CHECK-NEXT: call @clique_rt_release(%[[L]])
// CHECK-NEXT: return %[[NODES]], %[[EDGES]]
func.func @parts(%g: !mp.graph, %first: index, %count: index) -> (tensor<?xi32>, tensor<?xi64>) {
  %l, %nodes, %places, %offsets = mp.levels %g : !mp.graph
  %r, %edges = mp.rows %l, %first, %count : !mp.graph
  return %nodes, %edges : tensor<?xi32>, tensor<?xi64>
}

// CHECK-LABEL: func @groups
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr, %[[TYPE:.*]]: tensor<?xi32>, %[[N:.*]]: index)
// CHECK: %[[KEYS:.*]] = bufferization.to_buffer %[[TYPE]] read_only
// CHECK: %[[P:.*]] = call @clique_rt_group_edges(%[[G]], %[[KEYS]], %[[N]])
// CHECK-NOT: clique_rt_group_rows
// CHECK: call @clique_rt_group_keys(%[[P]])
// CHECK: call @clique_rt_release(%[[P]])
func.func @groups(%g: !mp.graph, %type: !mp.edges<i32>, %n: index) -> tensor<?xi32> {
  %p, %rows, %keys = mp.group_edges %g by %type into %n : !mp.graph, !mp.edges<i32>
  return %keys : tensor<?xi32>
}
