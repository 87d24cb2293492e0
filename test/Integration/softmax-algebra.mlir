// What is known of scores, against the reference interpreter. Scores with bounds, whose softmax keeps
// no maximum: in rows, in chunks of hubs, in tiles, with gradients; scores at both bounds, masks,
// nodes without edges. Terms of destinations, which leave a score that is summed once for all
// nodes; those that are -inf, too, and where the values are infinite. Softmaxes that are one.
// RUN: %python %S/Inputs/make_hubs.py %t.mtx
// RUN: clique-compile %s --emit=schedule -o - | FileCheck %s --check-prefix=REFERENCE
// REFERENCE-COUNT-4: mp.score_reference
// RUN: clique-compile -O1 %s -o %t.so
// DEFINE: %{run} = clique-run %t.so --spec=%s --verify --repeat=1
// RUN: %{run} --entry=capped --graph=complete:131 --lowering=dense | FileCheck %s
// RUN: %{run} --entry=capped --graph=%t.mtx --lowering=sparse --threads=2 | FileCheck %s
// RUN: %{run} --entry=capped --graph=causal_cliques:1,0,40,3 --lowering=dense | FileCheck %s
// RUN: %{run} --entry=bounds --graph=complete:131 --lowering=dense | FileCheck %s
// RUN: %{run} --entry=bounds --graph=window:90,5 --lowering=sparse | FileCheck %s
// RUN: %{run} --entry=cosine --graph=complete:70 --lowering=dense | FileCheck %s
// RUN: %{run} --entry=cosine --graph=complete_no_self:1 | FileCheck %s
// RUN: %{run} --entry=half --graph=complete:70 --lowering=dense | FileCheck %s
// RUN: %{run} --entry=half --graph=window:70,2 --lowering=sparse | FileCheck %s
// RUN: clique-run -O1 %s --entry=capped --graph=causal:40 --gradients --verify | FileCheck %s
// RUN: %{run} --entry=terms_complete --graph=complete:40 | FileCheck %s
// RUN: clique-run -O1 %s --entry=terms_complete --graph=complete:30 --gradients --verify | FileCheck %s
// RUN: %{run} --entry=terms_infinite --graph=complete:40 | FileCheck %s
// RUN: %{run} --entry=terms_bipartite --graph=bipartite:9x7 | FileCheck %s
// RUN: %{run} --entry=terms_bipartite --graph=bipartite:9x0 | FileCheck %s
// RUN: %{run} --entry=merged --graph=%t.mtx --lowering=sparse | FileCheck %s
// RUN: %{run} --entry=merged --graph=complete:70 --lowering=dense | FileCheck %s
// RUN: clique-run -O1 %s --entry=merged --graph=causal:30 --gradients --verify | FileCheck %s
// CHECK-NOT: FAILED
// CHECK: verify {{.*}} ok
// CHECK-NOT: FAILED

// A soft cap with heads; every third source is masked, and all sources of the first nodes are.
func.func @capped(%g: !mp.graph, %h: tensor<?x4x8xf32>) -> tensor<?x4x8xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x4x8xf32>) src(%hj = %h : tensor<?x4x8xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %cap = arith.constant dense<20.0> : tensor<4xf32>
    %lowest = arith.constant dense<0xFF800000> : tensor<4xf32>
    %three = arith.constant dense<3> : tensor<i32>
    %zero = arith.constant dense<0> : tensor<i32>
    %two = arith.constant dense<2> : tensor<i32>
    %d = mp.dot %hi, %hj : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %t = math.tanh %d : tensor<4xf32>
    %c = arith.mulf %t, %cap : tensor<4xf32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %r = arith.remsi %j, %three : tensor<i32>
    %isThird = arith.cmpi eq, %r, %zero : tensor<i32>
    %isFirst = arith.cmpi slt, %i, %two : tensor<i32>
    %out = arith.ori %isThird, %isFirst : tensor<i1>
    %outs = mp.broadcast %out : tensor<i1> to tensor<4xi1>
    %e = arith.select %outs, %lowest, %c : tensor<4xi1>, tensor<4xf32>
    mp.yield %e, %hj : tensor<4xf32>, tensor<4x8xf32>
  }
  %o = mp.aggregate %g softmax(%s) %v : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  return %o : tensor<?x4x8xf32>
}

// All scores of even nodes are at the lower bound, all of odd ones at the upper.
func.func @bounds(%g: !mp.graph, %h: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?xf32>) {
  %s, %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<f32>, !mp.edges<8xf32> {
    %one = arith.constant dense<1> : tensor<i32>
    %zero = arith.constant dense<0> : tensor<i32>
    %least = arith.constant dense<-20.0> : tensor<f32>
    %most = arith.constant dense<20.0> : tensor<f32>
    %i = mp.position dst : tensor<i32>
    %bit = arith.andi %i, %one : tensor<i32>
    %isEven = arith.cmpi eq, %bit, %zero : tensor<i32>
    %e = arith.select %isEven, %least, %most : tensor<i1>, tensor<f32>
    mp.yield %e, %hj : tensor<f32>, tensor<8xf32>
  }
  %o, %l = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?xf32>)
  return %o, %l : tensor<?x8xf32>, tensor<?xf32>
}

// Cosine attention with a temperature of 1 / 20.
func.func @cosine(%g: !mp.graph, %q: tensor<?x2x8xf32>, %k: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %s, %v = mp.message %g dst(%qi = %q : tensor<?x2x8xf32>) src(%kj = %k : tensor<?x2x8xf32>)
      -> !mp.edges<2xf32>, !mp.edges<2x8xf32> {
    %a = func.call @normalise(%qi) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %b = func.call @normalise(%kj) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %twenty = arith.constant dense<20.0> : tensor<2xf32>
    %d = mp.dot %a, %b : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
    %e = arith.mulf %d, %twenty : tensor<2xf32>
    mp.yield %e, %kj : tensor<2xf32>, tensor<2x8xf32>
  }
  %o = mp.aggregate %g softmax(%s) %v : (!mp.edges<2xf32>, !mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
  return %o : tensor<?x2x8xf32>
}

func.func private @normalise(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %eps = arith.constant dense<1.0e-12> : tensor<2xf32>
  %xx = mp.dot %x, %x : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
  %e = arith.addf %xx, %eps : tensor<2xf32>
  %r = math.rsqrt %e : tensor<2xf32>
  %b = mp.broadcast %r : tensor<2xf32> to tensor<2x8xf32>
  %y = arith.mulf %x, %b : tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

func.func @half(%g: !mp.graph, %h: tensor<?x8xf16>) -> tensor<?x8xf16> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x8xf16>) src(%hj = %h : tensor<?x8xf16>)
      -> !mp.edges<f16>, !mp.edges<8xf16> {
    %d = mp.dot %hi, %hj : (tensor<8xf16>, tensor<8xf16>) -> tensor<f16>
    %e = mp.sigmoid %d : tensor<f16>
    mp.yield %e, %hj : tensor<f16>, tensor<8xf16>
  }
  %o = mp.aggregate %g softmax(%s) %v : (!mp.edges<f16>, !mp.edges<8xf16>) -> tensor<?x8xf16>
  return %o : tensor<?x8xf16>
}

// s_ij = 2 (a . h_i + b . h_j) - c_i, with c_i infinite for some nodes.
func.func @terms_complete(%g: !mp.graph<complete>, %h: tensor<?x8xf32>, %a: tensor<8xf32>, %b: tensor<8xf32>)
    -> tensor<?x8xf32> {
  %s, %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<f32>, !mp.edges<8xf32> {
    %two = arith.constant dense<2.0> : tensor<f32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %inf = arith.constant dense<0x7F800000> : tensor<f32>
    %ai = mp.dot %a, %hi : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %bj = mp.dot %b, %hj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %isNegative = arith.cmpf olt, %ai, %zero : tensor<f32>
    %c = arith.select %isNegative, %inf, %ai : tensor<i1>, tensor<f32>
    %ab = arith.addf %ai, %bj : tensor<f32>
    %m = arith.mulf %two, %ab : tensor<f32>
    %e = arith.subf %m, %c : tensor<f32>
    mp.yield %e, %hj : tensor<f32>, tensor<8xf32>
  }
  %o = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %o : tensor<?x8xf32>
}

// Nodes of which no edge has a weight get 0, the others infinity.
func.func @terms_infinite(%g: !mp.graph<complete>, %x: tensor<?x8xf32>, %a: tensor<?xf32>, %b: tensor<?xf32>)
    -> tensor<?x8xf32> {
  %s, %v = mp.message %g : !mp.graph<complete> dst(%ai = %a : tensor<?xf32>)
      src(%xj = %x : tensor<?x8xf32>, %bj = %b : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<8xf32> {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %lowest = arith.constant dense<0xFF800000> : tensor<f32>
    %ones = arith.constant dense<1.0> : tensor<8xf32>
    %isNegative = arith.cmpf olt, %ai, %zero : tensor<f32>
    %c = arith.select %isNegative, %lowest, %ai : tensor<i1>, tensor<f32>
    %e = arith.addf %c, %bj : tensor<f32>
    %r = mp.relu %xj : tensor<8xf32>
    %q = arith.divf %ones, %r : tensor<8xf32>
    mp.yield %e, %q : tensor<f32>, tensor<8xf32>
  }
  %o = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %o : tensor<?x8xf32>
}

// Two heads, and values that are scaled at both ends.
func.func @terms_bipartite(%g: !mp.graph<bipartite>, %q: tensor<?x2xf32>, %k: tensor<?x2xf32>, %x: tensor<?x2x4xf32>)
    -> tensor<?x2x4xf32> {
  %s, %v = mp.message %g : !mp.graph<bipartite> dst(%qi = %q : tensor<?x2xf32>)
      src(%kj = %k : tensor<?x2xf32>, %xj = %x : tensor<?x2x4xf32>) -> !mp.edges<2xf32>, !mp.edges<2x4xf32> {
    %d = arith.subf %qi, %kj : tensor<2xf32>
    %qs = mp.broadcast %qi : tensor<2xf32> to tensor<2x4xf32>
    %w = arith.mulf %qs, %xj : tensor<2x4xf32>
    mp.yield %d, %w : tensor<2xf32>, tensor<2x4xf32>
  }
  %o = mp.aggregate %g : !mp.graph<bipartite> softmax(%s) %v
      : (!mp.edges<2xf32>, !mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
  return %o : tensor<?x2x4xf32>
}

func.func @merged(%g: !mp.graph, %h: tensor<?x8xf32>, %x: tensor<?x3xf32>) -> (tensor<?x8xf32>, tensor<?x3xf32>) {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<f32>, !mp.edges<8xf32> {
    %d = mp.dot %hi, %hj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %d, %hj : tensor<f32>, tensor<8xf32>
  }
  %t, %w, %unused = mp.message %g dst(%hi = %h : tensor<?x8xf32>, %xi = %x : tensor<?x3xf32>)
      src(%hj = %h : tensor<?x8xf32>, %xj = %x : tensor<?x3xf32>)
      -> !mp.edges<f32>, !mp.edges<3xf32>, !mp.edges<3xf32> {
    %d = mp.dot %hi, %hj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %r = arith.subf %xj, %xi : tensor<3xf32>
    %e = math.exp %r : tensor<3xf32>
    mp.yield %d, %r, %e : tensor<f32>, tensor<3xf32>, tensor<3xf32>
  }
  %a = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  %b:2 = mp.aggregate %g softmax(%t) %w, %unused
      : (!mp.edges<f32>, !mp.edges<3xf32>, !mp.edges<3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  return %a, %b#0 : tensor<?x8xf32>, tensor<?x3xf32>
}
