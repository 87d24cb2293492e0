// A log-sum-exp is online softmax without values: in a row the scores of a chunk
// are gathered edge by edge and taken in as vectors, and no edge is read again; in
// a tile nothing is weighed.

// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows --mp-lower-tiles --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @rows_0_sparse(
// CHECK:         scf.for
// Chunks.
// CHECK:           %[[STATES:.*]]:2 = scf.for {{.*}} -> (tensor<4xf32>, tensor<4xf32>)
// CHECK:             %[[SCORES:.*]] = scf.for {{.*}} -> (tensor<32x4xf32>)
// CHECK:             scf.for {{.*}} -> (vector<16xf32>)
// CHECK:               arith.cmpf ogt
// CHECK-NEXT:          arith.select
// CHECK:             scf.for
// CHECK:               math.exp {{.*}} : vector<16xf32>
// CHECK-NOT:         scf.for
// CHECK:             scf.yield %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
// CHECK:           math.log
func.func @rows(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %o = mp.kernel "rows_0" sparse -> tensor<?x4xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      mp.yield %hj : tensor<4xf32>
    }
    %m = mp.aggregate %g softmax(%v) : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %m : tensor<?x4xf32>
  }
  return %o : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func private @tiles_0_dense(
// The largest score, and the sum of exponentials.
// CHECK:         scf.for {{.*}} -> (tensor<{{[0-9]+}}xf32>, tensor<{{[0-9]+}}xf32>,
// CHECK:           math.exp
// CHECK:         math.log
func.func @tiles(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %o = mp.kernel "tiles_0" dense -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?xf32>)
        src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      %d = arith.mulf %hi, %hj : tensor<f32>
      mp.yield %d : tensor<f32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> softmax(%v) : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %o : tensor<?xf32>
}

// -----

// Its low part is what is left of the two terms: x - (s - (s - x)), y - (s - x).
// CHECK-LABEL: func.func private @low_0_sparse(
// CHECK:           math.log
// CHECK:           %[[Y:.*]] = math.log
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[X:.*]], %[[Y]] : f32
// CHECK-NEXT:      %[[OFY:.*]] = arith.subf %[[S]], %[[X]] : f32
// CHECK-NEXT:      %[[OFX:.*]] = arith.subf %[[S]], %[[OFY]] : f32
// CHECK-NEXT:      %[[DX:.*]] = arith.subf %[[X]], %[[OFX]] : f32
// CHECK-NEXT:      %[[DY:.*]] = arith.subf %[[Y]], %[[OFY]] : f32
// CHECK-NEXT:      arith.addf %[[DX]], %[[DY]] : f32
func.func @low(%g: !mp.graph, %h: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %o:2 = mp.kernel "low_0" sparse -> tensor<?x4xf32>, tensor<?x4xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      mp.yield %hj : tensor<4xf32>
    }
    %m, %e = mp.aggregate %g softmax(%v) : (!mp.edges<4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>)
    mp.yield %m, %e : tensor<?x4xf32>, tensor<?x4xf32>
  }
  return %o#0, %o#1 : tensor<?x4xf32>, tensor<?x4xf32>
}
