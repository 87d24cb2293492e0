// mp-merge-aggregations: softmaxes of one score are one, and what nobody uses is not aggregated.

// RUN: clique-opt %s --mp-merge-aggregations | FileCheck %s
// RUN: clique-opt %s --mp-merge-aggregations --remarks-filter=fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// One message yields the score twice, as merged messages do.
// CHECK-LABEL: func.func @one_score
// CHECK:         %[[M:.*]]:3 = mp.message {{.*}} -> !mp.edges<f32>, !mp.edges<8xf32>, !mp.edges<3xf32>
// CHECK:         %[[A:.*]]:3 = mp.aggregate %arg0 softmax(%[[M]]#0) %[[M]]#1, %[[M]]#2
// CHECK-NOT:     mp.aggregate
// CHECK:         return %[[A]]#0, %[[A]]#1, %[[A]]#2
// REMARK: 2 softmaxes have one score: 1 exponentials per edge are saved
func.func @one_score(%g: !mp.graph, %h: tensor<?x8xf32>, %x: tensor<?x3xf32>)
    -> (tensor<?x8xf32>, tensor<?x3xf32>, tensor<?xf32>) {
  %m:4 = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>, %xj = %x : tensor<?x3xf32>)
      -> !mp.edges<f32>, !mp.edges<8xf32>, !mp.edges<f32>, !mp.edges<3xf32> {
    %d = mp.dot %hi, %hj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %d, %hj, %d, %xj : tensor<f32>, tensor<8xf32>, tensor<f32>, tensor<3xf32>
  }
  %a = mp.aggregate %g softmax(%m#0) %m#1 : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  %b, %l = mp.aggregate %g softmax(%m#2) %m#3
      : (!mp.edges<f32>, !mp.edges<3xf32>) -> (tensor<?x3xf32>, tensor<?xf32>)
  return %a, %b, %l : tensor<?x8xf32>, tensor<?x3xf32>, tensor<?xf32>
}

// What is aggregated in vain goes, with what is computed for it.
// CHECK-LABEL: func.func @unused
// CHECK:         mp.message {{.*}} -> !mp.edges<8xf32> {
// CHECK-NOT:       math.sqrt
// CHECK:         %[[S:.*]] = mp.aggregate %arg0 sum %{{[^,]*}} : (!mp.edges<8xf32>)
// CHECK-NOT:     mp.aggregate
// CHECK:         return %[[S]], %[[S]]
// REMARK: 16 elements per edge that nobody uses, or that are there twice, are not aggregated
func.func @unused(%g: !mp.graph, %h: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %m:2 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32>, !mp.edges<8xf32> {
    %t = math.tanh %hj : tensor<8xf32>
    %q = math.sqrt %hj : tensor<8xf32>
    mp.yield %t, %q : tensor<8xf32>, tensor<8xf32>
  }
  %s:3 = mp.aggregate %g sum %m#0, %m#1, %m#0 : (!mp.edges<8xf32>, !mp.edges<8xf32>, !mp.edges<8xf32>)
      -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
  %x = mp.aggregate %g max %m#1 : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %s#0, %s#2 : tensor<?x8xf32>, tensor<?x8xf32>
}

// A log-sum-exp or a low part that nobody uses goes; one that alone is used needs no value.
// CHECK-LABEL: func.func @log_sum_exp
// CHECK:         %[[A:.*]] = mp.aggregate %{{.*}} softmax(%{{.*}}) %{{.*}} -> tensor<?xf32>
// CHECK:         %[[B:.*]] = mp.aggregate %{{.*}} softmax(%{{.*}}) : (!mp.edges<f32>) -> tensor<?xf32>
// CHECK:         return %[[A]], %[[B]]
func.func @log_sum_exp(%g: !mp.graph, %s: !mp.edges<f32>, %t: !mp.edges<f32>, %v: !mp.edges<f32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %a, %k = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>)
  %b, %l, %e = mp.aggregate %g softmax(%t) %v : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
  return %a, %l : tensor<?xf32>, tensor<?xf32>
}

// One softmax without values and one with them; one that nobody uses goes.
// CHECK-LABEL: func.func @without_values
// CHECK:         %[[A:.*]]:2 = mp.aggregate %{{.*}} softmax(%{{.*}}) %{{.*}} -> (tensor<?x8xf32>, tensor<?xf32>)
// CHECK-NOT:     mp.aggregate
// CHECK:         return %[[A]]#1, %[[A]]#0
func.func @without_values(%g: !mp.graph, %s: !mp.edges<f32>, %t: !mp.edges<f32>, %v: !mp.edges<8xf32>)
    -> (tensor<?xf32>, tensor<?x8xf32>) {
  %l = mp.aggregate %g softmax(%s) : (!mp.edges<f32>) -> tensor<?xf32>
  %a = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  %k = mp.aggregate %g softmax(%t) : (!mp.edges<f32>) -> tensor<?xf32>
  %n = mp.aggregate %g softmax(%t) : (!mp.edges<f32>) -> tensor<?xf32>
  return %l, %a : tensor<?xf32>, tensor<?x8xf32>
}

// The low part has the high one before it, of whichever softmax.
// CHECK-LABEL: func.func @low_part
// CHECK:         %[[A:.*]]:4 = mp.aggregate
// CHECK-NOT:     mp.aggregate
// CHECK:         return %[[A]]#0, %[[A]]#1, %[[A]]#2, %[[A]]#3
func.func @low_part(%g: !mp.graph, %s: !mp.edges<f32>, %v: !mp.edges<f32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a, %l = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>)
  %b, %k, %e = mp.aggregate %g softmax(%s) %s : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
  return %a, %b, %l, %e : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Other scores, other graphs, and what is made from the first result stay apart; so do the values
// of a monoid, whose results are no counterparts, and an edge's number.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-4: mp.aggregate %{{.*}} softmax
// CHECK:         mp.aggregate %{{.*}} custom %{{.*}}, %
// CHECK:         %{{.*}}:2 = mp.aggregate %{{.*}} max
func.func @apart(%g: !mp.graph, %k: !mp.graph, %s: !mp.edges<f32>, %t: !mp.edges<f32>, %h: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>) {
  %a = mp.aggregate %g softmax(%s) %s : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  %b = mp.aggregate %g softmax(%t) %s : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  %c = mp.aggregate %k softmax(%s) %s : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  %m = mp.message %g src(%aj = %a : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %aj : tensor<f32>
  }
  %d = mp.aggregate %g softmax(%s) %m : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  %e = mp.aggregate %g custom %s, %t : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
    identity {
      %zero = arith.constant dense<0.0> : tensor<f32>
      mp.yield %zero : tensor<f32>
    }
    lift {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %p = arith.mulf %x, %y : tensor<f32>
      mp.yield %p : tensor<f32>
    }
    combine {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %p = arith.addf %x, %y : tensor<f32>
      mp.yield %p : tensor<f32>
    }
    finalise {
    ^bb0(%x: tensor<f32>):
      mp.yield %x : tensor<f32>
    }
  %f, %n = mp.aggregate %g max %s : (!mp.edges<f32>) -> (tensor<?xf32>, tensor<?xi64>)
  return %b, %c, %d, %e, %f, %n : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>
}

// In a kernel, two of whose results are one log-sum-exp.
// CHECK-LABEL: func.func @kernel
// CHECK:         mp.kernel "kernel_0" sparse -> tensor<?xf32>, tensor<?xf32>, tensor<?xf32> {
// CHECK:           %[[A:.*]]:2 = mp.aggregate
// CHECK-NOT:       mp.aggregate
// CHECK:           mp.yield %[[A]]#0, %[[A]]#1, %[[A]]#1 :
func.func @kernel(%g: !mp.graph, %h: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %k:3 = mp.kernel "kernel_0" sparse -> tensor<?xf32>, tensor<?xf32>, tensor<?xf32> {
    %m = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    %a, %l = mp.aggregate %g softmax(%m) %m : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>)
    %b, %n = mp.aggregate %g softmax(%m) %m : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>)
    mp.yield %a, %l, %n : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  }
  return %k#0, %k#1, %k#2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
