// mp-share-aggregations: aggregations over known graphs that are taken apart, and
// those that stay.

// RUN: clique-opt %s -mp-share-aggregations | FileCheck %s
// RUN: clique-run %s --entry=products --graph=complete:41 --verify
// RUN: clique-opt %s -mp-share-aggregations --remarks-filter=structure --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// One row for all; where there is no source there is no sum either.
// CHECK-LABEL: func @everyone
// CHECK-SAME: %[[G:[a-z0-9]*]]: !mp.graph<complete>, %[[H:[a-z0-9]*]]: tensor<?x8xf32>
// CHECK: %[[NDST:.*]] = mp.num_dst %[[G]]
// CHECK: %[[NSRC:.*]] = mp.num_src %[[G]]
// CHECK: %[[ONE:.*]] = arith.minsi %{{.*}}, %[[NSRC]]
// CHECK: %[[ONCE:.*]] = mp.bipartite %[[ONE]], %[[NSRC]]
// CHECK: %[[ALL:.*]] = mp.bipartite %[[NDST]], %[[ONE]]
// CHECK: %[[M:.*]] = mp.message %[[ONCE]] : !mp.graph<bipartite> src(%{{.*}} = %[[H]]
// CHECK: %[[T:.*]] = mp.aggregate %[[ONCE]] : !mp.graph<bipartite> mean %[[M]]
// CHECK: %[[C:.*]] = mp.message %[[ALL]] : !mp.graph<bipartite> src(%{{.*}} = %[[T]]
// CHECK: %[[S:.*]] = mp.aggregate %[[ALL]] : !mp.graph<bipartite> max %[[C]]
// CHECK: return %[[S]]
// REMARK: mean over !mp.graph<complete> is one for all nodes, and a copy for each: 8 elements are gathered and added per node in place of per edge
func.func @everyone(%g: !mp.graph<complete>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  %s = mp.aggregate %g : !mp.graph<complete> mean %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// The destination's factor and divisor are applied to the sum, unless that is of
// no edges.
// CHECK-LABEL: func @weighted
// CHECK-SAME: %{{[a-z0-9]*}}: !mp.graph<bipartite>, %[[H:[a-z0-9]*]]: tensor<?xf32>, %[[C:[a-z0-9]*]]: tensor<?xf32>
// CHECK: %[[N:.*]] = mp.update (%[[X:.*]] = %[[H]] : tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[E]]
// CHECK-NEXT: mp.yield %[[NEG]]
// CHECK: mp.aggregate {{.*}} sum
// CHECK: %[[S:.*]] = mp.aggregate {{.*}} max
// CHECK: %[[DEG:.*]] = mp.degree
// CHECK: mp.update (%[[SI:.*]] = %[[S]] : tensor<?xf32>, %[[D:.*]] = %[[DEG]] : tensor<?xf32>, %[[CI:.*]] = %[[C]] : tensor<?xf32>)
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[CI]], %[[SI]]
// CHECK-NEXT: %[[Q:.*]] = arith.divf %[[P]], %[[CI]]
// CHECK: %[[SOME:.*]] = arith.cmpf ogt, %[[D]], %{{.*}}
// CHECK-NEXT: %[[R:.*]] = arith.select %[[SOME]], %[[Q]], %{{.*}}
// CHECK-NEXT: mp.yield %[[R]]
func.func @weighted(%g: !mp.graph<bipartite>, %h: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %m = mp.message %g : !mp.graph<bipartite> dst(%ci = %c : tensor<?xf32>) src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %e = math.exp %hj : tensor<f32>
    %x = arith.mulf %ci, %e : tensor<f32>
    %q = arith.divf %x, %ci : tensor<f32>
    %r = arith.negf %q : tensor<f32>
    mp.yield %r : tensor<f32>
  }
  %s = mp.aggregate %g : !mp.graph<bipartite> sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// A product over the nodes, and a map of each destination for each head.
// CHECK-LABEL: func @linear_attention
// CHECK-SAME: %{{[a-z0-9]*}}: !mp.graph<complete>, %[[Q:[a-z0-9]*]]: tensor<?x2x4xf32>, %[[K:[a-z0-9]*]]: tensor<?x2x4xf32>, %[[V:[a-z0-9]*]]: tensor<?x2x8xf32>
// CHECK: %[[KV:.*]] = linalg.generic {{.*}} ins(%[[K]], %[[V]] : {{.*}}) outs(%{{.*}} : tensor<2x4x8xf32>)
// CHECK: %[[W0:.*]] = tensor.extract_slice %[[KV]][0, 0, 0] [1, 4, 8] {{.*}} to tensor<4x8xf32>
// CHECK: %[[W1:.*]] = tensor.extract_slice %[[KV]][1, 0, 0] [1, 4, 8] {{.*}} to tensor<4x8xf32>
// CHECK: mp.update (%[[QI:.*]] = %[[Q]] : tensor<?x2x4xf32>) -> tensor<?x2x8xf32> {
// CHECK-NEXT: %[[Q0:.*]] = tensor.extract_slice %[[QI]][0, 0] [1, 4]
// CHECK-NEXT: mp.linear %[[Q0]], %[[W0]]
// CHECK-NEXT: %[[Q1:.*]] = tensor.extract_slice %[[QI]][1, 0] [1, 4]
// CHECK-NEXT: mp.linear %[[Q1]], %[[W1]]
// CHECK-NEXT: tensor.concat
// CHECK-NEXT: tensor.expand_shape
// CHECK-NOT: mp.aggregate {{.*}} !mp.graph<complete>
// REMARK: sum over !mp.graph<complete> is one for all nodes, and a copy for each: 16 elements are
func.func @linear_attention(%g: !mp.graph<complete>, %q: tensor<?x2x4xf32>, %k: tensor<?x2x4xf32>, %v: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %m = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x2x4xf32>) src(%kj = %k : tensor<?x2x4xf32>, %vj = %v : tensor<?x2x8xf32>) -> !mp.edges<2x8xf32> {
    %d = mp.dot %qi, %kj : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
    %b = mp.broadcast %d : tensor<2xf32> to tensor<2x8xf32>
    %r = arith.mulf %b, %vj : tensor<2x8xf32>
    mp.yield %r : tensor<2x8xf32>
  }
  %s = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
  return %s : tensor<?x2x8xf32>
}

// A scalar of each: keys of a vector, values of one element.
// CHECK-LABEL: func @scalars
// CHECK: %[[MAP:.*]] = linalg.generic
// CHECK: } -> tensor<4xf32>
// CHECK: mp.linear %{{.*}}, %[[MAP]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
// CHECK-NOT: mp.aggregate
func.func @scalars(%g: !mp.graph<complete>, %q: tensor<?x4xf32>, %k: tensor<?x4xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %m = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x4xf32>)
      src(%kj = %k : tensor<?x4xf32>, %cj = %c : tensor<?xf32>) -> !mp.edges<f32> {
    %d = mp.dot %qi, %kj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %v = arith.mulf %d, %cj : tensor<f32>
    mp.yield %v : tensor<f32>
  }
  %o = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %o : tensor<?xf32>
}

// A scan: within blocks of nodes, within blocks of blocks, over those.
// CHECK-LABEL: func @before
// CHECK-SAME: %{{[a-z0-9]*}}: !mp.graph<causal>, %[[H:[a-z0-9]*]]: tensor<?x8xf32>
// CHECK: %[[OFF:.*]] = tensor.generate
// CHECK: %[[IN:.*]] = mp.cliques %[[OFF]] causal : tensor<?xi64> -> !mp.graph<causal_cliques>
// CHECK: mp.aggregate %[[IN]] : !mp.graph<causal_cliques> sum
// CHECK: %[[SUMS:.*]] = mp.readout %[[OFF]] sum %[[H]]
// CHECK: %[[IN2:.*]] = mp.cliques %{{.*}} causal no_self
// CHECK: %[[OVER:.*]] = mp.causal %{{.*}} no_self
// CHECK: mp.aggregate %[[IN2]] : !mp.graph<causal_cliques, no_self> sum
// CHECK: mp.aggregate %[[OVER]] : !mp.graph<causal, no_self> sum
// CHECK: mp.spread
// CHECK: mp.spread %[[OFF]]
// CHECK: arith.addf
// REMARK: sum over !mp.graph<causal> is one within blocks of nodes, and one of the blocks: 8 elements
func.func @before(%g: !mp.graph<causal>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g : !mp.graph<causal> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  %s = mp.aggregate %g : !mp.graph<causal> sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// A matrix for each head and block; within blocks the message as it is.
// CHECK-LABEL: func @causal_linear_attention
// CHECK: mp.aggregate %{{.*}} : !mp.graph<causal_cliques> sum
// CHECK: %[[P:.*]] = mp.csr
// CHECK: mp.message %[[P]] : !mp.graph<sparse> src(%{{.*}} = %{{.*}} : tensor<?x2x4xf32>, %{{.*}} = %{{.*}} : tensor<?x2x8xf32>) -> !mp.edges<4x8xf32>, !mp.edges<4x8xf32> {
// CHECK: mp.aggregate %[[P]] : !mp.graph<sparse> sum
// CHECK: mp.aggregate %{{.*}} : !mp.graph<causal, no_self> sum
// CHECK: mp.message %{{.*}} : !mp.graph<sparse> dst(%{{.*}} : tensor<?x2x4xf32>) src(%{{.*}} : tensor<?x4x8xf32>, %{{.*}} : tensor<?x4x8xf32>)
// CHECK-COUNT-2: mp.linear
// CHECK: mp.degree
// CHECK: mp.update
// CHECK: arith.addf
// CHECK: arith.divf
func.func @causal_linear_attention(%g: !mp.graph<causal>, %q: tensor<?x2x4xf32>, %k: tensor<?x2x4xf32>, %v: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %m = mp.message %g : !mp.graph<causal> dst(%qi = %q : tensor<?x2x4xf32>) src(%kj = %k : tensor<?x2x4xf32>, %vj = %v : tensor<?x2x8xf32>) -> !mp.edges<2x8xf32> {
    %d = mp.dot %qi, %kj : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
    %b = mp.broadcast %d : tensor<2xf32> to tensor<2x8xf32>
    %r = arith.mulf %b, %vj : tensor<2x8xf32>
    mp.yield %r : tensor<2x8xf32>
  }
  %s = mp.aggregate %g : !mp.graph<causal> mean %m : (!mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
  return %s : tensor<?x2x8xf32>
}

// Others only: a block may hold none, and so may the other blocks.
// CHECK-LABEL: func @others
// CHECK: mp.cliques %{{.*}} no_self : tensor<?xi64> -> !mp.graph<cliques, no_self>
// CHECK: mp.complete %{{.*}} no_self
// CHECK: mp.degree {{.*}} !mp.graph<cliques, no_self>
// CHECK: arith.maximumf
// CHECK: arith.select
// CHECK: arith.select
func.func @others(%g: !mp.graph<complete, no_self>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g : !mp.graph<complete, no_self> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  %s = mp.aggregate %g : !mp.graph<complete, no_self> max %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// CHECK-LABEL: func @batch
// CHECK-SAME: %[[OFF:[a-z0-9]*]]: tensor<?xi64>, %[[H:[a-z0-9]*]]: tensor<?x8xf32>
// CHECK: %[[T:.*]] = mp.readout %[[OFF]] std %[[H]]
// CHECK: %[[S:.*]] = mp.spread %[[OFF]] %[[T]]
// CHECK: return %[[S]]
// REMARK: std over !mp.graph<cliques> is one for each clique, and a copy for each node
func.func @batch(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %g = mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>
  %m = mp.message %g : !mp.graph<cliques> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  %s = mp.aggregate %g : !mp.graph<cliques> std %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// Half precision is summed in f32; the other value of the aggregation, of both
// ends, stays.
// CHECK-LABEL: func @half
// CHECK: mp.aggregate %{{.*}} : !mp.graph<complete> sum %{{.*}} : (!mp.edges<8xf16>) -> tensor<?x8xf16>
// CHECK: arith.extf
// CHECK: mp.aggregate {{.*}} sum {{.*}} -> tensor<?x8xf32>
// CHECK: arith.truncf
func.func @half(%g: !mp.graph<complete>, %h: tensor<?x8xf16>) -> (tensor<?x8xf16>, tensor<?x8xf16>) {
  %m:2 = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x8xf16>) src(%hj = %h : tensor<?x8xf16>) -> !mp.edges<8xf16>, !mp.edges<8xf16> {
    %p = arith.mulf %hi, %hj : tensor<8xf16>
    mp.yield %hj, %p : tensor<8xf16>, tensor<8xf16>
  }
  %s:2 = mp.aggregate %g : !mp.graph<complete> sum %m#0, %m#1 : (!mp.edges<8xf16>, !mp.edges<8xf16>) -> (tensor<?x8xf16>, tensor<?x8xf16>)
  return %s#0, %s#1 : tensor<?x8xf16>, tensor<?x8xf16>
}

// Taken apart, a difference of nearly equal numbers would lose its digits; the
// sign of a factor decides which product is the largest; the position of a
// source is no feature.
// CHECK-LABEL: func @stay
// CHECK-COUNT-3: mp.aggregate %{{.*}} : !mp.graph<complete>
// CHECK-NOT: mp.aggregate
func.func @stay(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %m:3 = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?xf32>) src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32> {
    %d = arith.subf %hj, %hi : tensor<f32>
    %p = arith.mulf %hj, %hi : tensor<f32>
    %j = mp.position src : tensor<i32>
    %f = arith.sitofp %j : tensor<i32> to tensor<f32>
    %x = arith.mulf %f, %hj : tensor<f32>
    mp.yield %d, %p, %x : tensor<f32>, tensor<f32>, tensor<f32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> mean %m#0 : (!mp.edges<f32>) -> tensor<?xf32>
  %b = mp.aggregate %g : !mp.graph<complete> max %m#1 : (!mp.edges<f32>) -> tensor<?xf32>
  %c = mp.aggregate %g : !mp.graph<complete> sum %m#2 : (!mp.edges<f32>) -> tensor<?xf32>
  return %a, %b, %c : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Nothing is known of the graph, or nothing that helps.
// CHECK-LABEL: func @unknown
// CHECK: mp.aggregate %{{.*}} sum
// CHECK: mp.aggregate %{{.*}} : !mp.graph<window, 2> sum
// CHECK: mp.aggregate %{{.*}} : !mp.graph<cliques> sum
// CHECK-NOT: mp.aggregate
func.func @unknown(%g: !mp.graph, %w: !mp.graph<window, 2>, %c: !mp.graph<cliques>, %h: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %m = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %a = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  %n = mp.message %w : !mp.graph<window, 2> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %b = mp.aggregate %w : !mp.graph<window, 2> sum %n : (!mp.edges<f32>) -> tensor<?xf32>
  %o = mp.message %c : !mp.graph<cliques> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  %d = mp.aggregate %c : !mp.graph<cliques> sum %o : (!mp.edges<f32>) -> tensor<?xf32>
  return %a, %b, %d : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// A window of 257 nodes is four sums of 64 and a node: 64 are eight sums of
// eight. Half precision stays, narrow windows, and extrema
// where a node may have no source.
// CHECK-LABEL: func @windows
// CHECK-SAME: %[[G:[a-z0-9]*]]: !mp.graph<window, 128>
// CHECK: linalg.fill
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[128, 0] [%{{.*}}, 4] [1, 1]
// CHECK: dense<256> : tensor<1xindex>
// CHECK: mp.aggregate %{{.*}} : !mp.graph<sparse> sum
// CHECK: dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xindex>
// CHECK: mp.aggregate %{{.*}} : !mp.graph<sparse> sum
// CHECK: dense<[0, 8, 16, 24, 32, 40, 48, 56]> : tensor<8xindex>
// CHECK: mp.aggregate %{{.*}} : !mp.graph<sparse> sum
// CHECK: dense<[0, 64, 128, 192]> : tensor<4xindex>
// CHECK: mp.aggregate %{{.*}} : !mp.graph<sparse> sum
// CHECK-NOT: !mp.graph<sparse> sum
// CHECK: mp.update
// CHECK: mp.aggregate %{{.*}} : !mp.graph<window, 128> sum %{{.*}} : (!mp.edges<f16>)
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: linalg.fill
// CHECK-COUNT-4: mp.aggregate %{{.*}} : !mp.graph<sparse> max
// CHECK: arith.maximumf
// CHECK: mp.aggregate %{{.*}} : !mp.graph<window, 128, no_self> max
// CHECK: mp.aggregate %{{.*}} : !mp.graph<window, 127> sum
// REMARK: mean over !mp.graph<window, 128> is made of those of neighbouring nodes, which windows have in common: 4 elements
// REMARK: max over !mp.graph<window, 128> is made of those of neighbouring nodes
func.func @windows(%g: !mp.graph<window, 128>, %others: !mp.graph<window, 128, no_self>, %narrow: !mp.graph<window, 127>, %h: tensor<?x4xf32>, %k: tensor<?xf16>)
    -> (tensor<?x4xf32>, tensor<?xf16>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %m:2 = mp.message %g : !mp.graph<window, 128> src(%hj = %h : tensor<?x4xf32>, %kj = %k : tensor<?xf16>) -> !mp.edges<4xf32>, !mp.edges<f16> {
    mp.yield %hj, %kj : tensor<4xf32>, tensor<f16>
  }
  %a = mp.aggregate %g : !mp.graph<window, 128> mean %m#0 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %b = mp.aggregate %g : !mp.graph<window, 128> sum %m#1 : (!mp.edges<f16>) -> tensor<?xf16>
  %c = mp.aggregate %g : !mp.graph<window, 128> max %m#0 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %o = mp.message %others : !mp.graph<window, 128, no_self> src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %hj : tensor<4xf32>
  }
  %e = mp.aggregate %others : !mp.graph<window, 128, no_self> max %o : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %n = mp.message %narrow : !mp.graph<window, 127> src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %hj : tensor<4xf32>
  }
  %d = mp.aggregate %narrow : !mp.graph<window, 127> sum %n : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %a, %b, %c, %d, %e : tensor<?x4xf32>, tensor<?xf16>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

// Factors of one end are multiplied with each other; a quotient by sources and the sign go to
// the sources, or to the keys; a broadcast is one of each factor.
// CHECK-LABEL: func @products
// CHECK-NOT: mp.aggregate %{{.*}} : !mp.graph<complete>
// CHECK: arith.mulf %[[X:.*]], %[[X]] : tensor<f32>
// CHECK-NOT: mp.aggregate %{{.*}} : !mp.graph<complete>
// CHECK: return
func.func @products(%g: !mp.graph<complete>, %c: tensor<?xf32>, %h: tensor<?xf32>, %q: tensor<?x4xf32>, %k: tensor<?x4xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x4xf32>) {
  %m:4 = mp.message %g : !mp.graph<complete> dst(%ci = %c : tensor<?xf32>, %qi = %q : tensor<?x4xf32>)
      src(%hj = %h : tensor<?xf32>, %kj = %k : tensor<?x4xf32>)
      -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32>, !mp.edges<4xf32> {
    %x = arith.mulf %ci, %hj : tensor<f32>
    %square = arith.mulf %x, %x : tensor<f32>
    %e = math.exp %hj : tensor<f32>
    %part = arith.divf %x, %e : tensor<f32>
    %d = mp.dot %kj, %qi : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %less = arith.negf %d : tensor<f32>
    %f = math.exp %ci : tensor<f32>
    %y = arith.divf %x, %f : tensor<f32>
    %all = mp.broadcast %y : tensor<f32> to tensor<4xf32>
    mp.yield %square, %part, %less, %all : tensor<f32>, tensor<f32>, tensor<f32>, tensor<4xf32>
  }
  %a0 = mp.aggregate %g : !mp.graph<complete> sum %m#0 : (!mp.edges<f32>) -> tensor<?xf32>
  %a1 = mp.aggregate %g : !mp.graph<complete> sum %m#1 : (!mp.edges<f32>) -> tensor<?xf32>
  %a2 = mp.aggregate %g : !mp.graph<complete> sum %m#2 : (!mp.edges<f32>) -> tensor<?xf32>
  %a3 = mp.aggregate %g : !mp.graph<complete> sum %m#3 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %a0, %a1, %a2, %a3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x4xf32>
}

// What depends on both ends in another way stays: in a product, above and below a line, negated,
// in an inner product, broadcast, read of the edge; a second divisor stays too.
// CHECK-LABEL: func @no_products
// CHECK-COUNT-9: mp.aggregate %{{.*}} : !mp.graph<complete> sum
// CHECK: return
func.func @no_products(%g: !mp.graph<complete>, %c: tensor<?xf32>, %h: tensor<?xf32>, %q: tensor<?x4xf32>, %k: tensor<?x4xf32>, %e: !mp.edges<f32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %m:9 = mp.message %g : !mp.graph<complete> dst(%ci = %c : tensor<?xf32>, %qi = %q : tensor<?x4xf32>)
      src(%hj = %h : tensor<?xf32>, %kj = %k : tensor<?x4xf32>)
      edge(%eij = %e : !mp.edges<f32>)
      -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32>, !mp.edges<4xf32>, !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32> {
    %sum = arith.addf %ci, %hj : tensor<f32>
    %t = math.tanh %sum : tensor<f32>
    %p0 = arith.mulf %t, %hj : tensor<f32>
    %p1 = arith.divf %t, %hj : tensor<f32>
    %p2 = arith.divf %hj, %t : tensor<f32>
    %p3 = arith.negf %t : tensor<f32>
    %both = arith.addf %qi, %kj : tensor<4xf32>
    %p4 = mp.dot %both, %qi : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %p5 = mp.broadcast %t : tensor<f32> to tensor<4xf32>
    %x = arith.mulf %ci, %hj : tensor<f32>
    %f = math.exp %ci : tensor<f32>
    %one = arith.divf %x, %f : tensor<f32>
    %p6 = arith.divf %one, %f : tensor<f32>
    %p7 = arith.mulf %one, %one : tensor<f32>
    mp.yield %p0, %p1, %p2, %p3, %p4, %p5, %p6, %p7, %eij : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  %a0 = mp.aggregate %g : !mp.graph<complete> sum %m#0 : (!mp.edges<f32>) -> tensor<?xf32>
  %a1 = mp.aggregate %g : !mp.graph<complete> sum %m#1 : (!mp.edges<f32>) -> tensor<?xf32>
  %a2 = mp.aggregate %g : !mp.graph<complete> sum %m#2 : (!mp.edges<f32>) -> tensor<?xf32>
  %a3 = mp.aggregate %g : !mp.graph<complete> sum %m#3 : (!mp.edges<f32>) -> tensor<?xf32>
  %a4 = mp.aggregate %g : !mp.graph<complete> sum %m#4 : (!mp.edges<f32>) -> tensor<?xf32>
  %a5 = mp.aggregate %g : !mp.graph<complete> sum %m#5 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %a6 = mp.aggregate %g : !mp.graph<complete> sum %m#6 : (!mp.edges<f32>) -> tensor<?xf32>
  %a7 = mp.aggregate %g : !mp.graph<complete> sum %m#7 : (!mp.edges<f32>) -> tensor<?xf32>
  %a8 = mp.aggregate %g : !mp.graph<complete> sum %m#8 : (!mp.edges<f32>) -> tensor<?xf32>
  return %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// What a softmax without values divides by, in half precision too, on cliques as well.
// CHECK-LABEL: func @log_sum_exp
// CHECK: %[[ONCE:.*]] = mp.bipartite
// CHECK: %[[T:.*]]:2 = mp.aggregate %[[ONCE]] : !mp.graph<bipartite> softmax(%{{.*}}) : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
// CHECK: mp.aggregate %{{.*}} : !mp.graph<bipartite> max %{{.*}}, %{{.*}} : (!mp.edges<8xf32>, !mp.edges<8xf32>)
// CHECK: mp.aggregate %{{.*}} : !mp.graph<sparse> softmax(%{{.*}}) : (!mp.edges<f32>) -> tensor<?xf32>
// CHECK: mp.spread
// CHECK: arith.truncf
// REMARK: softmax over !mp.graph<complete> is one for all nodes, and a copy for each: 8 elements
// REMARK: softmax over !mp.graph<cliques> is one for each clique, and a copy for each node: 1 elements
func.func @log_sum_exp(%g: !mp.graph<complete>, %offsets: tensor<?xi64>, %h: tensor<?x8xf32>, %k: tensor<?xbf16>)
    -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xbf16>) {
  %m = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  %a, %b = mp.aggregate %g : !mp.graph<complete> softmax(%m) : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
  %c = mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>
  %n = mp.message %c : !mp.graph<cliques> src(%kj = %k : tensor<?xbf16>) -> !mp.edges<bf16> {
    mp.yield %kj : tensor<bf16>
  }
  %d = mp.aggregate %c : !mp.graph<cliques> softmax(%n) : (!mp.edges<bf16>) -> tensor<?xbf16>
  return %a, %b, %d : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xbf16>
}
