// mp-share-aggregations: terms of a score that are the destination's alone change no weight.

// RUN: clique-opt %s --mp-share-aggregations | FileCheck %s
// RUN: clique-opt %s --mp-share-aggregations --remarks-filter=structure --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Softmax over 2 (a_i + b_j) is one over 2 b_j; a factor of the destination is 0 or NaN where a_i is
// no number, and a select makes 0 also of infinite sums.
// CHECK-LABEL: func.func @additive
// CHECK:         mp.aggregate %{{.*}} : !mp.graph<bipartite> softmax
// CHECK:         mp.update (%[[M:[a-z0-9]+]] = %{{[0-9]+}} : tensor<?x8xf32>, %[[A:[a-z0-9]+]] = %arg1 : tensor<?xf32>)
// CHECK:           %[[T:.*]] = arith.mulf %[[A]], %{{.*}}
// CHECK:           %[[LOWEST:.*]] = arith.cmpf oeq, %[[T]], %{{.*}}
// CHECK:           %[[NONE:.*]] = arith.subf %[[T]], %[[T]]
// CHECK:           %[[ONE:.*]] = arith.addf %{{.*}}, %[[NONE]]
// CHECK:           arith.select %[[LOWEST]], %{{.*}}, %[[ONE]]
// CHECK:           %[[NOTHING:.*]] = mp.broadcast %[[LOWEST]] : tensor<i1> to tensor<8xi1>
// CHECK:           arith.select %[[NOTHING]]
// CHECK-NOT:     softmax
// CHECK:         return
// REMARK: softmax over !mp.graph<complete> is one for all nodes, and a copy for each: {{.*}}; terms of scores that are the destination's change no weight
func.func @additive(%g: !mp.graph<complete>, %a: tensor<?xf32>, %b: tensor<?xf32>, %h: tensor<?x8xf32>)
    -> tensor<?x8xf32> {
  %m:2 = mp.message %g : !mp.graph<complete> dst(%ai = %a : tensor<?xf32>)
      src(%bj = %b : tensor<?xf32>, %hj = %h : tensor<?x8xf32>) -> !mp.edges<f32>, !mp.edges<8xf32> {
    %two = arith.constant dense<2.0> : tensor<f32>
    %s = arith.addf %ai, %bj : tensor<f32>
    %e = arith.mulf %s, %two : tensor<f32>
    mp.yield %e, %hj : tensor<f32>, tensor<8xf32>
  }
  %o = mp.aggregate %g : !mp.graph<complete> softmax(%m#0) %m#1
      : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %o : tensor<?x8xf32>
}

// With the log-sum-exp, which has the term; behind an activation, which mixes the ends; in half
// precision; of values that another message makes: as it was.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-4: mp.aggregate %arg0 : !mp.graph<complete> softmax
// CHECK-NOT:     mp.bipartite
// CHECK:         return
func.func @stays(%g: !mp.graph<complete>, %a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf16>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf16>, tensor<?xf32>) {
  %m:5 = mp.message %g : !mp.graph<complete> dst(%ai = %a : tensor<?xf32>, %ci = %c : tensor<?xf16>)
      src(%bj = %b : tensor<?xf32>, %cj = %c : tensor<?xf16>)
      -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f16>, !mp.edges<f16> {
    %s = arith.addf %ai, %bj : tensor<f32>
    %t = mp.leaky_relu %s slope 0.2 : tensor<f32>
    %u = arith.addf %ci, %cj : tensor<f16>
    mp.yield %s, %t, %bj, %u, %cj : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f16>, tensor<f16>
  }
  %n = mp.message %g : !mp.graph<complete> src(%bj = %b : tensor<?xf32>) -> !mp.edges<f32> {
    %r = mp.relu %bj : tensor<f32>
    mp.yield %r : tensor<f32>
  }
  %o, %l = mp.aggregate %g : !mp.graph<complete> softmax(%m#0) %m#2
      : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>)
  %p = mp.aggregate %g : !mp.graph<complete> softmax(%m#1) %m#2 : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  %q = mp.aggregate %g : !mp.graph<complete> softmax(%m#3) %m#4 : (!mp.edges<f16>, !mp.edges<f16>) -> tensor<?xf16>
  %r = mp.aggregate %g : !mp.graph<complete> softmax(%m#0) %n : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  return %o, %l, %p, %q, %r : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf16>, tensor<?xf32>
}
