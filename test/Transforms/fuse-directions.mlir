// Kernels of tiles on a graph and on its reverse become one, with sums for destinations and sources.
// RUN: clique-opt %s --mp-fuse-directions --split-input-file | FileCheck %s
// RUN: clique-opt %s --mp-fuse-directions --split-input-file --remarks-filter=fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A head has one owner. The sums of the smaller result, here those for the reverse graph's sources,
// become sums for sources; the parts of a head and the product are there once.
// CHECK-LABEL: func.func @heads(
// CHECK-NOT:     mp.kernel
// CHECK:         %[[K:.*]]:3 = mp.kernel "heads_1" dense heads(8) -> tensor<?x8x4xf32>, tensor<?x8xf32>, tensor<?x8x4xf32>
// CHECK:         ^bb0(%[[HEAD:.*]]: index):
// CHECK:           %[[Q:.*]] = tensor.extract_slice %[[WHOLE_Q:.*]][0, %[[HEAD]], 0]
// CHECK:           %[[P:.*]] = tensor.extract_slice %[[WHOLE_P:.*]][0, %[[HEAD]], 0]
// CHECK-NOT:       tensor.extract_slice
// CHECK:           %[[M:.*]]:3 = mp.message %[[R:.*]] : !mp.graph<complete> dst(%[[PI:.*]] = %[[P]] : tensor<?x4xf32>) src(%[[QJ:.*]] = %[[Q]] : tensor<?x4xf32>)
// CHECK:             %[[S:.*]] = mp.dot %[[QJ]], %[[PI]]
// CHECK-NOT:         mp.dot
// CHECK:             %[[W:.*]] = mp.broadcast %[[S]]
// CHECK:             %[[A:.*]] = arith.mulf %[[W]], %[[QJ]]
// CHECK:             %[[B:.*]] = arith.mulf %[[W]], %[[PI]]
// CHECK:             mp.yield %[[A]], %[[S]], %[[B]]
// CHECK:           %[[T:.*]]:2 = mp.aggregate %[[R]] : !mp.graph<complete> sum %[[M]]#0, %[[M]]#1
// CHECK:           %[[U:.*]] = mp.source_sum %[[R]] : !mp.graph<complete> %[[M]]#2 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
// CHECK:           mp.yield %[[T]]#0, %[[T]]#1, %[[U]]
// CHECK:         %[[AFTER:.*]] = tensor.dim %[[K]]#2
// CHECK:         return %[[K]]#2, %[[K]]#0, %[[K]]#1, %[[AFTER]]
// REMARK: kernels heads_0 and heads_1: one pass over the tiles, with sums for destinations and sources; a thread has a head
func.func @heads(%g: !mp.graph<complete>, %q: tensor<?x8x4xf32>, %p: tensor<?x8x4xf32>)
    -> (tensor<?x8x4xf32>, tensor<?x8x4xf32>, tensor<?x8xf32>, index) {
  %c0 = arith.constant 0 : index
  %r = mp.reverse %g : !mp.graph<complete> -> !mp.graph<complete>
  %nq = tensor.dim %q, %c0 : tensor<?x8x4xf32>
  %np = tensor.dim %p, %c0 : tensor<?x8x4xf32>
  %a = mp.kernel "heads_0" dense heads(8) -> tensor<?x8x4xf32> {
  ^bb0(%head: index):
    %qh = tensor.extract_slice %q[0, %head, 0] [%nq, 1, 4] [1, 1, 1] : tensor<?x8x4xf32> to tensor<?x4xf32>
    %ph = tensor.extract_slice %p[0, %head, 0] [%np, 1, 4] [1, 1, 1] : tensor<?x8x4xf32> to tensor<?x4xf32>
    %m = mp.message %g : !mp.graph<complete> dst(%qi = %qh : tensor<?x4xf32>) src(%pj = %ph : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      %s = mp.dot %qi, %pj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
      %v = arith.mulf %w, %pj : tensor<4xf32>
      mp.yield %v : tensor<4xf32>
    }
    %t = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %t : tensor<?x4xf32>
  }
  // Needs the first kernel, and goes behind.
  %after = tensor.dim %a, %c0 : tensor<?x8x4xf32>
  %nq2 = tensor.dim %q, %c0 : tensor<?x8x4xf32>
  %b:2 = mp.kernel "heads_1" dense heads(8) -> tensor<?x8x4xf32>, tensor<?x8xf32> {
  ^bb0(%head: index):
    %qh = tensor.extract_slice %q[0, %head, 0] [%nq2, 1, 4] [1, 1, 1] : tensor<?x8x4xf32> to tensor<?x4xf32>
    %ph = tensor.extract_slice %p[0, %head, 0] [%np, 1, 4] [1, 1, 1] : tensor<?x8x4xf32> to tensor<?x4xf32>
    %m:2 = mp.message %r : !mp.graph<complete> dst(%pi = %ph : tensor<?x4xf32>) src(%qj = %qh : tensor<?x4xf32>) -> !mp.edges<4xf32>, !mp.edges<f32> {
      %s = mp.dot %qj, %pi : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
      %v = arith.mulf %w, %qj : tensor<4xf32>
      mp.yield %v, %s : tensor<4xf32>, tensor<f32>
    }
    %t:2 = mp.aggregate %r : !mp.graph<complete> sum %m#0, %m#1 : (!mp.edges<4xf32>, !mp.edges<f32>) -> (tensor<?x4xf32>, tensor<?xf32>)
    mp.yield %t#0, %t#1 : tensor<?x4xf32>, tensor<?xf32>
  }
  return %a, %b#0, %b#1, %after : tensor<?x8x4xf32>, tensor<?x8x4xf32>, tensor<?x8xf32>, index
}

// -----

// Without heads the cliques of a batch have owners, if there are enough at run time. Rows are taken for
// both or for none, and the ends of positions are exchanged. What updates the sums for sources is a
// kernel of its own.
// CHECK-LABEL: func.func @batch(
// CHECK:         %[[DENSE:.*]] = mp.choose_dense %[[G:.*]], "batch_0" versions both cost <edge = 30, far_edge = 0, source_bytes = 64, row = 3,
// CHECK-NOT:     mp.choose_dense
// CHECK:         scf.if %[[DENSE]]
// CHECK:           %[[NODES:.*]] = mp.num_dst %[[G]]
// CHECK:           %[[EDGES:.*]] = mp.num_edges %[[G]]
// CHECK:           %[[SIZE:.*]] = arith.divui %[[EDGES]], %{{.*}}
// CHECK:           %[[PARTS:.*]] = arith.divui %[[NODES]], %{{.*}}
// CHECK:           %[[MANY:.*]] = arith.cmpi uge, %[[PARTS]], %c8
// CHECK:           %[[SUMS:.*]]:2 = scf.if %[[MANY]]
// CHECK:             mp.kernel "batch_0" dense
// CHECK:               mp.message %[[G]] : !mp.graph<cliques> dst(%{{.*}} = %[[H:.*]] : tensor<?x4xf32>) src(
// CHECK:                 mp.position dst
// CHECK:                 mp.position src
// CHECK:               mp.source_sum
// CHECK:           } else {
// CHECK:             mp.kernel "batch_0" dense
// CHECK:             mp.kernel "batch_1" dense
// CHECK:           mp.kernel "batch_1_update" nodes
// CHECK:             mp.update (%{{.*}} = %[[SUMS]]#1
// CHECK:         } else {
// CHECK:           mp.kernel "batch_0" sparse
// CHECK:           mp.kernel "batch_1" sparse
// REMARK: kernels batch_0 and batch_1: one pass over the tiles, with sums for destinations and sources; a thread has a part of the batch
func.func @batch(%g: !mp.graph<cliques>, %h: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %r = mp.reverse %g : !mp.graph<cliques> -> !mp.graph<cliques>
  %0 = mp.choose_dense %g, "batch_0" versions both cost <edge = 10, far_edge = 0, source_bytes = 64, row = 1, pair = 1, masked_pair = 1, tile_edge = 0, tile_rows = 8, register_block = 5> : !mp.graph<cliques>
  %a = scf.if %0 -> tensor<?x4xf32> {
    %k = mp.kernel "batch_0" dense -> tensor<?x4xf32> {
      %m = mp.message %g : !mp.graph<cliques> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
        %i = mp.position dst : tensor<i32>
        %x = arith.sitofp %i : tensor<i32> to tensor<f32>
        %sx = arith.mulf %s, %x : tensor<f32>
        %w = mp.broadcast %sx : tensor<f32> to tensor<4xf32>
        %v = arith.mulf %w, %hj : tensor<4xf32>
        mp.yield %v : tensor<4xf32>
      }
      %t = mp.aggregate %g : !mp.graph<cliques> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    scf.yield %k : tensor<?x4xf32>
  } else {
    %k = mp.kernel "batch_0" sparse -> tensor<?x4xf32> {
      %m = mp.message %g : !mp.graph<cliques> src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        mp.yield %hj : tensor<4xf32>
      }
      %t = mp.aggregate %g : !mp.graph<cliques> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    scf.yield %k : tensor<?x4xf32>
  }
  %1 = mp.choose_dense %r, "batch_1" versions both cost <edge = 20, far_edge = 0, source_bytes = 64, row = 2, pair = 1, masked_pair = 1, tile_edge = 0, tile_rows = 8, register_block = 5> : !mp.graph<cliques>
  %b = scf.if %1 -> tensor<?x4xf32> {
    %k = mp.kernel "batch_1" dense -> tensor<?x4xf32> {
      %m = mp.message %r : !mp.graph<cliques> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %s = mp.dot %hj, %hi : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
        %i = mp.position dst : tensor<i32>
        %x = arith.sitofp %i : tensor<i32> to tensor<f32>
        %sx = arith.mulf %s, %x : tensor<f32>
        %w = mp.broadcast %sx : tensor<f32> to tensor<4xf32>
        %v = arith.mulf %w, %hj : tensor<4xf32>
        mp.yield %v : tensor<4xf32>
      }
      %t = mp.aggregate %r : !mp.graph<cliques> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      %u = mp.update (%ti = %t : tensor<?x4xf32>, %hi = %h : tensor<?x4xf32>) -> tensor<?x4xf32> {
        %y = arith.addf %ti, %hi : tensor<4xf32>
        mp.yield %y : tensor<4xf32>
      }
      mp.yield %u : tensor<?x4xf32>
    }
    scf.yield %k : tensor<?x4xf32>
  } else {
    %k = mp.kernel "batch_1" sparse -> tensor<?x4xf32> {
      %m = mp.message %r : !mp.graph<cliques> src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        mp.yield %hj : tensor<4xf32>
      }
      %t = mp.aggregate %r : !mp.graph<cliques> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    scf.yield %k : tensor<?x4xf32>
  }
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// Fewer heads than cores: no.
// CHECK-LABEL: func.func @few_heads(
// CHECK-COUNT-2: mp.kernel
// CHECK-NOT:     mp.source_sum
// REMARK: kernel few_heads_1: both directions stay apart, it has fewer heads than the target has cores
func.func @few_heads(%g: !mp.graph<complete>, %h: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %r = mp.reverse %g : !mp.graph<complete> -> !mp.graph<complete>
  %a = mp.kernel "few_heads_0" dense -> tensor<?x4xf32> {
    %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
      %v = arith.mulf %w, %hj : tensor<4xf32>
      mp.yield %v : tensor<4xf32>
    }
    %t = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %t : tensor<?x4xf32>
  }
  %b = mp.kernel "few_heads_1" dense -> tensor<?x4xf32> {
    %m = mp.message %r : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
      %v = arith.mulf %w, %hj : tensor<4xf32>
      mp.yield %v : tensor<4xf32>
    }
    %t = mp.aggregate %r : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %t : tensor<?x4xf32>
  }
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// Maxima both: no sums.
// CHECK-LABEL: func.func @no_sums(
// CHECK-COUNT-2: mp.kernel
// CHECK-NOT:     mp.source_sum
// REMARK: kernel no_sums_1: both directions stay apart, kernel no_sums_1 aggregates by max, not by sums
module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32, cores = 1>} {
  func.func @no_sums(%g: !mp.graph<complete>, %h: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %r = mp.reverse %g : !mp.graph<complete> -> !mp.graph<complete>
    %a = mp.kernel "no_sums_0" dense -> tensor<?x4xf32> {
      %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
        mp.yield %w : tensor<4xf32>
      }
      %t = mp.aggregate %g : !mp.graph<complete> max %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    %b = mp.kernel "no_sums_1" dense -> tensor<?x4xf32> {
      %m = mp.message %r : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
        mp.yield %w : tensor<4xf32>
      }
      %t = mp.aggregate %r : !mp.graph<complete> max %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
  }
}

// -----

// The second kernel needs the first one's result, by way of an update: no.
// CHECK-LABEL: func.func @dependent(
// CHECK-COUNT-3: mp.kernel
// CHECK-NOT:     mp.source_sum
// REMARK: kernel dependent_2: both directions stay apart, one needs the result of the other
module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32, cores = 1>} {
  func.func @dependent(%g: !mp.graph<complete>, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %r = mp.reverse %g : !mp.graph<complete> -> !mp.graph<complete>
    %a = mp.kernel "dependent_0" dense -> tensor<?x4xf32> {
      %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
        mp.yield %w : tensor<4xf32>
      }
      %t = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    %u = mp.kernel "dependent_1" nodes -> tensor<?x4xf32> {
      %x = mp.update (%ai = %a : tensor<?x4xf32>) -> tensor<?x4xf32> {
        %y = arith.negf %ai : tensor<4xf32>
        mp.yield %y : tensor<4xf32>
      }
      mp.yield %x : tensor<?x4xf32>
    }
    %b = mp.kernel "dependent_2" dense -> tensor<?x4xf32> {
      %m = mp.message %r : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>, %uj = %u : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
        %v = arith.mulf %w, %uj : tensor<4xf32>
        mp.yield %v : tensor<4xf32>
      }
      %t = mp.aggregate %r : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    return %b : tensor<?x4xf32>
  }
}

// -----

// Two graphs of which neither is the other's reverse, and messages without a product in common: no.
// CHECK-LABEL: func.func @other_graph(
// CHECK-COUNT-3: mp.kernel
// CHECK-NOT:     mp.source_sum
// REMARK: kernel nothing_alike_2: both directions stay apart, they compute nothing alike
module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32, cores = 1>} {
  func.func @other_graph(%g: !mp.graph<complete>, %other: !mp.graph<complete>, %h: tensor<?x4xf32>)
      -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
    %r = mp.reverse %other : !mp.graph<complete> -> !mp.graph<complete>
    %a = mp.kernel "other_graph_0" dense -> tensor<?x4xf32> {
      %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
        mp.yield %w : tensor<4xf32>
      }
      %t = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    %b = mp.kernel "other_graph_1" dense -> tensor<?x4xf32> {
      %m = mp.message %r : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
        mp.yield %w : tensor<4xf32>
      }
      %t = mp.aggregate %r : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    %c = mp.kernel "nothing_alike_2" dense -> tensor<?x4xf32> {
      %m = mp.message %other : !mp.graph<complete> src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        mp.yield %hj : tensor<4xf32>
      }
      %t = mp.aggregate %other : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    return %a, %b, %c : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  }
}

// -----

// The first kernel is moved to the last one, with which it has nothing in common, and the second,
// which needs it, behind both: they are looked at in their new order.
// CHECK-LABEL: func.func @moved(
// CHECK:         mp.kernel "moved_0"
// CHECK:         mp.kernel "moved_2"
// CHECK:         mp.kernel "moved_1"
// REMARK: kernel moved_2: both directions stay apart, they compute nothing alike
// REMARK: kernel moved_1: both directions stay apart, they compute nothing alike
module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32, cores = 1>} {
  func.func @moved(%g: !mp.graph<complete>, %h: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %r = mp.reverse %g : !mp.graph<complete> -> !mp.graph<complete>
    %a = mp.kernel "moved_0" dense -> tensor<?x4xf32> {
      %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %w = arith.addf %hi, %hj : tensor<4xf32>
        mp.yield %w : tensor<4xf32>
      }
      %t = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    %b = mp.kernel "moved_1" dense -> tensor<?x4xf32> {
      %m = mp.message %g : !mp.graph<complete> dst(%hi = %a : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %s = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<4xf32>
        mp.yield %w : tensor<4xf32>
      }
      %t = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    %c = mp.kernel "moved_2" dense -> tensor<?x4xf32> {
      %m = mp.message %r : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
        %w = arith.addf %hi, %hj : tensor<4xf32>
        mp.yield %w : tensor<4xf32>
      }
      %t = mp.aggregate %r : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      mp.yield %t : tensor<?x4xf32>
    }
    return %b, %c : tensor<?x4xf32>, tensor<?x4xf32>
  }
}
