// Through an acyclic graph level by level: each node adds a mean over its sources, with
// features of their edges, and gets the number of its level.
func.func @flow(%g: !mp.graph, %x: tensor<?x4xf32>, %e: !mp.edges<4xf32>) -> (tensor<?x4xf32> {mp.name = "h"}, tensor<?xi32> {mp.name = "level"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dag, %nodes, %places, %offsets = mp.levels %g : !mp.graph
  %xs = mp.lookup %x[%nodes] : tensor<?x4xf32>, tensor<?xi32> -> tensor<?x4xf32>
  %entries = tensor.dim %offsets, %c0 : tensor<?xi64>
  %levels = arith.subi %entries, %c1 : index
  %h0, %l0 = mp.update (%xi = %x : tensor<?x4xf32>) -> tensor<?x4xf32>, tensor<?xi32> {
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %none = arith.constant dense<-1> : tensor<i32>
    mp.yield %zero, %none : tensor<4xf32>, tensor<i32>
  }
  %r:2 = scf.for %k = %c0 to %levels step %c1 iter_args(%h = %h0, %l = %l0) -> (tensor<?x4xf32>, tensor<?xi32>) {
    %next = arith.addi %k, %c1 : index
    %begin = tensor.extract %offsets[%k] : tensor<?xi64>
    %end = tensor.extract %offsets[%next] : tensor<?xi64>
    %size = arith.subi %end, %begin : i64
    %first = arith.index_cast %begin : i64 to index
    %n = arith.index_cast %size : i64 to index
    %level, %edges = mp.rows %dag, %first, %n : !mp.graph
    %ek = mp.lookup %e[%edges] : !mp.edges<4xf32>, tensor<?xi64> -> !mp.edges<4xf32>
    %xk = tensor.extract_slice %xs[%first, 0] [%n, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
    %m = mp.message %level src(%hj = %h : tensor<?x4xf32>) edge(%w = %ek : !mp.edges<4xf32>) -> !mp.edges<4xf32> {
      %p = arith.mulf %hj, %w : tensor<4xf32>
      mp.yield %p : tensor<4xf32>
    }
    %a = mp.aggregate %level mean %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    %ki = arith.index_cast %k : index to i32
    %kt = tensor.from_elements %ki : tensor<i32>
    %hk, %lk = mp.update (%xi = %xk : tensor<?x4xf32>, %ai = %a : tensor<?x4xf32>) -> tensor<?x4xf32>, tensor<?xi32> {
      %s = arith.addf %xi, %ai : tensor<4xf32>
      mp.yield %s, %kt : tensor<4xf32>, tensor<i32>
    }
    %h1 = tensor.insert_slice %hk into %h[%first, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    %l1 = tensor.insert_slice %lk into %l[%first] [%n] [1] : tensor<?xi32> into tensor<?xi32>
    scf.yield %h1, %l1 : tensor<?x4xf32>, tensor<?xi32>
  }
  %out = mp.lookup %r#0[%places] : tensor<?x4xf32>, tensor<?xi32> -> tensor<?x4xf32>
  %lev = mp.lookup %r#1[%places] : tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>
  return %out, %lev : tensor<?x4xf32>, tensor<?xi32>
}

// What graphs of the layer say outlives them.
func.func @made(%n: index, %first: index, %count: index) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi64>, tensor<?xi64>, tensor<?xf32>) {
  %g = mp.causal %n no_self
  %l, %nodes, %places, %offsets = mp.levels %g : !mp.graph<causal, no_self>
  %back = mp.reverse %l : !mp.graph -> !mp.graph
  %r, %edges = mp.rows %back, %first, %count : !mp.graph
  %d = mp.degree %r : !mp.graph -> tensor<?xf32>
  return %nodes, %places, %offsets, %edges, %d : tensor<?xi32>, tensor<?xi32>, tensor<?xi64>, tensor<?xi64>, tensor<?xf32>
}

// Look-ups of each kind of table, with numbers beyond it.
func.func @lookups(%x: tensor<?x2x3xf32>, %mask: tensor<?xi1>, %w: tensor<5x2xf32>, %i: tensor<?xi64>, %j: tensor<i32>)
    -> (tensor<?x2x3xf32>, tensor<?xi1>, tensor<?x2xf32>, tensor<2x3xf32>, tensor<2xf32>) {
  %a = mp.lookup %x[%i] : tensor<?x2x3xf32>, tensor<?xi64> -> tensor<?x2x3xf32>
  %b = mp.lookup %mask[%i] : tensor<?xi1>, tensor<?xi64> -> tensor<?xi1>
  %c = mp.lookup %w[%i] : tensor<5x2xf32>, tensor<?xi64> -> tensor<?x2xf32>
  %d = mp.lookup %x[%j] : tensor<?x2x3xf32>, tensor<i32> -> tensor<2x3xf32>
  %e = mp.lookup %w[%j] : tensor<5x2xf32>, tensor<i32> -> tensor<2xf32>
  return %a, %b, %c, %d, %e : tensor<?x2x3xf32>, tensor<?xi1>, tensor<?x2xf32>, tensor<2x3xf32>, tensor<2xf32>
}

// Parts of graphs of known classes, their edges' numbers and values.
func.func @attend_part(%g: !mp.graph<complete>, %h: tensor<?x8xf32>, %first: index, %n: index) -> tensor<?x8xf32> {
  %p, %edges = mp.rows %g, %first, %n : !mp.graph<complete>
  %own = tensor.extract_slice %h[%first, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %s, %v = mp.message %p : !mp.graph<bipartite> dst(%hi = %own : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<f32>, !mp.edges<8xf32> {
    %d = mp.dot %hi, %hj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    mp.yield %d, %hj : tensor<f32>, tensor<8xf32>
  }
  %a = mp.aggregate %p : !mp.graph<bipartite> softmax(%s) %v : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %a : tensor<?x8xf32>
}
func.func @any_part(%g: !mp.graph, %h: tensor<?x8xf32>, %first: index, %n: index) -> (tensor<?x8xf32>, tensor<?x8xi64>, !mp.edges<8xf32>) {
  %p, %edges = mp.rows %g, %first, %n : !mp.graph
  %v = mp.message %p src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  %a, %k = mp.aggregate %p max %v : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xi64>)
  return %a, %k, %v : tensor<?x8xf32>, tensor<?x8xi64>, !mp.edges<8xf32>
}
