// Folds and canonicalisations of messages, aggregations and updates, one function per
// behaviour.

// RUN: clique-opt %s -canonicalize | FileCheck %s

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
// CHECK-NEXT: mp.relu %[[MI]]
func.func @update_unused_operand(%h: tensor<?x8xf32>, %m: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = mp.update (%hi = %h : tensor<?x8xf32>, %mi = %m : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %r = mp.relu %mi : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
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
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[I]], %[[I]]
// CHECK-NEXT: mp.yield %[[S]] : tensor<8xf32>
func.func @update_unused_result(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0:2 = mp.update (%a = %h : tensor<?x8xf32>) -> tensor<?x8xf32>, tensor<?x8xf32> {
    %r = arith.mulf %a, %a : tensor<8xf32>
    %s = arith.addf %a, %a : tensor<8xf32>
    mp.yield %r, %s : tensor<8xf32>, tensor<8xf32>
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

// What a scan's edges yield and nobody reads goes, and edge features that it does not read; its
// states stay.
// CHECK-LABEL: func @scan
// CHECK: mp.scan %{{.*}} from(%[[A:.*]] = %{{.*}} : tensor<?xf32>, %[[B:.*]] = %{{.*}} : tensor<?xf32>) edge(%[[X:.*]] = %{{.*}} : !mp.edges<f32>) -> tensor<?xf32>, tensor<?xf32> {
// CHECK-NEXT: mp.yield %[[B]], %[[X]] : tensor<f32>, tensor<f32>
func.func @scan(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<f32>, %f: !mp.edges<f32>) -> tensor<?xf32> {
  %s:3 = mp.scan %g from(%a = %h : tensor<?xf32>, %b = %h : tensor<?xf32>)
      edge(%x = %e : !mp.edges<f32>, %y = %f : !mp.edges<f32>, %z = %e : !mp.edges<f32>)
      -> tensor<?xf32>, tensor<?xf32>, !mp.edges<f32> {
    mp.yield %b, %z, %y : tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %s#0 : tensor<?xf32>
}
