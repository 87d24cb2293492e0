// RUN: clique-opt %s --mp-differentiate=functions=map,attend,scaled,looked_up,placed,half_softmax,loop,rows,levels --split-input-file | FileCheck %s
// RUN: clique-opt %s --mp-differentiate="functions=map arguments=2" --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: clique-opt %s --mp-differentiate="functions=map joined" --split-input-file | FileCheck %s --check-prefix=JOINED

// A linear map of sources: one aggregation on the reverse graph, then the
// transposed map and a product over nodes.

// CHECK-LABEL: func.func @map_forward(
// CHECK-NOT: kept
// CHECK-LABEL: func.func @map_backward(
// CHECK-SAME: %[[G:[^:]*]]: !mp.graph {{{.*}}}, %[[H:[^:]*]]: tensor<?x8xf32> {{{.*}}}, %[[W:[^:]*]]: tensor<8x4xf32>
// CHECK-SAME: %[[GRAD:[^:]*]]: tensor<?x4xf32> {mp.name = "grad_out"})
// CHECK-SAME: -> (tensor<?x8xf32> {mp.name = "grad_arg1"}, tensor<8x4xf32> {mp.name = "grad_arg2"})
// CHECK-SAME: mp.cotangent_of = array<i64: 0>, mp.gradient_of = array<i64: 1, 2>, mp.kept = array<i64>
// CHECK: %[[R:.*]] = mp.reverse %[[G]]
// CHECK: %[[M:.*]] = mp.message %[[R]] src(%[[GI:.*]] = %[[GRAD]] : tensor<?x4xf32>)
// CHECK-NEXT: mp.yield %[[GI]]
// CHECK: %[[S:.*]] = mp.aggregate %[[R]] sum %[[M]]
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[W]]
// CHECK: %[[GH:.*]] = mp.update (%[[X:.*]] = %[[S]] : tensor<?x4xf32>)
// CHECK: mp.linear %[[X]], %[[T]]
// CHECK: %[[GW:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[H]], %[[S]]
// CHECK: return %[[GH]], %[[GW]]

// Only what is asked for.

// ONE-LABEL: func.func @map_backward(
// ONE-SAME: -> (tensor<8x4xf32> {mp.name = "grad_arg2"})
// ONE-SAME: mp.gradient_of = array<i64: 2>

// JOINED-LABEL: func.func @map_gradient(
// JOINED-SAME: tensor<?x4xf32> {mp.name = "grad_out"}) -> (tensor<?x8xf32> {mp.name = "grad_arg1"}, tensor<8x4xf32> {mp.name = "grad_arg2"})
// JOINED: %[[F:.*]] = call @map_forward(
// JOINED: %[[B:.*]]:2 = call @map_backward(
// JOINED: return %[[B]]#0, %[[B]]#1
func.func @map(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<4xf32> {
    %x = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    mp.yield %x : tensor<4xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// A softmax keeps its log-sum-exp, in two parts, and its result. The caller may give all of that
// away, but no cotangent.

// CHECK-LABEL: func.func @attend_forward(
// CHECK: %[[O:.*]]:3 = mp.aggregate {{.*}} softmax({{.*}}) {{.*}} -> (tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>)
// CHECK: return %[[O]]#0, %[[O]]#1, %[[O]]#2
// CHECK-LABEL: func.func @attend_backward(
// CHECK-SAME: %[[OUT:[^:]*]]: tensor<?x8xf32> {mp.donatable, mp.name = "out"}, %[[L:[^:]*]]: tensor<?xf32> {mp.donatable, mp.name = "kept0"}, %[[E:[^:]*]]: tensor<?xf32> {mp.donatable, mp.name = "kept1"}, %[[GRAD:[^:]*]]: tensor<?x8xf32> {mp.name = "grad_out"}
// CHECK-SAME: mp.kept = array<i64: 0, 1, 2>
// CHECK: mp.update (%[[A:.*]] = %[[GRAD]] : tensor<?x8xf32>, %[[B:.*]] = %[[OUT]]
// CHECK-NEXT: mp.dot %[[A]], %[[B]]
// The scores of an only edge have the gradient 0, whatever rounding makes of g . v - g . out.
// CHECK: mp.degree
// CHECK-NEXT: %[[CHOICE:.*]] = mp.update (%[[N:.*]] = %
// CHECK-NEXT: %[[SEVERAL:.*]] = arith.cmpf ogt, %[[N]]
// CHECK-NEXT: arith.select %[[SEVERAL]]
// CHECK: mp.message %{{.*}} dst({{.*}} %[[C:[^ ]*]] = %[[CHOICE]] : tensor<?xf32>
// CHECK: %[[HIGH:.*]] = arith.subf
// CHECK-NEXT: %[[EXPONENT:.*]] = arith.subf %[[HIGH]]
// CHECK-NEXT: math.exp %[[EXPONENT]]
// CHECK: %[[D:.*]] = arith.subf
// CHECK-NEXT: arith.mulf %[[D]], %[[C]]
// CHECK: mp.reverse
// CHECK: mp.message
// CHECK: math.exp
func.func @attend(%g: !mp.graph, %q: tensor<?x8xf32>, %v: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %s, %m = mp.message %g dst(%qi = %q : tensor<?x8xf32>) src(%vj = %v : tensor<?x8xf32>)
      -> !mp.edges<f32>, !mp.edges<8xf32> {
    %d = mp.dot %qi, %vj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %d, %vj : tensor<f32>, tensor<8xf32>
  }
  %o = mp.aggregate %g softmax(%s) %m : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %o : tensor<?x8xf32>
}

// Half precision: added up in f32, rounded when it is returned.

// CHECK-LABEL: func.func @scaled_backward(
// CHECK-SAME: -> (tensor<?x8xbf16> {{.*}}, !mp.edges<8xbf16>
// CHECK: mp.aggregate {{.*}} sum {{.*}} -> tensor<?x8xf32>
// CHECK: arith.truncf {{.*}} : tensor<8xf32> to tensor<8xbf16>
func.func @scaled(%g: !mp.graph, %h: tensor<?x8xbf16>, %e: !mp.edges<8xbf16>) -> tensor<?x8xbf16> {
  %m = mp.message %g src(%hj = %h : tensor<?x8xbf16>) edge(%eij = %e : !mp.edges<8xbf16>)
      -> !mp.edges<8xbf16> {
    %x = arith.mulf %hj, %eij : tensor<8xbf16>
    mp.yield %x : tensor<8xbf16>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<8xbf16>) -> tensor<?x8xbf16>
  return %s : tensor<?x8xbf16>
}

// A table is read by the edges of a graph, whose nodes have numbers of 32 bits.

// CHECK-LABEL: func.func @looked_up_backward(
// CHECK: arith.minsi {{.*}} : tensor<i64>
// CHECK-NEXT: arith.trunci {{.*}} : tensor<i64> to tensor<i32>
// CHECK: mp.coo {{.*}} : tensor<?xi32>, tensor<?xi32>
func.func @looked_up(%n: tensor<?xi64>, %table: tensor<5x4xf32>) -> tensor<?x4xf32> {
  %u = mp.update (%i = %n : tensor<?xi64>) -> tensor<?x4xf32> {
    %r = mp.lookup %table[%i] : tensor<5x4xf32>, tensor<i64> -> tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }
  return %u : tensor<?x4xf32>
}

// Where an edge chooses the row, each edge gives a row, and 0 for all others.

// CHECK-LABEL: func.func @placed_backward(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK: %[[I:.*]] = mp.broadcast {{.*}} : tensor<i64> to tensor<1xi64>
// CHECK-NEXT: %[[ROW:.*]] = tensor.scatter %{{.*}} into %[[ZERO]][%[[I]]] scatter_dims([0]) unique : (tensor<f32>, tensor<3xf32>, tensor<1xi64>) -> tensor<3xf32>
// CHECK-NEXT: mp.yield %{{.*}}, %[[ROW]]
// CHECK: mp.aggregate {{.*}} sum
func.func @placed(%g: !mp.graph, %h: tensor<?xf32>, %table: tensor<3xf32>) -> tensor<?xf32> {
  %m = mp.message %g dst(%a = %h : tensor<?xf32>) src(%x = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %i = mp.position dst : tensor<i64>
    %j = mp.position src : tensor<i64>
    %p = arith.subi %i, %j : tensor<i64>
    %l = mp.lookup %table[%p] : tensor<3xf32>, tensor<i64> -> tensor<f32>
    %z = arith.mulf %x, %a : tensor<f32>
    %y = arith.mulf %z, %l : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// Scores and values of half precision are aggregated in f32, and the log-sum-exp is kept so; the
// caller gets the rounded result.
// CHECK-LABEL: func.func @half_softmax_forward
// CHECK-SAME:    -> (tensor<?x4xbf16> {{.*}}, tensor<?x4xf32> {mp.name = "kept0"}, tensor<?xf32> {mp.name = "kept1"}, tensor<?xf32> {mp.name = "kept2"})
// CHECK:         mp.message {{.*}} -> !mp.edges<f32>, !mp.edges<4xf32>
// CHECK:         %[[M:.*]]:3 = mp.aggregate {{.*}} softmax({{.*}} -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>)
// CHECK:         mp.update (%[[A:.*]] = %[[M]]#0 : tensor<?x4xf32>) -> tensor<?x4xbf16>
// CHECK-NEXT:      arith.truncf %[[A]]
func.func @half_softmax(%g: !mp.graph, %s: !mp.edges<bf16>, %h: tensor<?x4xbf16>) -> tensor<?x4xbf16> {
  %m = mp.message %g src(%hj = %h : tensor<?x4xbf16>) -> !mp.edges<4xbf16> {
    mp.yield %hj : tensor<4xbf16>
  }
  %o = mp.aggregate %g softmax(%s) %m : (!mp.edges<bf16>, !mp.edges<4xbf16>) -> tensor<?x4xbf16>
  return %o : tensor<?x4xbf16>
}

// A loop stores what it carries into each step; the backward loop goes from the last step to the
// first, carries the cotangent of that, and adds up the gradient of the weights. What is carried
// and not read again, %b, is not kept; its cotangent is the same in each step.

// CHECK-LABEL: func.func @loop_forward
// CHECK-SAME:    %[[G:[^:]*]]: !mp.graph {{{.*}}}, %[[H:[^:]*]]: tensor<?x4xf32> {{{.*}}}, %[[W:[^:]*]]: tensor<4x4xf32> {{{.*}}}, %[[N:[^:]*]]: index
// CHECK-SAME:    -> (tensor<?x4xf32> {{{.*}}}, tensor<4x4xf32> {{{.*}}}, tensor<?x?x4xf32> {mp.name = "kept0"})
// CHECK:         %[[STEPS:.*]] = arith.maxsi %[[N]], %c0
// CHECK:         %[[ROWS:.*]] = tensor.dim %[[H]], %c0
// CHECK:         %[[EMPTY:.*]] = tensor.empty(%[[STEPS]], %[[ROWS]]) : tensor<?x?x4xf32>
// CHECK:         %[[R:.*]]:3 = scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[X:.*]] = %[[H]], %{{.*}} = %{{.*}}, %[[STACK:.*]] = %[[EMPTY]])
// CHECK-NEXT:      %[[STORED:.*]] = tensor.insert_slice %[[X]] into %[[STACK]][%[[K]], 0, 0] [1, %[[ROWS]], 4] [1, 1, 1]
// CHECK:           scf.yield %{{.*}}, %{{.*}}, %[[STORED]]
// CHECK:         return %[[R]]#0, %[[R]]#1, %[[R]]#2
// CHECK-LABEL: func.func @loop_backward
// CHECK-SAME:    %[[W:[^:]*]]: tensor<4x4xf32> {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}}, %[[KEPT:[^:]*]]: tensor<?x?x4xf32> {{{.*}}}, %[[GRAD:[^:]*]]: tensor<?x4xf32> {{{.*}}}, %[[GB:[^:]*]]: tensor<4x4xf32> {{{.*}}})
// CHECK:         %[[STEPS:.*]] = arith.maxsi %[[N]], %c0
// CHECK:         %[[LAST:.*]] = arith.subi %[[STEPS]], %c1
// CHECK:         %[[R:.*]] = mp.reverse
// CHECK:         scf.for %[[T:.*]] = %c0 to %[[STEPS]] step %c1 iter_args(%[[GX:.*]] = %[[GRAD]], %[[SUM:.*]] = %{{.*}})
// CHECK:           %[[K:.*]] = arith.subi %[[LAST]], %[[T]]
// CHECK:           %[[X:.*]] = tensor.extract_slice %[[KEPT]][%[[K]], 0, 0]
// CHECK:           %[[S:.*]] = mp.aggregate %[[R]] sum
// CHECK:           %[[NEXT:.*]] = mp.update (%{{.*}} = %[[S]] : tensor<?x4xf32>)
// CHECK:           %[[OWN:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[S]]
// CHECK:           %[[BOTH:.*]] = arith.addf %[[GB]], %[[OWN]]
// CHECK:           %[[ALL:.*]] = arith.addf %[[SUM]], %[[BOTH]]
// CHECK:           scf.yield %[[NEXT]], %[[ALL]]
func.func @loop(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4x4xf32>, %n: index)
    -> (tensor<?x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %h, %b = %w) -> (tensor<?x4xf32>, tensor<4x4xf32>) {
    %m = mp.message %g src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      %y = mp.linear %xj, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
      mp.yield %y : tensor<4xf32>
    }
    %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    %sum = arith.addf %b, %w : tensor<4x4xf32>
    scf.yield %s, %sum : tensor<?x4xf32>, tensor<4x4xf32>
  }
  return %r#0, %r#1 : tensor<?x4xf32>, tensor<4x4xf32>
}

// Rows that a slice was read from get its cotangent in their place; those that were overwritten
// have none.

// CHECK-LABEL: func.func @rows_backward
// CHECK-SAME:    %[[FIRST:[^:]*]]: index {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}}, %[[GRAD:[^:]*]]: tensor<?xf32> {mp.name = "grad_out"})
// CHECK:         %[[G:.*]] = tensor.extract_slice %[[GRAD]][%[[FIRST]]] [%[[N]]] [1]
// CHECK:         %[[ZERO:.*]] = linalg.fill
// CHECK:         %[[OWN:.*]] = mp.update (%{{.*}} = %{{.*}} : tensor<?xf32>, %{{.*}} = %[[G]] : tensor<?xf32>)
// CHECK:         %[[NEW:.*]] = mp.update (%{{.*}} = %[[ZERO]] : tensor<?xf32>, %{{.*}} = %[[OWN]] : tensor<?xf32>)
// CHECK:         %[[ALL:.*]] = tensor.insert_slice %[[NEW]] into %[[GRAD]][%[[FIRST]]] [%[[N]]] [1]
// CHECK:         return %[[ALL]]
func.func @rows(%x: tensor<?xf32>, %first: index, %n: index) -> tensor<?xf32> {
  %own = tensor.extract_slice %x[%first] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %new = math.sin %own : tensor<?xf32>
  %all = tensor.insert_slice %new into %x[%first] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %all : tensor<?xf32>
}

// Each step writes the rows of its level alone: what was there before follows from what the loop
// began with, and nothing is kept for each step. The backward loop takes the rows out again.

// CHECK-LABEL: func.func @levels_forward
// CHECK-SAME:    -> (tensor<?xf32> {mp.name = "out"})
// CHECK-LABEL: func.func @levels_backward
// CHECK-SAME:    %[[P:[^:]*]]: tensor<?xf32> {{{.*}}}, %[[OUT:[^:]*]]: tensor<?xf32> {mp.donatable, mp.name = "out"}, %[[GRAD:[^:]*]]: tensor<?xf32>
// CHECK:         scf.for {{.*}} iter_args(%[[GP:.*]] = %[[GRAD]], %[[AFTER:.*]] = %[[OUT]])
// CHECK:           %[[OLD:.*]] = tensor.extract_slice %[[P]][%[[FIRST:.*]]] [%[[N:.*]]] [1]
// CHECK:           %[[BEFORE:.*]] = tensor.insert_slice %[[OLD]] into %[[AFTER]][%[[FIRST]]] [%[[N]]] [1]
// CHECK:           scf.yield %{{.*}}, %[[BEFORE]]
func.func @levels(%g: !mp.graph, %p: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dag, %nodes, %places, %offsets = mp.levels %g
  %entries = tensor.dim %offsets, %c0 : tensor<?xi64>
  %levels = arith.subi %entries, %c1 : index
  %r = scf.for %k = %c0 to %levels step %c1 iter_args(%q = %p) -> (tensor<?xf32>) {
    %next = arith.addi %k, %c1 : index
    %begin = tensor.extract %offsets[%k] : tensor<?xi64>
    %end = tensor.extract %offsets[%next] : tensor<?xi64>
    %first = arith.index_cast %begin : i64 to index
    %past = arith.index_cast %end : i64 to index
    %n = arith.subi %past, %first : index
    %level, %edges = mp.rows %dag, %first, %n
    %m = mp.message %level src(%qj = %q : tensor<?xf32>) -> !mp.edges<f32> {
      %s = math.sin %qj : tensor<f32>
      mp.yield %s : tensor<f32>
    }
    %new = mp.aggregate %level sum %m : (!mp.edges<f32>) -> tensor<?xf32>
    %all = tensor.insert_slice %new into %q[%first] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %all : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
