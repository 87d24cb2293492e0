// Products, and the edges of extrema, are monoids; a log-sum-exp is what a softmax divides by.
// RUN: clique-opt %s --mp-decompose-aggregates --cse | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK:         mp.aggregate %{{.*}} custom %{{.*}}, %{{.*}} : (!mp.edges<8xf32>, !mp.edges<f32>) -> (tensor<?x8xf32>, tensor<?xf32>) identity {
// CHECK-NEXT:      %[[A:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT:      %[[B:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:      mp.yield %[[A]], %[[B]]
// CHECK:         combine {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<f32>, %[[Z:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<f32>):
// CHECK-DAG:       arith.mulf %[[X]], %[[Z]]
// CHECK-DAG:       arith.mulf %[[Y]], %[[W]]
func.func @product(%g: !mp.graph, %e: !mp.edges<8xf32>, %f: !mp.edges<f32>)
    -> (tensor<?x8xf32>, tensor<?xf32>) {
  %p, %q = mp.aggregate %g prod %e, %f
      : (!mp.edges<8xf32>, !mp.edges<f32>) -> (tensor<?x8xf32>, tensor<?xf32>)
  return %p, %q : tensor<?x8xf32>, tensor<?xf32>
}

// One monoid makes the extremum and the edge that has it, also where the extremum is asked for by itself, too.
// CHECK-LABEL: func.func @winner
// CHECK-SAME:    %[[G:[^:]*]]: !mp.graph, %[[E:[^:]*]]: !mp.edges<8xf32>
// CHECK-NEXT:    %[[P:.*]]:2 = mp.message %[[G]] edge(%[[X:.*]] = %[[E]] : !mp.edges<8xf32>) -> !mp.edges<8xf32>, !mp.edges<8xi64>
// CHECK-NEXT:      %[[N:.*]] = mp.position edge : tensor<i64>
// CHECK-NEXT:      %[[NS:.*]] = mp.broadcast %[[N]] : tensor<i64> to tensor<8xi64>
// CHECK-NEXT:      mp.yield %[[X]], %[[NS]]
// CHECK:         %[[R:.*]]:2 = mp.aggregate %[[G]] custom %[[P]]#0, %[[P]]#1 : (!mp.edges<8xf32>, !mp.edges<8xi64>) -> (tensor<?x8xf32>, tensor<?x8xi64>) identity {
// CHECK:           arith.constant dense<0x7F800000>
// CHECK:         combine {
// CHECK-NEXT:    ^bb0(%[[A:.*]]: tensor<8xf32>, %[[I:.*]]: tensor<8xi64>, %[[B:.*]]: tensor<8xf32>, %[[J:.*]]: tensor<8xi64>):
// CHECK-DAG:       %[[NUMBER:.*]] = arith.cmpf ord, %[[A]], %[[A]]
// CHECK-DAG:       %[[NAN:.*]] = arith.cmpf uno, %[[B]], %[[B]]
// CHECK-DAG:       %[[LESS:.*]] = arith.cmpf ult, %[[B]], %[[A]]
// CHECK-DAG:       %[[ASMUCH:.*]] = arith.cmpf ule, %[[B]], %[[A]]
// CHECK-DAG:       %[[EARLIER:.*]] = arith.cmpi slt, %[[J]], %[[I]]
// CHECK:           %[[SAME:.*]] = arith.ori %[[NUMBER]], %[[NAN]]
// CHECK:           %[[EQUAL:.*]] = arith.andi %[[ASMUCH]], %[[SAME]]
// CHECK-DAG:       %[[FIRST:.*]] = arith.andi %[[EQUAL]], %[[EARLIER]]
// CHECK-DAG:       %[[BETTER:.*]] = arith.andi %[[NUMBER]], %[[LESS]]
// CHECK:           %[[WINS:.*]] = arith.ori %[[BETTER]], %[[FIRST]]
// CHECK-DAG:       arith.select %[[WINS]], %[[B]], %[[A]]
// CHECK-DAG:       arith.select %[[WINS]], %[[J]], %[[I]]
// A node without edges gets 0, and -1 as the number.
// CHECK:         finalise {
// CHECK-DAG:       arith.constant dense<0.000000e+00>
// CHECK-DAG:       arith.constant dense<-1>
// CHECK:         %[[O:.*]] = mp.aggregate %[[G]] max %[[E]]
// CHECK:         return %[[R]]#0, %[[R]]#0, %[[R]]#1, %[[O]]
func.func @winner(%g: !mp.graph, %e: !mp.edges<8xf32>)
    -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x8xf32>) {
  %m = mp.aggregate %g min %e : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %p, %q = mp.aggregate %g min %e : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xi64>)
  %o = mp.aggregate %g max %e : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %m, %p, %q, %o : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @plain
// CHECK-NEXT:    mp.aggregate %{{.*}} max
// CHECK-NEXT:    return
func.func @plain(%g: !mp.graph, %e: !mp.edges<8xf32>) -> tensor<?x8xf32> {
  %p = mp.aggregate %g max %e : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %p : tensor<?x8xf32>
}

// One softmax for each value.
// CHECK-LABEL: func.func @log_sum_exp
// CHECK-SAME:    %[[G:[^:]*]]: !mp.graph, %[[E:[^:]*]]: !mp.edges<8xf32>, %[[F:[^:]*]]: !mp.edges<bf16>
// CHECK-NEXT:    %[[A:.*]] = mp.aggregate %[[G]] softmax(%[[E]]) : (!mp.edges<8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:    %[[B:.*]] = mp.aggregate %[[G]] softmax(%[[F]]) : (!mp.edges<bf16>) -> tensor<?xbf16>
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @log_sum_exp(%g: !mp.graph, %e: !mp.edges<8xf32>, %f: !mp.edges<bf16>)
    -> (tensor<?x8xf32>, tensor<?xbf16>) {
  %a, %b = mp.aggregate %g logsumexp %e, %f
      : (!mp.edges<8xf32>, !mp.edges<bf16>) -> (tensor<?x8xf32>, tensor<?xbf16>)
  return %a, %b : tensor<?x8xf32>, tensor<?xbf16>
}
