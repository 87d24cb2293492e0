// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One layer for each kind of argument and result.

// Sum of the neighbours.
func.func @gather(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %hj : tensor<4xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}

// A graph made in the spec from a scalar, and a scalar result.
func.func @made(%n: index, %h: tensor<?x4xf32>) -> (tensor<?x4xf32>, index) {
  %g = mp.complete %n
  %m = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x4xf32>)
      -> !mp.edges<4xf32> {
    mp.yield %hj : tensor<4xf32>
  }
  %o = mp.aggregate %g : !mp.graph<complete> mean %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %e = mp.num_edges %g : !mp.graph<complete>
  return %o, %e : tensor<?x4xf32>, index
}

// Edge features in and out, two graphs, integers, two named results.
func.func @edges(%g: !mp.graph, %r: !mp.graph<bipartite>, %x: tensor<?x2xf64>,
                 %y: tensor<?x2xf64>, %kind: !mp.edges<i32>, %table: tensor<5x2xf64>)
    -> (!mp.edges<2xf64> {mp.name = "message"}, tensor<?x2xf64> {mp.name = "sum"}) {
  %m = mp.message %g dst(%xi = %x : tensor<?x2xf64>) edge(%k = %kind : !mp.edges<i32>)
      -> !mp.edges<2xf64> {
    %w = mp.lookup %table[%k] : tensor<5x2xf64>, tensor<i32> -> tensor<2xf64>
    %p = arith.mulf %w, %xi : tensor<2xf64>
    mp.yield %p : tensor<2xf64>
  }
  %b = mp.message %r : !mp.graph<bipartite> src(%yj = %y : tensor<?x2xf64>)
      -> !mp.edges<2xf64> {
    mp.yield %yj : tensor<2xf64>
  }
  %o = mp.aggregate %r : !mp.graph<bipartite> sum %b : (!mp.edges<2xf64>) -> tensor<?x2xf64>
  return %m, %o : !mp.edges<2xf64>, tensor<?x2xf64>
}

// Half precision.
func.func @half(%g: !mp.graph, %h: tensor<?x4xbf16>) -> tensor<?x4xbf16> {
  %m = mp.message %g src(%hj = %h : tensor<?x4xbf16>) -> !mp.edges<4xbf16> {
    mp.yield %hj : tensor<4xbf16>
  }
  %o = mp.aggregate %g max %m : (!mp.edges<4xbf16>) -> tensor<?x4xbf16>
  return %o : tensor<?x4xbf16>
}
