// Aggregations of what is the same for all edges of a destination.
// RUN: clique-opt %s --mp-count-edges | FileCheck %s
// RUN: clique-opt %s --mp-count-edges --remarks-filter=structure --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: clique-run %s --entry=sums --graph=%S/../Integration/Inputs/graphs/isolated.mtx --verify
// RUN: clique-run %s --entry=extrema --graph=%S/../Integration/Inputs/graphs/isolated.mtx --verify
// RUN: clique-run %s --entry=ones --graph=%S/../Integration/Inputs/graphs/duplicates.mtx --verify
// RUN: clique-run %s --entry=half --graph=%S/../Integration/Inputs/graphs/isolated.mtx --verify
// RUN: clique-run %s --entry=extrema --graph=complete:1000000 | FileCheck %s --check-prefix=LARGE
// LARGE: result   out0: f64 [1000000, 2, 3]

// Values that the source has a part in stay in their aggregation.
// CHECK-LABEL: func @sums(
// CHECK-SAME:    %[[G:.*]]: !mp.graph, %[[H:.*]]: tensor<?x8xf32>, %[[W:.*]]: tensor<8x8xf32>)
// CHECK-DAG:     %[[D:.*]] = mp.degree %[[G]] -> tensor<?xf32>
// CHECK:         %[[S:.*]] = mp.update (%[[N:.*]] = %[[D]] : tensor<?xf32>, %[[X:.*]] = %[[H]] : tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK:           %[[E:.*]] = math.exp %[[X]]
// CHECK:           %[[COUNT:.*]] = mp.broadcast %[[N]] : tensor<f32> to tensor<8xf32>
// CHECK:           %[[P:.*]] = arith.mulf %[[COUNT]], %[[E]]
// CHECK:           %[[SOME:.*]] = arith.cmpf ogt, %[[N]],
// CHECK:           %[[MASK:.*]] = mp.broadcast %[[SOME]] : tensor<i1> to tensor<8xi1>
// CHECK:           %[[R:.*]] = arith.select %[[MASK]], %[[P]],
// CHECK:           mp.yield %[[R]]
// CHECK:         %[[T:.*]] = mp.aggregate %[[G]] sum %{{.*}} : (!mp.edges<8xf32>) -> tensor<?x8xf32>
// CHECK:         return %[[S]], %[[T]]
// REMARK: sum of what no source has a part in: 8 elements are computed per node in place of per edge
func.func @sums(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %a, %b = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<8xf32>, !mp.edges<8xf32> {
    %e = math.exp %hi : tensor<8xf32>
    %k = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    mp.yield %e, %k : tensor<8xf32>, tensor<8xf32>
  }
  %s, %t = mp.aggregate %g sum %a, %b : (!mp.edges<8xf32>, !mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
  return %s, %t : tensor<?x8xf32>, tensor<?x8xf32>
}

// A mean and an extremum of equal values are one of them.
// CHECK-LABEL: func @extrema(
// CHECK-COUNT-3: mp.update
// CHECK-NOT:     arith.mulf
// CHECK-NOT:     mp.aggregate
// CHECK:         return
func.func @extrema(%g: !mp.graph, %h: tensor<?x2x3xf64>) -> (tensor<?x2x3xf64>, tensor<?x2x3xf64>, tensor<?x2x3xf64>) {
  %m = mp.message %g dst(%hi = %h : tensor<?x2x3xf64>) -> !mp.edges<2x3xf64> {
    mp.yield %hi : tensor<2x3xf64>
  }
  %a = mp.aggregate %g mean %m : (!mp.edges<2x3xf64>) -> tensor<?x2x3xf64>
  %b = mp.aggregate %g max %m : (!mp.edges<2x3xf64>) -> tensor<?x2x3xf64>
  %c = mp.aggregate %g min %m : (!mp.edges<2x3xf64>) -> tensor<?x2x3xf64>
  return %a, %b, %c : tensor<?x2x3xf64>, tensor<?x2x3xf64>, tensor<?x2x3xf64>
}

// What belongs to no end; weights come from outside.
// CHECK-LABEL: func @ones(
// CHECK:         %[[D:.*]] = mp.degree
// CHECK:         mp.update (%{{.*}} = %[[D]] : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NOT:     mp.aggregate
// CHECK:         return
func.func @ones(%g: !mp.graph, %u: tensor<4xf32>) -> (tensor<?xf32>, tensor<?x4xf32>) {
  %a, %b = mp.message %g -> !mp.edges<f32>, !mp.edges<4xf32> {
    %one = arith.constant dense<1.0> : tensor<f32>
    mp.yield %one, %u : tensor<f32>, tensor<4xf32>
  }
  %s = mp.aggregate %g sum %a : (!mp.edges<f32>) -> tensor<?xf32>
  %t = mp.aggregate %g sum %b : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s, %t : tensor<?xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func @half(
// CHECK:         mp.degree %{{.*}} -> tensor<?xf32>
// CHECK:         arith.extf
// CHECK:         arith.mulf %{{.*}} : tensor<8xf32>
// CHECK:         arith.truncf
func.func @half(%g: !mp.graph, %h: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  %m = mp.message %g dst(%hi = %h : tensor<?x8xbf16>) -> !mp.edges<8xbf16> {
    mp.yield %hi : tensor<8xbf16>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<8xbf16>) -> tensor<?x8xbf16>
  return %s : tensor<?x8xbf16>
}

// What depends on the edge, on its position among them or on its source stays, and so
// do the edges of maxima and other aggregators.
// CHECK-LABEL: func @stay(
// CHECK-NOT:     mp.degree
// CHECK:         return
func.func @stay(%g: !mp.graph, %h: tensor<?x8xf32>, %e: !mp.edges<f32>)
    -> (tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x8xf32>) {
  %a, %b, %c = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>) edge(%x = %e : !mp.edges<f32>)
      -> !mp.edges<8xf32>, !mp.edges<f32>, !mp.edges<8xf32> {
    %s = arith.addf %hi, %hj : tensor<8xf32>
    %t = math.tanh %x : tensor<f32>
    mp.yield %s, %t, %hi : tensor<8xf32>, tensor<f32>, tensor<8xf32>
  }
  %r = mp.aggregate %g sum %a : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %s = mp.aggregate %g sum %b : (!mp.edges<f32>) -> tensor<?xf32>
  %m, %k = mp.aggregate %g max %c : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xi64>)
  %d = mp.aggregate %g std %c : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %r, %s, %m, %k, %d : tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x8xf32>
}
