// Masks on positions that take whole blocks of pairs out of a softmax, against the reference
// interpreter: none is left out that has a pair which counts.
// RUN: clique-compile -O1 %s -o %t.so
// DEFINE: %{run} = clique-run %t.so --spec=%s --graph=complete:200 --lowering=dense --threads=2 --verify
// RUN: %{run} --entry=wraps | FileCheck %s
// RUN: %{run} --entry=remainders | FileCheck %s
// RUN: %{run} --entry=extremes | FileCheck %s
// RUN: %{run} --entry=excluded | FileCheck %s
// RUN: %{run} --entry=infinite | FileCheck %s
// RUN: clique-run %t.so --spec=%s --entry=turned --graph=cliques:100,100,100,100,100,100,100,100 \
// RUN:   --lowering=dense --threads=2 --verify | FileCheck %s --check-prefix=TURNED
// CHECK: complete, dense tiles
// CHECK: verify {{.*}} ok
// TURNED: verify out0: {{.*}} ok
// TURNED: verify out1: {{.*}} ok

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

// 0 times an infinite value is NaN: a block with one is not left out. Of source 190 rows before 10
// receive, of source 3 those before 197.
#same = affine_map<(i, k) -> (i, k)>
#rows = {indexing_maps = [#same], iterator_types = ["parallel", "parallel"]}
func.func @infinite(%g: !mp.graph<complete>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %late = arith.constant 190 : index
  %early = arith.constant 3 : index
  %inf = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0 : index
  %y = linalg.generic #rows outs(%x : tensor<?x4xf32>) {
    ^bb0(%xi: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 1 : index
      %isLate = arith.cmpi eq, %i, %late : index
      %isEarly = arith.cmpi eq, %i, %early : index
      %isFirst = arith.cmpi eq, %k, %zero : index
      %is = arith.select %isFirst, %isLate, %isEarly : i1
      %z = arith.select %is, %inf, %xi : f32
      linalg.yield %z : f32
  } -> tensor<?x4xf32>
  %s, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x4xf32>)
      src(%xj = %x : tensor<?x4xf32>, %yj = %y : tensor<?x4xf32>)
      -> !mp.edges<f32>, !mp.edges<4xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %sum = arith.addi %i, %j : tensor<i32>
    %end = arith.constant dense<200> : tensor<i32>
    %allowed = arith.cmpi slt, %sum, %end : tensor<i32>
    %e, %w = func.call @mask(%xi, %xj, %allowed)
        : (tensor<4xf32>, tensor<4xf32>, tensor<i1>) -> (tensor<f32>, tensor<4xf32>)
    mp.yield %e, %yj : tensor<f32>, tensor<4xf32>
  }
  %out = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %out : tensor<?x4xf32>
}

// The sum over the reverse graph, of products that both share, has all pairs of what is then one kernel.
func.func @turned(%g: !mp.graph<cliques>, %x: tensor<?x4xf32>)
    -> (tensor<?x4xf32>, tensor<?xf32>) {
  %r = mp.reverse %g : !mp.graph<cliques> -> !mp.graph<cliques>
  %s, %v = mp.message %g : !mp.graph<cliques> dst(%xi = %x : tensor<?x4xf32>)
      src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<f32>, !mp.edges<4xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %far = math.absi %d : tensor<i32>
    %ten = arith.constant dense<10> : tensor<i32>
    %allowed = arith.cmpi slt, %far, %ten : tensor<i32>
    %e, %w = func.call @mask(%xi, %xj, %allowed)
        : (tensor<4xf32>, tensor<4xf32>, tensor<i1>) -> (tensor<f32>, tensor<4xf32>)
    mp.yield %e, %xj : tensor<f32>, tensor<4xf32>
  }
  %a = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  %t = mp.message %r : !mp.graph<cliques> dst(%xi = %x : tensor<?x4xf32>)
      src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<f32> {
    %e = mp.dot %xi, %xj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %f = math.exp %e : tensor<f32>
    mp.yield %f : tensor<f32>
  }
  %b = mp.aggregate %r : !mp.graph<cliques> sum %t : (!mp.edges<f32>) -> tensor<?xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?xf32>
}

func.func private @mask(%xi: tensor<4xf32>, %xj: tensor<4xf32>, %allowed: tensor<i1>)
    -> (tensor<f32>, tensor<4xf32>) {
  %none = arith.constant dense<0xFF800000> : tensor<f32>
  %e = mp.dot %xi, %xj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %m = arith.select %allowed, %e, %none : tensor<i1>, tensor<f32>
  return %m, %xj : tensor<f32>, tensor<4xf32>
}
