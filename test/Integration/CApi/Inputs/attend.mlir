func.func @attend(%g: !mp.graph, %q: tensor<?x8xf32>, %v: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %s, %m = mp.message %g dst(%qi = %q : tensor<?x8xf32>) src(%vj = %v : tensor<?x8xf32>)
      -> !mp.edges<f32>, !mp.edges<8xf32> {
    %d = mp.dot %qi, %vj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %d, %vj : tensor<f32>, tensor<8xf32>
  }
  %o = mp.aggregate %g softmax(%s) %m : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %o : tensor<?x8xf32>
}
