// mp-fuse: which messages, aggregations and updates become one kernel, and what is
// stored.

// RUN: clique-opt %s -mp-fuse | FileCheck %s
// RUN: clique-opt %s -mp-fuse --remarks-filter=fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Message, aggregation and update are one kernel that stores the update only.
// CHECK-LABEL: func @layer
// CHECK: %[[K:.*]] = mp.kernel "layer_0" -> tensor<?x8xf32> {
// CHECK-NEXT: %[[V:.*]] = mp.message %{{.*}} src(
// CHECK: %[[M:.*]] = mp.aggregate %{{.*}} sum %[[V]]
// CHECK-NEXT: %[[U:.*]] = mp.update (%{{.*}} = %[[M]] :
// CHECK: mp.yield %[[U]] : tensor<?x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[K]]
// REMARK: kernel layer_0: one pass over the edges, aggregations: 1, updates: 1; !mp.edges<8xf32> not stored
func.func @layer(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    %x = math.exp %hj : tensor<8xf32>
    mp.yield %x : tensor<8xf32>
  }
  %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %o = mp.update (%mi = %m : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %r = mp.relu %mi : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  return %o : tensor<?x8xf32>
}

// Several aggregations of one message are one pass; the degree, which the update
// also needs, is computed before.
// CHECK-LABEL: func @several_aggregations
// CHECK: mp.degree
// CHECK: mp.kernel "several_aggregations_0" -> tensor<?xf32> {
// CHECK: mp.message
// CHECK-NOT: mp.message
// CHECK: mp.aggregate %{{.*}} max
// CHECK-NEXT: mp.aggregate %{{.*}} std
// CHECK-NEXT: mp.update
// CHECK-NOT: mp.kernel
// CHECK: return
// REMARK: kernel several_aggregations_0: one pass over the edges, aggregations: 2, updates: 1
func.func @several_aggregations(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %v = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %a = mp.aggregate %g max %v : (!mp.edges<f32>) -> tensor<?xf32>
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  %b = mp.aggregate %g std %v : (!mp.edges<f32>) -> tensor<?xf32>
  %o = mp.update (%x = %a : tensor<?xf32>, %y = %b : tensor<?xf32>, %z = %d : tensor<?xf32>)
      -> tensor<?xf32> {
    %xy = arith.addf %x, %y : tensor<f32>
    %xyz = arith.addf %xy, %z : tensor<f32>
    mp.yield %xyz : tensor<f32>
  }
  return %o : tensor<?xf32>
}

// Two messages whose sums one update joins are one message of one kernel.
// CHECK-LABEL: func @common_update
// CHECK: mp.kernel "common_update_0" -> tensor<?xf32> {
// CHECK-NEXT: %[[V:.*]]:2 = mp.message %{{.*}} src(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) edge(
// CHECK-NOT: mp.message
// CHECK: mp.aggregate %{{.*}} sum %[[V]]#0
// CHECK: mp.aggregate %{{.*}} sum %[[V]]#1
// CHECK-NOT: mp.kernel
// CHECK: return
func.func @common_update(%g: !mp.graph, %a: tensor<?xf32>, %b: tensor<?xf32>,
                         %e: !mp.edges<f32>) -> tensor<?xf32> {
  %v = mp.message %g src(%x = %a : tensor<?xf32>) edge(%eij = %e : !mp.edges<f32>) -> !mp.edges<f32> {
    %p = arith.mulf %x, %eij : tensor<f32>
    mp.yield %p : tensor<f32>
  }
  %n = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
  %w = mp.message %g src(%x = %b : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %x : tensor<f32>
  }
  %d = mp.aggregate %g sum %w : (!mp.edges<f32>) -> tensor<?xf32>
  %o = mp.update (%ni = %n : tensor<?xf32>, %di = %d : tensor<?xf32>) -> tensor<?xf32> {
    %q = arith.divf %ni, %di : tensor<f32>
    mp.yield %q : tensor<f32>
  }
  return %o : tensor<?xf32>
}

// Messages over the same graph that share nothing stay apart.
// CHECK-LABEL: func @unrelated
// CHECK: mp.kernel "unrelated_0"
// CHECK: mp.kernel "unrelated_1"
func.func @unrelated(%g: !mp.graph, %a: tensor<?xf32>, %b: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %v = mp.message %g src(%x = %a : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %x : tensor<f32>
  }
  %n = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
  %w = mp.message %g src(%x = %b : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %x : tensor<f32>
  }
  %d = mp.aggregate %g sum %w : (!mp.edges<f32>) -> tensor<?xf32>
  return %n, %d : tensor<?xf32>, tensor<?xf32>
}

// So do those on different graphs, whatever they share.
// CHECK-LABEL: func @two_graphs
// CHECK: %[[R:.*]] = mp.reverse
// CHECK: mp.kernel "two_graphs_0" -> tensor<?xf32> {
// CHECK-NEXT: mp.message %arg0
// CHECK: mp.kernel "two_graphs_1" -> tensor<?xf32> {
// CHECK-NEXT: mp.message %[[R]]
func.func @two_graphs(%g: !mp.graph, %a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = mp.reverse %g : !mp.graph -> !mp.graph
  %v = mp.message %g src(%x = %a : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %x : tensor<f32>
  }
  %n = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
  %w = mp.message %r src(%x = %a : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %x : tensor<f32>
  }
  %d = mp.aggregate %r sum %w : (!mp.edges<f32>) -> tensor<?xf32>
  return %n, %d : tensor<?xf32>, tensor<?xf32>
}

// An edge value that is returned is stored, by the kernel that also aggregates it.
// CHECK-LABEL: func @returned_edges
// CHECK: %[[K:.*]]:2 = mp.kernel "returned_edges_0" -> !mp.edges<f32>, tensor<?xf32> {
// CHECK: mp.yield %[[V:.*]], %{{.*}} : !mp.edges<f32>, tensor<?xf32>
// CHECK-NOT: mp.message
// CHECK: return %[[K]]#1, %[[K]]#0
// REMARK: kernel returned_edges_0: {{.*}} !mp.edges<f32> stored
func.func @returned_edges(%g: !mp.graph, %h: tensor<?xf32>) -> (tensor<?xf32>, !mp.edges<f32>) {
  %v = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %m = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
  return %m, %v : tensor<?xf32>, !mp.edges<f32>
}

// An edge value that is returned and not aggregated is a kernel of its own.
// CHECK-LABEL: func @only_edges
// CHECK: mp.kernel "only_edges_0" -> !mp.edges<f32> {
// CHECK-NEXT: mp.message
func.func @only_edges(%g: !mp.graph, %h: tensor<?xf32>) -> !mp.edges<f32> {
  %v = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  return %v : !mp.edges<f32>
}

// An edge value of the caller's reaches its aggregation through a message.
// CHECK-LABEL: func @edges_in
// CHECK-SAME: %[[E:[a-z0-9]*]]: !mp.edges<f32>
// CHECK: mp.kernel "edges_in_0"
// CHECK-NEXT: %[[V:.*]] = mp.message %{{.*}} edge(%[[A:.*]] = %[[E]] : !mp.edges<f32>) -> !mp.edges<f32> {
// CHECK-NEXT: mp.yield %[[A]]
// CHECK: mp.aggregate %{{.*}} sum %[[V]]
func.func @edges_in(%g: !mp.graph, %e: !mp.edges<f32>) -> tensor<?xf32> {
  %m = mp.aggregate %g sum %e : (!mp.edges<f32>) -> tensor<?xf32>
  return %m : tensor<?xf32>
}

// A message computes what it takes from another one itself.
// CHECK-LABEL: func @message_of_message
// CHECK: mp.kernel "message_of_message_0"
// CHECK-NEXT: mp.message %{{.*}} dst({{.*}}) src(%[[X:[a-z0-9]*]] = {{.*}}) -> !mp.edges<f32> {
// CHECK-NEXT: math.exp %[[X]]
// CHECK-NEXT: arith.addf
// CHECK-NOT: mp.message
// CHECK: return
func.func @message_of_message(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %v = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %x = math.exp %hj : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %w = mp.message %g dst(%hi = %h : tensor<?xf32>) edge(%vij = %v : !mp.edges<f32>) -> !mp.edges<f32> {
    %x = arith.addf %vij, %hi : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %m = mp.aggregate %g sum %w : (!mp.edges<f32>) -> tensor<?xf32>
  return %m : tensor<?xf32>
}

// A softmax by hand: the second pass needs the first one's result for all nodes.
// The score is computed twice, and stored by neither.
// CHECK-LABEL: func @two_passes
// CHECK: %[[MAX:.*]] = mp.kernel "two_passes_0" -> tensor<?xf32> {
// CHECK: math.tanh
// CHECK: mp.aggregate %{{.*}} max
// CHECK: mp.kernel "two_passes_1" -> tensor<?xf32> {
// CHECK: mp.message %{{.*}} dst(%{{.*}} = %[[MAX]] : tensor<?xf32>)
// CHECK: math.tanh
// CHECK: arith.subf
// CHECK: mp.aggregate %{{.*}} sum
// REMARK: kernel two_passes_0: {{.*}} !mp.edges<f32> not stored
// REMARK: kernel two_passes_1: {{.*}} !mp.edges<f32> not stored
func.func @two_passes(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %s = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %x = math.tanh %hj : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %max = mp.aggregate %g max %s : (!mp.edges<f32>) -> tensor<?xf32>
  %e = mp.message %g dst(%mi = %max : tensor<?xf32>) edge(%sij = %s : !mp.edges<f32>) -> !mp.edges<f32> {
    %d = arith.subf %sij, %mi : tensor<f32>
    %x = math.exp %d : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %sum = mp.aggregate %g sum %e : (!mp.edges<f32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}

// The update of one layer and the projection for the next run in the first
// layer's kernel; what only that projection needs is not stored.
// CHECK-LABEL: func @two_layers
// CHECK: %[[P:.*]] = mp.kernel "two_layers_0" -> tensor<?x4xf32> {
// CHECK: mp.message
// CHECK: mp.aggregate
// CHECK: mp.update
// CHECK: mp.update
// CHECK: mp.kernel "two_layers_1" -> tensor<?x4xf32> {
// CHECK-NEXT: mp.message %{{.*}} src(%{{.*}} = %[[P]] : tensor<?x4xf32>)
func.func @two_layers(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %h1 = mp.update (%mi = %m : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %r = mp.relu %mi : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  %p = mp.update (%hi = %h1 : tensor<?x8xf32>) -> tensor<?x4xf32> {
    %x = mp.linear %hi, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    mp.yield %x : tensor<4xf32>
  }
  %v1 = mp.message %g src(%hj = %p : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %hj : tensor<4xf32>
  }
  %m1 = mp.aggregate %g sum %v1 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %m1 : tensor<?x4xf32>
}

// Maps of the same nodes are one kernel; one over other nodes is another.
// CHECK-LABEL: func @projections
// CHECK: mp.kernel "projections_0" -> tensor<?xf32>, tensor<?xf32> {
// CHECK: math.exp
// CHECK: math.tanh
// CHECK: mp.kernel "projections_1" -> tensor<?xf32> {
// CHECK: math.sin
// REMARK: kernel projections_0: one pass over the nodes, updates: 2
func.func @projections(%h: tensor<?xf32>, %k: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = mp.update (%x = %h : tensor<?xf32>) -> tensor<?xf32> {
    %y = math.exp %x : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %b = mp.update (%x = %k : tensor<?xf32>) -> tensor<?xf32> {
    %y = math.sin %x : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %c = mp.update (%x = %h : tensor<?xf32>) -> tensor<?xf32> {
    %y = math.tanh %x : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  return %a, %b, %c : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// An update that needs another one's result as a weight, for all nodes at once,
// cannot run with it.
// CHECK-LABEL: func @weight_of_nodes
// CHECK: mp.kernel "weight_of_nodes_0"
// CHECK: mp.kernel "weight_of_nodes_1"
func.func @weight_of_nodes(%h: tensor<8xf32>) -> tensor<8xf32> {
  %a = mp.update (%x = %h : tensor<8xf32>) -> tensor<8xf32> {
    %y = math.exp %x : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %b = mp.update (%x = %h : tensor<8xf32>) -> tensor<8xf32> {
    %s = mp.reduce sum %a dims [0] : tensor<8xf32> -> tensor<f32>
    %y = arith.divf %x, %s : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  return %b : tensor<8xf32>
}

// An update that waits for another op of the aggregation's result stays outside.
// CHECK-LABEL: func @through_other_op
// CHECK: mp.kernel "through_other_op_0" -> tensor<?xf32> {
// CHECK-NOT: mp.update
// CHECK: call @other
// CHECK: mp.kernel "through_other_op_1" -> tensor<?xf32> {
// CHECK-NEXT: mp.update
func.func private @other(tensor<?xf32>) -> tensor<?xf32>
func.func @through_other_op(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %v = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %m = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
  %t = call @other(%m) : (tensor<?xf32>) -> tensor<?xf32>
  %o = mp.update (%a = %m : tensor<?xf32>, %b = %t : tensor<?xf32>) -> tensor<?xf32> {
    %y = arith.addf %a, %b : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  return %o : tensor<?xf32>
}

// Calls keep their order.
// CHECK-LABEL: func @order_of_effects
// CHECK: call @other(%[[H:.*]])
// CHECK: mp.kernel
// CHECK: call @other(
// CHECK: call @other(%[[H]])
func.func @order_of_effects(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @other(%h) : (tensor<?xf32>) -> tensor<?xf32>
  %v = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %m = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
  %1 = call @other(%m) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = call @other(%h) : (tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// A reshape of features moves into the update.
// CHECK-LABEL: func @reshape
// CHECK: mp.kernel "reshape_0" -> tensor<?x4xf32> {
// CHECK: mp.update (%[[A:.*]] = %{{.*}} : tensor<?x2x2xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT: tensor.collapse_shape %[[A]] {{\[\[}}0, 1]] : tensor<2x2xf32> into tensor<4xf32>
// CHECK-NOT: mp.kernel
// CHECK: return
func.func @reshape(%g: !mp.graph, %h: tensor<?x2x2xf32>) -> tensor<?x4xf32> {
  %v = mp.message %g src(%hj = %h : tensor<?x2x2xf32>) -> !mp.edges<2x2xf32> {
    mp.yield %hj : tensor<2x2xf32>
  }
  %m = mp.aggregate %g sum %v : (!mp.edges<2x2xf32>) -> tensor<?x2x2xf32>
  %f = tensor.collapse_shape %m [[0], [1, 2]] : tensor<?x2x2xf32> into tensor<?x4xf32>
  %o = mp.update (%mi = %f : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %r = mp.relu %mi : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// One that joins nodes and features does not.
// CHECK-LABEL: func @reshape_of_nodes
// CHECK: mp.kernel "reshape_of_nodes_0"
// CHECK: tensor.collapse_shape
// CHECK: mp.kernel "reshape_of_nodes_1"
func.func @reshape_of_nodes(%g: !mp.graph, %h: tensor<?x2xf32>) -> tensor<?xf32> {
  %v = mp.message %g src(%hj = %h : tensor<?x2xf32>) -> !mp.edges<2xf32> {
    mp.yield %hj : tensor<2xf32>
  }
  %m = mp.aggregate %g sum %v : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %f = tensor.collapse_shape %m [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
  %o = mp.update (%mi = %f : tensor<?xf32>) -> tensor<?xf32> {
    %r = mp.relu %mi : tensor<f32>
    mp.yield %r : tensor<f32>
  }
  return %o : tensor<?xf32>
}

// What only the update of an aggregation needs is computed with it.
// CHECK-LABEL: func @own_part
// CHECK: mp.kernel "own_part_0" -> tensor<?xf32> {
// CHECK-NOT: mp.kernel
// CHECK: math.exp
// CHECK-NOT: mp.kernel
// CHECK: arith.addf
// CHECK-NOT: mp.kernel
// CHECK: return
func.func @own_part(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %own = mp.update (%hi = %h : tensor<?xf32>) -> tensor<?xf32> {
    %x = math.exp %hi : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %v = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %m = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
  %o = mp.update (%a = %own : tensor<?xf32>, %b = %m : tensor<?xf32>) -> tensor<?xf32> {
    %y = arith.addf %a, %b : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  return %o : tensor<?xf32>
}

// What the message needs too is computed before, for all nodes.
// CHECK-LABEL: func @shared_part
// CHECK: mp.kernel "shared_part_0" -> tensor<?xf32> {
// CHECK-NEXT: mp.update
// CHECK: mp.kernel "shared_part_1" -> tensor<?xf32> {
// CHECK-NEXT: mp.message
func.func @shared_part(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %own = mp.update (%hi = %h : tensor<?xf32>) -> tensor<?xf32> {
    %x = math.exp %hi : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %v = mp.message %g src(%hj = %own : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %m = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
  %o = mp.update (%a = %own : tensor<?xf32>, %b = %m : tensor<?xf32>) -> tensor<?xf32> {
    %y = arith.addf %a, %b : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  return %o : tensor<?xf32>
}

// -----

// A scan is a kernel with its message, also where another computes it too; a message that only hands
// values on brings those of another scan.

// REMARK: kernel scans_0: one pass over the edges, a scan; !mp.edges<f32> not stored
// CHECK-LABEL: func @scans
// CHECK: %[[A:.*]]:2 = mp.kernel "scans_{{[0-9]+}}"
// CHECK: %[[M:.*]] = mp.message %{{.*}} src
// CHECK: mp.scan %{{.*}} from(%{{.*}}) edge(%{{.*}} = %[[M]] : !mp.edges<f32>)
// CHECK: mp.kernel "scans_{{[0-9]+}}"
// CHECK: mp.message %{{.*}} edge(%{{.*}} = %[[A]]#1 : !mp.edges<f32>)
// CHECK: mp.scan %{{.*}} reversed from(%{{.*}} = %[[A]]#0 : tensor<?xf32>)
// CHECK: mp.kernel "scans_{{[0-9]+}}"
// CHECK-NOT: mp.scan
// CHECK: mp.update
func.func @scans(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %s:2 = mp.scan %g from(%a = %h : tensor<?xf32>) edge(%x = %m : !mp.edges<f32>) -> tensor<?xf32>, !mp.edges<f32> {
    %n = arith.mulf %a, %x : tensor<f32>
    mp.yield %n, %a : tensor<f32>, tensor<f32>
  }
  %t = mp.scan %g reversed from(%a = %s#0 : tensor<?xf32>) edge(%x = %s#1 : !mp.edges<f32>) -> tensor<?xf32> {
    %n = arith.mulf %a, %x : tensor<f32>
    mp.yield %n : tensor<f32>
  }
  %u = mp.update (%ti = %t : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.exp %ti : tensor<f32>
    mp.yield %e : tensor<f32>
  }
  return %u : tensor<?xf32>
}
