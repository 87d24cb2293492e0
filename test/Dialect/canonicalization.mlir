// Folds and canonicalisations, one function per behaviour.

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

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @message_unused_operands
// CHECK-SAME: (%[[G:.*]]: !mp.graph, %[[H:.*]]: tensor<?x8xf32>, %[[E:.*]]: !mp.edges<4xf32>)
// CHECK-NEXT: mp.message %[[G]] src(%[[HJ:.*]] = %[[H]] : tensor<?x8xf32>) -> !mp.edges<8xf32> {
// CHECK-NEXT: mp.yield %[[HJ]]
func.func @message_unused_operands(%g: !mp.graph, %h: tensor<?x8xf32>,
                                   %e: !mp.edges<4xf32>) -> !mp.edges<8xf32> {
  %0 = mp.message %g dst(%hi = %h : tensor<?x8xf32>)
      src(%hj = %h : tensor<?x8xf32>) edge(%x = %e : !mp.edges<4xf32>)
      -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  return %0 : !mp.edges<8xf32>
}

// CHECK-LABEL: func @message_unused_result
// CHECK-SAME: (%[[G:.*]]: !mp.graph<complete>, %[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<?x4xf32>)
// CHECK-NEXT: mp.message %[[G]] : !mp.graph<complete> src(%[[BJ:.*]] = %[[B]] : tensor<?x4xf32>) -> !mp.edges<4xf32> {
// CHECK-NEXT: mp.yield %[[BJ]] : tensor<4xf32>
func.func @message_unused_result(%g: !mp.graph<complete>, %a: tensor<?x8xf32>,
                                 %b: tensor<?x4xf32>) -> !mp.edges<4xf32> {
  %0:2 = mp.message %g : !mp.graph<complete>
      dst(%ai = %a : tensor<?x8xf32>) src(%bj = %b : tensor<?x4xf32>)
      -> !mp.edges<8xf32>, !mp.edges<4xf32> {
    %x = mp.relu %ai : tensor<8xf32>
    mp.yield %x, %bj : tensor<8xf32>, tensor<4xf32>
  }
  return %0#1 : !mp.edges<4xf32>
}

// CHECK-LABEL: func @message_unused
// CHECK-NEXT: return
func.func @message_unused(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  return
}

// The same operand in one role is merged; as destination and source it is not.
// CHECK-LABEL: func @message_duplicate_operands
// CHECK-SAME: (%[[G:.*]]: !mp.graph, %[[H:.*]]: tensor<?x8xf32>, %[[E:.*]]: !mp.edges<8xf32>)
// CHECK-NEXT: mp.message %[[G]] dst(%[[I:.*]] = %[[H]] : tensor<?x8xf32>) src(%[[J:.*]] = %[[H]] : tensor<?x8xf32>) edge(%[[X:.*]] = %[[E]] : !mp.edges<8xf32>) ->
// CHECK-NEXT: arith.addf %[[I]], %[[J]]
// CHECK-NEXT: arith.mulf %{{.*}}, %[[I]]
// CHECK-NEXT: arith.mulf %{{.*}}, %[[J]]
// CHECK-NEXT: arith.mulf %{{.*}}, %[[X]]
// CHECK-NEXT: arith.mulf %{{.*}}, %[[X]]
func.func @message_duplicate_operands(%g: !mp.graph, %h: tensor<?x8xf32>,
                                      %e: !mp.edges<8xf32>) -> !mp.edges<8xf32> {
  %0 = mp.message %g
      dst(%a = %h : tensor<?x8xf32>, %b = %h : tensor<?x8xf32>)
      src(%c = %h : tensor<?x8xf32>, %d = %h : tensor<?x8xf32>)
      edge(%x = %e : !mp.edges<8xf32>, %y = %e : !mp.edges<8xf32>) -> !mp.edges<8xf32> {
    %0 = arith.addf %a, %c : tensor<8xf32>
    %1 = arith.mulf %0, %b : tensor<8xf32>
    %2 = arith.mulf %1, %d : tensor<8xf32>
    %3 = arith.mulf %2, %x : tensor<8xf32>
    %4 = arith.mulf %3, %y : tensor<8xf32>
    mp.yield %4 : tensor<8xf32>
  }
  return %0 : !mp.edges<8xf32>
}

// A value computed of positions alone needs no operand.
// CHECK-LABEL: func @message_without_operands
// CHECK-NEXT: mp.message %{{[^ ]*}} -> !mp.edges<i32> {
// CHECK-NEXT: mp.position dst
func.func @message_without_operands(%g: !mp.graph, %h: tensor<?x8xf32>) -> !mp.edges<i32> {
  %0 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<i32> {
    %i = mp.position dst : tensor<i32>
    mp.yield %i : tensor<i32>
  }
  return %0 : !mp.edges<i32>
}

//===----------------------------------------------------------------------===//
// Aggregations and updates
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @aggregate_unused
// CHECK-NEXT: return
func.func @aggregate_unused(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  %0 = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return
}

// CHECK-LABEL: func @update_unused_operand
// CHECK-SAME: (%[[H:.*]]: tensor<?x8xf32>, %[[M:.*]]: tensor<?x8xf32>)
// CHECK-NEXT: mp.update (%[[MI:.*]] = %[[M]] : tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK-NEXT: mp.yield %[[MI]]
func.func @update_unused_operand(%h: tensor<?x8xf32>, %m: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = mp.update (%hi = %h : tensor<?x8xf32>, %mi = %m : tensor<?x8xf32>) -> tensor<?x8xf32> {
    mp.yield %mi : tensor<8xf32>
  }
  return %0 : tensor<?x8xf32>
}

// The last operand stays: it says how many nodes there are.
// CHECK-LABEL: func @update_of_nothing
// CHECK: mp.update (%{{.*}} = %{{.*}} : tensor<?x4xf32>) -> tensor<?xf32> {
// CHECK: mp.yield
func.func @update_of_nothing(%h: tensor<?x8xf32>, %m: tensor<?x4xf32>) -> tensor<?xf32> {
  %0 = mp.update (%hi = %h : tensor<?x8xf32>, %mi = %m : tensor<?x4xf32>) -> tensor<?xf32> {
    %c = arith.constant dense<1.0> : tensor<f32>
    mp.yield %c : tensor<f32>
  }
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @update_duplicate_operands
// CHECK-SAME: (%[[H:.*]]: tensor<?x8xf32>)
// CHECK-NEXT: mp.update (%[[I:.*]] = %[[H]] : tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK-NEXT: arith.mulf %[[I]], %[[I]]
func.func @update_duplicate_operands(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = mp.update (%a = %h : tensor<?x8xf32>, %b = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %r = arith.mulf %a, %b : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func @update_unused_result
// CHECK: mp.update (%[[I:.*]] = %{{.*}} : tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK-NEXT: mp.yield %[[I]] : tensor<8xf32>
func.func @update_unused_result(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0:2 = mp.update (%a = %h : tensor<?x8xf32>) -> tensor<?x8xf32>, tensor<?x8xf32> {
    %r = arith.mulf %a, %a : tensor<8xf32>
    mp.yield %r, %a : tensor<8xf32>, tensor<8xf32>
  }
  return %0#1 : tensor<?x8xf32>
}

// What others noted on the op is kept when it is rebuilt.
// CHECK-LABEL: func @attributes_survive
// CHECK: mp.message {{.*}} attributes {name = "m"} {
func.func @attributes_survive(%g: !mp.graph, %h: tensor<?x8xf32>) -> !mp.edges<8xf32> {
  %0 = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<8xf32> attributes {name = "m"} {
    mp.yield %hj : tensor<8xf32>
  }
  return %0 : !mp.edges<8xf32>
}

// A check that always holds goes; one that does not stays.
// CHECK-LABEL: func @checks
// CHECK-SAME: (%[[G:.*]]: !mp.graph, %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index)
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[X]]
// CHECK: mp.check %[[ROWS]] in %[[N]] to %[[N]], "unknown"
// CHECK-NEXT: mp.check %c7 in %c0 to %c5, "never"
// CHECK-NOT: mp.check
// CHECK: mp.message
func.func @checks(%g: !mp.graph, %x: tensor<?xf32>, %n: index) -> !mp.edges<f32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %most = arith.constant 0x7FFFFFFFFFFFFFFF : index
  %rows = tensor.dim %x, %c0 : tensor<?xf32>
  mp.check %rows in %n to %n, "unknown"
  mp.check %c7 in %c0 to %c5, "never"
  mp.check %n in %n to %n, "itself"
  mp.check %c5 in %c0 to %c7, "constants"
  mp.check %rows in %c0 to %most, "a size"
  %m = mp.message %g src(%xj = %x : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %xj : tensor<f32>
  }
  // One row for each edge of the message's graph.
  %values = mp.num_rows %m : !mp.edges<f32>
  %edges = mp.num_edges %g : !mp.graph
  mp.check %values in %edges to %edges, "values of a message"
  return %m : !mp.edges<f32>
}
