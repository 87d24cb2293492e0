// RUN: clique-opt %s --mp-chunk-edge-sums --canonicalize --cse --remarks-filter=algebra --split-input-file 2>&1 | FileCheck %s

#x = affine_map<(i, j, e) -> (e, i)>
#y = affine_map<(i, j, e) -> (e, j)>
#z = affine_map<(i, j, e) -> (i, j)>
#row = affine_map<(i, e) -> (e, i)>
#sum = affine_map<(i, e) -> (i)>

// A product over edges takes some rows of the graph at a time, as many as have 2 MiB of values on
// average. An edge has the number that it has in the whole graph, there as in its own features.

// CHECK-LABEL: func.func @product(
// CHECK-SAME:    %[[G:[^:]*]]: !mp.graph, %[[H:[^:]*]]: tensor<?x8xf32>, %[[E:[^:]*]]: !mp.edges<f32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// 2 MiB of 12 elements of f32.
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 43690 : index
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8x4xf32>
// CHECK:         %[[N:.*]] = mp.num_dst %[[G]]
// CHECK:         %[[EDGES:.*]] = mp.num_edges %[[G]]
// CHECK:         %[[SOME:.*]] = arith.maxsi %[[EDGES]], %[[C1]]
// CHECK:         %[[SCALED:.*]] = arith.muli %[[N]], %[[MOST]]
// CHECK:         %[[MEAN:.*]] = arith.divui %[[SCALED]], %[[SOME]]
// CHECK:         %[[STEP:.*]] = arith.maxsi %[[MEAN]], %[[C1]]
// CHECK:         %[[R:.*]]:2 = scf.for %[[FIRST:.*]] = %[[C0]] to %[[N]] step %[[STEP]] iter_args(%[[T:.*]] = %[[ZERO]], %[[U:.*]] = %{{.*}}) -> (tensor<8x4xf32>, tensor<8xf32>) {
// CHECK:           %[[REST:.*]] = arith.subi %[[N]], %[[FIRST]]
// CHECK:           %[[COUNT:.*]] = arith.minsi %[[STEP]], %[[REST]]
// CHECK:           %[[PART:.*]], %[[NUMBERS:.*]] = mp.rows %[[G]], %[[FIRST]], %[[COUNT]]
// CHECK:           %[[ROWS:.*]] = tensor.extract_slice %[[H]][%[[FIRST]], 0] [%[[COUNT]], 8] [1, 1]
// CHECK:           %[[OWN:.*]] = mp.lookup %[[E]][%[[NUMBERS]]]
// CHECK:           %[[IDS:.*]] = mp.to_edges %[[NUMBERS]]
// CHECK:           %[[M:.*]]:2 = mp.message %[[PART]] dst(%{{.*}} = %[[ROWS]] : tensor<?x8xf32>) src({{.*}}) edge(%{{.*}} = %[[OWN]] : !mp.edges<f32>, %[[ID:.*]] = %[[IDS]] : !mp.edges<i64>) -> !mp.edges<8xf32>, !mp.edges<2x2xf32> {
// CHECK-NOT:         mp.position
// CHECK:             arith.sitofp %[[ID]]
// CHECK:           %[[X:.*]] = mp.to_tensor %[[M]]#0
// CHECK:           %[[Y:.*]] = mp.to_tensor %[[M]]#1
// CHECK:           %[[FLAT:.*]] = tensor.collapse_shape %[[Y]]
// CHECK:           %[[NEXT:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[FLAT]] : {{.*}}) outs(%[[T]] : tensor<8x4xf32>)
// CHECK:           %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[U]] : tensor<8xf32>)
// CHECK:           scf.yield %[[NEXT]], %[[SUM]]
// What else is made of the message's values stays.
// CHECK:         %[[A:.*]] = mp.aggregate %[[G]] max
// CHECK:         return %[[R]]#0, %[[R]]#1, %[[A]]
func.func @product(%g: !mp.graph, %h: tensor<?x8xf32>, %e: !mp.edges<f32>)
    -> (tensor<8x4xf32>, tensor<8xf32>, tensor<?x8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8x4xf32>
  %none = arith.constant dense<0.0> : tensor<8xf32>
  %m:3 = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      edge(%ei = %e : !mp.edges<f32>) -> !mp.edges<8xf32>, !mp.edges<2x2xf32>, !mp.edges<8xf32> {
    %s = arith.mulf %hi, %hj : tensor<8xf32>
    %k = mp.position edge : tensor<i64>
    %f = arith.sitofp %k : tensor<i64> to tensor<f32>
    %p = arith.mulf %f, %ei : tensor<f32>
    %q = mp.broadcast %p : tensor<f32> to tensor<2x2xf32>
    mp.yield %s, %q, %hj : tensor<8xf32>, tensor<2x2xf32>, tensor<8xf32>
  }
  %x = mp.to_tensor %m#0 : !mp.edges<8xf32> -> tensor<?x8xf32>
  %y = mp.to_tensor %m#1 : !mp.edges<2x2xf32> -> tensor<?x2x2xf32>
  %flat = tensor.collapse_shape %y [[0], [1, 2]] : tensor<?x2x2xf32> into tensor<?x4xf32>
  %w = linalg.generic {indexing_maps = [#x, #y, #z], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %flat : tensor<?x8xf32>, tensor<?x4xf32>) outs(%zero : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %n = arith.addf %c, %p : f32
    linalg.yield %n : f32
  } -> tensor<8x4xf32>
  %b = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x8xf32>) outs(%none : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %n = arith.addf %c, %a : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  %o = mp.aggregate %g max %m#2 : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %w, %b, %o : tensor<8x4xf32>, tensor<8xf32>, tensor<?x8xf32>
}

// -----

#row = affine_map<(i, e) -> (e, i)>
#sum = affine_map<(i, e) -> (i)>
#one = affine_map<(e) -> (e)>
#all = affine_map<(e) -> ()>

// A maximum is no sum, what is given for each edge is no message's, a part has few edges, and a
// row's own number is one of the whole tensor.

// CHECK-LABEL: func.func @others(
// CHECK-NOT:     scf.for
func.func @others(%g: !mp.graph, %e: !mp.edges<f32>, %i: index)
    -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %part, %numbers = mp.rows %g, %i, %i
  %m = mp.message %part -> !mp.edges<f32> {
    %k = mp.position src : tensor<i64>
    %f = arith.sitofp %k : tensor<i64> to tensor<f32>
    mp.yield %f : tensor<f32>
  }
  %n = mp.message %g edge(%x = %e : !mp.edges<f32>) -> !mp.edges<f32> {
    %y = mp.relu %x : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %x = mp.to_tensor %m : !mp.edges<f32> -> tensor<?xf32>
  %y = mp.to_tensor %n : !mp.edges<f32> -> tensor<?xf32>
  %z = mp.to_tensor %e : !mp.edges<f32> -> tensor<?xf32>
  %a = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%v: f32, %t: f32):
    %s = arith.addf %t, %v : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %b = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%y : tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%v: f32, %t: f32):
    %s = arith.maximumf %t, %v : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %c = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%z : tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%v: f32, %t: f32):
    %s = arith.addf %t, %v : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %d = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%y : tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%v: f32, %t: f32):
    %k = linalg.index 0 : index
    %l = arith.index_cast %k : index to i64
    %f = arith.sitofp %l : i64 to f32
    %p = arith.mulf %v, %f : f32
    %s = arith.addf %t, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %a, %b, %c, %d : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

#one = affine_map<(e) -> (e)>
#all = affine_map<(e) -> ()>

// A sum whose body, or whose initial value, needs another one is in a loop after it.

// CHECK-LABEL: func.func @deviations(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:         %[[MEAN:.*]] = tensor.extract %[[SUM]][]
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[SUM]])
// CHECK:           arith.subf %{{.*}}, %[[MEAN]]
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @deviations(%g: !mp.graph, %x: tensor<?xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %m = mp.message %g dst(%xi = %x : tensor<?xf32>) src(%xj = %x : tensor<?xf32>) -> !mp.edges<f32> {
    %p = arith.mulf %xi, %xj : tensor<f32>
    mp.yield %p : tensor<f32>
  }
  %t = mp.to_tensor %m : !mp.edges<f32> -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%t : tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%v: f32, %u: f32):
    %a = arith.addf %u, %v : f32
    linalg.yield %a : f32
  } -> tensor<f32>
  %mean = tensor.extract %s[] : tensor<f32>
  %d = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%t : tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%v: f32, %u: f32):
    %c = arith.subf %v, %mean : f32
    %q = arith.mulf %c, %c : f32
    %a = arith.addf %u, %q : f32
    linalg.yield %a : f32
  } -> tensor<f32>
  %e = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%t : tensor<?xf32>) outs(%s : tensor<f32>) {
  ^bb0(%v: f32, %u: f32):
    %a = arith.addf %u, %v : f32
    linalg.yield %a : f32
  } -> tensor<f32>
  return %d, %e : tensor<f32>, tensor<f32>
}
