// What stands at function level: two layers with edge features between them,
// the reverse graph, readouts, structured ops, tensors that are cut and joined.
func.func @two_layers(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<4xf32>,
                      %a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %u: tensor<4x2x3xf32>,
                      %t: tensor<3x4x4xf32>, %r: !mp.edges<i32>, %c: tensor<4xf32>)
    -> (tensor<?x4xf32>, !mp.edges<4xf32>) {
  %m1, %e1 = mp.message %g dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>)
      edge(%eij = %e : !mp.edges<4xf32>) -> !mp.edges<4xf32>, !mp.edges<4xf32> {
    %0 = arith.mulf %hi, %eij : tensor<4xf32>
    %bias = mp.linear %c, %a : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %1 = mp.linear %0, %a bias %bias : (tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = math.tanh %1 : tensor<4xf32>
    %3 = arith.addf %2, %hj : tensor<4xf32>
    mp.yield %3, %2 : tensor<4xf32>, tensor<4xf32>
  }
  %h1 = mp.aggregate %g mean %m1 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %back = mp.reverse %g : !mp.graph -> !mp.graph
  %h2 = mp.aggregate %back sum %e1 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %m2, %e2 = mp.message %g dst(%hi = %h1 : tensor<?x4xf32>) src(%hj = %h2 : tensor<?x4xf32>)
      edge(%eij = %e1 : !mp.edges<4xf32>, %type = %r : !mp.edges<i32>) -> !mp.edges<4xf32>, !mp.edges<4xf32> {
    %w = mp.lookup %t[%type] : tensor<3x4x4xf32>, tensor<i32> -> tensor<4x4xf32>
    %0 = mp.linear %hj, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %1 = mp.linear %eij, %b : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %2 = arith.mulf %hi, %1 : tensor<4xf32>
    %3 = arith.addf %0, %2 : tensor<4xf32>
    %4 = mp.sigmoid %3 : tensor<4xf32>
    mp.yield %3, %4 : tensor<4xf32>, tensor<4xf32>
  }
  %o = mp.aggregate %g sum %m2 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %o, %e2 : tensor<?x4xf32>, !mp.edges<4xf32>
}

func.func @tensors(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %w: tensor<4x6xf32>, %v: tensor<2x6xf32>, %c: f32)
    -> (tensor<?x6xf32>, tensor<?x12xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%n) : tensor<?x6xf32>
  %init = linalg.fill ins(%c : f32) outs(%empty : tensor<?x6xf32>) -> tensor<?x6xf32>
  %p = arith.mulf %x, %y : tensor<?x4xf32>
  %q = math.sin %p : tensor<?x4xf32>
  %xw = linalg.matmul ins(%q, %w : tensor<?x4xf32>, tensor<4x6xf32>) outs(%init : tensor<?x6xf32>) -> tensor<?x6xf32>
  %first = tensor.extract_slice %v[1, 0] [1, 6] [1, 1] : tensor<2x6xf32> to tensor<6xf32>
  %twice = arith.mulf %first, %first : tensor<6xf32>
  %o = mp.update (%a = %xw : tensor<?x6xf32>) -> tensor<?x6xf32> {
    %0 = arith.mulf %a, %twice : tensor<6xf32>
    mp.yield %0 : tensor<6xf32>
  }
  %both = tensor.concat dim(1) %o, %xw : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x12xf32>
  %cube = tensor.expand_shape %o [[0], [1, 2]] output_shape [%n, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %flat = tensor.collapse_shape %cube [[0], [1, 2]] : tensor<?x2x3xf32> into tensor<?x6xf32>
  return %flat, %both : tensor<?x6xf32>, tensor<?x12xf32>
}

func.func @readouts(%offsets: tensor<?xi64>, %h: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %zero = arith.constant 0 : index
  %n = tensor.dim %h, %zero : tensor<?x4xf32>
  %part = mp.part_numbers %offsets to %n : tensor<?xi64> -> tensor<?xi32>
  %scaled = mp.update (%hi = %h : tensor<?x4xf32>, %k = %part : tensor<?xi32>) -> tensor<?x4xf32> {
    %0 = arith.sitofp %k : tensor<i32> to tensor<f32>
    %1 = mp.broadcast %0 : tensor<f32> to tensor<4xf32>
    %2 = arith.mulf %hi, %1 : tensor<4xf32>
    mp.yield %2 : tensor<4xf32>
  }
  %a = mp.readout %offsets mean %scaled : (tensor<?xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = mp.readout %offsets std %h : (tensor<?xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// Linear maps over the last dimension: of the features of all nodes, of an edge's, with
// weights of the edge's type, and with weights that differ from edge to edge; dimensions that
// are added in the middle; a product, and a maximum beside its edge.
func.func @rows(%g: !mp.graph, %x: tensor<?x2x3xf32>, %k: !mp.edges<i32>, %w: tensor<3x4xf32>,
                %b: tensor<4xf32>, %v: tensor<4xf32>, %t: tensor<2x4x3xf32>, %scale: tensor<3xf32>)
    -> (tensor<?x2x4xf32>, tensor<?x2x3xf32>, tensor<?x2xf32>) {
  %n = mp.layer_norm %x scale %scale : (tensor<?x2x3xf32>, tensor<3xf32>) -> tensor<?x2x3xf32>
  %y = mp.linear %n, %w bias %b
      : (tensor<?x2x3xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<?x2x4xf32>
  %m, %p, %q = mp.message %g dst(%yi = %y : tensor<?x2x4xf32>) src(%xj = %x : tensor<?x2x3xf32>)
      edge(%kind = %k : !mp.edges<i32>) -> !mp.edges<2x4xf32>, !mp.edges<2x3xf32>, !mp.edges<2xf32> {
    %r = mp.lookup %t[%kind] : tensor<2x4x3xf32>, tensor<i32> -> tensor<4x3xf32>
    %0 = mp.linear %yi, %r : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    %1 = arith.mulf %0, %xj : tensor<2x3xf32>
    %2 = mp.linear %1, %w bias %b
        : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %3 = mp.linear %2, %v : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
    // x_jk x_jl for each of two rows, a matrix of this edge.
    %left = mp.broadcast %xj dims [2] : tensor<2x3xf32> to tensor<2x3x3xf32>
    %right = mp.broadcast %xj dims [1] : tensor<2x3xf32> to tensor<2x3x3xf32>
    %outer = arith.mulf %left, %right : tensor<2x3x3xf32>
    %own = mp.reduce sum %outer dims [0] : tensor<2x3x3xf32> -> tensor<3x3xf32>
    %4 = mp.linear %0, %own : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
    mp.yield %2, %4, %3 : tensor<2x4xf32>, tensor<2x3xf32>, tensor<2xf32>
  }
  %a = mp.aggregate %g sum %m : (!mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
  %c = mp.aggregate %g prod %p : (!mp.edges<2x3xf32>) -> tensor<?x2x3xf32>
  %d, %e = mp.aggregate %g max %q : (!mp.edges<2xf32>) -> (tensor<?x2xf32>, tensor<?x2xi64>)
  return %a, %c, %d : tensor<?x2x4xf32>, tensor<?x2x3xf32>, tensor<?x2xf32>
}

// Arguments that nothing reads have the cotangent 0.
func.func @unused(%g: !mp.graph, %x: tensor<?x3xf32>, %e: !mp.edges<2xf32>, %w: tensor<3xf32>)
    -> tensor<?x3xf32> {
  %m = mp.message %g src(%xj = %x : tensor<?x3xf32>) -> !mp.edges<3xf32> {
    %t = math.tanh %xj : tensor<3xf32>
    mp.yield %t : tensor<3xf32>
  }
  %s = mp.aggregate %g mean %m : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}

// What is divided by degrees, of nodes that have no edges too: their gradients are 0, and the
// weights' are not NaN.
func.func @degrees(%g: !mp.graph, %x: tensor<?x4xf32>, %w: tensor<4x3xf32>, %c: tensor<4xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %r = mp.reverse %g : !mp.graph -> !mp.graph
  %in = mp.degree %g : !mp.graph -> tensor<?xf32>
  %out = mp.degree %r : !mp.graph -> tensor<?xf32>
  %root = math.rsqrt %out : tensor<?xf32>
  %scaled, %mean = mp.message %g dst(%xi = %x : tensor<?x4xf32>, %di = %in : tensor<?xf32>)
      src(%rj = %root : tensor<?xf32>, %xj = %x : tensor<?x4xf32>, %dj = %out : tensor<?xf32>)
      -> !mp.edges<3xf32>, !mp.edges<3xf32> {
    %0 = mp.broadcast %rj : tensor<f32> to tensor<4xf32>
    %1 = arith.mulf %0, %xj : tensor<4xf32>
    %2 = arith.mulf %1, %c : tensor<4xf32>
    %3 = mp.linear %2, %w : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
    %4 = mp.broadcast %di : tensor<f32> to tensor<4xf32>
    %5 = arith.divf %xi, %4 : tensor<4xf32>
    %6 = mp.dot %5, %xi : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %7 = mp.broadcast %6 : tensor<f32> to tensor<3xf32>
    %8 = arith.mulf %3, %7 : tensor<3xf32>
    %9 = mp.broadcast %dj : tensor<f32> to tensor<4xf32>
    %10 = arith.divf %xj, %9 : tensor<4xf32>
    %11 = mp.linear %10, %w : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
    mp.yield %8, %11 : tensor<3xf32>, tensor<3xf32>
  }
  %a = mp.aggregate %g sum %scaled : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  %b = mp.aggregate %g mean %mean : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  return %a, %b : tensor<?x3xf32>, tensor<?x3xf32>
}

// Slices: entries that are apart, a row that a number says; a tensor of numbers.
func.func @slices(%x: tensor<?x3x7xf32>, %w: tensor<5x2x3xf32>, %k: index, %c: f32, %d: f32)
    -> tensor<?x2x3xf32> {
  %numbers = tensor.from_elements %c, %d, %c, %c, %d, %c : tensor<2x3xf32>
  %row = tensor.extract_slice %w[%k, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> to tensor<2x3xf32>
  %y = mp.update (%xi = %x : tensor<?x3x7xf32>) -> tensor<?x2x3xf32> {
    %0 = tensor.extract_slice %xi[0, 1] [2, 3] [2, 2] : tensor<3x7xf32> to tensor<2x3xf32>
    %1 = tensor.extract_slice %xi[1, 0] [1, 3] [1, 3] : tensor<3x7xf32> to tensor<3xf32>
    %2 = mp.broadcast %1 trailing : tensor<3xf32> to tensor<2x3xf32>
    %3 = arith.mulf %0, %2 : tensor<2x3xf32>
    %4 = arith.mulf %3, %row : tensor<2x3xf32>
    %5 = arith.mulf %4, %numbers : tensor<2x3xf32>
    mp.yield %5 : tensor<2x3xf32>
  }
  return %y : tensor<?x2x3xf32>
}

// Numbers of the caller and of tensors, and tensors of them.
func.func @numbers(%c: f32, %d: f16, %i: index, %g: !mp.graph, %x: tensor<?x3xf32>)
    -> (tensor<?x3xf32>, f32, tensor<?x2xf32>) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %one = arith.constant 1 : index
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<?x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %0 = tensor.extract %sum[%one] : tensor<3xf32>
  %1 = tensor.extract %x[%i, %one] : tensor<?x3xf32>
  %2 = arith.mulf %0, %c : f32
  %3 = arith.mulf %2, %1 : f32
  %wide = arith.extf %d : f16 to f32
  %4 = arith.addf %3, %wide : f32
  %number = tensor.from_elements %4 : tensor<f32>
  %rows = tensor.splat %4[%i] : tensor<?x2xf32>
  %n = mp.num_src %g
  %places = mp.node_numbers %n : tensor<?xi32>
  %m = mp.message %g src(%xj = %x : tensor<?x3xf32>, %pj = %places : tensor<?xi32>)
      -> !mp.edges<3xf32> {
    %row = tensor.splat %3 : tensor<3xf32>
    %place = arith.sitofp %pj : tensor<i32> to tensor<f32>
    %5 = arith.addf %number, %place : tensor<f32>
    %6 = mp.broadcast %5 : tensor<f32> to tensor<3xf32>
    %7 = arith.mulf %xj, %6 : tensor<3xf32>
    %8 = arith.addf %row, %7 : tensor<3xf32>
    mp.yield %8 : tensor<3xf32>
  }
  %y = mp.aggregate %g sum %m : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  return %y, %3, %rows : tensor<?x3xf32>, f32, tensor<?x2xf32>
}

// A function that regions and functions call.
func.func private @root(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @square(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = math.sqrt %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.mulf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Roots and quotients that a select takes out have no slope, which it takes out too.
func.func @taken_out(%g: !mp.graph, %x: tensor<?x4xf32>, %y: tensor<?x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %m = mp.message %g dst(%yi = %y : tensor<?x4xf32>) src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %0 = arith.mulf %xj, %yi : tensor<4xf32>
    %1 = math.sqrt %0 : tensor<4xf32>
    %2 = arith.cmpf ogt, %0, %zero : tensor<4xf32>
    %3 = arith.select %2, %1, %zero : tensor<4xi1>, tensor<4xf32>
    %4 = func.call @root(%xj) : (tensor<4xf32>) -> tensor<4xf32>
    %5 = arith.addf %3, %4 : tensor<4xf32>
    mp.yield %5 : tensor<4xf32>
  }
  %a = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %b = mp.update (%xi = %x : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %0 = mp.relu %xi : tensor<4xf32>
    %1 = arith.divf %xi, %0 : tensor<4xf32>
    %2 = math.log %1 : tensor<4xf32>
    %3 = arith.cmpf ogt, %xi, %zero : tensor<4xf32>
    %4 = arith.addf %2, %xi : tensor<4xf32>
    %5 = arith.select %3, %4, %zero : tensor<4xi1>, tensor<4xf32>
    mp.yield %5 : tensor<4xf32>
  }
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// Edge features that no message reads: one that is returned, twice, one that is dropped, and one
// of a message that does nothing with it.
func.func @edges_alone(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<3xbf16>, %f: !mp.edges<2xf32>,
                       %k: !mp.edges<f32>) -> (tensor<?x4xf32>, !mp.edges<3xbf16>, !mp.edges<3xbf16>) {
  %m = mp.message %g src(%hj = %h : tensor<?x4xf32>) edge(%kj = %k : !mp.edges<f32>) -> !mp.edges<4xf32> {
    %0 = math.sin %hj : tensor<4xf32>
    mp.yield %0 : tensor<4xf32>
  }
  %a = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %a, %e, %e : tensor<?x4xf32>, !mp.edges<3xbf16>, !mp.edges<3xbf16>
}

// Half precision: constants, conversions, weights, and aggregates that are kept in f32.
func.func @half(%g: !mp.graph, %h: tensor<?x4xbf16>, %w: tensor<4x4xbf16>) -> tensor<?x4xbf16> {
  %s, %m = mp.message %g dst(%y = %h : tensor<?x4xbf16>) src(%x = %h : tensor<?x4xbf16>)
      -> !mp.edges<bf16>, !mp.edges<4xbf16> {
    %c = arith.constant dense<[0.5, 1.5, 2.0, -1.0]> : tensor<4xbf16>
    %p = arith.mulf %x, %c : tensor<4xbf16>
    %d = mp.dot %p, %y : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<bf16>
    %wide = arith.extf %p : tensor<4xbf16> to tensor<4xf32>
    %t = math.tanh %wide : tensor<4xf32>
    %b = arith.truncf %t : tensor<4xf32> to tensor<4xbf16>
    %l = mp.linear %b, %w : (tensor<4xbf16>, tensor<4x4xbf16>) -> tensor<4xbf16>
    mp.yield %d, %l : tensor<bf16>, tensor<4xbf16>
  }
  %a = mp.aggregate %g softmax(%s) %m : (!mp.edges<bf16>, !mp.edges<4xbf16>) -> tensor<?x4xbf16>
  %o = mp.aggregate %g std %m : (!mp.edges<4xbf16>) -> tensor<?x4xbf16>
  %r = mp.update (%u = %a : tensor<?x4xbf16>, %v = %o : tensor<?x4xbf16>) -> tensor<?x4xbf16> {
    %z = arith.addf %u, %v : tensor<4xbf16>
    mp.yield %z : tensor<4xbf16>
  }
  return %r : tensor<?x4xbf16>
}

// Rows by number: of node features, weights and edge features, with numbers beyond them.
func.func @looked_up(%g: !mp.graph, %x: tensor<?x4xf32>, %w: tensor<5x4xf32>, %e: !mp.edges<4xf32>, %i: tensor<?xi32>, %j: tensor<i32>)
    -> tensor<?x4xf32> {
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %p, %edges = mp.rows %g, %c2, %c9 : !mp.graph
  %ep = mp.lookup %e[%edges] : !mp.edges<4xf32>, tensor<?xi64> -> !mp.edges<4xf32>
  %m = mp.message %p src(%xj = %x : tensor<?x4xf32>) edge(%eij = %ep : !mp.edges<4xf32>) -> !mp.edges<4xf32> {
    %0 = math.sin %eij : tensor<4xf32>
    %1 = arith.mulf %xj, %0 : tensor<4xf32>
    mp.yield %1 : tensor<4xf32>
  }
  %a = mp.aggregate %p sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %b = mp.lookup %a[%i] : tensor<?x4xf32>, tensor<?xi32> -> tensor<?x4xf32>
  %c = mp.lookup %w[%i] : tensor<5x4xf32>, tensor<?xi32> -> tensor<?x4xf32>
  %one = mp.lookup %x[%j] : tensor<?x4xf32>, tensor<i32> -> tensor<4xf32>
  %r = mp.update (%bi = %b : tensor<?x4xf32>, %ci = %c : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %0 = arith.mulf %bi, %ci : tensor<4xf32>
    %1 = arith.mulf %0, %one : tensor<4xf32>
    mp.yield %1 : tensor<4xf32>
  }
  return %r : tensor<?x4xf32>
}

// A table of biases by distance, and by the kind of the source.
func.func @relative(%g: !mp.graph, %q: tensor<?x2x4xf32>, %k: tensor<?x2x4xf32>, %kind: tensor<?xi64>,
                    %bias: tensor<7x2xf32>, %scale: tensor<3x4xf32>) -> tensor<?x2x4xf32> {
  %s, %v = mp.message %g dst(%qi = %q : tensor<?x2x4xf32>)
      src(%kj = %k : tensor<?x2x4xf32>, %t = %kind : tensor<?xi64>) -> !mp.edges<2xf32>, !mp.edges<2x4xf32> {
    %d = mp.dot %qi, %kj : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %ij = arith.subi %j, %i : tensor<i32>
    %three = arith.constant dense<3> : tensor<i32>
    %row = arith.addi %ij, %three : tensor<i32>
    %b = mp.lookup %bias[%row] : tensor<7x2xf32>, tensor<i32> -> tensor<2xf32>
    %e = arith.addf %d, %b : tensor<2xf32>
    %to = arith.extsi %row : tensor<i32> to tensor<i64>
    %both = arith.subi %to, %t : tensor<i64>
    %r = mp.lookup %scale[%both] : tensor<3x4xf32>, tensor<i64> -> tensor<4xf32>
    %rs = mp.broadcast %r trailing : tensor<4xf32> to tensor<2x4xf32>
    %m = arith.mulf %rs, %kj : tensor<2x4xf32>
    mp.yield %e, %m : tensor<2xf32>, tensor<2x4xf32>
  }
  %o = mp.aggregate %g softmax(%s) %v : (!mp.edges<2xf32>, !mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
  return %o : tensor<?x2x4xf32>
}

// Rows of a table by distance, squared.
func.func @distances(%g: !mp.graph<causal>, %x: tensor<?xf32>, %t: tensor<5x2xf32>) -> tensor<?x2xf32> {
  %m = mp.message %g : !mp.graph<causal> dst(%xi = %x : tensor<?xf32>) src(%xj = %x : tensor<?xf32>)
      -> !mp.edges<2xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %ij = arith.subi %i, %j : tensor<i32>
    %r = mp.lookup %t[%ij] : tensor<5x2xf32>, tensor<i32> -> tensor<2xf32>
    %s = arith.mulf %r, %r : tensor<2xf32>
    %p = arith.mulf %xi, %xj : tensor<f32>
    %pp = mp.broadcast %p : tensor<f32> to tensor<2xf32>
    %m = arith.mulf %s, %pp : tensor<2xf32>
    mp.yield %m : tensor<2xf32>
  }
  %o = mp.aggregate %g : !mp.graph<causal> sum %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %o : tensor<?x2xf32>
}

// One condition for all rows, and a dimension beside them that only a run knows.
func.func @chosen(%p: i1, %x: tensor<?x4xf32>, %y: tensor<?x?xf32>)
    -> (tensor<?x4xf32>, tensor<?x?xf32>) {
  %t = math.tanh %x : tensor<?x4xf32>
  %s = arith.select %p, %t, %x : tensor<?x4xf32>
  %u = math.tanh %y : tensor<?x?xf32>
  %v = arith.mulf %u, %y : tensor<?x?xf32>
  %w = arith.select %p, %v, %y : tensor<?x?xf32>
  return %s, %w : tensor<?x4xf32>, tensor<?x?xf32>
}

// Rows and columns of a constant before and behind.
func.func @padded(%x: tensor<?x4xf32>, %w: tensor<3x4xf32>, %n: index)
    -> (tensor<?x6xf32>, tensor<4x6xf32>) {
  %c = arith.constant 0.5 : f32
  %t = math.tanh %x : tensor<?x4xf32>
  %p = tensor.pad %t low[%n, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<?x4xf32> to tensor<?x6xf32>
  %s = math.sin %w : tensor<3x4xf32>
  %q = tensor.pad %s low[0, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<3x4xf32> to tensor<4x6xf32>
  return %p, %q : tensor<?x6xf32>, tensor<4x6xf32>
}

// Numbers of the caller in another shape than they are put into a tensor in.
func.func @reshaped(%g: !mp.graph, %x: tensor<?x6xf32>, %c: f32, %d: f32) -> tensor<?x6xf32> {
  %m = mp.message %g src(%xj = %x : tensor<?x6xf32>) -> !mp.edges<6xf32> {
    %all = tensor.splat %c : tensor<2x3xf32>
    %cs = tensor.collapse_shape %all [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
    %both = tensor.from_elements %c, %d, %d, %c, %d, %c : tensor<3x2xf32>
    %ds = tensor.collapse_shape %both [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
    %s = math.sin %xj : tensor<6xf32>
    %p = arith.mulf %s, %cs : tensor<6xf32>
    %q = arith.addf %p, %ds : tensor<6xf32>
    %t = math.tanh %q : tensor<6xf32>
    mp.yield %t : tensor<6xf32>
  }
  %y = mp.aggregate %g mean %m : (!mp.edges<6xf32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}
