// Masks on positions that take whole blocks of pairs out of a softmax, against the reference
// interpreter: none is left out that has a pair which counts.
// RUN: clique-compile -O1 %s -o %t.so
// DEFINE: %{run} = clique-run %t.so --spec=%s --graph=complete:200 --lowering=dense --threads=2 --verify
// RUN: %{run} --entry=wraps | FileCheck %s
// RUN: %{run} --entry=remainders | FileCheck %s
// RUN: %{run} --entry=extremes | FileCheck %s
// RUN: %{run} --entry=excluded | FileCheck %s
// CHECK: complete, dense tiles
// CHECK: verify {{.*}} ok

// (i - j) 2^26 wraps around where the two are 32 apart: a pair in two counts, far away too.
func.func @wraps(%g: !mp.graph<complete>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x4xf32>)
      src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<f32>, !mp.edges<4xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %large = arith.constant dense<67108864> : tensor<i32>
    %m = arith.muli %d, %large : tensor<i32>
    %zero = arith.constant dense<0> : tensor<i32>
    %allowed = arith.cmpi sgt, %m, %zero : tensor<i32>
    %e, %w = func.call @mask(%xi, %xj, %allowed)
        : (tensor<4xf32>, tensor<4xf32>, tensor<i1>) -> (tensor<f32>, tensor<4xf32>)
    mp.yield %e, %w : tensor<f32>, tensor<4xf32>
  }
  %out = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %out : tensor<?x4xf32>
}

// Remainders of negative numbers are negative.
func.func @remainders(%g: !mp.graph<complete>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x4xf32>)
      src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<f32>, !mp.edges<4xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %five = arith.constant dense<5> : tensor<i32>
    %two = arith.constant dense<-2> : tensor<i32>
    %rest = arith.remsi %d, %five : tensor<i32>
    %allowed = arith.cmpi eq, %rest, %two : tensor<i32>
    %e, %w = func.call @mask(%xi, %xj, %allowed)
        : (tensor<4xf32>, tensor<4xf32>, tensor<i1>) -> (tensor<f32>, tensor<4xf32>)
    mp.yield %e, %w : tensor<f32>, tensor<4xf32>
  }
  %out = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %out : tensor<?x4xf32>
}

// Rows from 130 on receive from nobody; those before from sources far from them, but for the last
// ones, and from around 10.
func.func @extremes(%g: !mp.graph<complete>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x4xf32>)
      src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<f32>, !mp.edges<4xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %last = arith.constant dense<130> : tensor<i32>
    %low = arith.minsi %i, %last : tensor<i32>
    %row = arith.cmpi ne, %low, %last : tensor<i32>
    %most = arith.maxsi %i, %j : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %apart = math.absi %d : tensor<i32>
    %start = arith.constant dense<120> : tensor<i32>
    %distant = arith.cmpi sge, %apart, %start : tensor<i32>
    %ten = arith.constant dense<10> : tensor<i32>
    %from = arith.subi %j, %ten : tensor<i32>
    %far = math.absi %from : tensor<i32>
    %three = arith.constant dense<3> : tensor<i32>
    %near = arith.cmpi slt, %far, %three : tensor<i32>
    %column = arith.ori %distant, %near : tensor<i1>
    %end = arith.constant dense<190> : tensor<i32>
    %before = arith.cmpi sle, %most, %end : tensor<i32>
    %both = arith.andi %row, %column : tensor<i1>
    %allowed = arith.andi %both, %before : tensor<i1>
    %e, %w = func.call @mask(%xi, %xj, %allowed)
        : (tensor<4xf32>, tensor<4xf32>, tensor<i1>) -> (tensor<f32>, tensor<4xf32>)
    mp.yield %e, %w : tensor<f32>, tensor<4xf32>
  }
  %out = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %out : tensor<?x4xf32>
}

// What is not (near or before): a condition that takes out, and one that is turned round. The
// other softmax of the kernel has other pairs.
func.func @excluded(%g: !mp.graph<complete>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s, %t, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x4xf32>)
      src(%xj = %x : tensor<?x4xf32>)
      -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<4xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %reach = arith.constant dense<90> : tensor<i32>
    %end = arith.addi %i, %reach : tensor<i32>
    %before = arith.cmpi slt, %j, %end : tensor<i32>
    %true = arith.constant dense<true> : tensor<i1>
    %after = arith.xori %before, %true : tensor<i1>
    %e, %w = func.call @mask(%xi, %xj, %after)
        : (tensor<4xf32>, tensor<4xf32>, tensor<i1>) -> (tensor<f32>, tensor<4xf32>)
    %none = arith.constant dense<0xFF800000> : tensor<f32>
    %d = mp.dot %xi, %xj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %start = arith.constant dense<160> : tensor<i32>
    %sum = arith.addi %i, %j : tensor<i32>
    %early = arith.cmpi sle, %sum, %start : tensor<i32>
    %f = arith.select %early, %none, %d : tensor<i1>, tensor<f32>
    mp.yield %e, %f, %w : tensor<f32>, tensor<f32>, tensor<4xf32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  %b = mp.aggregate %g : !mp.graph<complete> softmax(%t) %v
      : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  %out = arith.addf %a, %b : tensor<?x4xf32>
  return %out : tensor<?x4xf32>
}

func.func private @mask(%xi: tensor<4xf32>, %xj: tensor<4xf32>, %allowed: tensor<i1>)
    -> (tensor<f32>, tensor<4xf32>) {
  %none = arith.constant dense<0xFF800000> : tensor<f32>
  %e = mp.dot %xi, %xj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %m = arith.select %allowed, %e, %none : tensor<i1>, tensor<f32>
  return %m, %xj : tensor<f32>, tensor<4xf32>
}
