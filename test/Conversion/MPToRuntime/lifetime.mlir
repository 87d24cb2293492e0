// A graph made in a block is released at the end of the block, once, the last
// one made first.

// RUN: clique-opt %s --convert-mp-to-runtime | FileCheck %s

// CHECK-LABEL: func @function
func.func @function(%n: index) -> index {
  // CHECK: %[[A:.*]] = call @clique_rt_complete
  %a = mp.complete %n
  // CHECK: %[[B:.*]] = call @clique_rt_reverse(%[[A]])
  %b = mp.reverse %a : !mp.graph<complete> -> !mp.graph<complete>
  %c = mp.cast %b : !mp.graph<complete> to !mp.graph
  // CHECK: %[[SIZE:.*]] = call @clique_rt_num_edges(%[[B]])
  %size = mp.num_edges %c : !mp.graph
  // CHECK-NEXT: call @clique_rt_release(%[[B]])
  // CHECK-NEXT: call @clique_rt_release(%[[A]])
  // CHECK-NEXT: return %[[SIZE]]
  return %size : index
}

// No graph is folded into another one: each is released once.
// CHECK-LABEL: func @no_folds
func.func @no_folds(%n: index) -> index {
  // CHECK: %[[A:.*]] = call @clique_rt_complete
  %a = mp.complete %n
  // CHECK: %[[B:.*]] = call @clique_rt_self_loops(%[[A]])
  %b = mp.self_loops %a : !mp.graph<complete> -> !mp.graph<complete>
  // CHECK: call @clique_rt_num_edges(%[[B]])
  %size = mp.num_edges %b : !mp.graph<complete>
  // CHECK-NEXT: call @clique_rt_release(%[[B]])
  // CHECK-NEXT: call @clique_rt_release(%[[A]])
  // CHECK-NEXT: return
  return %size : index
}

// An argument belongs to the caller.
// CHECK-LABEL: func @argument
// CHECK-NOT: clique_rt_release
// CHECK: return
func.func @argument(%g: !mp.graph) -> index {
  %size = mp.num_edges %g : !mp.graph
  return %size : index
}

// CHECK-LABEL: func @nested
func.func @nested(%c: i1, %n: index, %m: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.for
  %sum = scf.for %i = %zero to %n step %one iter_args(%it = %zero) -> index {
    // CHECK: %[[A:.*]] = func.call @clique_rt_causal
    %a = mp.causal %i
    // CHECK: %[[R:.*]] = scf.if
    %r = scf.if %c -> index {
      // CHECK: %[[B:.*]] = func.call @clique_rt_window
      %b = mp.window %i, 2
      // CHECK: arith.select %{{.*}}, %[[A]], %[[B]]
      %ca = mp.cast %a : !mp.graph<causal> to !mp.graph
      %cb = mp.cast %b : !mp.graph<window, 2> to !mp.graph
      %either = arith.select %c, %ca, %cb : !mp.graph
      // CHECK: %[[E:.*]] = func.call @clique_rt_num_edges
      %e = mp.num_edges %either : !mp.graph
      // CHECK-NEXT: func.call @clique_rt_release(%[[B]])
      // CHECK-NEXT: scf.yield %[[E]]
      scf.yield %e : index
    } else {
      // CHECK: else
      // CHECK-NOT: clique_rt_release
      scf.yield %m : index
    }
    // CHECK: %[[NEXT:.*]] = arith.addi
    %next = arith.addi %it, %r : index
    // CHECK-NEXT: func.call @clique_rt_release(%[[A]])
    // CHECK-NEXT: scf.yield %[[NEXT]]
    scf.yield %next : index
  }
  // CHECK: return
  return %sum : index
}

// Made in the first block, released wherever the function ends.
// CHECK-LABEL: func @blocks
func.func @blocks(%c: i1, %n: index, %m: index) -> index {
  // CHECK: %[[A:.*]] = call @clique_rt_causal
  // CHECK-NOT: clique_rt_release
  // CHECK: cf.cond_br
  %a = mp.causal %n
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // CHECK: call @clique_rt_num_edges
  %0 = mp.num_edges %a : !mp.graph<causal>
  // CHECK-NEXT: call @clique_rt_release(%[[A]])
  // CHECK-NEXT: return
  return %0 : index
^bb2:
  // CHECK: ^bb2:
  // CHECK-NEXT: call @clique_rt_release(%[[A]])
  // CHECK-NEXT: return
  return %m : index
}
