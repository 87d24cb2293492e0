// Scores with known bounds have one reference, and no running maximum.

// RUN: clique-opt %s --mp-bound-scores | FileCheck %s
// RUN: clique-opt %s --mp-bound-scores --remarks-filter=schedule --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: clique-opt %s --mp-bound-scores --mp-decompose-features --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows --mp-lower-tiles | FileCheck %s --check-prefix=LOOPS

// A soft cap of 20: weights are at most e^8.
// CHECK-LABEL: func.func @capped
// CHECK:         softmax(%{{.*}}) %{{.*}} {mp.score_reference = 1.200000e+01 : f64}
// REMARK:      scores lie between -20.00 and 20.00: no running maximum is kept
// LOOPS-LABEL: func.func private @capped_0_sparse(
// LOOPS:         scf.for
// LOOPS:           scf.for {{.*}} -> (tensor<f32>, tensor<8xf32>)
// LOOPS-NOT:         arith.maxnumf
// LOOPS:             math.exp {{.*}} : vector<16xf32>
// LOOPS:         return
func.func @capped(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "capped_0" sparse -> tensor<?x8xf32> {
    %m:2 = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
        -> !mp.edges<f32>, !mp.edges<8xf32> {
      %cap = arith.constant dense<20.0> : tensor<f32>
      %d = mp.dot %hi, %hj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
      %x = arith.divf %d, %cap : tensor<f32>
      %t = math.tanh %x : tensor<f32>
      %s = arith.mulf %t, %cap : tensor<f32>
      mp.yield %s, %hj : tensor<f32>, tensor<8xf32>
    }
    %a = mp.aggregate %g softmax(%m#0) %m#1 : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// A tile neither looks for larger scores nor rescales.
// CHECK-LABEL: func.func @tiles
// CHECK:         softmax(%{{.*}}) %{{.*}} {mp.score_reference = 0.000000e+00 : f64}
// LOOPS-LABEL: func.func private @tiles_0_dense(
// LOOPS-NOT:     arith.maxnumf
// LOOPS:         scf.for {{.*}} -> (tensor<384xf32>, tensor<384x8xf32>)
// LOOPS-NOT:     arith.maxnumf
// LOOPS:           math.exp
// LOOPS-NOT:     arith.maxnumf
// LOOPS:         return
func.func @tiles(%g: !mp.graph<complete>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "tiles_0" dense -> tensor<?x8xf32> {
    %m:2 = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
        -> !mp.edges<f32>, !mp.edges<8xf32> {
      %d = mp.dot %hi, %hj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
      %s = mp.sigmoid %d : tensor<f32>
      mp.yield %s, %hj : tensor<f32>, tensor<8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> softmax(%m#0) %m#1
        : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// What is masked has the weight 0. Bounds come from updates before.
// CHECK-LABEL: func.func @masked
// CHECK:         softmax(%{{.*}}) {mp.score_reference = 1.000000e+00 : f64}
// REMARK:      scores lie between -3.00 and 9.00
func.func @masked(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %u = mp.update (%hi = %h : tensor<?xf32>) -> tensor<?xf32> {
    %least = arith.constant dense<-1.0> : tensor<f32>
    %most = arith.constant dense<3.0> : tensor<f32>
    %x = arith.maximumf %hi, %least : tensor<f32>
    %y = arith.minimumf %x, %most : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %o = mp.kernel "masked_0" sparse -> tensor<?xf32> {
    %m = mp.message %g dst(%hi = %u : tensor<?xf32>) src(%hj = %u : tensor<?xf32>) -> !mp.edges<f32> {
      %lowest = arith.constant dense<0xFF800000> : tensor<f32>
      %i = mp.position dst : tensor<i32>
      %j = mp.position src : tensor<i32>
      %c = arith.cmpi sle, %j, %i : tensor<i32>
      %p = arith.mulf %hi, %hj : tensor<f32>
      %s = arith.select %c, %p, %lowest : tensor<i1>, tensor<f32>
      mp.yield %s : tensor<f32>
    }
    %a = mp.aggregate %g softmax(%m) : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %a : tensor<?xf32>
  }
  return %o : tensor<?xf32>
}

// Cosines, times 10: each end was divided by its norm, in the message or before.
// CHECK-LABEL: func.func @cosines
// CHECK:         softmax(%{{.*}}) %{{.*}} {mp.score_reference = 2.000000e+00 : f64}
func.func @cosines(%g: !mp.graph, %q: tensor<?x2x8xf32>, %k: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %kn = mp.kernel "cosines_0" nodes -> tensor<?x2x8xf32> {
    %u = mp.update (%kj = %k : tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
      %eps = arith.constant dense<1.0e-12> : tensor<2xf32>
      %kk = mp.dot %kj, %kj : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
      %n = math.sqrt %kk : tensor<2xf32>
      %most = arith.maximumf %n, %eps : tensor<2xf32>
      %b = mp.broadcast %most : tensor<2xf32> to tensor<2x8xf32>
      %r = arith.divf %kj, %b : tensor<2x8xf32>
      mp.yield %r : tensor<2x8xf32>
    }
    mp.yield %u : tensor<?x2x8xf32>
  }
  %qr = mp.update (%qi = %q : tensor<?x2x8xf32>) -> tensor<?x2xf32> {
    %eps = arith.constant dense<1.0e-12> : tensor<2xf32>
    %qq = mp.dot %qi, %qi : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
    %e = arith.addf %eps, %qq : tensor<2xf32>
    %r = math.rsqrt %e : tensor<2xf32>
    mp.yield %r : tensor<2xf32>
  }
  %o = mp.kernel "cosines_1" sparse -> tensor<?x2x8xf32> {
    %m:2 = mp.message %g dst(%qi = %q : tensor<?x2x8xf32>, %ri = %qr : tensor<?x2xf32>)
        src(%kj = %kn : tensor<?x2x8xf32>) -> !mp.edges<2xf32>, !mp.edges<2x8xf32> {
      %ten = arith.constant dense<10.0> : tensor<2xf32>
      %b = mp.broadcast %ri : tensor<2xf32> to tensor<2x8xf32>
      %x = arith.mulf %b, %qi : tensor<2x8xf32>
      %d = mp.dot %x, %kj : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
      %s = arith.mulf %d, %ten : tensor<2xf32>
      mp.yield %s, %kj : tensor<2xf32>, tensor<2x8xf32>
    }
    %a = mp.aggregate %g softmax(%m#0) %m#1 : (!mp.edges<2xf32>, !mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
    mp.yield %a : tensor<?x2x8xf32>
  }
  return %o : tensor<?x2x8xf32>
}

//===----------------------------------------------------------------------===//
// What has a running maximum
//===----------------------------------------------------------------------===//

// Bounds that are far apart; a reference that is not proved goes.
// CHECK-LABEL: func.func @wide
// CHECK-NOT:     mp.score_reference
func.func @wide(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %m:2 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32> {
    %cap = arith.constant dense<50.0> : tensor<f32>
    %t = math.tanh %hj : tensor<f32>
    %s = arith.mulf %t, %cap : tensor<f32>
    mp.yield %s, %hj : tensor<f32>, tensor<f32>
  }
  %a = mp.aggregate %g softmax(%m#0) %m#1 {mp.score_reference = 0.0 : f64}
      : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// The norm of the other end; of an edge that has that of either.
// CHECK-LABEL: func.func @other_norm
// CHECK-NOT:     mp.score_reference
func.func @other_norm(%g: !mp.graph, %h: tensor<?x8xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = mp.update (%x = %h : tensor<?x8xf32>) -> tensor<?xf32> {
    %xx = mp.dot %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %y = math.rsqrt %xx : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %e:2 = mp.message %g dst(%ri = %r : tensor<?xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<f32>, !mp.edges<8xf32> {
    mp.yield %ri, %hj : tensor<f32>, tensor<8xf32>
  }
  %m:2 = mp.message %g dst(%ri = %r : tensor<?xf32>, %hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      edge(%re = %e#0 : !mp.edges<f32>, %he = %e#1 : !mp.edges<8xf32>) -> !mp.edges<f32>, !mp.edges<f32> {
    %b = mp.broadcast %ri : tensor<f32> to tensor<8xf32>
    %x = arith.mulf %hj, %b : tensor<8xf32>
    %d = mp.dot %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %be = mp.broadcast %re : tensor<f32> to tensor<8xf32>
    %xe = arith.mulf %he, %be : tensor<8xf32>
    %de = mp.dot %xe, %xe : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %d, %de : tensor<f32>, tensor<f32>
  }
  %a = mp.aggregate %g softmax(%m#0) : (!mp.edges<f32>) -> tensor<?xf32>
  %c = mp.aggregate %g softmax(%m#1) : (!mp.edges<f32>) -> tensor<?xf32>
  return %a, %c : tensor<?xf32>, tensor<?xf32>
}

// Inputs, divisions by what may be 0, exponentials, infinity.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT:     mp.score_reference
func.func @unknown(%g: !mp.graph, %h: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %m:4 = mp.message %g src(%hj = %h : tensor<?xf32>)
      -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32>, !mp.edges<f32> {
    %inf = arith.constant dense<0x7F800000> : tensor<f32>
    %one = arith.constant dense<1.0> : tensor<f32>
    %t = math.tanh %hj : tensor<f32>
    %d = arith.divf %one, %t : tensor<f32>
    %e = math.exp %hj : tensor<f32>
    %c = arith.cmpf olt, %t, %d : tensor<f32>
    %s = arith.select %c, %t, %inf : tensor<i1>, tensor<f32>
    mp.yield %hj, %d, %e, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  %a = mp.aggregate %g softmax(%m#0) : (!mp.edges<f32>) -> tensor<?xf32>
  %b = mp.aggregate %g softmax(%m#1) : (!mp.edges<f32>) -> tensor<?xf32>
  %c = mp.aggregate %g softmax(%m#2) : (!mp.edges<f32>) -> tensor<?xf32>
  %d = mp.aggregate %g softmax(%m#3) : (!mp.edges<f32>) -> tensor<?xf32>
  return %a, %b, %c, %d : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Values of edges that are picked by number.
// CHECK-LABEL: func.func @picked
// CHECK-NOT:     mp.score_reference
func.func @picked(%g: !mp.graph, %e: !mp.edges<f32>, %first: index, %count: index) -> tensor<?xf32> {
  %part, %edges = mp.rows %g, %first, %count
  %s = mp.lookup %e[%edges] : !mp.edges<f32>, tensor<?xi64> -> !mp.edges<f32>
  %a = mp.aggregate %part softmax(%s) : (!mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}
