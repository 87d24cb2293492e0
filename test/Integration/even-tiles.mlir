// Cliques and last tiles of complete graphs, of which all rows receive the same sources: one mask of
// columns takes out what lies behind the last source. There features are 0, which must not show where
// a value is computed from them: 1 / 0 times a weight of 0.
// RUN: clique-compile -O1 %s -o %t.so
// DEFINE: %{run} = clique-run %t.so --spec=%s --verify --repeat=1 --lowering=dense
// RUN: %{run} --entry=features --graph=cliques:5,1,0,64,33,17,16 | FileCheck %s
// RUN: %{run} --entry=features --graph=complete:67 | FileCheck %s
// RUN: %{run} --entry=features --graph=bipartite:13x70 | FileCheck %s
// RUN: %{run} --entry=features --graph=complete_no_self:20 | FileCheck %s
// RUN: %{run} --entry=features --graph=causal_cliques:5,40 | FileCheck %s
// RUN: %{run} --entry=reciprocals --graph=cliques:5,1,0,64,33,17,16 | FileCheck %s
// RUN: %{run} --entry=monoids --graph=cliques:5,1,0,64,33,17,16 | FileCheck %s
// RUN: %{run} --entry=monoids --graph=complete:67 | FileCheck %s
// RUN: %{run} --entry=counts --graph=cliques:5,1,0,64,33,17,16 | FileCheck %s
// CHECK-NOT: FAILED
// CHECK: verify {{.*}} ok
// CHECK-NOT: FAILED

func.func @features(%g: !mp.graph, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x5xf32>)
    -> tensor<?x5xf32> {
  %s, %value = mp.message %g dst(%qi = %q : tensor<?x8xf32>)
      src(%kj = %k : tensor<?x8xf32>, %vj = %v : tensor<?x5xf32>) -> !mp.edges<f32>, !mp.edges<5xf32> {
    %d = mp.dot %qi, %kj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %d, %vj : tensor<f32>, tensor<5xf32>
  }
  %m = mp.aggregate %g softmax(%s) %value : (!mp.edges<f32>, !mp.edges<5xf32>) -> tensor<?x5xf32>
  return %m : tensor<?x5xf32>
}

// The message computes the values of a source and of an edge.
func.func @reciprocals(%g: !mp.graph, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>)
    -> (tensor<?x8xf32>, tensor<?xf32>) {
  %s, %value, %both = mp.message %g dst(%qi = %q : tensor<?x8xf32>)
      src(%kj = %k : tensor<?x8xf32>) -> !mp.edges<f32>, !mp.edges<8xf32>, !mp.edges<f32> {
    %one = arith.constant dense<1.0> : tensor<8xf32>
    %d = mp.dot %qi, %kj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %square = arith.mulf %kj, %kj : tensor<8xf32>
    %r = arith.divf %one, %square : tensor<8xf32>
    %product = mp.dot %square, %square : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %b = arith.divf %d, %product : tensor<f32>
    mp.yield %d, %r, %b : tensor<f32>, tensor<8xf32>, tensor<f32>
  }
  %m = mp.aggregate %g softmax(%s) %value : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  %n = mp.aggregate %g softmax(%s) %both : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  return %m, %n : tensor<?x8xf32>, tensor<?xf32>
}

func.func @monoids(%g: !mp.graph, %q: tensor<?x4xf32>, %k: tensor<?x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %v = mp.message %g dst(%qi = %q : tensor<?x4xf32>) src(%kj = %k : tensor<?x4xf32>)
      -> !mp.edges<4xf32> {
    %d = arith.subf %qi, %kj : tensor<4xf32>
    %e = math.exp %d : tensor<4xf32>
    mp.yield %e : tensor<4xf32>
  }
  %sum = mp.aggregate %g sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %max = mp.aggregate %g max %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %min = mp.aggregate %g min %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %std = mp.aggregate %g std %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %sum, %max, %min, %std : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

// What is the same for all sources counts once for each.
func.func @counts(%g: !mp.graph, %q: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %v, %s = mp.message %g dst(%qi = %q : tensor<?x4xf32>) src(%kj = %q : tensor<?x4xf32>)
      -> !mp.edges<4xf32>, !mp.edges<f32> {
    %d = mp.dot %qi, %kj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    mp.yield %qi, %d : tensor<4xf32>, tensor<f32>
  }
  %sum = mp.aggregate %g sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %scores = mp.aggregate %g sum %s : (!mp.edges<f32>) -> tensor<?xf32>
  return %sum, %scores : tensor<?x4xf32>, tensor<?xf32>
}
