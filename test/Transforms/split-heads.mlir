// Heads of a dense kernel are computed apart; updates, which mix them, become a
// kernel of their own.
// RUN: clique-opt %s --mp-split-heads --split-input-file | FileCheck %s
// RUN: clique-opt %s --mp-split-heads --split-input-file --remarks-filter=fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @attention
// CHECK:         %[[M:.*]] = mp.kernel "attention_0" dense heads(8) -> tensor<?x8x16xf32>
// CHECK:         ^bb0(%[[HEAD:.*]]: index):
// CHECK:           %[[Q:.*]] = tensor.extract_slice %arg1[0, %[[HEAD]], 0] [%{{.*}}, 1, 16] [1, 1, 1] : tensor<?x8x16xf32> to tensor<?x16xf32>
// CHECK:           mp.message {{.*}} dst(%{{.*}} = %[[Q]] : tensor<?x16xf32>)
// CHECK-SAME:        -> !mp.edges<f32>, !mp.edges<16xf32>
// CHECK:             mp.dot {{.*}} : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
// CHECK:             arith.constant dense<2.500000e-01> : tensor<f32>
// CHECK:           mp.aggregate {{.*}} -> tensor<?x16xf32>
// CHECK:         %[[O:.*]] = mp.kernel "attention_0_update" nodes -> tensor<?x4xf32>
// CHECK:           mp.update (%{{.*}} = %[[M]] : tensor<?x8x16xf32>)
// CHECK:         return %[[O]]
func.func @attention(%g: !mp.graph<complete>, %q: tensor<?x8x16xf32>,
                     %k: tensor<?x8x16xf32>, %v: tensor<?x8x16xf32>,
                     %wo: tensor<8x16x4xf32>) -> tensor<?x4xf32> {
  %o = mp.kernel "attention_0" dense -> tensor<?x4xf32> {
    %s, %w = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x8x16xf32>)
        src(%kj = %k : tensor<?x8x16xf32>, %vj = %v : tensor<?x8x16xf32>)
        -> !mp.edges<8xf32>, !mp.edges<8x16xf32> {
      %d = mp.dot %qi, %kj : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
      %c = arith.constant dense<0.25> : tensor<8xf32>
      %e = arith.mulf %d, %c : tensor<8xf32>
      mp.yield %e, %vj : tensor<8xf32>, tensor<8x16xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %w
        : (!mp.edges<8xf32>, !mp.edges<8x16xf32>) -> tensor<?x8x16xf32>
    %u = mp.update (%mi = %m : tensor<?x8x16xf32>) -> tensor<?x4xf32> {
      %p = mp.linear %mi, %wo : (tensor<8x16xf32>, tensor<8x16x4xf32>) -> tensor<4xf32>
      mp.yield %p : tensor<4xf32>
    }
    mp.yield %u : tensor<?x4xf32>
  }
  return %o : tensor<?x4xf32>
}

// -----

// What differs from head to head is taken for each: a weight, a row of a table,
// a constant. Reductions count their dimensions anew.
// CHECK-LABEL: func.func @bias
// CHECK-DAG:     %[[CST:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK:         mp.kernel "bias_0" dense heads(2)
// CHECK:         ^bb0(%[[HEAD:.*]]: index):
// CHECK-DAG:       tensor.extract_slice %[[CST]][%[[HEAD]]] [1] [1] : tensor<2xf32> to tensor<f32>
// CHECK-DAG:       %[[SLOPE:.*]] = tensor.extract_slice %arg2[%[[HEAD]]] [1] [1] : tensor<2xf32> to tensor<f32>
// CHECK-DAG:       %[[TABLE:.*]] = tensor.extract_slice %arg3[0, %[[HEAD]]] [5, 1] [1, 1] : tensor<5x2xf32> to tensor<5xf32>
// CHECK:             mp.lookup %[[TABLE]][%{{.*}}] : tensor<5xf32>, tensor<i32> -> tensor<f32>
// CHECK:             mp.reduce sum %{{.*}} dims [0] : tensor<4xf32> -> tensor<f32>
// CHECK:             arith.mulf %{{.*}}, %[[SLOPE]] : tensor<f32>
// CHECK-NOT:         mp.broadcast
// CHECK:             mp.yield
func.func @bias(%g: !mp.graph<complete>, %x: tensor<?x2x4xf32>,
                %slope: tensor<2xf32>, %table: tensor<5x2xf32>)
    -> tensor<?x2xf32> {
  %o = mp.kernel "bias_0" dense -> tensor<?x2xf32> {
    %s, %w = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x2x4xf32>)
        src(%xj = %x : tensor<?x2x4xf32>) -> !mp.edges<2xf32>, !mp.edges<2xf32> {
      %j = mp.position src : tensor<i32>
      %b = mp.lookup %table[%j] : tensor<5x2xf32>, tensor<i32> -> tensor<2xf32>
      %d = arith.subf %xi, %xj : tensor<2x4xf32>
      %q = arith.mulf %d, %d : tensor<2x4xf32>
      %r = mp.reduce sum %q dims [1] : tensor<2x4xf32> -> tensor<2xf32>
      %t = arith.mulf %r, %slope : tensor<2xf32>
      %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %f = arith.addf %t, %c : tensor<2xf32>
      %one = arith.constant dense<1.0> : tensor<f32>
      %ones = mp.broadcast %one : tensor<f32> to tensor<2xf32>
      %h = arith.addf %f, %ones : tensor<2xf32>
      %e = arith.addf %h, %b : tensor<2xf32>
      mp.yield %e, %r : tensor<2xf32>, tensor<2xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %w
        : (!mp.edges<2xf32>, !mp.edges<2xf32>) -> tensor<?x2xf32>
    mp.yield %m : tensor<?x2xf32>
  }
  return %o : tensor<?x2xf32>
}

// -----

// Not split: an edge value that is returned, a dimension that a linear map mixes,
// and plain features, where nothing would be gained.
// CHECK-LABEL: func.func @returned
// CHECK-NOT:     heads
// CHECK:         return
func.func @returned(%g: !mp.graph<complete>, %q: tensor<?x8x16xf32>)
    -> (tensor<?x8xf32>, !mp.edges<8xf32>) {
  %o:2 = mp.kernel "returned_0" dense -> tensor<?x8xf32>, !mp.edges<8xf32> {
    %s = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x8x16xf32>)
        src(%kj = %q : tensor<?x8x16xf32>) -> !mp.edges<8xf32> {
      %d = mp.dot %qi, %kj : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
      mp.yield %d : tensor<8xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> sum %s
        : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m, %s : tensor<?x8xf32>, !mp.edges<8xf32>
  }
  return %o#0, %o#1 : tensor<?x8xf32>, !mp.edges<8xf32>
}

// -----

// CHECK-LABEL: func.func @mixed
// CHECK-NOT:     heads
// CHECK:         return
func.func @mixed(%g: !mp.graph<complete>, %q: tensor<?x8x16xf32>, %w: tensor<8x8xf32>)
    -> tensor<?x8xf32> {
  %o = mp.kernel "mixed_0" dense -> tensor<?x8xf32> {
    %s = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x8x16xf32>)
        src(%kj = %q : tensor<?x8x16xf32>) -> !mp.edges<8xf32> {
      %d = mp.dot %qi, %kj : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
      %p = mp.linear %d, %w : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
      mp.yield %p : tensor<8xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> sum %s
        : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @plain
// CHECK-NOT:     heads
// CHECK:         return
func.func @plain(%g: !mp.graph<complete>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "plain_0" dense -> tensor<?x8xf32> {
    %v = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x8xf32>)
        -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> sum %v
        : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

// Two such dimensions: queries in groups that share a key and a value. The heads
// are all pairs; a key is that of its group.
// CHECK-LABEL: func.func @grouped
// CHECK:         %[[K:.*]] = mp.kernel "grouped_0" dense heads(8) -> tensor<?x8x16xf32> {
// CHECK:         ^bb0(%[[HEAD:.*]]: index):
// CHECK:           %[[PAIR:.*]]:2 = affine.delinearize_index %[[HEAD]] into (4, 2)
// CHECK-DAG:       tensor.extract_slice %{{.*}}[0, %[[PAIR]]#0, %[[PAIR]]#1, 0] {{.*}} tensor<?x4x2x16xf32> to tensor<?x16xf32>
// CHECK-DAG:       tensor.extract_slice %{{.*}}[0, %[[PAIR]]#1, 0] {{.*}} tensor<?x2x16xf32> to tensor<?x16xf32>
// CHECK-NOT:       mp.broadcast
// CHECK:           mp.dot {{.*}} (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
// CHECK:           mp.aggregate {{.*}} -> tensor<?x16xf32>
// CHECK:         %[[O:.*]] = tensor.expand_shape %[[K]] {{\[\[}}0], [1, 2], [3]]
// CHECK:         return %[[O]]
// REMARK: kernel grouped_0: its 8 heads are computed apart
func.func @grouped(%g: !mp.graph<complete>, %q: tensor<?x4x2x16xf32>, %k: tensor<?x2x16xf32>)
    -> tensor<?x4x2x16xf32> {
  %o = mp.kernel "grouped_0" dense -> tensor<?x4x2x16xf32> {
    %s, %w = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x4x2x16xf32>)
        src(%kj = %k : tensor<?x2x16xf32>) -> !mp.edges<4x2xf32>, !mp.edges<4x2x16xf32> {
      %ks = mp.broadcast %kj trailing : tensor<2x16xf32> to tensor<4x2x16xf32>
      %d = mp.dot %qi, %ks : (tensor<4x2x16xf32>, tensor<4x2x16xf32>) -> tensor<4x2xf32>
      mp.yield %d, %ks : tensor<4x2xf32>, tensor<4x2x16xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %w
        : (!mp.edges<4x2xf32>, !mp.edges<4x2x16xf32>) -> tensor<?x4x2x16xf32>
    mp.yield %m : tensor<?x4x2x16xf32>
  }
  return %o : tensor<?x4x2x16xf32>
}

// -----

// A monoid may lift two values to one state: none of its dimensions is known to
// stay apart.
// CHECK-LABEL: func.func @two_values_one_state
// CHECK:         mp.kernel "pairs_0" dense -> tensor<?x4xf32>
func.func @two_values_one_state(%g: !mp.graph<complete>, %x: tensor<?x4x8xf32>) -> tensor<?x4xf32> {
  %o = mp.kernel "pairs_0" dense -> tensor<?x4xf32> {
    %m, %n = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x4x8xf32>)
        src(%xj = %x : tensor<?x4x8xf32>) -> !mp.edges<4xf32>, !mp.edges<4xf32> {
      %d = mp.dot %xi, %xj : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
      %e = arith.mulf %d, %d : tensor<4xf32>
      mp.yield %d, %e : tensor<4xf32>, tensor<4xf32>
    }
    %s = mp.aggregate %g : !mp.graph<complete> custom %m, %n
        : (!mp.edges<4xf32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
      identity {
        %z = arith.constant dense<0.0> : tensor<4xf32>
        mp.yield %z : tensor<4xf32>
      }
      lift {
      ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
        %p = arith.mulf %a, %b : tensor<4xf32>
        mp.yield %p : tensor<4xf32>
      }
      combine {
      ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
        %p = arith.addf %a, %b : tensor<4xf32>
        mp.yield %p : tensor<4xf32>
      }
      finalise {
      ^bb0(%a: tensor<4xf32>):
        mp.yield %a : tensor<4xf32>
      }
    mp.yield %s : tensor<?x4xf32>
  }
  return %o : tensor<?x4xf32>
}

// -----

// A dimension of which there are copies alone: x of the broadcast does not have
// it, and what is reduced is still named as the result has it.
// CHECK-LABEL: func.func @copies
// CHECK:         mp.kernel "copies_0" dense heads(2)
// CHECK:             %[[X:.*]] = mp.reduce min %{{.*}} dims [0] : tensor<3xf32> -> tensor<f32>
// CHECK:             mp.yield %[[X]]
func.func @copies(%g: !mp.graph<complete>, %h: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %o = mp.kernel "copies_0" dense -> tensor<?x2xf32> {
    %m = mp.message %g : !mp.graph<complete> src(%x = %h : tensor<?x3xf32>) -> !mp.edges<2xf32> {
      %b = mp.broadcast %x trailing : tensor<3xf32> to tensor<2x3xf32>
      %r = mp.reduce min %b dims [1] : tensor<2x3xf32> -> tensor<2xf32>
      mp.yield %r : tensor<2xf32>
    }
    %s = mp.aggregate %g : !mp.graph<complete> mean %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
    mp.yield %s : tensor<?x2xf32>
  }
  return %o : tensor<?x2xf32>
}

// -----

// Of a weight from outside too.
// CHECK-LABEL: func.func @outside
// CHECK:         mp.kernel "outside_0" dense heads(8)
// CHECK:             mp.reduce mean %{{.*}} dims [0] : tensor<3xf32> -> tensor<f32>
func.func @outside(%g: !mp.graph<complete>, %w: tensor<2x4x3xf32>) -> tensor<?x2x4xf32> {
  %o = mp.kernel "outside_0" dense -> tensor<?x2x4xf32> {
    %m = mp.message %g : !mp.graph<complete> -> !mp.edges<2x4xf32> {
      %r = mp.reduce mean %w dims [2] : tensor<2x4x3xf32> -> tensor<2x4xf32>
      mp.yield %r : tensor<2x4xf32>
    }
    %s = mp.aggregate %g : !mp.graph<complete> mean %m : (!mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
    mp.yield %s : tensor<?x2x4xf32>
  }
  return %o : tensor<?x2x4xf32>
}

// -----

// Activations of scores mix no heads.
// CHECK-LABEL: func.func @activated
// CHECK:         mp.kernel "activated_0" dense heads(8)
// CHECK:             mp.leaky_relu %{{.*}} slope 2.000000e-01 : tensor<f32>
// CHECK:             mp.sigmoid %{{.*}} : tensor<f32>
func.func @activated(%g: !mp.graph<complete>, %a: tensor<?x8xf32>, %b: tensor<?x8xf32>,
                     %z: tensor<?x8x16xf32>) -> tensor<?x8x16xf32> {
  %o = mp.kernel "activated_0" dense -> tensor<?x8x16xf32> {
    %s, %v = mp.message %g : !mp.graph<complete> dst(%ai = %a : tensor<?x8xf32>)
        src(%bj = %b : tensor<?x8xf32>, %zj = %z : tensor<?x8x16xf32>)
        -> !mp.edges<8xf32>, !mp.edges<8x16xf32> {
      %c = arith.addf %ai, %bj : tensor<8xf32>
      %l = mp.leaky_relu %c slope 0.2 : tensor<8xf32>
      %t = mp.sigmoid %l : tensor<8xf32>
      mp.yield %t, %zj : tensor<8xf32>, tensor<8x16xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
        : (!mp.edges<8xf32>, !mp.edges<8x16xf32>) -> tensor<?x8x16xf32>
    mp.yield %m : tensor<?x8x16xf32>
  }
  return %o : tensor<?x8x16xf32>
}

// -----

// A normalisation does.
// CHECK-LABEL: func.func @normalised
// CHECK-NOT:     heads(
func.func @normalised(%g: !mp.graph<complete>, %a: tensor<?x8xf32>,
                      %z: tensor<?x8x16xf32>) -> tensor<?x8x16xf32> {
  %o = mp.kernel "normalised_0" dense -> tensor<?x8x16xf32> {
    %s, %v = mp.message %g : !mp.graph<complete> dst(%ai = %a : tensor<?x8xf32>)
        src(%zj = %z : tensor<?x8x16xf32>) -> !mp.edges<8xf32>, !mp.edges<8x16xf32> {
      %l = mp.layer_norm %ai : (tensor<8xf32>) -> tensor<8xf32>
      mp.yield %l, %zj : tensor<8xf32>, tensor<8x16xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
        : (!mp.edges<8xf32>, !mp.edges<8x16xf32>) -> tensor<?x8x16xf32>
    mp.yield %m : tensor<?x8x16xf32>
  }
  return %o : tensor<?x8x16xf32>
}

// -----

// Results that have the heads elsewhere are turned round behind the kernel, where heads lead.
// CHECK-LABEL: func.func @scattered
// CHECK:         %[[M:.*]]:2 = mp.kernel "scattered_0" dense heads(2) -> tensor<?x2x4xf32>, tensor<?x2x7xf32>
// CHECK:           %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<7xf32>
// CHECK:           tensor.scatter %{{.*}} into %[[ZERO]][%{{.*}}] scatter_dims([0]) unique : (tensor<f32>, tensor<7xf32>, tensor<1xi32>) -> tensor<7xf32>
// CHECK:         %[[BACK:.*]] = linalg.transpose ins(%[[M]]#1 : tensor<?x2x7xf32>) outs(%{{.*}} : tensor<?x7x2xf32>) permutation = [0, 2, 1]
// CHECK:         return %[[M]]#0, %[[BACK]]
func.func @scattered(%g: !mp.graph<complete>, %q: tensor<?x2x4xf32>,
                     %row: tensor<?x1xi32>) -> (tensor<?x2x4xf32>, tensor<?x7x2xf32>) {
  %o:2 = mp.kernel "scattered_0" dense -> tensor<?x2x4xf32>, tensor<?x7x2xf32> {
    %m:2 = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x2x4xf32>)
        src(%qj = %q : tensor<?x2x4xf32>, %rj = %row : tensor<?x1xi32>)
        -> !mp.edges<2x4xf32>, !mp.edges<7x2xf32> {
      %s = mp.dot %qi, %qj : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
      %z = arith.constant dense<0.0> : tensor<7x2xf32>
      %r = tensor.scatter %s into %z[%rj] scatter_dims([0]) unique
          : (tensor<2xf32>, tensor<7x2xf32>, tensor<1xi32>) -> tensor<7x2xf32>
      mp.yield %qj, %r : tensor<2x4xf32>, tensor<7x2xf32>
    }
    %a:2 = mp.aggregate %g : !mp.graph<complete> sum %m#0, %m#1
        : (!mp.edges<2x4xf32>, !mp.edges<7x2xf32>) -> (tensor<?x2x4xf32>, tensor<?x7x2xf32>)
    mp.yield %a#0, %a#1 : tensor<?x2x4xf32>, tensor<?x7x2xf32>
  }
  return %o#0, %o#1 : tensor<?x2x4xf32>, tensor<?x7x2xf32>
}

// -----

// Dimensions before the slice's go with the heads.
// CHECK-LABEL: func.func @renumbered
// CHECK:         mp.kernel "renumbered_0" dense heads(6) -> tensor<?x6x7xf32>
// CHECK:           tensor.scatter {{.*}} scatter_dims([0]) unique : (tensor<f32>, tensor<7xf32>, tensor<1xi32>) -> tensor<7xf32>
// CHECK-NOT:     linalg.transpose
func.func @renumbered(%g: !mp.graph<complete>, %q: tensor<?x2x3x4xf32>,
                      %row: tensor<?x1xi32>) -> tensor<?x2x3x7xf32> {
  %o = mp.kernel "renumbered_0" dense -> tensor<?x2x3x7xf32> {
    %m = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x2x3x4xf32>)
        src(%qj = %q : tensor<?x2x3x4xf32>, %rj = %row : tensor<?x1xi32>) -> !mp.edges<2x3x7xf32> {
      %p = arith.mulf %qi, %qj : tensor<2x3x4xf32>
      %s = mp.reduce sum %p dims [2] : tensor<2x3x4xf32> -> tensor<2x3xf32>
      %z = arith.constant dense<0.0> : tensor<2x3x7xf32>
      %r = tensor.scatter %s into %z[%rj] scatter_dims([2]) unique
          : (tensor<2x3xf32>, tensor<2x3x7xf32>, tensor<1xi32>) -> tensor<2x3x7xf32>
      mp.yield %r : tensor<2x3x7xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> sum %m
        : (!mp.edges<2x3x7xf32>) -> tensor<?x2x3x7xf32>
    mp.yield %a : tensor<?x2x3x7xf32>
  }
  return %o : tensor<?x2x3x7xf32>
}

// -----

// What all heads share is worth computing once: functions of both ends that weigh
// the three rows of a source, of which each element would be a head.
// CHECK-LABEL: func.func @mixture
// CHECK:         mp.kernel "mixture_0" dense -> tensor<?x16xf32>
func.func @mixture(%g: !mp.graph<complete>, %x: tensor<?x3xf32>, %y: tensor<?x3x16xf32>)
    -> tensor<?x16xf32> {
  %o = mp.kernel "mixture_0" dense -> tensor<?x16xf32> {
    %m = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x3xf32>)
        src(%xj = %x : tensor<?x3xf32>, %yj = %y : tensor<?x3x16xf32>) -> !mp.edges<16xf32> {
      %d = arith.subf %xi, %xj : tensor<3xf32>
      %k = math.exp %d : tensor<3xf32>
      %ks = mp.broadcast %k : tensor<3xf32> to tensor<3x16xf32>
      %p = arith.mulf %ks, %yj : tensor<3x16xf32>
      %s = mp.reduce sum %p dims [0] : tensor<3x16xf32> -> tensor<16xf32>
      mp.yield %s : tensor<16xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %a : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}

// -----

// A difference that all heads share is less than what each has of its own.
// CHECK-LABEL: func.func @shared
// CHECK:         mp.kernel "shared_0" dense heads(8) -> tensor<?x8xf32>
func.func @shared(%g: !mp.graph<complete>, %x: tensor<?xf32>, %q: tensor<?x8x16xf32>)
    -> tensor<?x8xf32> {
  %o = mp.kernel "shared_0" dense -> tensor<?x8xf32> {
    %m = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?xf32>, %qi = %q : tensor<?x8x16xf32>)
        src(%xj = %x : tensor<?xf32>, %qj = %q : tensor<?x8x16xf32>) -> !mp.edges<8xf32> {
      %d = arith.subf %xi, %xj : tensor<f32>
      %ds = mp.broadcast %d : tensor<f32> to tensor<8xf32>
      %p = mp.dot %qi, %qj : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
      %s = arith.mulf %p, %ds : tensor<8xf32>
      mp.yield %s : tensor<8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}
