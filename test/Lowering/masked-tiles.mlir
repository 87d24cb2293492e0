// Register blocks in which a condition on positions leaves no score are left out: bounds of what it
// compares are computed from the block's first and last nodes.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @window_global_dense(
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant -2147483648 : i64
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 2147483647 : i64
// CHECK-DAG:     %[[GLOBALS:.*]] = bufferization.to_tensor %{{.*}} : memref<i32> to tensor<i32>
// What a weight of 0 does not take out: infinities and NaN of the tile's sources.
// CHECK:           %[[INFINITE:.*]] = scf.for {{.*}} -> (i1)
// CHECK:             arith.subf %[[X:.*]], %[[X]] : f32
// CHECK:             arith.cmpf uno,
// CHECK:           %[[REACHED:.*]] = arith.cmpi sgt, %{{.*}} : index
// CHECK-NEXT:      %[[ANY:.*]] = arith.andi %{{.*}}, %[[REACHED]] : i1
// i - j, which has no bounds if it may wrap around.
// CHECK:           %[[LOW:.*]] = arith.subi %{{.*}}, %[[LAST_J:.*]] : i64
// CHECK:           %[[HIGH:.*]] = arith.subi %{{.*}}, %[[FIRST_J:.*]] : i64
// CHECK:           arith.cmpi sge, %[[LOW]], %[[LEAST]]
// CHECK:           arith.cmpi sle, %[[HIGH]], %[[MOST]]
// CHECK:           arith.select %{{.*}}, %[[LOW]], %[[LEAST]]
// CHECK:           arith.select %{{.*}}, %[[HIGH]], %[[MOST]]
// |i - j| <= 4
// CHECK:           %[[NEAR:.*]] = arith.cmpi sle, %{{.*}}, %c4_i64
// min(i, j) < globals
// CHECK:           %[[MIN:.*]] = arith.minsi %{{.*}}, %[[FIRST_J]] : i64
// CHECK:           %[[COUNT:.*]] = tensor.extract %[[GLOBALS]][] : tensor<i32>
// CHECK:           %[[COUNT64:.*]] = arith.extsi %[[COUNT]] : i32 to i64
// CHECK:           %[[GLOBAL:.*]] = arith.cmpi slt, %[[MIN]], %[[COUNT64]] : i64
// CHECK:           %[[SOME:.*]] = arith.ori %[[NEAR]], %[[GLOBAL]] : i1
// CHECK:           %[[COUNTS:.*]] = arith.ori %[[SOME]], %[[INFINITE]] : i1
// CHECK:           %[[MAY:.*]] = arith.andi %[[ANY]], %[[COUNTS]] : i1
// CHECK:           scf.if %[[MAY]]
func.func @window_global(%g: !mp.graph<complete>, %q: tensor<?x4xf32>, %k: tensor<?x4xf32>,
                         %globals: tensor<i32>) -> tensor<?x4xf32> {
  %o = mp.kernel "window_global" dense -> tensor<?x4xf32> {
    %s, %v = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x4xf32>)
        src(%kj = %k : tensor<?x4xf32>) -> !mp.edges<f32>, !mp.edges<4xf32> {
      %e = mp.dot %qi, %kj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      %i = mp.position dst : tensor<i32>
      %j = mp.position src : tensor<i32>
      %d = arith.subi %i, %j : tensor<i32>
      %far = math.absi %d : tensor<i32>
      %four = arith.constant dense<4> : tensor<i32>
      %near = arith.cmpi sle, %far, %four : tensor<i32>
      %first = arith.minsi %i, %j : tensor<i32>
      %global = arith.cmpi slt, %first, %globals : tensor<i32>
      %allowed = arith.ori %near, %global : tensor<i1>
      %none = arith.constant dense<0xFF800000> : tensor<f32>
      %m = arith.select %allowed, %e, %none : tensor<i1>, tensor<f32>
      mp.yield %m, %kj : tensor<f32>, tensor<4xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
        : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %a : tensor<?x4xf32>
  }
  return %o : tensor<?x4xf32>
}

// Where a condition takes scores out, and where both of two do not: of each what is known.
// CHECK-LABEL: func.func private @others_dense(
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant -2147483648 : i64
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 2147483647 : i64
// CHECK:         %[[REACHED:.*]] = arith.cmpi sgt, %{{.*}} : index
// CHECK-NEXT:    %[[ANY:.*]] = arith.andi %{{.*}}, %[[REACHED]] : i1
// j < i is false somewhere unless the last j is before the first i.
// CHECK:         %[[LAST_J:.*]] = arith.select %{{.*}}, %{{.*}}, %[[MOST]] : i64
// CHECK:         %[[FIRST_I:.*]] = arith.select %{{.*}}, %{{.*}}, %[[LEAST]] : i64
// CHECK:         %[[NOT_BEFORE:.*]] = arith.cmpi sge, %[[LAST_J]], %[[FIRST_I]] : i64
// CHECK:         %[[COUNTS:.*]] = arith.ori %[[NOT_BEFORE]], %{{.*}} : i1
// CHECK:         %[[MAY:.*]] = arith.andi %[[ANY]], %[[COUNTS]] : i1
// CHECK:         scf.if %[[MAY]]
func.func @others(%g: !mp.graph<complete>, %q: tensor<?xf32>, %k: tensor<?xf32>) -> tensor<?xf32> {
  %o = mp.kernel "others" dense -> tensor<?xf32> {
    %s, %v = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?xf32>)
        src(%kj = %k : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32> {
      %e = arith.mulf %qi, %kj : tensor<f32>
      %i = mp.position dst : tensor<i32>
      %j = mp.position src : tensor<i32>
      %before = arith.cmpi slt, %j, %i : tensor<i32>
      // Of features nothing is known.
      %positive = arith.cmpf ogt, %qi, %kj : tensor<f32>
      %both = arith.andi %before, %positive : tensor<i1>
      %true = arith.constant dense<true> : tensor<i1>
      %else = arith.xori %both, %true : tensor<i1>
      %none = arith.constant dense<0xFF800000> : tensor<f32>
      %m = arith.select %else, %e, %none : tensor<i1>, tensor<f32>
      %n = arith.select %before, %none, %m : tensor<i1>, tensor<f32>
      mp.yield %n, %kj : tensor<f32>, tensor<f32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
        : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
    mp.yield %a : tensor<?xf32>
  }
  return %o : tensor<?xf32>
}

// A sum counts every edge, and so does the result of an edge.
// CHECK-LABEL: func.func private @all_dense(
// CHECK:         %[[REACHED:.*]] = arith.cmpi sgt, %{{.*}} : index
// CHECK-NEXT:    %[[ANY:.*]] = arith.andi %{{.*}}, %[[REACHED]] : i1
// CHECK-NOT:     arith.cmpi {{.*}} : i64
// CHECK:         scf.if %[[ANY]]
func.func @all(%g: !mp.graph<complete>, %q: tensor<?xf32>, %k: tensor<?xf32>) -> tensor<?xf32> {
  %o = mp.kernel "all" dense -> tensor<?xf32> {
    %s, %v = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?xf32>)
        src(%kj = %k : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32> {
      %e = arith.mulf %qi, %kj : tensor<f32>
      %i = mp.position dst : tensor<i32>
      %j = mp.position src : tensor<i32>
      %before = arith.cmpi slt, %j, %i : tensor<i32>
      %none = arith.constant dense<0xFF800000> : tensor<f32>
      %m = arith.select %before, %e, %none : tensor<i1>, tensor<f32>
      mp.yield %m, %kj : tensor<f32>, tensor<f32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
        : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
    %b = mp.aggregate %g : !mp.graph<complete> sum %v : (!mp.edges<f32>) -> tensor<?xf32>
    %u = mp.update (%ai = %a : tensor<?xf32>, %bi = %b : tensor<?xf32>) -> tensor<?xf32> {
      %r = arith.addf %ai, %bi : tensor<f32>
      mp.yield %r : tensor<f32>
    }
    mp.yield %u : tensor<?xf32>
  }
  return %o : tensor<?xf32>
}
