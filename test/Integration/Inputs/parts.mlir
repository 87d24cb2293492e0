// Values of parts of a batch: a softmax over nodes with a score per head, and the way back, of
// floats, of numbers and of truth values.
func.func @parts(%offsets: tensor<?xi64>, %x: tensor<?x3x4xf32>, %score: tensor<?x3xf32>,
                 %u: tensor<?x4xf32>, %k: tensor<?xi32>, %b: tensor<?x2xi1>)
    -> (tensor<?x3x4xf32> {mp.name = "pooled"}, tensor<?x3x4xf32> {mp.name = "back"},
        tensor<?xi32> {mp.name = "number"}, tensor<?x2xi1> {mp.name = "mask"},
        tensor<?xi32> {mp.name = "of"}, tensor<?xi64> {mp.name = "place"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x4xf32>
  %p = mp.readout %offsets softmax(%score) %x
      : (tensor<?xi64>, tensor<?x3xf32>, tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  %w = mp.update (%pk = %p : tensor<?x3x4xf32>, %uk = %u : tensor<?x4xf32>) -> tensor<?x3x4xf32> {
    %us = mp.broadcast %uk trailing : tensor<4xf32> to tensor<3x4xf32>
    %r = arith.addf %pk, %us : tensor<3x4xf32>
    mp.yield %r : tensor<3x4xf32>
  }
  %y = mp.spread %offsets %w to %n : (tensor<?xi64>, tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  %z = arith.addf %y, %x : tensor<?x3x4xf32>
  %l = mp.spread %offsets %k to %n : (tensor<?xi64>, tensor<?xi32>) -> tensor<?xi32>
  %m = mp.spread %offsets %b to %n : (tensor<?xi64>, tensor<?x2xi1>) -> tensor<?x2xi1>
  %of = mp.part_numbers %offsets to %n : tensor<?xi64> -> tensor<?xi32>
  %i = mp.node_numbers %n : tensor<?xi64>
  %first = mp.lookup %offsets[%of] : tensor<?xi64>, tensor<?xi32> -> tensor<?xi64>
  %place = arith.subi %i, %first : tensor<?xi64>
  return %p, %z, %l, %m, %of, %place
      : tensor<?x3x4xf32>, tensor<?x3x4xf32>, tensor<?xi32>, tensor<?x2xi1>, tensor<?xi32>,
        tensor<?xi64>
}

// Attention within the parts alone, by a mask: the compiler makes cliques of them.
func.func @packed(%g: !mp.graph<complete>, %x: tensor<?x3xf32>, %offsets: tensor<?xi64>)
    -> (tensor<?x3xf32> {mp.name = "packed"}) {
  %n = mp.num_dst %g : !mp.graph<complete>
  %k = mp.part_numbers %offsets to %n : tensor<?xi64> -> tensor<?xi32>
  %s, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x3xf32>, %ki = %k : tensor<?xi32>)
      src(%xj = %x : tensor<?x3xf32>, %kj = %k : tensor<?xi32>) -> !mp.edges<f32>, !mp.edges<3xf32> {
    %d = mp.dot %xi, %xj : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
    %none = arith.constant dense<0xFF800000> : tensor<f32>
    %same = arith.cmpi eq, %ki, %kj : tensor<i32>
    %e = arith.select %same, %d, %none : tensor<i1>, tensor<f32>
    mp.yield %e, %xj : tensor<f32>, tensor<3xf32>
  }
  %o = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<3xf32>) -> tensor<?x3xf32>
  return %o : tensor<?x3xf32>
}

// The weights of attention, and what is done with them.
func.func @weights(%g: !mp.graph, %x: tensor<?x8xf32>)
    -> (!mp.edges<2xf32> {mp.name = "weights"}, tensor<?x2xf32> {mp.name = "largest"}) {
  %s = mp.message %g dst(%xi = %x : tensor<?x8xf32>) src(%xj = %x : tensor<?x8xf32>)
      -> !mp.edges<2xf32> {
    %p = arith.mulf %xi, %xj : tensor<8xf32>
    %q = tensor.expand_shape %p [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %r = mp.reduce sum %q dims [1] : tensor<2x4xf32> -> tensor<2xf32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %three = arith.constant dense<3> : tensor<i32>
    %d = arith.addi %j, %three : tensor<i32>
    %allowed = arith.cmpi sle, %i, %d : tensor<i32>
    %hs = mp.broadcast %allowed : tensor<i1> to tensor<2xi1>
    %none = arith.constant dense<0xFF800000> : tensor<2xf32>
    %e = arith.select %hs, %r, %none : tensor<2xi1>, tensor<2xf32>
    mp.yield %e : tensor<2xf32>
  }
  %w = mp.edge_softmax %g, %s : !mp.graph, !mp.edges<2xf32>
  %m = mp.aggregate %g max %w : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %w, %m : !mp.edges<2xf32>, tensor<?x2xf32>
}

// Of scores that are handed in, in half precision too.
func.func @given(%g: !mp.graph, %s: !mp.edges<2xf32>) -> (!mp.edges<2xf32> {mp.name = "weights"}) {
  %w = mp.edge_softmax %g, %s : !mp.graph, !mp.edges<2xf32>
  return %w : !mp.edges<2xf32>
}

// Products, extrema with the number of their edge, and a monoid over parts: the length of the
// sum of a part's nodes, as a scalar.
func.func @folds(%g: !mp.graph, %e: !mp.edges<2x3xf32>, %offsets: tensor<?xi64>, %x: tensor<?x3xf32>)
    -> (tensor<?x2x3xf32> {mp.name = "product"}, tensor<?x2x3xf32> {mp.name = "largest"},
        tensor<?x2x3xi64> {mp.name = "edge"}, tensor<?x3xf32> {mp.name = "of_part"},
        tensor<?xf32> {mp.name = "length"}) {
  %p = mp.aggregate %g prod %e : (!mp.edges<2x3xf32>) -> tensor<?x2x3xf32>
  %m, %k = mp.aggregate %g max %e
      : (!mp.edges<2x3xf32>) -> (tensor<?x2x3xf32>, tensor<?x2x3xi64>)
  %q = mp.readout %offsets prod %x : (tensor<?xi64>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %l = mp.readout %offsets custom %x : (tensor<?xi64>, tensor<?x3xf32>) -> tensor<?xf32>
      identity { %zero = arith.constant dense<0.0> : tensor<3xf32>
                 mp.yield %zero : tensor<3xf32> }
      lift { ^bb0(%a: tensor<3xf32>): mp.yield %a : tensor<3xf32> }
      combine { ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
                %ab = arith.addf %a, %b : tensor<3xf32>
                mp.yield %ab : tensor<3xf32> }
      finalise { ^bb0(%a: tensor<3xf32>):
                 %aa = mp.dot %a, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
                 %r = math.sqrt %aa : tensor<f32>
                 mp.yield %r : tensor<f32> }
  return %p, %m, %k, %q, %l : tensor<?x2x3xf32>, tensor<?x2x3xf32>, tensor<?x2x3xi64>,
      tensor<?x3xf32>, tensor<?xf32>
}
