// Attention of given queries, keys and values, and the spread of the values.
func.func @attend(%g: !mp.graph, %q: tensor<?x2x4xf32>, %k: tensor<?x2x4xf32>, %v: tensor<?x2x4xf32>)
    -> (tensor<?x2x4xf32>, tensor<?x2x4xf32>) {
  %s, %m = mp.message %g dst(%qi = %q : tensor<?x2x4xf32>)
      src(%kj = %k : tensor<?x2x4xf32>, %vj = %v : tensor<?x2x4xf32>)
      -> !mp.edges<2xf32>, !mp.edges<2x4xf32> {
    %d = mp.dot %qi, %kj : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
    mp.yield %d, %vj : tensor<2xf32>, tensor<2x4xf32>
  }
  %o = mp.aggregate %g softmax(%s) %m : (!mp.edges<2xf32>, !mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
  %d = mp.aggregate %g std %m : (!mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
  return %o, %d : tensor<?x2x4xf32>, tensor<?x2x4xf32>
}
