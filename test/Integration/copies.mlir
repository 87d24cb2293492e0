// What is copied is copied as it is: the reciprocal of -0.0 is -inf, against the reference
// interpreter.
// RUN: clique-compile -O1 %s -o %t.so
// DEFINE: %{run} = clique-run %t.so --spec=%s --threads=2 --verify
// RUN: %{run} --entry=extremum --graph=complete:7 | FileCheck %s
// RUN: %{run} --entry=extremum --graph=complete:0 | FileCheck %s
// RUN: %{run} --entry=extremum --graph=complete:1 | FileCheck %s
// RUN: %{run} --entry=batch --graph=complete:8 | FileCheck %s --check-prefix=BATCH
// CHECK: verify {{.*}} ok
// BATCH-COUNT-4: verify out{{.*}} ok

#same = affine_map<(i, k) -> (i, k)>
#feature = affine_map<(i, k) -> (k)>
#rows = {indexing_maps = [#feature, #same], iterator_types = ["parallel", "parallel"]}

// Each row is -0.0, -inf, inf, NaN, 1.0.
func.func private @special(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %c = arith.constant dense<[-0.0, 0xFF800000, 0x7F800000, 0x7FC00000, 1.0]> : tensor<5xf32>
  %y = linalg.generic #rows ins(%c : tensor<5xf32>) outs(%x : tensor<?x5xf32>) {
    ^bb0(%ck: f32, %xi: f32):
      linalg.yield %ck : f32
  } -> tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}

func.func private @inverse(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %y = mp.update (%xi = %x : tensor<?x5xf32>) -> tensor<?x5xf32> {
    %one = arith.constant dense<1.0> : tensor<5xf32>
    %i = arith.divf %one, %xi : tensor<5xf32>
    mp.yield %i : tensor<5xf32>
  }
  return %y : tensor<?x5xf32>
}

func.func @extremum(%g: !mp.graph<complete>, %x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %y = func.call @special(%x) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  %v = mp.message %g : !mp.graph<complete> src(%yj = %y : tensor<?x5xf32>) -> !mp.edges<5xf32> {
    mp.yield %yj : tensor<5xf32>
  }
  %m = mp.aggregate %g : !mp.graph<complete> max %v : (!mp.edges<5xf32>) -> tensor<?x5xf32>
  %i = func.call @inverse(%m) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  return %i : tensor<?x5xf32>
}

// Results of cliques: one is spread, several are copied together. And rows by their numbers.
func.func @batch(%n: !mp.graph<complete>, %x: tensor<?x5xf32>)
    -> (tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>) {
  %none = mp.message %n : !mp.graph<complete> src(%xj = %x : tensor<?x5xf32>) -> !mp.edges<5xf32> {
    mp.yield %xj : tensor<5xf32>
  }
  %all = mp.aggregate %n : !mp.graph<complete> mean %none : (!mp.edges<5xf32>) -> tensor<?x5xf32>
  %y = func.call @special(%all) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  %parts = arith.constant dense<[0, 3, 8]> : tensor<3xi64>
  %offsets = tensor.cast %parts : tensor<3xi64> to tensor<?xi64>
  %g = mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>
  %u, %v, %w = mp.message %g : !mp.graph<cliques> src(%yj = %y : tensor<?x5xf32>)
      -> !mp.edges<5xf32>, !mp.edges<5xf32>, !mp.edges<5xf32> {
    %m = arith.negf %yj : tensor<5xf32>
    mp.yield %yj, %yj, %m : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  }
  %a = mp.aggregate %g : !mp.graph<cliques> min %u : (!mp.edges<5xf32>) -> tensor<?x5xf32>
  %b, %c = mp.aggregate %g : !mp.graph<cliques> max %v, %w
      : (!mp.edges<5xf32>, !mp.edges<5xf32>) -> (tensor<?x5xf32>, tensor<?x5xf32>)
  %index = arith.constant dense<[7, 0, 7]> : tensor<3xi32>
  %some = tensor.cast %index : tensor<3xi32> to tensor<?xi32>
  %r = mp.lookup %y[%some] : tensor<?x5xf32>, tensor<?xi32> -> tensor<?x5xf32>
  %ia = func.call @inverse(%a) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  %ib = func.call @inverse(%b) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  %ic = func.call @inverse(%c) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  %ir = func.call @inverse(%r) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  return %ia, %ib, %ic, %ir : tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>
}
