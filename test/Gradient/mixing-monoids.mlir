// RUN: clique-opt %s --mp-differentiate | FileCheck %s

// A monoid whose parts mix: the states before each edge, then the cotangents, from the last edge to
// the first; what an edge gets is stored for its sources.
// CHECK-LABEL: func.func @mixing_backward
// CHECK-SAME: (%[[G:.*]]: !mp.graph{{.*}}, %[[H:.*]]: tensor<?xf32>{{.*}}, %[[GRAD:.*]]: tensor<?xf32>
// CHECK: %[[ID:.*]] = mp.update
// CHECK: %[[M:.*]] = mp.message %[[G]] src
// CHECK: %[[S:.*]]:2 = mp.scan %[[G]] from(%[[A:.*]] = %[[ID]] : tensor<?xf32>) edge(%[[B:.*]] = %[[M]] : !mp.edges<f32>)
// CHECK: mp.yield %{{.*}}, %[[A]]
// CHECK: %[[C:.*]]:2 = mp.scan %[[G]] reversed from(%[[GK:.*]] = %[[GRAD]] : tensor<?xf32>) edge(%[[X:.*]] = %[[M]] : !mp.edges<f32>, %[[P:.*]] = %[[S]]#1 : !mp.edges<f32>)
// CHECK-DAG: %[[GX:.*]] = arith.mulf %[[GK]], %[[X]]
// CHECK-DAG: %[[GP:.*]] = arith.mulf %[[GK]], %[[P]]
// CHECK-DAG: %[[NEXT:.*]] = arith.addf %[[GK]], %[[GX]]
// CHECK-DAG: %[[OWN:.*]] = arith.addf %[[GK]], %[[GP]]
// CHECK: mp.yield %[[NEXT]], %[[OWN]]
// CHECK: %[[R:.*]] = mp.reverse %[[G]]
// CHECK: mp.message %[[R]] edge(%{{.*}} = %[[C]]#1 : !mp.edges<f32>)
func.func @mixing(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %s = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %zero = arith.constant dense<0.0> : tensor<f32>
               mp.yield %zero : tensor<f32> }
    lift { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %ab = arith.mulf %a, %b : tensor<f32>
              %s0 = arith.addf %a, %b : tensor<f32>
              %r = arith.addf %s0, %ab : tensor<f32>
              mp.yield %r : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return %s : tensor<?xf32>
}
