func.func @recurrent(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %h) -> (tensor<?x4xf32>) {
    %s, %m = mp.message %g dst(%xi = %x : tensor<?x4xf32>) src(%xj = %x : tensor<?x4xf32>)
        -> !mp.edges<f32>, !mp.edges<4xf32> {
      %v = mp.linear %xj, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
      %d = mp.dot %xi, %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      mp.yield %d, %v : tensor<f32>, tensor<4xf32>
    }
    %a = mp.aggregate %g softmax(%s) %m : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
    %t = math.tanh %a : tensor<?x4xf32>
    scf.yield %t : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}
