// The gradient of a large table that edges look up: no destination holds a row for each of the
// table. What an edge adds is stored for each edge, or, where its destination knows it, the number
// of that; an aggregation on the graph of who reads which row has the sums.
// RUN: clique-opt %s --mp-differentiate=arguments=w | FileCheck %s
// RUN: %python -c 'import numpy as n; n.save("%t.npy", n.random.default_rng(3).choice([-3, 0, 5, 999, 2000], 156).astype("i4"))'
// DEFINE: %{run} = clique-run %s --gradients --verify --graph=%graphs/karate.mtx --input=t=%t.npy
// RUN: %{run} --entry=curved --lowering=sparse
// RUN: %{run} --entry=curved --second-order
// RUN: %{run} --entry=plain
// RUN: %{run} --entry=plain --second-order
// RUN: %{run} --entry=turned
// RUN: clique-run %s --gradients --verify --graph=complete:12 --lowering=dense --entry=curved
// RUN: %if emulation %{ %{run} --entry=curved --target=cuda --emulate %}
// RUN: %if emulation %{ %{run} --entry=plain --target=cuda --emulate %}

// Both ends have a part in what an edge adds.
// CHECK-LABEL: func.func @curved_backward(
// CHECK:         mp.message {{.*}} -> !mp.edges<16xf32>, !mp.edges<i32>
// CHECK:         %[[G:.*]] = mp.coo %{{.*}}, %{{.*}}, %c1000, %{{.*}} : {{.*}} -> !mp.graph<sparse>
// CHECK-NEXT:    mp.message %[[G]] : !mp.graph<sparse> src({{.*}} : tensor<?x16xf32>) -> !mp.edges<16xf32>
// CHECK:         mp.aggregate %[[G]]
func.func @curved(%g: !mp.graph, %h: tensor<?x16xf32>, %t: !mp.edges<i32>,
                  %w: tensor<1000x16xf32> {mp.name = "w"}) -> tensor<?x16xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x16xf32>) edge(%e = %t : !mp.edges<i32>) -> !mp.edges<16xf32> {
    %r = mp.lookup %w[%e] : tensor<1000x16xf32>, tensor<i32> -> tensor<16xf32>
    %a = arith.addf %hj, %r : tensor<16xf32>
    %s = mp.silu %a : tensor<16xf32>
    mp.yield %s : tensor<16xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %o : tensor<?x16xf32>
}

// What a destination receives is what each of its edges adds.
// CHECK-LABEL: func.func @plain_backward(
// CHECK-SAME:    %[[GRAD:[a-z0-9]+]]: tensor<?x16xf32> {mp.name = "grad_out"}
// CHECK:         mp.message
// CHECK-NEXT:      mp.position dst : tensor<i32>
// CHECK-NEXT:      mp.yield {{.*}} : tensor<i32>, tensor<i32>
// CHECK:         %[[G:.*]] = mp.coo
// CHECK-NEXT:    mp.message %[[G]] : !mp.graph<sparse> src({{.*}} : tensor<?x16xf32>) -> !mp.edges<16xf32>
func.func @plain(%g: !mp.graph, %h: tensor<?x16xf32>, %t: !mp.edges<i32>,
                 %w: tensor<1000x16xf32> {mp.name = "w"}) -> tensor<?x16xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x16xf32>) edge(%e = %t : !mp.edges<i32>) -> !mp.edges<16xf32> {
    %r = mp.lookup %w[%e] : tensor<1000x16xf32>, tensor<i32> -> tensor<16xf32>
    %a = arith.addf %hj, %r : tensor<16xf32>
    mp.yield %a : tensor<16xf32>
  }
  %o = mp.aggregate %g mean %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %o : tensor<?x16xf32>
}

// The same of the reverse, whose destinations are the sources, by numbers of i64.
// CHECK-LABEL: func.func @turned_backward(
// CHECK:         mp.coo
func.func @turned(%g: !mp.graph, %h: tensor<?x16xf32>, %t: !mp.edges<i32>,
                  %w: tensor<1000x16xf32> {mp.name = "w"}) -> tensor<?x16xf32> {
  %r = mp.reverse %g
  %m = mp.message %r src(%hj = %h : tensor<?x16xf32>) edge(%e = %t : !mp.edges<i32>) -> !mp.edges<16xf32> {
    %wide = arith.extsi %e : tensor<i32> to tensor<i64>
    %row = mp.lookup %w[%wide] : tensor<1000x16xf32>, tensor<i64> -> tensor<16xf32>
    %a = arith.addf %hj, %row : tensor<16xf32>
    mp.yield %a : tensor<16xf32>
  }
  %o = mp.aggregate %r sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %o : tensor<?x16xf32>
}

// Rows of a small table are added one by one to the sums of its destination, which mp-fuse-sums
// adds to those of all.
// CHECK-LABEL: func.func @small_backward(
// CHECK:         tensor.scatter
// CHECK-NOT:     mp.coo
func.func @small(%g: !mp.graph, %h: tensor<?x16xf32>, %t: !mp.edges<i32>,
                 %w: tensor<500x16xf32> {mp.name = "w"}) -> tensor<?x16xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x16xf32>) edge(%e = %t : !mp.edges<i32>) -> !mp.edges<16xf32> {
    %r = mp.lookup %w[%e] : tensor<500x16xf32>, tensor<i32> -> tensor<16xf32>
    %a = arith.addf %hj, %r : tensor<16xf32>
    %s = mp.silu %a : tensor<16xf32>
    mp.yield %s : tensor<16xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %o : tensor<?x16xf32>
}

// A table of more elements than a region may compute, on a graph of all edges.
// CHECK-LABEL: func.func @huge_backward(
// CHECK-NOT:     tensor.scatter
// CHECK:         mp.coo
func.func @huge(%n: index, %h: tensor<?x64xf32>, %w: tensor<1000000x64xf32> {mp.name = "w"}) -> tensor<?x64xf32> {
  %g = mp.complete %n
  %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
      -> !mp.edges<64xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %k = arith.muli %i, %j : tensor<i32>
    %r = mp.lookup %w[%k] : tensor<1000000x64xf32>, tensor<i32> -> tensor<64xf32>
    %a = arith.mulf %hi, %hj : tensor<64xf32>
    %s = arith.mulf %r, %a : tensor<64xf32>
    mp.yield %s : tensor<64xf32>
  }
  %o = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<64xf32>) -> tensor<?x64xf32>
  return %o : tensor<?x64xf32>
}

// Weights of as many.
// CHECK-LABEL: func.func @wide_backward(
// CHECK-NOT:     -> tensor<4096x8192xf32>
// CHECK:         mp.message {{.*}} -> !mp.edges<4096xf32>, !mp.edges<8192xf32>
// CHECK:         linalg.generic
func.func @wide(%n: index, %h: tensor<?x4096xf32>, %w: tensor<4096x8192xf32> {mp.name = "w"}) -> tensor<?x8192xf32> {
  %g = mp.complete %n
  %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x4096xf32>) src(%hj = %h : tensor<?x4096xf32>)
      -> !mp.edges<8192xf32> {
    %a = arith.mulf %hi, %hj : tensor<4096xf32>
    %y = mp.linear %a, %w : (tensor<4096xf32>, tensor<4096x8192xf32>) -> tensor<8192xf32>
    %z = math.sin %y : tensor<8192xf32>
    mp.yield %z : tensor<8192xf32>
  }
  %o = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<8192xf32>) -> tensor<?x8192xf32>
  return %o : tensor<?x8192xf32>
}
