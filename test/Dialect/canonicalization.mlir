// Folds and canonicalisations of graphs and features, one function per behaviour.

// RUN: clique-opt %s -canonicalize | FileCheck %s

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @reverse_of_reverse
// CHECK-SAME: (%[[G:.*]]: !mp.graph)
// CHECK-NEXT: return %[[G]]
func.func @reverse_of_reverse(%g: !mp.graph) -> !mp.graph {
  %0 = mp.reverse %g : !mp.graph -> !mp.graph
  %1 = mp.reverse %0 : !mp.graph -> !mp.graph
  return %1 : !mp.graph
}

// The first reverse forgets the topology: what is left is a cast.
// CHECK-LABEL: func @reverse_of_reverse_causal
// CHECK-SAME: (%[[G:.*]]: !mp.graph<causal>)
// CHECK-NEXT: %[[C:.*]] = mp.cast %[[G]] : !mp.graph<causal> to !mp.graph
// CHECK-NEXT: return %[[C]]
func.func @reverse_of_reverse_causal(%g: !mp.graph<causal>) -> !mp.graph {
  %0 = mp.reverse %g : !mp.graph<causal> -> !mp.graph
  %1 = mp.reverse %0 : !mp.graph -> !mp.graph
  return %1 : !mp.graph
}

// The same edges with other numbers: edge values would be mixed up.
// CHECK-LABEL: func @reverse_of_complete
// CHECK: mp.reverse
func.func @reverse_of_complete(%g: !mp.graph<complete>) -> !mp.graph<complete> {
  %0 = mp.reverse %g : !mp.graph<complete> -> !mp.graph<complete>
  return %0 : !mp.graph<complete>
}

// CHECK-LABEL: func @self_loops_present
// CHECK-SAME: (%[[A:.*]]: !mp.graph<complete>, %[[B:.*]]: !mp.graph<causal>, %[[C:.*]]: !mp.graph<window, 2>, %[[D:.*]]: !mp.graph<cliques>, %[[E:.*]]: !mp.graph<causal_cliques>)
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
func.func @self_loops_present(%a: !mp.graph<complete>, %b: !mp.graph<causal>,
                              %c: !mp.graph<window, 2>, %d: !mp.graph<cliques>,
                              %e: !mp.graph<causal_cliques>)
    -> (!mp.graph<complete>, !mp.graph<causal>, !mp.graph<window, 2>,
        !mp.graph<cliques>, !mp.graph<causal_cliques>) {
  %0 = mp.self_loops %a : !mp.graph<complete> -> !mp.graph<complete>
  %1 = mp.self_loops %b : !mp.graph<causal> -> !mp.graph<causal>
  %2 = mp.self_loops %c : !mp.graph<window, 2> -> !mp.graph<window, 2>
  %3 = mp.self_loops %d : !mp.graph<cliques> -> !mp.graph<cliques>
  %4 = mp.self_loops %e : !mp.graph<causal_cliques> -> !mp.graph<causal_cliques>
  return %0, %1, %2, %3, %4
      : !mp.graph<complete>, !mp.graph<causal>, !mp.graph<window, 2>,
        !mp.graph<cliques>, !mp.graph<causal_cliques>
}

// CHECK-LABEL: func @self_loops_absent
// CHECK: mp.self_loops
// CHECK: mp.self_loops
// CHECK: mp.self_loops
func.func @self_loops_absent(%a: !mp.graph<complete, no_self>, %b: !mp.graph,
                             %c: !mp.graph<sparse>)
    -> (!mp.graph<complete>, !mp.graph, !mp.graph<sparse>) {
  %0 = mp.self_loops %a : !mp.graph<complete, no_self> -> !mp.graph<complete>
  %1 = mp.self_loops %b : !mp.graph -> !mp.graph
  %2 = mp.self_loops %c : !mp.graph<sparse> -> !mp.graph<sparse>
  return %0, %1, %2 : !mp.graph<complete>, !mp.graph, !mp.graph<sparse>
}

// CHECK-LABEL: func @self_loops_twice
// CHECK-NEXT: %[[L:.*]] = mp.self_loops
// CHECK-NEXT: return %[[L]]
func.func @self_loops_twice(%g: !mp.graph<sparse>) -> !mp.graph<sparse> {
  %0 = mp.self_loops %g : !mp.graph<sparse> -> !mp.graph<sparse>
  %1 = mp.self_loops %0 : !mp.graph<sparse> -> !mp.graph<sparse>
  return %1 : !mp.graph<sparse>
}

// CHECK-LABEL: func @cast_to_same
// CHECK-SAME: (%[[G:.*]]: !mp.graph<causal>)
// CHECK-NEXT: return %[[G]]
func.func @cast_to_same(%g: !mp.graph<causal>) -> !mp.graph<causal> {
  %0 = mp.cast %g : !mp.graph<causal> to !mp.graph<causal>
  return %0 : !mp.graph<causal>
}

// CHECK-LABEL: func @cast_of_cast
// CHECK-SAME: (%[[G:.*]]: !mp.graph<complete>)
// CHECK-NEXT: %[[C:.*]] = mp.cast %[[G]] : !mp.graph<complete> to !mp.graph
// CHECK-NEXT: return %[[C]]
func.func @cast_of_cast(%g: !mp.graph<complete>) -> !mp.graph {
  %0 = mp.cast %g : !mp.graph<complete> to !mp.graph<cliques>
  %1 = mp.cast %0 : !mp.graph<cliques> to !mp.graph
  return %1 : !mp.graph
}

// CHECK-LABEL: func @sizes_of_square_constructors
// CHECK-SAME: (%[[A:.*]]: index, %[[B:.*]]: index, %[[C:.*]]: index)
// CHECK-NEXT: return %[[A]], %[[A]], %[[B]], %[[B]], %[[C]], %[[C]]
func.func @sizes_of_square_constructors(%a: index, %b: index, %c: index)
    -> (index, index, index, index, index, index) {
  %complete = mp.complete %a
  %causal = mp.causal %b
  %window = mp.window %c, 4
  %0 = mp.num_dst %complete : !mp.graph<complete>
  %1 = mp.num_src %complete : !mp.graph<complete>
  %2 = mp.num_dst %causal : !mp.graph<causal>
  %3 = mp.num_src %causal : !mp.graph<causal>
  %4 = mp.num_dst %window : !mp.graph<window, 4>
  %5 = mp.num_src %window : !mp.graph<window, 4>
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, index, index
}

// CHECK-LABEL: func @sizes_of_bipartite
// CHECK-SAME: (%[[DST:.*]]: index, %[[SRC:.*]]: index)
// CHECK-NEXT: return %[[DST]], %[[SRC]]
func.func @sizes_of_bipartite(%dst: index, %src: index) -> (index, index) {
  %g = mp.bipartite %dst, %src
  %0 = mp.num_dst %g : !mp.graph<bipartite>
  %1 = mp.num_src %g : !mp.graph<bipartite>
  return %0, %1 : index, index
}

// CHECK-LABEL: func @sizes_of_lists
// CHECK-SAME: (%{{.*}}: tensor<?xi64>, %{{.*}}: tensor<?xi32>, %[[DST:.*]]: index, %[[SRC:.*]]: index)
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// The destinations of a CSR graph are as many as its rows.
// CHECK: %[[ROWS:.*]] = mp.num_dst
// CHECK: return %[[ROWS]], %[[SRC]], %[[DST]], %[[SRC]], %[[C3]], %[[C2]]
func.func @sizes_of_lists(%p: tensor<?xi64>, %i: tensor<?xi32>, %dst: index, %src: index)
    -> (index, index, index, index, index, index) {
  %csr = mp.csr %p, %i, %src : tensor<?xi64>, tensor<?xi32> -> !mp.graph
  %coo = mp.coo %i, %i, %dst, %src : tensor<?xi32>, tensor<?xi32> -> !mp.graph
  %list = mp.edge_list dense<[[2, 1]]> : tensor<1x2xi32>, 3, 2 : !mp.graph
  %0 = mp.num_dst %csr : !mp.graph
  %1 = mp.num_src %csr : !mp.graph
  %2 = mp.num_dst %coo : !mp.graph
  %3 = mp.num_src %coo : !mp.graph
  %4 = mp.num_dst %list : !mp.graph
  %5 = mp.num_src %list : !mp.graph
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, index, index
}

// CHECK-LABEL: func @sizes_through_changes
// CHECK-SAME: (%[[DST:.*]]: index, %[[SRC:.*]]: index, %[[N:.*]]: index)
// CHECK-NEXT: return %[[SRC]], %[[DST]], %[[N]]
func.func @sizes_through_changes(%dst: index, %src: index, %n: index)
    -> (index, index, index) {
  %g = mp.bipartite %dst, %src
  %r = mp.reverse %g : !mp.graph<bipartite> -> !mp.graph<bipartite>
  %u = mp.cast %r : !mp.graph<bipartite> to !mp.graph
  %0 = mp.num_dst %u : !mp.graph
  %1 = mp.num_src %u : !mp.graph
  %c = mp.complete %n no_self
  %l = mp.self_loops %c : !mp.graph<complete, no_self> -> !mp.graph<complete>
  %2 = mp.num_dst %l : !mp.graph<complete>
  return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func @sizes_of_parts
// CHECK-SAME: (%[[N:.*]]: index, %[[F:.*]]: index, %[[C:.*]]: index)
// CHECK: return %[[N]], %[[C]], %[[N]]
func.func @sizes_of_parts(%n: index, %first: index, %count: index) -> (index, index, index) {
  %g = mp.causal %n no_self
  %l, %nodes, %places, %offsets = mp.levels %g : !mp.graph<causal, no_self>
  %r, %edges = mp.rows %l, %first, %count : !mp.graph
  %0 = mp.num_dst %l : !mp.graph
  %1 = mp.num_dst %r : !mp.graph
  %2 = mp.num_src %r : !mp.graph
  return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func @sizes_of_argument
// CHECK: mp.num_dst
// CHECK: mp.num_src
func.func @sizes_of_argument(%g: !mp.graph) -> (index, index) {
  %0 = mp.num_dst %g : !mp.graph
  %1 = mp.num_src %g : !mp.graph
  return %0, %1 : index, index
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @reduce_nothing
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT: return %[[X]]
func.func @reduce_nothing(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mp.reduce sum %x dims [] : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @reduce_splat
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.500000e+00> : tensor<4xf32>
// CHECK-DAG: %[[SUM:.*]] = arith.constant dense<1.200000e+01> : tensor<4xf32>
// CHECK: return %[[SUM]], %[[ONE]], %[[ONE]], %[[ONE]]
func.func @reduce_splat()
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<1.5> : tensor<8x4xf32>
  %0 = mp.reduce sum %c dims [0] : tensor<8x4xf32> -> tensor<4xf32>
  %1 = mp.reduce mean %c dims [0] : tensor<8x4xf32> -> tensor<4xf32>
  %2 = mp.reduce max %c dims [0] : tensor<8x4xf32> -> tensor<4xf32>
  %3 = mp.reduce min %c dims [0] : tensor<8x4xf32> -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @reduce_other_constant
// CHECK: mp.reduce
func.func @reduce_other_constant() -> tensor<f32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = mp.reduce sum %c dims [0] : tensor<2xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @broadcast_to_same
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT: return %[[X]]
func.func @broadcast_to_same(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mp.broadcast %x : tensor<8xf32> to tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @broadcast_splat
// CHECK-DAG: %[[F:.*]] = arith.constant dense<2.000000e+00> : tensor<8x16xf32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<true> : tensor<4xi1>
// CHECK: return %[[F]], %[[B]]
func.func @broadcast_splat() -> (tensor<8x16xf32>, tensor<4xi1>) {
  %f = arith.constant dense<2.0> : tensor<f32>
  %b = arith.constant dense<true> : tensor<i1>
  %0 = mp.broadcast %f : tensor<f32> to tensor<8x16xf32>
  %1 = mp.broadcast %b : tensor<i1> to tensor<4xi1>
  return %0, %1 : tensor<8x16xf32>, tensor<4xi1>
}

// CHECK-LABEL: func @broadcast_of_broadcast
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT: %[[A:.*]] = mp.broadcast %[[X]] : tensor<8xf32> to tensor<8x16x4xf32>
// CHECK-NEXT: %[[B:.*]] = mp.broadcast %[[X]] trailing : tensor<8xf32> to tensor<4x2x8xf32>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @broadcast_of_broadcast(%x: tensor<8xf32>)
    -> (tensor<8x16x4xf32>, tensor<4x2x8xf32>) {
  %0 = mp.broadcast %x : tensor<8xf32> to tensor<8x16xf32>
  %1 = mp.broadcast %0 : tensor<8x16xf32> to tensor<8x16x4xf32>
  %2 = mp.broadcast %x trailing : tensor<8xf32> to tensor<2x8xf32>
  %3 = mp.broadcast %2 trailing : tensor<2x8xf32> to tensor<4x2x8xf32>
  return %1, %3 : tensor<8x16x4xf32>, tensor<4x2x8xf32>
}

// CHECK-LABEL: func @broadcast_on_both_sides
// CHECK-NEXT: %[[B:.*]] = mp.broadcast %{{.*}} dims [0, 2] : tensor<8xf32> to tensor<4x8x16xf32>
// CHECK-NEXT: return %[[B]]
func.func @broadcast_on_both_sides(%x: tensor<8xf32>) -> tensor<4x8x16xf32> {
  %0 = mp.broadcast %x : tensor<8xf32> to tensor<8x16xf32>
  %1 = mp.broadcast %0 trailing : tensor<8x16xf32> to tensor<4x8x16xf32>
  return %1 : tensor<4x8x16xf32>
}

// CHECK-LABEL: func @relu_of_relu
// CHECK-NEXT: %[[R:.*]] = mp.relu
// CHECK-NEXT: return %[[R]]
func.func @relu_of_relu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mp.relu %x : tensor<8xf32>
  %1 = mp.relu %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func @dot_constant_to_the_right
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32>)
// CHECK: %[[C:.*]] = arith.constant
// CHECK: mp.dot %[[X]], %[[C]]
func.func @dot_constant_to_the_right(%x: tensor<2xf32>) -> tensor<f32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = mp.dot %c, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// What an update passes on is its operand; what it widens is not. In a kernel it is what is written.
// CHECK-LABEL: func @passed_on
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>, %[[Y:.*]]: tensor<?x8xf32>)
// CHECK-NEXT: %[[S:.*]] = mp.update (%[[XI:.*]] = %[[X]] : tensor<?x8xf32>, %[[YI:.*]] = %[[Y]] : tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK-NEXT:   arith.addf %[[XI]], %[[YI]]
// CHECK:      %[[K:.*]] = mp.kernel "copy" nodes -> tensor<?x8xf32> {
// CHECK-NEXT:   mp.update (%[[XJ:.*]] = %[[X]] : tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK-NEXT:     mp.yield %[[XJ]]
// CHECK:      return %[[S]], %[[Y]], %[[X]], %[[K]]
func.func @passed_on(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>)
    -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %0:2 = mp.update (%xi = %x : tensor<?x8xf32>, %yi = %y : tensor<?x8xf32>) -> tensor<?x8xf32>, tensor<?x8xf32> {
    %s = arith.addf %xi, %yi : tensor<8xf32>
    mp.yield %s, %yi : tensor<8xf32>, tensor<8xf32>
  }
  %1 = mp.update (%xi = %x : tensor<?x8xf32>) -> tensor<?x8xf32> {
    mp.yield %xi : tensor<8xf32>
  }
  %2 = mp.kernel "copy" nodes -> tensor<?x8xf32> {
    %3 = mp.update (%xi = %x : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %xi : tensor<8xf32>
    }
    mp.yield %3 : tensor<?x8xf32>
  }
  return %0#0, %0#1, %1, %2 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}
