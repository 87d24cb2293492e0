// mp-infer-topology: what constant edge lists, casts and calls say of a graph.

// RUN: clique-opt %s -mp-infer-topology | FileCheck %s
// RUN: clique-opt %s -mp-infer-topology --remarks-filter=topology --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func @complete
// CHECK: %[[N:.*]] = arith.constant 2 : index
// CHECK: mp.complete %[[N]]{{$}}
// CHECK: mp.degree %{{.*}} : !mp.graph<complete>
// REMARK: edge list is !mp.graph<complete>
func.func @complete() -> tensor<?xf32> {
  %g = mp.edge_list dense<[[0, 0], [0, 1], [1, 0], [1, 1]]> : tensor<4x2xi32>, 2, 2 : !mp.graph
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func @complete_no_self
// CHECK: mp.complete %{{.*}} no_self
// CHECK: mp.degree %{{.*}} : !mp.graph<complete, no_self>
// REMARK: edge list is !mp.graph<complete, no_self>
func.func @complete_no_self() -> tensor<?xf32> {
  %g = mp.edge_list dense<[[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]> : tensor<6x2xi32>, 3, 3 : !mp.graph
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func @bipartite
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK: mp.bipartite %[[C1]], %[[C2]]
func.func @bipartite() -> tensor<?xf32> {
  %g = mp.edge_list dense<[[0, 0], [0, 1]]> : tensor<2x2xi32>, 1, 2 : !mp.graph
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func @causal
// CHECK: mp.causal %{{[^ ]*$}}
// CHECK: mp.degree %{{.*}} : !mp.graph<causal>
func.func @causal() -> tensor<?xf32> {
  %g = mp.edge_list dense<[[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]]> : tensor<6x2xi32>, 3, 3 : !mp.graph
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func @window
// CHECK: mp.window %{{.*}}, 1 no_self
func.func @window() -> tensor<?xf32> {
  %g = mp.edge_list dense<[[0, 1], [1, 0], [1, 2], [2, 1]]> : tensor<4x2xi32>, 3, 3 : !mp.graph
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// A clique of two, one of one.
// CHECK-LABEL: func @cliques
// CHECK: %[[O:.*]] = arith.constant dense<[0, 2, 3]> : tensor<3xi64>
// CHECK: mp.cliques %[[O]] : tensor<3xi64> -> !mp.graph<cliques>
func.func @cliques() -> tensor<?xf32> {
  %g = mp.edge_list dense<[[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]]> : tensor<5x2xi32>, 3, 3 : !mp.graph
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func @causal_cliques
// CHECK: %[[O:.*]] = arith.constant dense<[0, 3, 5]> : tensor<3xi64>
// CHECK: mp.cliques %[[O]] causal no_self : tensor<3xi64> -> !mp.graph<causal_cliques, no_self>
func.func @causal_cliques() -> tensor<?xf32> {
  %g = mp.edge_list dense<[[1, 0], [2, 0], [2, 1], [4, 3]]> : tensor<4x2xi32>, 5, 5 : !mp.graph
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// Edges are numbered as they stand: in another order it is not that graph, and
// nor with an edge twice, with one missing or with none at all.
// CHECK-LABEL: func @other_lists
// CHECK-COUNT-4: mp.edge_list {{.*}} : !mp.graph<sparse>
// CHECK-COUNT-4: mp.degree %{{.*}} : !mp.graph<sparse>
// REMARK: edge list is !mp.graph<sparse>
func.func @other_lists() -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = mp.edge_list dense<[[0, 1], [0, 0], [1, 0], [1, 1]]> : tensor<4x2xi32>, 2, 2 : !mp.graph
  %b = mp.edge_list dense<[[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]]> : tensor<5x2xi32>, 2, 2 : !mp.graph
  %c = mp.edge_list dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi32>, 3, 3 : !mp.graph
  %e = mp.edge_list dense<> : tensor<0x2xi32>, 2, 2 : !mp.graph
  %d0 = mp.degree %a : !mp.graph -> tensor<?xf32>
  %d1 = mp.degree %b : !mp.graph -> tensor<?xf32>
  %d2 = mp.degree %c : !mp.graph -> tensor<?xf32>
  %d3 = mp.degree %e : !mp.graph -> tensor<?xf32>
  return %d0, %d1, %d2, %d3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// A list that already says sparse is refined further, and self-loops follow. The
// reverse of a causal graph is of no class, so it keeps the one it had.
// CHECK-LABEL: func @follows
// CHECK: %[[G:.*]] = mp.causal %{{.*}} no_self
// CHECK: %[[L:.*]] = mp.self_loops %[[G]] : !mp.graph<causal, no_self> -> !mp.graph<causal>
// CHECK: %[[S:.*]] = mp.cast %[[L]] : !mp.graph<causal> to !mp.graph<sparse>
// CHECK: %[[R:.*]] = mp.reverse %[[S]] : !mp.graph<sparse> -> !mp.graph<sparse>
// CHECK: mp.degree %[[R]] : !mp.graph<sparse> ->
func.func @follows() -> tensor<?xf32> {
  %g = mp.edge_list dense<[[1, 0], [2, 0], [2, 1]]> : tensor<3x2xi32>, 3, 3 : !mp.graph<sparse>
  %l = mp.self_loops %g : !mp.graph<sparse> -> !mp.graph<sparse>
  %r = mp.reverse %l : !mp.graph<sparse> -> !mp.graph<sparse>
  %d = mp.degree %r : !mp.graph<sparse> -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// What is known of a whole graph is known of its parts.
// CHECK-LABEL: func @parts
// CHECK: %[[G:.*]] = mp.complete
// CHECK: %[[R:.*]], %{{.*}} = mp.rows %[[G]], %{{.*}} : !mp.graph<complete>
// CHECK: mp.num_edges %[[R]] : !mp.graph<bipartite>
// CHECK: %[[L:.*]], %{{.*}}, %{{.*}}, %{{.*}} = mp.levels %[[G]] : !mp.graph<complete>
// CHECK: mp.num_edges %[[L]]{{$}}
func.func @parts(%i: index) -> (index, index) {
  %g = mp.edge_list dense<[[0, 0], [0, 1], [1, 0], [1, 1]]> : tensor<4x2xi32>, 2, 2 : !mp.graph
  %r, %edges = mp.rows %g, %i, %i : !mp.graph
  %0 = mp.num_edges %r : !mp.graph
  %l, %nodes, %places, %offsets = mp.levels %g : !mp.graph
  %1 = mp.num_edges %l : !mp.graph
  return %0, %1 : index, index
}

// A cast is looked through by layers, and stays where the type is promised.
// CHECK-LABEL: func @cast
// CHECK-SAME: %[[G:.*]]: !mp.graph<complete>
// CHECK: mp.message %[[G]] : !mp.graph<complete>
// CHECK: mp.aggregate %[[G]] : !mp.graph<complete>
// CHECK: %[[U:.*]] = mp.cast %[[G]] : !mp.graph<complete> to !mp.graph
// CHECK: return %{{.*}}, %[[U]]
func.func @cast(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> (tensor<?xf32>, !mp.graph) {
  %u = mp.cast %g : !mp.graph<complete> to !mp.graph
  %v = mp.message %u src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %m = mp.aggregate %u sum %v : (!mp.edges<f32>) -> tensor<?xf32>
  return %m, %u : tensor<?xf32>, !mp.graph
}

// All calls give cliques.
// CHECK-LABEL: func private @agreed
// CHECK-SAME: %{{.*}}: !mp.graph<cliques>)
// CHECK: mp.degree %{{.*}} : !mp.graph<cliques>
// REMARK: argument 0 of private function 'agreed' is !mp.graph<cliques>
func.func private @agreed(%g: !mp.graph) -> tensor<?xf32> {
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// One clique is cliques as well: the least class of both calls.
// CHECK-LABEL: func private @joined
// CHECK-SAME: %{{.*}}: !mp.graph<cliques>)
// REMARK: argument 0 of private function 'joined' is !mp.graph<cliques>
func.func private @joined(%g: !mp.graph) -> tensor<?xf32> {
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// No class but that of all graphs has both: what the runtime decides about, and
// not what has rows.
// CHECK-LABEL: func private @disputed
// CHECK-SAME: %{{.*}}: !mp.graph)
// REMARK-NOT: 'disputed'
func.func private @disputed(%g: !mp.graph) -> tensor<?xf32> {
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// Anybody may call a public function.
// CHECK-LABEL: func @public
// CHECK-SAME: %{{.*}}: !mp.graph)
// REMARK-NOT: 'public'
func.func @public(%g: !mp.graph) -> tensor<?xf32> {
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func @caller
// CHECK-SAME: %[[A:.*]]: !mp.graph<cliques>, %[[B:.*]]: !mp.graph<complete>, %[[C:.*]]: !mp.graph<window, 2>
// CHECK: call @agreed(%[[A]]) : (!mp.graph<cliques>) ->
// CHECK: call @agreed(%[[A]]) : (!mp.graph<cliques>) ->
// CHECK: call @joined(%[[A]]) : (!mp.graph<cliques>) ->
// CHECK: %[[BC:.*]] = mp.cast %[[B]] : !mp.graph<complete> to !mp.graph<cliques>
// CHECK: call @joined(%[[BC]]) : (!mp.graph<cliques>) ->
// CHECK: %[[BU:.*]] = mp.cast %[[B]] : !mp.graph<complete> to !mp.graph{{$}}
// CHECK: call @disputed(%[[BU]]) : (!mp.graph) ->
// CHECK: %[[CU:.*]] = mp.cast %[[C]] : !mp.graph<window, 2> to !mp.graph{{$}}
// CHECK: call @disputed(%[[CU]]) : (!mp.graph) ->
// CHECK: %[[PU:.*]] = mp.cast %[[B]]
// CHECK: call @public(%[[PU]]) : (!mp.graph) ->
func.func @caller(%a: !mp.graph<cliques>, %b: !mp.graph<complete>, %c: !mp.graph<window, 2>) {
  %u = mp.cast %a : !mp.graph<cliques> to !mp.graph
  %w = mp.cast %b : !mp.graph<complete> to !mp.graph
  %0 = call @agreed(%u) : (!mp.graph) -> tensor<?xf32>
  %1 = call @agreed(%u) : (!mp.graph) -> tensor<?xf32>
  %v = mp.cast %c : !mp.graph<window, 2> to !mp.graph
  %2 = call @joined(%u) : (!mp.graph) -> tensor<?xf32>
  %3 = call @joined(%w) : (!mp.graph) -> tensor<?xf32>
  %5 = call @disputed(%w) : (!mp.graph) -> tensor<?xf32>
  %6 = call @disputed(%v) : (!mp.graph) -> tensor<?xf32>
  %4 = call @public(%w) : (!mp.graph) -> tensor<?xf32>
  return
}

// Results of private functions, and graphs that go through two of them.
// CHECK-LABEL: func private @passed
// CHECK-SAME: (%[[G:.*]]: !mp.graph<causal, no_self>) -> !mp.graph<causal>
// CHECK: %[[L:.*]] = mp.self_loops %[[G]] : !mp.graph<causal, no_self> -> !mp.graph<causal>
// CHECK: return %[[L]] : !mp.graph<causal>
// REMARK-DAG: argument 0 of private function 'passed' is !mp.graph<causal, no_self>
// REMARK-DAG: result 0 of private function 'passed' is !mp.graph<causal>
func.func private @passed(%g: !mp.graph) -> !mp.graph {
  %l = mp.self_loops %g : !mp.graph -> !mp.graph
  return %l : !mp.graph
}

// CHECK-LABEL: func @through
// CHECK: %[[R:.*]] = call @passed(%{{.*}}) : (!mp.graph<causal, no_self>) -> !mp.graph<causal>
// CHECK: mp.degree %[[R]] : !mp.graph<causal>
// CHECK: %[[U:.*]] = mp.cast %[[R]] : !mp.graph<causal> to !mp.graph
// CHECK: return %{{.*}}, %[[U]]
func.func @through(%g: !mp.graph<causal, no_self>) -> (tensor<?xf32>, !mp.graph) {
  %u = mp.cast %g : !mp.graph<causal, no_self> to !mp.graph
  %r = call @passed(%u) : (!mp.graph) -> !mp.graph
  %d = mp.degree %r : !mp.graph -> tensor<?xf32>
  return %d, %r : tensor<?xf32>, !mp.graph
}

// Both ways of a branch; a window of width 0 is cliques and causal cliques.
// CHECK-LABEL: func @branches
// CHECK: %[[A:.*]] = scf.if %{{.*}} -> (!mp.graph<causal_cliques>) {
// CHECK: %[[W:.*]] = mp.cast %{{.*}} : !mp.graph<window, 0> to !mp.graph<causal_cliques>
// CHECK: scf.yield %[[W]] : !mp.graph<causal_cliques>
// CHECK: %[[C:.*]] = mp.cast %{{.*}} : !mp.graph<causal> to !mp.graph<causal_cliques>
// CHECK: scf.yield %[[C]] : !mp.graph<causal_cliques>
// CHECK: %[[B:.*]] = scf.if %{{.*}} -> (!mp.graph) {
// CHECK: mp.degree %[[A]] : !mp.graph<causal_cliques>
// CHECK: mp.degree %[[B]] ->
func.func @branches(%c: i1, %w: !mp.graph<window, 0>, %g: !mp.graph<causal>, %s: !mp.graph<complete>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %a = scf.if %c -> !mp.graph {
    %u = mp.cast %w : !mp.graph<window, 0> to !mp.graph
    scf.yield %u : !mp.graph
  } else {
    %u = mp.cast %g : !mp.graph<causal> to !mp.graph
    scf.yield %u : !mp.graph
  }
  %b = scf.if %c -> !mp.graph {
    %u = mp.cast %s : !mp.graph<complete> to !mp.graph
    scf.yield %u : !mp.graph
  } else {
    %u = mp.cast %g : !mp.graph<causal> to !mp.graph
    scf.yield %u : !mp.graph
  }
  %d = mp.degree %a : !mp.graph -> tensor<?xf32>
  %e = mp.degree %b : !mp.graph -> tensor<?xf32>
  return %d, %e : tensor<?xf32>, tensor<?xf32>
}

// What a loop carries: the same class in each step, and one that changes. The
// second graph is causal after three steps, but the loop has one type for it.
// CHECK-LABEL: func @steps
// CHECK: %[[F:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (!mp.graph<complete>, !mp.graph) {
// CHECK: mp.degree %[[F]]#0 : !mp.graph<complete>
// CHECK: mp.degree %[[F]]#1 ->
func.func @steps(%s: !mp.graph<complete>, %g: !mp.graph<causal>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %u = mp.cast %s : !mp.graph<complete> to !mp.graph
  %v = mp.cast %g : !mp.graph<causal> to !mp.graph
  %f:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %u, %y = %u) -> (!mp.graph, !mp.graph) {
    %r = mp.reverse %x : !mp.graph -> !mp.graph
    scf.yield %r, %v : !mp.graph, !mp.graph
  }
  %d = mp.degree %f#0 : !mp.graph -> tensor<?xf32>
  %e = mp.degree %f#1 : !mp.graph -> tensor<?xf32>
  return %d, %e : tensor<?xf32>, tensor<?xf32>
}

// A loop without a step says nothing.
// CHECK-LABEL: func @no_step
// CHECK: scf.for {{.*}} -> (!mp.graph) {
func.func @no_step(%s: !mp.graph<complete>, %g: !mp.graph) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = mp.cast %s : !mp.graph<complete> to !mp.graph
  %f = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %u) -> (!mp.graph) {
    scf.yield %g : !mp.graph
  }
  %d = mp.degree %f : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func @while
// CHECK: %[[R:.*]] = scf.while (%{{.*}} = %{{.*}}) : (!mp.graph<cliques>) -> !mp.graph<cliques> {
// CHECK: mp.degree %[[R]] : !mp.graph<cliques>
func.func @while(%c: i1, %s: !mp.graph<complete>, %g: !mp.graph<cliques>) -> tensor<?xf32> {
  %u = mp.cast %s : !mp.graph<complete> to !mp.graph
  %v = mp.cast %g : !mp.graph<cliques> to !mp.graph
  %r = scf.while (%x = %u) : (!mp.graph) -> !mp.graph {
    scf.condition(%c) %x : !mp.graph
  } do {
  ^bb0(%y: !mp.graph):
    scf.yield %v : !mp.graph
  }
  %d = mp.degree %r : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}
