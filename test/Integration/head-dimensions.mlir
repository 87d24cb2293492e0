// A softmax whose scores have three dimensions of heads, of part of a weight each: an
// index is made of those of the dimensions before.
// RUN: clique-run %s --entry=three_dimensions --graph=complete:9 --lowering=dense --verify | FileCheck %s
// CHECK: verify {{.*}}: ok
func.func @three_dimensions(%g: !mp.graph, %h0: tensor<?x7x1xf64>, %w2: tensor<1x2x3x2xf64>, %w5: tensor<2x2x3x2xf64>)
    -> (tensor<?x2x3x2xf64>) {
  %m4, %m8 = mp.message %g : !mp.graph dst(%a1 = %h0 : tensor<?x7x1xf64>) -> !mp.edges<2x3x2xf64>, !mp.edges<2x3x2xf64> {
    %v3 = mp.reduce sum %w2 dims [0] : tensor<1x2x3x2xf64> -> tensor<2x3x2xf64>
    %v6 = mp.position src : tensor<i64>
    %v7 = mp.lookup %w5[%v6] : tensor<2x2x3x2xf64>, tensor<i64> -> tensor<2x3x2xf64>
    mp.yield %v3, %v7 : tensor<2x3x2xf64>, tensor<2x3x2xf64>
  }
  %r9 = mp.aggregate %g : !mp.graph softmax(%m8) %m4 : (!mp.edges<2x3x2xf64>, !mp.edges<2x3x2xf64>) -> (tensor<?x2x3x2xf64>)
  return %r9 : tensor<?x2x3x2xf64>
}

// Two dimensions of heads, the second behind another one in the result.
// RUN: clique-run %s --entry=apart --graph=complete:23 --lowering=dense --verify | FileCheck %s
func.func @apart(%g: !mp.graph<complete>, %q: tensor<?x2x3x4xf32>, %row: tensor<?x1xi32>) -> tensor<?x2x7x3xf32> {
  %m = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x2x3x4xf32>)
      src(%qj = %q : tensor<?x2x3x4xf32>, %rj = %row : tensor<?x1xi32>) -> !mp.edges<2x7x3xf32> {
    %s = mp.dot %qi, %qj : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3xf32>
    %z = arith.constant dense<0.0> : tensor<2x7x3xf32>
    %r = tensor.scatter %s into %z[%rj] scatter_dims([1]) unique
        : (tensor<2x3xf32>, tensor<2x7x3xf32>, tensor<1xi32>) -> tensor<2x7x3xf32>
    mp.yield %r : tensor<2x7x3xf32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<2x7x3xf32>) -> tensor<?x2x7x3xf32>
  return %a : tensor<?x2x7x3xf32>
}

// One tensor as two sources of [2, 4] and as weights [2, 2, 4]: its part for a head would be another one in
// each role.
// RUN: clique-run %s --entry=two_roles --graph=bipartite:9x2 --lowering=dense --verify | FileCheck %s
func.func @two_roles(%g: !mp.graph, %q: tensor<?x2x4xf32>, %h: tensor<?x2x2x4xf32>, %w: tensor<2x2x4xf32>)
    -> tensor<?x2x2x4xf32> {
  %s, %v = mp.message %g dst(%qi = %q : tensor<?x2x4xf32>, %hi = %h : tensor<?x2x2x4xf32>)
      src(%wj = %w : tensor<2x2x4xf32>) -> !mp.edges<2xf32>, !mp.edges<2x2x4xf32> {
    %d = mp.dot %qi, %wj : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
    %r = arith.mulf %hi, %w : tensor<2x2x4xf32>
    mp.yield %d, %r : tensor<2xf32>, tensor<2x2x4xf32>
  }
  %a = mp.aggregate %g softmax(%s) %v : (!mp.edges<2xf32>, !mp.edges<2x2x4xf32>) -> tensor<?x2x2x4xf32>
  return %a : tensor<?x2x2x4xf32>
}
