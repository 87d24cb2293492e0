// mp-hoist-endpoints: what leaves the edge, and what does not.

// RUN: clique-opt %s -mp-hoist-endpoints | FileCheck %s
// RUN: clique-opt %s -mp-hoist-endpoints --remarks-filter=algebra --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Query, key and value are computed per node, in one update over the same nodes.
// CHECK-LABEL: func @attention
// CHECK-SAME: %[[H:[a-z0-9]*]]: tensor<?x8xf32>, %[[WQ:[a-z0-9]*]]: tensor<8x4xf32>, %[[WK:[a-z0-9]*]]: tensor<8x4xf32>
// CHECK: %[[QK:.*]]:2 = mp.update (%[[X:.*]] = %[[H]] : tensor<?x8xf32>) -> tensor<?x4xf32>, tensor<?x4xf32> {
// CHECK-DAG: %[[Q:.*]] = mp.linear %[[X]], %[[WQ]]
// CHECK-DAG: %[[K:.*]] = mp.linear %[[X]], %[[WK]]
// CHECK: mp.yield %[[Q]], %[[K]]
// CHECK: mp.message %{{.*}} dst(%[[QI:.*]] = %[[QK]]#0 : tensor<?x4xf32>) src(%[[KJ:.*]] = %[[QK]]#1 : tensor<?x4xf32>) -> !mp.edges<f32> {
// CHECK-NEXT: mp.dot %[[QI]], %[[KJ]]
// CHECK-NEXT: mp.yield
// REMARK: mp.linear 8 -> 4 moved from edges to nodes (dst), saves 64 flops per edge
// REMARK: mp.linear 8 -> 4 moved from edges to nodes (src), saves 64 flops per edge
func.func @attention(%g: !mp.graph, %h: tensor<?x8xf32>, %wq: tensor<8x4xf32>,
                     %wk: tensor<8x4xf32>) -> !mp.edges<f32> {
  %s = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<f32> {
    %q = mp.linear %hi, %wq : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %k = mp.linear %hj, %wk : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %d = mp.dot %q, %k : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    mp.yield %d : tensor<f32>
  }
  return %s : !mp.edges<f32>
}

// W h_i and W h_j are one product, and one result.
// CHECK-LABEL: func @same_product
// CHECK: %[[Z:.*]] = mp.update ({{.*}}) -> tensor<?x4xf32> {
// CHECK: mp.linear
// CHECK-NOT: mp.linear
// CHECK: mp.message %{{.*}} dst(%{{.*}} = %[[Z]] : tensor<?x4xf32>) src(%{{.*}} = %[[Z]] : tensor<?x4xf32>)
func.func @same_product(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> !mp.edges<4xf32> {
  %s = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<4xf32> {
    %q = mp.linear %hi, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %k = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %d = arith.mulf %q, %k : tensor<4xf32>
    mp.yield %d : tensor<4xf32>
  }
  return %s : !mp.edges<4xf32>
}

// Destinations and sources that differ have an update each.
// CHECK-LABEL: func @bipartite
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x8xf32>, %[[Y:[a-z0-9]*]]: tensor<?x8xf32>
// CHECK: mp.update (%{{.*}} = %[[X]] : tensor<?x8xf32>) -> tensor<?x4xf32> {
// CHECK: mp.update (%{{.*}} = %[[Y]] : tensor<?x8xf32>) -> tensor<?x4xf32> {
func.func @bipartite(%g: !mp.graph, %x: tensor<?x8xf32>, %y: tensor<?x8xf32>,
                     %w: tensor<8x4xf32>) -> !mp.edges<4xf32> {
  %s = mp.message %g dst(%hi = %x : tensor<?x8xf32>) src(%hj = %y : tensor<?x8xf32>)
      -> !mp.edges<4xf32> {
    %q = mp.linear %hi, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %k = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %d = arith.mulf %q, %k : tensor<4xf32>
    mp.yield %d : tensor<4xf32>
  }
  return %s : !mp.edges<4xf32>
}

// a . [W x_i || W x_j] is a number per node, twice, and an addition.
// CHECK-LABEL: func @dot_of_concat
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<8xf32>)
// CHECK: %[[A1:.*]] = tensor.extract_slice %[[A]][0] [4] [1]
// CHECK: %[[A2:.*]] = tensor.extract_slice %[[A]][4] [4] [1]
// CHECK: %[[N:.*]]:2 = mp.update
// CHECK-COUNT-1: mp.linear
// CHECK-NOT: mp.linear
// CHECK: mp.message %{{.*}} dst(%[[SI:.*]] = %[[N]]#0 : tensor<?xf32>) src(%[[SJ:.*]] = %[[N]]#1 : tensor<?xf32>) -> !mp.edges<f32> {
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[SI]], %[[SJ]]
// CHECK-NEXT: mp.yield %[[S]]
// REMARK: mp.dot of a concatenation taken apart, one per endpoint
func.func @dot_of_concat(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x4xf32>,
                         %a: tensor<8xf32>) -> !mp.edges<f32> {
  %s = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<f32> {
    %zi = mp.linear %hi, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %zj = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %zz = tensor.concat dim(0) %zi, %zj : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %d = mp.dot %a, %zz : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %d : tensor<f32>
  }
  return %s : !mp.edges<f32>
}

// EdgeConv: W [h_i || h_j - h_i] + b is two maps per node; the bias counts once.
// CHECK-LABEL: func @edgeconv
// CHECK-SAME: %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK: %[[W1:.*]] = tensor.extract_slice %{{.*}}[0, 0] [8, 4] [1, 1]
// CHECK: %[[W2:.*]] = tensor.extract_slice %{{.*}}[8, 0] [8, 4] [1, 1]
// CHECK: mp.update
// CHECK-NEXT: mp.linear %{{.*}}, %[[W1]] bias %[[B]]
// CHECK-NEXT: mp.linear %{{.*}}, %[[W2]] :
// CHECK-NEXT: mp.yield
// CHECK: mp.message
// CHECK-NOT: mp.linear
// CHECK: return
// REMARK: mp.linear of a concatenation taken apart
// REMARK: mp.linear of a difference taken apart
func.func @edgeconv(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<16x4xf32>,
                    %b: tensor<4xf32>) -> !mp.edges<4xf32> {
  %s = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<4xf32> {
    %d = arith.subf %hj, %hi : tensor<8xf32>
    %x = tensor.concat dim(0) %hi, %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %y = mp.linear %x, %w bias %b : (tensor<16xf32>, tensor<16x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r = mp.relu %y : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }
  return %s : !mp.edges<4xf32>
}

// In half precision the maps of a difference are computed and stored in f32: what is left of
// rounded ones, where both ends are nearly equal, is rounding.
// CHECK-LABEL: func @half_difference
// CHECK-SAME: %[[W:[a-z0-9]*]]: tensor<8x4xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[W]] : tensor<8x4xbf16> to tensor<8x4xf32>
// CHECK: %[[N:.*]] = mp.update (%[[X:.*]] = %{{.*}} : tensor<?x8xbf16>) -> tensor<?x4xf32> {
// CHECK-NEXT: %[[E:.*]] = arith.extf %[[X]]
// CHECK-NEXT: %[[P:.*]] = mp.linear %[[E]], %[[WIDE]] : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: mp.yield %[[P]]
// CHECK: mp.message %{{.*}} dst(%[[I:.*]] = %[[N]] : tensor<?x4xf32>) src(%[[J:.*]] = %[[N]] : tensor<?x4xf32>)
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[J]], %[[I]]
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[D]]
// CHECK-NEXT: mp.yield %[[R]]
// REMARK: mp.linear of a difference taken apart
func.func @half_difference(%g: !mp.graph, %h: tensor<?x8xbf16>, %w: tensor<8x4xbf16>) -> !mp.edges<4xbf16> {
  %s = mp.message %g dst(%hi = %h : tensor<?x8xbf16>) src(%hj = %h : tensor<?x8xbf16>)
      -> !mp.edges<4xbf16> {
    %d = arith.subf %hj, %hi : tensor<8xbf16>
    %y = mp.linear %d, %w : (tensor<8xbf16>, tensor<8x4xbf16>) -> tensor<4xbf16>
    mp.yield %y : tensor<4xbf16>
  }
  return %s : !mp.edges<4xbf16>
}

// A bias of another end than the map is a sum behind it: both leave the edge.
// CHECK-LABEL: func @bias_of_another_end
// CHECK: mp.update
// CHECK-NEXT: %[[P:.*]] = mp.linear %{{.*}}, %{{.*}} : (
// CHECK-NEXT: %[[Q:.*]] = mp.linear %{{.*}}, %{{.*}} : (
// CHECK-NEXT: mp.yield
// CHECK: mp.message %{{.*}} dst(%[[Y:.*]] = %{{.*}} : tensor<?x4xf32>) src(%[[K:.*]] = %{{.*}} : tensor<?x4xf32>)
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[Y]], %[[K]]
// CHECK-NEXT: mp.yield %[[S]]
// REMARK: mp.linear of one end with a bias of another taken apart
func.func @bias_of_another_end(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x4xf32>,
                               %u: tensor<8x4xf32>) -> !mp.edges<4xf32> {
  %s = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<4xf32> {
    %k = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %y = mp.linear %hi, %u bias %k : (tensor<8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    mp.yield %y : tensor<4xf32>
  }
  return %s : !mp.edges<4xf32>
}

// The part of the edge stays with the edge.
// CHECK-LABEL: func @edge_part
// CHECK: mp.update
// CHECK: mp.linear
// CHECK: mp.message %{{.*}} src(%{{.*}} edge(%[[E:.*]] = %{{.*}} : !mp.edges<2xf32>)
// CHECK: mp.linear %[[E]]
// CHECK-NOT: mp.linear
// CHECK: return
func.func @edge_part(%g: !mp.graph, %h: tensor<?x8xf32>, %e: !mp.edges<2xf32>,
                     %w: tensor<10x4xf32>) -> !mp.edges<4xf32> {
  %s = mp.message %g src(%hj = %h : tensor<?x8xf32>) edge(%eij = %e : !mp.edges<2xf32>)
      -> !mp.edges<4xf32> {
    %x = tensor.concat dim(0) %hj, %eij : (tensor<8xf32>, tensor<2xf32>) -> tensor<10xf32>
    %y = mp.linear %x, %w : (tensor<10xf32>, tensor<10x4xf32>) -> tensor<4xf32>
    mp.yield %y : tensor<4xf32>
  }
  return %s : !mp.edges<4xf32>
}

// A sum with the edge's own part is not taken apart: it would be twice the work.
// CHECK-LABEL: func @sum_with_edge
// CHECK-NOT: mp.update
// CHECK: mp.message
// CHECK: arith.addf
// CHECK: mp.linear
// CHECK-NOT: mp.linear
// CHECK: return
func.func @sum_with_edge(%g: !mp.graph, %h: tensor<?x8xf32>, %e: !mp.edges<8xf32>,
                         %w: tensor<8x4xf32>) -> !mp.edges<4xf32> {
  %s = mp.message %g src(%hj = %h : tensor<?x8xf32>) edge(%eij = %e : !mp.edges<8xf32>)
      -> !mp.edges<4xf32> {
    %x = arith.addf %hj, %eij : tensor<8xf32>
    %y = mp.linear %x, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    mp.yield %y : tensor<4xf32>
  }
  return %s : !mp.edges<4xf32>
}

// Weights of each edge's own are no linear map of its nodes.
// CHECK-LABEL: func @weights_per_edge
// CHECK-NOT: mp.update
// CHECK: mp.lookup
// CHECK-NEXT: mp.linear
func.func @weights_per_edge(%g: !mp.graph, %h: tensor<?x8xf32>, %t: !mp.edges<i32>,
                            %w: tensor<3x8x4xf32>) -> !mp.edges<4xf32> {
  %s = mp.message %g src(%hj = %h : tensor<?x8xf32>) edge(%r = %t : !mp.edges<i32>)
      -> !mp.edges<4xf32> {
    %wr = mp.lookup %w[%r] : tensor<3x8x4xf32>, tensor<i32> -> tensor<8x4xf32>
    %y = mp.linear %hj, %wr : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    mp.yield %y : tensor<4xf32>
  }
  return %s : !mp.edges<4xf32>
}

// A function of the source leaves, its broadcast stays: one number is gathered,
// not eight.
// CHECK-LABEL: func @broadcast_stays
// CHECK: mp.update ({{.*}}) -> tensor<?xf32> {
// CHECK: math.rsqrt
// CHECK: mp.message
// CHECK: mp.broadcast %{{.*}} : tensor<f32> to tensor<8xf32>
func.func @broadcast_stays(%g: !mp.graph, %d: tensor<?xf32>, %e: !mp.edges<8xf32>) -> !mp.edges<8xf32> {
  %s = mp.message %g src(%dj = %d : tensor<?xf32>) edge(%eij = %e : !mp.edges<8xf32>)
      -> !mp.edges<8xf32> {
    %r = math.rsqrt %dj : tensor<f32>
    %b = mp.broadcast %r : tensor<f32> to tensor<8xf32>
    %y = arith.mulf %b, %eij : tensor<8xf32>
    mp.yield %y : tensor<8xf32>
  }
  return %s : !mp.edges<8xf32>
}

// Nothing but broadcasts and reshapes: nothing to save.
// CHECK-LABEL: func @only_broadcast
// CHECK-NOT: mp.update
func.func @only_broadcast(%g: !mp.graph, %d: tensor<?xf32>) -> !mp.edges<8xf32> {
  %s = mp.message %g src(%dj = %d : tensor<?xf32>) -> !mp.edges<8xf32> {
    %b = mp.broadcast %dj : tensor<f32> to tensor<8xf32>
    mp.yield %b : tensor<8xf32>
  }
  return %s : !mp.edges<8xf32>
}

// Cheap arithmetic of the source leaves if no more is gathered ...
// CHECK-LABEL: func @cheap_source
// CHECK: mp.update
// CHECK: arith.mulf
// CHECK: mp.message
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @cheap_source(%g: !mp.graph, %h: tensor<?x8xf32>, %c: tensor<8xf32>) -> !mp.edges<8xf32> {
  %s = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    %y = arith.mulf %hj, %c : tensor<8xf32>
    mp.yield %y : tensor<8xf32>
  }
  return %s : !mp.edges<8xf32>
}

// ... but not if the plain feature is needed too, or if the result is larger; that
// of the destination is done once per row as it is.
// CHECK-LABEL: func @cheap_stays
// CHECK-NOT: mp.update
// CHECK: return
func.func @cheap_stays(%g: !mp.graph, %h: tensor<?x8xf32>, %d: tensor<?xf32>, %c: tensor<8xf32>)
    -> (!mp.edges<8xf32>, !mp.edges<8xf32>, !mp.edges<8xf32>, !mp.edges<8xf32>) {
  %0:4 = mp.message %g dst(%hi = %h : tensor<?x8xf32>)
      src(%hj = %h : tensor<?x8xf32>, %dj = %d : tensor<?xf32>)
      -> !mp.edges<8xf32>, !mp.edges<8xf32>, !mp.edges<8xf32>, !mp.edges<8xf32> {
    %x = arith.mulf %hj, %c : tensor<8xf32>
    %b = mp.broadcast %dj : tensor<f32> to tensor<8xf32>
    %y = arith.mulf %b, %c : tensor<8xf32>
    %z = arith.mulf %hi, %c : tensor<8xf32>
    mp.yield %hj, %x, %y, %z : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1, %0#2, %0#3 : !mp.edges<8xf32>, !mp.edges<8xf32>, !mp.edges<8xf32>, !mp.edges<8xf32>
}

// A position has no node feature to be computed from.
// CHECK-LABEL: func @position
// CHECK-NOT: mp.update
func.func @position(%g: !mp.graph) -> !mp.edges<f32> {
  %s = mp.message %g -> !mp.edges<f32> {
    %j = mp.position src : tensor<i32>
    %f = arith.sitofp %j : tensor<i32> to tensor<f32>
    %y = math.exp %f : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  return %s : !mp.edges<f32>
}

// The sources of a part are the nodes of the whole graph: what a loop changes of them
// stays on the edges of the part, what it does not is computed once.
// CHECK-LABEL: func @part_in_loop
// CHECK: scf.for
// CHECK: %[[P:.*]], %{{.*}} = mp.rows
// CHECK: mp.update (%{{.*}} = %[[X:.*]] : tensor<?x4xf32>)
// CHECK-NEXT: mp.linear
// CHECK-NOT: mp.update
// CHECK: mp.message %[[P]]
// CHECK: mp.linear
// CHECK: arith.addf
func.func @part_in_loop(%g: !mp.graph, %x: tensor<?x4xf32>, %w: tensor<4x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<?x4xf32>) {
    %p, %edges = mp.rows %g, %k, %c1 : !mp.graph
    %m = mp.message %p src(%xj = %x : tensor<?x4xf32>, %hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      %a = mp.linear %xj, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
      %b = mp.linear %hj, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
      %t = math.tanh %b : tensor<4xf32>
      %s = arith.addf %a, %t : tensor<4xf32>
      mp.yield %s : tensor<4xf32>
    }
    %new = mp.aggregate %p max %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    %i = tensor.insert_slice %new into %h[%k, 0] [%c1, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    scf.yield %i : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}
