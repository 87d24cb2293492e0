// mp-defer-linear: linear maps that move behind a sum, and those that stay.

// RUN: clique-opt %s -mp-defer-linear | FileCheck %s
// RUN: clique-opt %s -mp-defer-linear --remarks-filter=algebra --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Products and quotients with numbers go along, whatever their order.
// CHECK-LABEL: func @weighted
// CHECK-SAME: %[[H:[a-z0-9]*]]: tensor<?x4xf32>, %[[C:[a-z0-9]*]]: tensor<?xf32>, %[[W:[a-z0-9]*]]: tensor<4x2x8xf32>
// CHECK: %[[M:.*]] = mp.message %{{.*}} dst(%[[CI:.*]] = %[[C]] : tensor<?xf32>) src(%[[CJ:.*]] = %[[C]] : tensor<?xf32>, %[[HJ:.*]] = %[[H]] : tensor<?x4xf32>) -> !mp.edges<4xf32> {
// CHECK-NEXT: %[[BI:.*]] = mp.broadcast %[[CI]] : tensor<f32> to tensor<4xf32>
// CHECK-NEXT: %[[D:.*]] = arith.divf %[[HJ]], %[[BI]] : tensor<4xf32>
// CHECK-NEXT: %[[BJ:.*]] = mp.broadcast %[[CJ]] : tensor<f32> to tensor<4xf32>
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[BJ]], %[[D]] : tensor<4xf32>
// CHECK-NEXT: mp.yield %[[P]] : tensor<4xf32>
// CHECK: %[[S:.*]] = mp.aggregate %{{.*}} sum %[[M]] : (!mp.edges<4xf32>) -> tensor<?x4xf32>
// CHECK: %[[U:.*]] = mp.update (%[[SI:.*]] = %[[S]] : tensor<?x4xf32>) -> tensor<?x2x8xf32> {
// CHECK-NEXT: %[[L:.*]] = mp.linear %[[SI]], %[[W]]
// CHECK-NEXT: mp.yield %[[L]]
// CHECK: return %[[U]]
// REMARK: mp.linear moved behind the sum: computed for destinations in place of sources
func.func @weighted(%g: !mp.graph, %h: tensor<?x4xf32>, %c: tensor<?xf32>,
                    %w: tensor<4x2x8xf32>) -> tensor<?x2x8xf32> {
  %m = mp.message %g dst(%ci = %c : tensor<?xf32>)
      src(%cj = %c : tensor<?xf32>, %hj = %h : tensor<?x4xf32>) -> !mp.edges<2x8xf32> {
    %x = mp.linear %hj, %w : (tensor<4xf32>, tensor<4x2x8xf32>) -> tensor<2x8xf32>
    %bi = mp.broadcast %ci dims [0, 1] : tensor<f32> to tensor<2x8xf32>
    %d = arith.divf %x, %bi : tensor<2x8xf32>
    %bj = mp.broadcast %cj trailing : tensor<f32> to tensor<2x8xf32>
    %r = arith.mulf %bj, %d : tensor<2x8xf32>
    mp.yield %r : tensor<2x8xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
  return %s : tensor<?x2x8xf32>
}

// A map of something of both ends leaves the edge even if it makes it smaller;
// each value of an aggregation for itself.
// CHECK-LABEL: func @both_ends
// CHECK: mp.message {{.*}} -> !mp.edges<8xf32>, !mp.edges<8xf32> {
// CHECK-NOT: mp.linear
// CHECK: mp.aggregate %{{.*}} mean %{{.*}} : (!mp.edges<8xf32>, !mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
// CHECK: mp.linear {{.*}} -> tensor<4xf32>
// REMARK: mp.linear moved behind the mean: computed for destinations in place of edges
func.func @both_ends(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x4xf32>)
    -> (tensor<?x8xf32>, tensor<?x4xf32>) {
  %m:2 = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<8xf32>, !mp.edges<4xf32> {
    %d = arith.subf %hj, %hi : tensor<8xf32>
    %r = mp.relu %d : tensor<8xf32>
    %y = mp.linear %r, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    mp.yield %d, %y : tensor<8xf32>, tensor<4xf32>
  }
  %s:2 = mp.aggregate %g mean %m#0, %m#1
      : (!mp.edges<8xf32>, !mp.edges<4xf32>) -> (tensor<?x8xf32>, tensor<?x4xf32>)
  return %s#0, %s#1 : tensor<?x8xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func @one_score
// CHECK: mp.aggregate %{{.*}} softmax(%{{.*}}) %{{.*}} : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
// CHECK: mp.linear {{.*}} -> tensor<8xf32>
// REMARK: mp.linear moved behind the softmax
func.func @one_score(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>)
      -> !mp.edges<f32>, !mp.edges<8xf32> {
    %d = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %x = mp.linear %hj, %w : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
    mp.yield %d, %x : tensor<f32>, tensor<8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %m : tensor<?x8xf32>
}

// A score per head weighs the entries of the feature differently.
// CHECK-LABEL: func @heads
// CHECK: mp.aggregate {{.*}} -> tensor<?x2x8xf32>
// CHECK-NOT: mp.update
func.func @heads(%g: !mp.graph, %h: tensor<?x4xf32>, %c: tensor<?x2xf32>, %w: tensor<4x2x8xf32>)
    -> tensor<?x2x8xf32> {
  %s, %v = mp.message %g src(%cj = %c : tensor<?x2xf32>, %hj = %h : tensor<?x4xf32>)
      -> !mp.edges<2xf32>, !mp.edges<2x8xf32> {
    %x = mp.linear %hj, %w : (tensor<4xf32>, tensor<4x2x8xf32>) -> tensor<2x8xf32>
    mp.yield %cj, %x : tensor<2xf32>, tensor<2x8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v : (!mp.edges<2xf32>, !mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
  return %m : tensor<?x2x8xf32>
}

// No more is gathered when W comes first.
// CHECK-LABEL: func @smaller
// CHECK-NOT: mp.update
func.func @smaller(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    %x = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    mp.yield %x : tensor<8xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// No sum, a bias, half precision, weights of the edge, a second use.
// CHECK-LABEL: func @stay
// CHECK-NOT: mp.update
func.func @stay(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4x8xf32>, %b: tensor<8xf32>,
                %hh: tensor<?x4xf16>, %wh: tensor<4x8xf16>, %type: !mp.edges<i32>,
                %wt: tensor<3x4x8xf32>)
    -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf16>, tensor<?x8xf32>, tensor<?x8xf32>,
        !mp.edges<8xf32>) {
  %m:5 = mp.message %g src(%hj = %h : tensor<?x4xf32>, %hhj = %hh : tensor<?x4xf16>)
      edge(%t = %type : !mp.edges<i32>)
      -> !mp.edges<8xf32>, !mp.edges<8xf32>, !mp.edges<8xf16>, !mp.edges<8xf32>, !mp.edges<8xf32> {
    %x = mp.linear %hj, %w : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
    %y = mp.linear %hj, %w bias %b
        : (tensor<4xf32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %z = mp.linear %hhj, %wh : (tensor<4xf16>, tensor<4x8xf16>) -> tensor<8xf16>
    %wj = mp.lookup %wt[%t] : tensor<3x4x8xf32>, tensor<i32> -> tensor<4x8xf32>
    %u = mp.linear %hj, %wj : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
    %v = mp.linear %hj, %w : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
    mp.yield %x, %y, %z, %u, %v
        : tensor<8xf32>, tensor<8xf32>, tensor<8xf16>, tensor<8xf32>, tensor<8xf32>
  }
  %a = mp.aggregate %g max %m#0 : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %c = mp.aggregate %g sum %m#1 : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %d = mp.aggregate %g sum %m#2 : (!mp.edges<8xf16>) -> tensor<?x8xf16>
  %e = mp.aggregate %g sum %m#3 : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %f = mp.aggregate %g sum %m#4 : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %a, %c, %d, %e, %f, %m#4 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf16>,
      tensor<?x8xf32>, tensor<?x8xf32>, !mp.edges<8xf32>
}
