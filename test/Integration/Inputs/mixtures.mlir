// Sums and means of several weighted rows of a source.

func.func @mixture(%g: !mp.graph, %x: tensor<?x3xf32>, %y: tensor<?x3x16xf32>) -> tensor<?x16xf32> {
  %m = mp.message %g dst(%xi = %x : tensor<?x3xf32>)
      src(%xj = %x : tensor<?x3xf32>, %yj = %y : tensor<?x3x16xf32>) -> !mp.edges<16xf32> {
    %d = arith.subf %xi, %xj : tensor<3xf32>
    %k = math.exp %d : tensor<3xf32>
    %ks = mp.broadcast %k : tensor<3xf32> to tensor<3x16xf32>
    %p = arith.mulf %ks, %yj : tensor<3x16xf32>
    %s = mp.reduce sum %p dims [0] : tensor<3x16xf32> -> tensor<16xf32>
    mp.yield %s : tensor<16xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %o : tensor<?x16xf32>
}

// The rows are the middle dimension; each weight is for one row and head, of one feature.
func.func @mean(%g: !mp.graph, %x: tensor<?x4x2xf32>, %y: tensor<?x4x2x5xf32>)
    -> tensor<?x4x5xf32> {
  %m = mp.message %g dst(%xi = %x : tensor<?x4x2xf32>)
      src(%xj = %x : tensor<?x4x2xf32>, %yj = %y : tensor<?x4x2x5xf32>) -> !mp.edges<4x5xf32> {
    %d = arith.mulf %xi, %xj : tensor<4x2xf32>
    %k = math.tanh %d : tensor<4x2xf32>
    %ks = mp.broadcast %k : tensor<4x2xf32> to tensor<4x2x5xf32>
    %p = arith.mulf %yj, %ks : tensor<4x2x5xf32>
    %s = mp.reduce sum %p dims [1] : tensor<4x2x5xf32> -> tensor<4x5xf32>
    mp.yield %s : tensor<4x5xf32>
  }
  %o = mp.aggregate %g mean %m : (!mp.edges<4x5xf32>) -> tensor<?x4x5xf32>
  return %o : tensor<?x4x5xf32>
}

func.func @half(%g: !mp.graph, %x: tensor<?x2xbf16>, %y: tensor<?x2x9xbf16>) -> tensor<?x9xbf16> {
  %m = mp.message %g dst(%xi = %x : tensor<?x2xbf16>)
      src(%xj = %x : tensor<?x2xbf16>, %yj = %y : tensor<?x2x9xbf16>) -> !mp.edges<9xbf16> {
    %d = arith.addf %xi, %xj : tensor<2xbf16>
    %k = math.exp %d : tensor<2xbf16>
    %ks = mp.broadcast %k : tensor<2xbf16> to tensor<2x9xbf16>
    %p = arith.mulf %ks, %yj : tensor<2x9xbf16>
    %s = mp.reduce sum %p dims [0] : tensor<2x9xbf16> -> tensor<9xbf16>
    mp.yield %s : tensor<9xbf16>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<9xbf16>) -> tensor<?x9xbf16>
  return %o : tensor<?x9xbf16>
}

// Some elements of sources are infinite: no NaN comes from where they are not received.
func.func @infinite(%g: !mp.graph, %x: tensor<?x3xf32>, %y: tensor<?x3x8xf32>) -> tensor<?x8xf32> {
  %z = mp.update (%yi = %y : tensor<?x3x8xf32>) -> tensor<?x3x8xf32> {
    %most = arith.constant dense<0.97> : tensor<3x8xf32>
    %inf = arith.constant dense<0x7F800000> : tensor<3x8xf32>
    %is = arith.cmpf ogt, %yi, %most : tensor<3x8xf32>
    %s = arith.select %is, %inf, %yi : tensor<3x8xi1>, tensor<3x8xf32>
    mp.yield %s : tensor<3x8xf32>
  }
  %m = mp.message %g dst(%xi = %x : tensor<?x3xf32>)
      src(%xj = %x : tensor<?x3xf32>, %zj = %z : tensor<?x3x8xf32>) -> !mp.edges<8xf32> {
    %d = arith.subf %xi, %xj : tensor<3xf32>
    %k = math.exp %d : tensor<3xf32>
    %ks = mp.broadcast %k : tensor<3xf32> to tensor<3x8xf32>
    %p = arith.mulf %ks, %zj : tensor<3x8xf32>
    %s = mp.reduce sum %p dims [0] : tensor<3x8xf32> -> tensor<8xf32>
    mp.yield %s : tensor<8xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %o : tensor<?x8xf32>
}
