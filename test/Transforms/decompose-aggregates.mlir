// Products, and the edges of extrema, are monoids.
// RUN: clique-opt %s --mp-decompose-aggregates | FileCheck %s

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

// The extremum stays an aggregator of its own.
// CHECK-LABEL: func.func @winner
// CHECK:         mp.aggregate %{{.*}} min %[[E:.*]] : (!mp.edges<8xf32>) -> tensor<?x8xf32>
// CHECK:         %[[P:.*]]:2 = mp.message %{{.*}} edge(%[[X:.*]] = %[[E]] : !mp.edges<8xf32>) -> !mp.edges<8xf32>, !mp.edges<8xi64>
// CHECK-NEXT:      %[[N:.*]] = mp.position edge : tensor<i64>
// CHECK-NEXT:      %[[NS:.*]] = mp.broadcast %[[N]] : tensor<i64> to tensor<8xi64>
// CHECK-NEXT:      mp.yield %[[X]], %[[NS]]
// CHECK:         mp.aggregate %{{.*}} custom %[[P]]#0, %[[P]]#1 : (!mp.edges<8xf32>, !mp.edges<8xi64>) -> tensor<?x8xi64> identity {
// CHECK-NEXT:      arith.constant dense<0x7F800000>
// CHECK:         finalise {
// CHECK:           arith.constant dense<-1>
func.func @winner(%g: !mp.graph, %e: !mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xi64>) {
  %p, %q = mp.aggregate %g min %e : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xi64>)
  return %p, %q : tensor<?x8xf32>, tensor<?x8xi64>
}

// CHECK-LABEL: func.func @plain
// CHECK-NEXT:    mp.aggregate %{{.*}} max
// CHECK-NEXT:    return
func.func @plain(%g: !mp.graph, %e: !mp.edges<8xf32>) -> tensor<?x8xf32> {
  %p = mp.aggregate %g max %e : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %p : tensor<?x8xf32>
}
