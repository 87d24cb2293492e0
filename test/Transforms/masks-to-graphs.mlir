// mp-masks-to-graphs: masks that become the topology of a graph, and those that
// stay.

// RUN: clique-opt %s -mp-masks-to-graphs | FileCheck %s
// RUN: clique-run %s --entry=unless --graph=complete:41 --verify
// RUN: clique-opt %s -mp-masks-to-graphs --remarks-filter=structure --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: clique-opt %s --pass-pipeline="builtin.module(mp-attach-target{target=gpu},func.func(mp-masks-to-graphs))" \
// RUN:   --remarks-filter=structure --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=GPU --implicit-check-not=mp.cliques
// GPU: mask over !mp.graph<complete> is the graph !mp.graph<causal>
// GPU: mask stays: numbers of nodes are looked at on CPUs only

// CHECK-LABEL: func @causal
// CHECK-SAME: %[[G:[a-z0-9]*]]: !mp.graph<complete>, %[[H:[a-z0-9]*]]: tensor<?x2xf32>
// CHECK: %[[N:.*]] = mp.num_dst %[[G]]
// CHECK: %[[C:.*]] = mp.causal %[[N]]
// CHECK: mp.message %[[C]] : !mp.graph<causal>
// CHECK: mp.yield %[[HJ:.*]], %[[HJ]] : tensor<2xf32>, tensor<2xf32>
// CHECK: mp.aggregate %[[C]] : !mp.graph<causal> softmax
// CHECK-NOT: !mp.graph<complete>
// REMARK: mask over !mp.graph<complete> is the graph !mp.graph<causal>
func.func @causal(%g: !mp.graph<complete>, %h: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %m:2 = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x2xf32>) -> !mp.edges<2xf32>, !mp.edges<2xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %c = arith.cmpi sle, %j, %i : tensor<i32>
    %b = mp.broadcast %c : tensor<i1> to tensor<2xi1>
    %lowest = arith.constant dense<0xFF800000> : tensor<2xf32>
    %s = arith.select %b, %hj, %lowest : tensor<2xi1>, tensor<2xf32>
    mp.yield %s, %hj : tensor<2xf32>, tensor<2xf32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> softmax(%m#0) %m#1 : (!mp.edges<2xf32>, !mp.edges<2xf32>) -> tensor<?x2xf32>
  return %a : tensor<?x2xf32>
}

// What is no edge is a score of -inf, of a log-sum-exp too.
// CHECK-LABEL: func @logsumexp
// CHECK: %[[C:.*]] = mp.causal
// CHECK: mp.aggregate %[[C]] : !mp.graph<causal> softmax(
// REMARK: mask over !mp.graph<complete> is the graph !mp.graph<causal>
func.func @logsumexp(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %m = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %c = arith.cmpi sle, %j, %i : tensor<i32>
    %lowest = arith.constant dense<0xFF800000> : tensor<f32>
    %s = arith.select %c, %hj, %lowest : tensor<i1>, tensor<f32>
    mp.yield %s : tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> softmax(%m) : (!mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// A bias, a product, a distance, and conjunctions.
// CHECK-LABEL: func @windows
// CHECK: mp.window %{{.*}}, 3 no_self
// CHECK: mp.window %{{.*}}, 3
// CHECK: mp.causal %{{.*}} no_self
// REMARK: mask over !mp.graph<complete> is the graph !mp.graph<window, 3, no_self>
// REMARK: mask over !mp.graph<complete> is the graph !mp.graph<window, 3>
// REMARK: mask over !mp.graph<complete> is the graph !mp.graph<causal, no_self>
func.func @windows(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %three = arith.constant dense<3> : tensor<i32>
  %zero32 = arith.constant dense<0> : tensor<i32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %lowest = arith.constant dense<0xFF800000> : tensor<f32>
  %m:3 = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %abs = math.absi %d : tensor<i32>
    %near = arith.cmpi sle, %abs, %three : tensor<i32>
    %other = arith.cmpi ne, %i, %j : tensor<i32>
    %both = arith.andi %near, %other : tensor<i1>
    %bias = arith.select %both, %zero, %lowest : tensor<i1>, tensor<f32>
    %s = arith.addf %hj, %bias : tensor<f32>
    %p = arith.addi %i, %three : tensor<i32>
    %below = arith.cmpi sge, %p, %j : tensor<i32>
    %k = arith.subi %d, %three : tensor<i32>
    %more = arith.cmpi sle, %k, %zero32 : tensor<i32>
    %band = arith.andi %more, %below : tensor<i1>
    %f = arith.uitofp %band : tensor<i1> to tensor<f32>
    %v = arith.mulf %f, %hj : tensor<f32>
    %later = arith.cmpi sge, %j, %i : tensor<i32>
    %w = arith.select %later, %zero, %hj : tensor<i1>, tensor<f32>
    mp.yield %s, %v, %w : tensor<f32>, tensor<f32>, tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> softmax(%m#0) %m#0 : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  %b = mp.aggregate %g : !mp.graph<complete> sum %m#1 : (!mp.edges<f32>) -> tensor<?xf32>
  %c = mp.aggregate %g : !mp.graph<complete> sum %m#2 : (!mp.edges<f32>) -> tensor<?xf32>
  return %a, %b, %c : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// The mask, which is evaluated, would keep the edges i -> i that are not there.
// CHECK-LABEL: func @recent_others
// CHECK: mp.window %{{.*}}, 2 no_self
// CHECK: arith.select
// REMARK: mask over !mp.graph<complete, no_self> is the graph !mp.graph<window, 2, no_self>, on which it is evaluated
func.func @recent_others(%g: !mp.graph<complete, no_self>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %m = mp.message %g : !mp.graph<complete, no_self> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %two = arith.constant dense<2> : tensor<i32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %near = arith.cmpi sle, %d, %two : tensor<i32>
    %past = arith.cmpi sle, %j, %i : tensor<i32>
    %both = arith.andi %near, %past : tensor<i1>
    %x = arith.select %both, %hj, %zero : tensor<i1>, tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<complete, no_self> sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// No class has these edges alone: the smallest one, and the mask.
// CHECK-LABEL: func @causal_window
// CHECK: mp.window %{{.*}}, 7
// CHECK: arith.select
// REMARK: mask over !mp.graph<complete> is the graph !mp.graph<window, 7>, on which it is evaluated
func.func @causal_window(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %m = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %eight = arith.constant dense<8> : tensor<i32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %near = arith.cmpi slt, %d, %eight : tensor<i32>
    %before = arith.cmpi sle, %j, %i : tensor<i32>
    %x = arith.select %near, %hj, %zero : tensor<i1>, tensor<f32>
    %y = arith.select %before, %x, %zero : tensor<i1>, tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// Equal numbers of both ends: cliques, if the numbers never fall when they
// arrive; else the mask is evaluated.
// CHECK-LABEL: func @segments
// CHECK-SAME: %[[G:[a-z0-9]*]]: !mp.graph<complete>, %[[H:[a-z0-9]*]]: tensor<?xf32>, %[[S:[a-z0-9]*]]: tensor<?xi32>
// CHECK: %[[N:.*]] = tensor.dim %[[S]]
// CHECK: %[[FOUND:.*]]:3 = scf.for %[[I:.*]] = %{{.*}} to %[[N]] {{.*}} iter_args(%[[SORTED:.*]] = %true, %[[FIRST:.*]] = %{{.*}}, %[[OFFSETS:.*]] = %{{.*}})
// CHECK: %[[A:.*]] = tensor.extract %[[S]][%{{.*}}] : tensor<?xi32>
// CHECK: %[[B:.*]] = tensor.extract %[[S]][%[[I]]] : tensor<?xi32>
// CHECK: %[[RISES:.*]] = arith.cmpi sle, %[[A]], %[[B]] : i32
// CHECK: arith.andi %[[SORTED]], %[[RISES]]
// CHECK: %[[R:.*]] = scf.if %[[FOUND]]#0 -> (tensor<?xf32>) {
// CHECK: %[[C:.*]] = mp.cliques %[[FOUND]]#2 : tensor<?xi64> -> !mp.graph<cliques>
// CHECK: mp.message %[[C]]
// CHECK: mp.yield %[[HJ:.*]], %[[HJ]] : tensor<f32>, tensor<f32>
// CHECK: mp.aggregate %[[C]] : !mp.graph<cliques> softmax
// CHECK: } else {
// CHECK: mp.message %[[G]]
// CHECK: arith.select
// CHECK: mp.aggregate %[[G]] : !mp.graph<complete> softmax
// CHECK-NOT: mp.message
// CHECK: return %[[R]]
// REMARK: mask over !mp.graph<complete> is the graph !mp.graph<cliques> if the numbers of the nodes never fall
func.func @segments(%g: !mp.graph<complete>, %h: tensor<?xf32>, %s: tensor<?xi32>) -> tensor<?xf32> {
  %m:2 = mp.message %g : !mp.graph<complete> dst(%si = %s : tensor<?xi32>) src(%hj = %h : tensor<?xf32>, %sj = %s : tensor<?xi32>) -> !mp.edges<f32>, !mp.edges<f32> {
    %lowest = arith.constant dense<0xFF800000> : tensor<f32>
    %same = arith.cmpi eq, %sj, %si : tensor<i32>
    %x = arith.select %same, %hj, %lowest : tensor<i1>, tensor<f32>
    mp.yield %x, %hj : tensor<f32>, tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> softmax(%m#0) %m#1 : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// The edges of a causal graph are such a condition; the numbers are looked at
// once. A distance stays.
// CHECK-LABEL: func @causal_segments
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: mp.cliques %{{.*}} causal : tensor<?xi64> -> !mp.graph<causal_cliques>
// CHECK: mp.aggregate %{{.*}} : !mp.graph<causal_cliques> sum
// CHECK: } else {
// CHECK: mp.aggregate %{{.*}} : !mp.graph<causal> sum
// CHECK: mp.cliques %{{.*}} causal no_self : tensor<?xi64> -> !mp.graph<causal_cliques, no_self>
// CHECK: arith.select
// CHECK: mp.aggregate %{{.*}} : !mp.graph<causal_cliques, no_self> sum
// REMARK: mask over !mp.graph<causal> is the graph !mp.graph<causal_cliques> if the numbers
// REMARK: mask over !mp.graph<complete> is the graph !mp.graph<causal_cliques, no_self>, on which it is evaluated if the numbers
func.func @causal_segments(%g: !mp.graph<causal>, %u: !mp.graph<complete>, %h: tensor<?xf32>, %s: tensor<?xi64>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %two = arith.constant dense<2> : tensor<i32>
  %m = mp.message %g : !mp.graph<causal> dst(%si = %s : tensor<?xi64>) src(%hj = %h : tensor<?xf32>, %sj = %s : tensor<?xi64>) -> !mp.edges<f32> {
    %other = arith.cmpi ne, %si, %sj : tensor<i64>
    %x = arith.select %other, %zero, %hj : tensor<i1>, tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %n = mp.message %u : !mp.graph<complete> dst(%si = %s : tensor<?xi64>) src(%hj = %h : tensor<?xf32>, %sj = %s : tensor<?xi64>) -> !mp.edges<f32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %far = arith.cmpi sge, %d, %two : tensor<i32>
    %same = arith.cmpi eq, %si, %sj : tensor<i64>
    %x = arith.select %same, %hj, %zero : tensor<i1>, tensor<f32>
    %y = arith.select %far, %x, %zero : tensor<i1>, tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<causal> sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  %b = mp.aggregate %u : !mp.graph<complete> sum %n : (!mp.edges<f32>) -> tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}

// A band of a causal graph would be no part of it, and numbers of two features
// say nothing of either. What is 0 by its own value is no mask.
// CHECK-LABEL: func @stay_on_causal
// CHECK-NOT: scf.if
// CHECK-COUNT-3: mp.aggregate %{{.*}} : !mp.graph<causal> sum
// REMARK: mask stays: no class of graphs has its edges
// REMARK: mask stays: it compares neither positions nor an integer of each node, the same at both ends
// REMARK-NOT: mask stays
// REMARK: masks stay: they differ from one value to another
func.func @stay_on_causal(%g: !mp.graph<causal>, %h: tensor<?xf32>, %s: tensor<?xi64>, %t: tensor<?xi64>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %two = arith.constant dense<2> : tensor<i32>
  %m:3 = mp.message %g : !mp.graph<causal> dst(%hi = %h : tensor<?xf32>, %si = %s : tensor<?xi64>) src(%hj = %h : tensor<?xf32>, %tj = %t : tensor<?xi64>) -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %near = arith.cmpi sle, %d, %two : tensor<i32>
    %x = arith.select %near, %hj, %zero : tensor<i1>, tensor<f32>
    %mixed = arith.cmpi eq, %si, %tj : tensor<i64>
    %y = arith.select %mixed, %hj, %zero : tensor<i1>, tensor<f32>
    %larger = arith.cmpf ogt, %hi, %hj : tensor<f32>
    %z = arith.select %larger, %hj, %zero : tensor<i1>, tensor<f32>
    mp.yield %x, %y, %z : tensor<f32>, tensor<f32>, tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<causal> sum %m#0 : (!mp.edges<f32>) -> tensor<?xf32>
  %b = mp.aggregate %g : !mp.graph<causal> sum %m#1 : (!mp.edges<f32>) -> tensor<?xf32>
  %c = mp.aggregate %g : !mp.graph<causal> sum %m#2 : (!mp.edges<f32>) -> tensor<?xf32>
  return %a, %b, %c : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// One graph for both values.
// CHECK-LABEL: func @two_masks
// CHECK: mp.aggregate %{{.*}} : !mp.graph<complete> sum
func.func @two_masks(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %m:2 = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %past = arith.cmpi sle, %j, %i : tensor<i32>
    %before = arith.cmpi slt, %j, %i : tensor<i32>
    %x = arith.select %past, %hj, %zero : tensor<i1>, tensor<f32>
    %y = arith.select %before, %hj, %zero : tensor<i1>, tensor<f32>
    mp.yield %x, %y : tensor<f32>, tensor<f32>
  }
  %a:2 = mp.aggregate %g : !mp.graph<complete> sum %m#0, %m#1 : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %a#0, %a#1 : tensor<?xf32>, tensor<?xf32>
}

// Later nodes, an edge's own number, a mean, which counts what is 0, and a sum of
// positions, which says nothing of their difference.
// CHECK-LABEL: func @stay
// CHECK-COUNT-4: mp.aggregate %{{.*}} : !mp.graph<complete>
// CHECK-NOT: mp.aggregate
// REMARK: mask stays: no class of graphs has its edges
// REMARK: mask stays: a value is an edge's own, which another graph has not
// REMARK: mask stays: it compares neither positions nor an integer
func.func @stay(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %eight = arith.constant dense<8> : tensor<i32>
  %m:3 = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %later = arith.cmpi sge, %j, %i : tensor<i32>
    %x = arith.select %later, %hj, %zero : tensor<i1>, tensor<f32>
    %sum = arith.addi %i, %j : tensor<i32>
    %few = arith.cmpi slt, %sum, %eight : tensor<i32>
    %y = arith.select %few, %hj, %zero : tensor<i1>, tensor<f32>
    %before = arith.cmpi sle, %j, %i : tensor<i32>
    %z = arith.select %before, %hj, %zero : tensor<i1>, tensor<f32>
    mp.yield %x, %y, %z : tensor<f32>, tensor<f32>, tensor<f32>
  }
  %n = mp.message %g : !mp.graph<complete> -> !mp.edges<f32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %e = mp.position edge : tensor<i64>
    %f = arith.sitofp %e : tensor<i64> to tensor<f32>
    %before = arith.cmpi sle, %j, %i : tensor<i32>
    %x = arith.select %before, %f, %zero : tensor<i1>, tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> sum %m#0 : (!mp.edges<f32>) -> tensor<?xf32>
  %b = mp.aggregate %g : !mp.graph<complete> sum %n : (!mp.edges<f32>) -> tensor<?xf32>
  %c = mp.aggregate %g : !mp.graph<complete> sum %m#1 : (!mp.edges<f32>) -> tensor<?xf32>
  %d = mp.aggregate %g : !mp.graph<complete> mean %m#2 : (!mp.edges<f32>) -> tensor<?xf32>
  return %a, %b, %c, %d : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// A bound whose absolute value is no number of its type: no window of 5.
// CHECK-LABEL: func @lowest
// CHECK: mp.aggregate %{{.*}} : !mp.graph<complete> sum
func.func @lowest(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %five = arith.constant dense<5> : tensor<i64>
  %lowest = arith.constant dense<-9223372036854775808> : tensor<i64>
  %m = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %i = mp.position dst : tensor<i64>
    %j = mp.position src : tensor<i64>
    %d = arith.subi %i, %j : tensor<i64>
    %above = arith.cmpi sge, %d, %lowest : tensor<i64>
    %below = arith.cmpi sle, %d, %five : tensor<i64>
    %both = arith.andi %above, %below : tensor<i1>
    %x = arith.select %both, %hj, %zero : tensor<i1>, tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// What is taken out, in each order; what is taken out twice.
// CHECK-LABEL: func @unless
// CHECK: mp.causal %{{[^ ]*$}}
// CHECK: mp.causal %{{[^ ]*$}}
// CHECK: mp.causal %{{.*}} no_self
// CHECK: mp.causal %{{.*}} no_self
// CHECK: mp.causal %{{.*}} no_self
// CHECK: mp.complete %{{.*}} no_self
func.func @unless(%g: !mp.graph<complete>, %h: tensor<?x2xf32>)
    -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %m:6 = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x2xf32>)
      -> !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %one = arith.constant dense<1> : tensor<i32>
    %k = arith.addi %j, %one : tensor<i32>
    %other = arith.cmpi ne, %j, %i : tensor<i32>
    %past = arith.cmpi sge, %i, %j : tensor<i32>
    %before = arith.cmpi sle, %k, %i : tensor<i32>
    %c0 = arith.cmpi sgt, %j, %i : tensor<i32>
    %b0 = mp.broadcast %c0 : tensor<i1> to tensor<2xi1>
    %x0 = arith.select %b0, %zero, %hj : tensor<2xi1>, tensor<2xf32>
    %c1 = arith.cmpi slt, %i, %j : tensor<i32>
    %b1 = mp.broadcast %c1 : tensor<i1> to tensor<2xi1>
    %x1 = arith.select %b1, %zero, %hj : tensor<2xi1>, tensor<2xf32>
    %c2 = arith.cmpi sle, %i, %j : tensor<i32>
    %b2 = mp.broadcast %c2 : tensor<i1> to tensor<2xi1>
    %x2 = arith.select %b2, %zero, %hj : tensor<2xi1>, tensor<2xf32>
    %c3 = arith.andi %past, %other : tensor<i1>
    %b3 = mp.broadcast %c3 : tensor<i1> to tensor<2xi1>
    %x3 = arith.select %b3, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c4 = arith.andi %other, %before : tensor<i1>
    %b4 = mp.broadcast %c4 : tensor<i1> to tensor<2xi1>
    %x4 = arith.select %b4, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c5 = arith.andi %other, %other : tensor<i1>
    %b5 = mp.broadcast %c5 : tensor<i1> to tensor<2xi1>
    %x5 = arith.select %b5, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    mp.yield %x0, %x1, %x2, %x3, %x4, %x5 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  %a0 = mp.aggregate %g : !mp.graph<complete> sum %m#0 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a1 = mp.aggregate %g : !mp.graph<complete> sum %m#1 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a2 = mp.aggregate %g : !mp.graph<complete> sum %m#2 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a3 = mp.aggregate %g : !mp.graph<complete> sum %m#3 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a4 = mp.aggregate %g : !mp.graph<complete> sum %m#4 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a5 = mp.aggregate %g : !mp.graph<complete> sum %m#5 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %a0, %a1, %a2, %a3, %a4, %a5 : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}

// Sources before a fixed one, equality, unsigned and large numbers, distances from a node, what
// is not linear, not a conjunction, or not 0 or 1.
// CHECK-LABEL: func @no_masks
// CHECK-COUNT-18: mp.aggregate %{{.*}} : !mp.graph<complete> sum
// CHECK: return
func.func @no_masks(%g: !mp.graph<complete>, %h: tensor<?x2xf32>)
    -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %m:18 = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x2xf32>)
      -> !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32>, !mp.edges<2xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %four = arith.constant dense<4> : tensor<i32>
    %large = arith.constant dense<1073741824> : tensor<i32>
    %three = arith.constant dense<3.0> : tensor<f32>
    %none = arith.constant dense<0.0> : tensor<f32>
    %left = arith.subi %j, %four : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %far = math.absi %d : tensor<i32>
    %distance = math.absi %i : tensor<i32>
    %twice = arith.addi %i, %i : tensor<i32>
    %product = arith.muli %i, %j : tensor<i32>
    %past = arith.cmpi sle, %j, %i : tensor<i32>
    %drawn = arith.cmpi slt, %product, %four : tensor<i32>
    %c0 = arith.cmpi sle, %j, %four : tensor<i32>
    %b0 = mp.broadcast %c0 : tensor<i1> to tensor<2xi1>
    %x0 = arith.select %b0, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c1 = arith.cmpi eq, %i, %j : tensor<i32>
    %b1 = mp.broadcast %c1 : tensor<i1> to tensor<2xi1>
    %x1 = arith.select %b1, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c2 = arith.cmpi eq, %i, %j : tensor<i32>
    %b2 = mp.broadcast %c2 : tensor<i1> to tensor<2xi1>
    %x2 = arith.select %b2, %zero, %hj : tensor<2xi1>, tensor<2xf32>
    %c3 = arith.cmpi ne, %i, %left : tensor<i32>
    %b3 = mp.broadcast %c3 : tensor<i1> to tensor<2xi1>
    %x3 = arith.select %b3, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c4 = arith.cmpi ult, %d, %left : tensor<i32>
    %b4 = mp.broadcast %c4 : tensor<i1> to tensor<2xi1>
    %x4 = arith.select %b4, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c5 = arith.cmpi sge, %far, %four : tensor<i32>
    %b5 = mp.broadcast %c5 : tensor<i1> to tensor<2xi1>
    %x5 = arith.select %b5, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c6 = arith.cmpi sge, %far, %four : tensor<i32>
    %b6 = mp.broadcast %c6 : tensor<i1> to tensor<2xi1>
    %x6 = arith.select %b6, %zero, %hj : tensor<2xi1>, tensor<2xf32>
    %c7 = arith.cmpi ne, %far, %four : tensor<i32>
    %b7 = mp.broadcast %c7 : tensor<i1> to tensor<2xi1>
    %x7 = arith.select %b7, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c8 = arith.cmpi sle, %distance, %four : tensor<i32>
    %b8 = mp.broadcast %c8 : tensor<i1> to tensor<2xi1>
    %x8 = arith.select %b8, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c9 = arith.cmpi sle, %far, %j : tensor<i32>
    %b9 = mp.broadcast %c9 : tensor<i1> to tensor<2xi1>
    %x9 = arith.select %b9, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c10 = arith.cmpi sle, %d, %large : tensor<i32>
    %b10 = mp.broadcast %c10 : tensor<i1> to tensor<2xi1>
    %x10 = arith.select %b10, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c11 = arith.cmpi sle, %twice, %j : tensor<i32>
    %b11 = mp.broadcast %c11 : tensor<i1> to tensor<2xi1>
    %x11 = arith.select %b11, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c12 = arith.cmpi sle, %product, %four : tensor<i32>
    %b12 = mp.broadcast %c12 : tensor<i1> to tensor<2xi1>
    %x12 = arith.select %b12, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c13 = arith.ori %past, %past : tensor<i1>
    %b13 = mp.broadcast %c13 : tensor<i1> to tensor<2xi1>
    %x13 = arith.select %b13, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c14 = arith.andi %past, %drawn : tensor<i1>
    %b14 = mp.broadcast %c14 : tensor<i1> to tensor<2xi1>
    %x14 = arith.select %b14, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    %c15 = arith.xori %past, %past : tensor<i1>
    %b15 = mp.broadcast %c15 : tensor<i1> to tensor<2xi1>
    %x15 = arith.select %b15, %zero, %hj : tensor<2xi1>, tensor<2xf32>
    %c16 = arith.cmpi sle, %j, %i : tensor<i32>
    %f16 = arith.uitofp %c16 : tensor<i1> to tensor<f32>
    %t16 = arith.addf %f16, %f16 : tensor<f32>
    %u16 = mp.broadcast %t16 : tensor<f32> to tensor<2xf32>
    %x16 = arith.mulf %u16, %hj : tensor<2xf32>
    %c17 = arith.cmpi sle, %j, %i : tensor<i32>
    %t17 = arith.select %c17, %three, %none : tensor<i1>, tensor<f32>
    %u17 = mp.broadcast %t17 : tensor<f32> to tensor<2xf32>
    %x17 = arith.mulf %hj, %u17 : tensor<2xf32>
    mp.yield %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15, %x16, %x17 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  %a0 = mp.aggregate %g : !mp.graph<complete> sum %m#0 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a1 = mp.aggregate %g : !mp.graph<complete> sum %m#1 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a2 = mp.aggregate %g : !mp.graph<complete> sum %m#2 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a3 = mp.aggregate %g : !mp.graph<complete> sum %m#3 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a4 = mp.aggregate %g : !mp.graph<complete> sum %m#4 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a5 = mp.aggregate %g : !mp.graph<complete> sum %m#5 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a6 = mp.aggregate %g : !mp.graph<complete> sum %m#6 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a7 = mp.aggregate %g : !mp.graph<complete> sum %m#7 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a8 = mp.aggregate %g : !mp.graph<complete> sum %m#8 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a9 = mp.aggregate %g : !mp.graph<complete> sum %m#9 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a10 = mp.aggregate %g : !mp.graph<complete> sum %m#10 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a11 = mp.aggregate %g : !mp.graph<complete> sum %m#11 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a12 = mp.aggregate %g : !mp.graph<complete> sum %m#12 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a13 = mp.aggregate %g : !mp.graph<complete> sum %m#13 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a14 = mp.aggregate %g : !mp.graph<complete> sum %m#14 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a15 = mp.aggregate %g : !mp.graph<complete> sum %m#15 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a16 = mp.aggregate %g : !mp.graph<complete> sum %m#16 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %a17 = mp.aggregate %g : !mp.graph<complete> sum %m#17 : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17 : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}

// Two values under one mask; two masks are no graph.
// CHECK-LABEL: func @two_values
// CHECK: mp.aggregate %{{.*}} : !mp.graph<causal> sum %{{.*}}, %{{.*}} :
// CHECK: mp.aggregate %{{.*}} : !mp.graph<complete> sum %{{.*}}, %{{.*}} :
func.func @two_values(%g: !mp.graph<complete>, %h: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %m:3 = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>)
      -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %past = arith.cmpi sle, %j, %i : tensor<i32>
    %before = arith.cmpi slt, %j, %i : tensor<i32>
    %twice = arith.addf %hj, %hj : tensor<f32>
    %x = arith.select %past, %hj, %zero : tensor<i1>, tensor<f32>
    %y = arith.select %past, %twice, %zero : tensor<i1>, tensor<f32>
    %z = arith.select %before, %hj, %zero : tensor<i1>, tensor<f32>
    mp.yield %x, %y, %z : tensor<f32>, tensor<f32>, tensor<f32>
  }
  %a:2 = mp.aggregate %g : !mp.graph<complete> sum %m#0, %m#1 : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>)
  %b:2 = mp.aggregate %g : !mp.graph<complete> sum %m#0, %m#2 : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %a#0, %a#1, %b#0, %b#1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
