// Where a formula taken by the letter divides 0 by 0.
func.func @singular(%g: !mp.graph, %x: tensor<?x3xf32>, %e: !mp.edges<3xf32>)
    -> (tensor<?x3xf32>, tensor<?xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %loops = mp.self_loops %g : !mp.graph -> !mp.graph
  // Of a self-loop it is the length of 0.
  %d = mp.message %loops dst(%xi = %x : tensor<?x3xf32>) src(%xj = %x : tensor<?x3xf32>)
      -> !mp.edges<f32> {
    %0 = arith.subf %xi, %xj : tensor<3xf32>
    %1 = mp.dot %0, %0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
    %2 = math.sqrt %1 : tensor<f32>
    mp.yield %2 : tensor<f32>
  }
  %length = mp.aggregate %loops sum %d : (!mp.edges<f32>) -> tensor<?xf32>
  // Equal values, scores all of -inf, and products with zeros if %e has some.
  %m, %s, %v = mp.message %g dst(%xi = %x : tensor<?x3xf32>) src(%xj = %x : tensor<?x3xf32>)
      edge(%eij = %e : !mp.edges<3xf32>)
      -> !mp.edges<3xf32>, !mp.edges<f32>, !mp.edges<3xf32> {
    %lowest = arith.constant dense<0xFF800000> : tensor<f32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %hidden = arith.cmpi sle, %i, %j : tensor<i32>
    %0 = mp.dot %xi, %xj : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
    %1 = arith.select %hidden, %lowest, %0 : tensor<i1>, tensor<f32>
    %2 = arith.mulf %xj, %eij : tensor<3xf32>
    %3 = math.tanh %xi : tensor<3xf32>
    mp.yield %3, %1, %2 : tensor<3xf32>, tensor<f32>, tensor<3xf32>
  }
  %std = mp.aggregate %g std %m : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  %soft = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<3xf32>) -> tensor<?x3xf32>
  %product = mp.aggregate %g custom %v : (!mp.edges<3xf32>) -> tensor<?x3xf32>
    identity { %one = arith.constant dense<1.0> : tensor<3xf32>
               mp.yield %one : tensor<3xf32> }
    lift { ^bb0(%a: tensor<3xf32>): mp.yield %a : tensor<3xf32> }
    combine { ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
              %ab = arith.mulf %a, %b : tensor<3xf32>
              mp.yield %ab : tensor<3xf32> }
    finalise { ^bb0(%a: tensor<3xf32>): mp.yield %a : tensor<3xf32> }
  return %std, %length, %soft, %product
      : tensor<?x3xf32>, tensor<?xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}
