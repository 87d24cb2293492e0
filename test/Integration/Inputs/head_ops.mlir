// Every op of a message through which heads are followed to where they are made.
func.func @ops(%g: !mp.graph, %h: tensor<?x8xf32>, %wv: tensor<8x4x2xf32>, %table: tensor<5x4x2xf32>,
               %scale: tensor<4xf32>, %u: tensor<2x2xf32>) -> tensor<?x4x2xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x2xf32> {
    %half = arith.constant dense<0.5> : tensor<4x2xf32>
    %shift = arith.constant dense<[0.5, -0.5, 0.25, 1.0]> : tensor<4xf32>
    // What the node has of each head.
    %e = tensor.expand_shape %hi [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
    %n = mp.layer_norm %e : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %j = mp.position src : tensor<i32>
    %t = mp.lookup %table[%j] : tensor<5x4x2xf32>, tensor<i32> -> tensor<4x2xf32>
    %c = tensor.concat dim(1) %n, %t : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
    %p = tensor.extract_slice %c[0, 1] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
    %x = mp.linear %hj, %wv : (tensor<8xf32>, tensor<8x4x2xf32>) -> tensor<4x2xf32>
    %d = mp.dot %p, %x : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4xf32>
    %r = mp.reduce max %t dims [1] : tensor<4x2xf32> -> tensor<4xf32>
    %a = arith.addf %d, %r : tensor<4xf32>
    %k = arith.addf %a, %shift : tensor<4xf32>
    // Features before heads, and all of them in one dimension.
    %w = mp.broadcast %scale dims [0] : tensor<4xf32> to tensor<2x4xf32>
    %q = mp.reduce sum %w dims [0] : tensor<2x4xf32> -> tensor<4xf32>
    %b = mp.broadcast %q : tensor<4xf32> to tensor<4x2xf32>
    %f = tensor.collapse_shape %b [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
    %y = math.tanh %f : tensor<8xf32>
    %o = tensor.expand_shape %y [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
    // A map of each head, and what all heads have in common.
    %l = mp.linear %t, %u : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %all = mp.reduce max %l dims [0] : tensor<4x2xf32> -> tensor<2xf32>
    %each = mp.broadcast %all dims [0] : tensor<2xf32> to tensor<4x2xf32>
    %both = arith.addf %l, %each : tensor<4x2xf32>
    // Two heads in a row of a matrix.
    %pairs = tensor.expand_shape %hj [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %sine = math.sin %pairs : tensor<2x4xf32>
    %row = tensor.collapse_shape %sine [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %four = tensor.expand_shape %row [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
    %rest = arith.mulf %both, %four : tensor<4x2xf32>
    %factor = arith.addf %o, %rest : tensor<4x2xf32>
    %m = arith.mulf %x, %factor : tensor<4x2xf32>
    %z = arith.mulf %m, %half : tensor<4x2xf32>
    mp.yield %k, %z : tensor<4xf32>, tensor<4x2xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x2xf32>) -> tensor<?x4x2xf32>
  return %m : tensor<?x4x2xf32>
}
