// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transformers on graphs. Each is attention with 4 heads of 8 features, then a residual
// and a normalisation, then an MLP with the same:
//
//   A(x)_i = O ||_heads sum_j softmax_j((Q x_i) . (K x_j) / sqrt(8) + bias) V x_j
//   y = LN1(x + A(x))    out = LN2(y + W2 relu(W1 y))
//
//   sparse   attention along the edges of the graph; x = h + P p, where p are positional
//            encodings (eigenvectors of the Laplacian, or of a random walk)
//   full     attention of every node to every node, with a bias per head by the length
//            of the shortest path between the two, from a table
//   mixed    attention of every node to every node, plus messages on the graph:
//            y = LN1(x + A(x) + relu(M sum_{j in N(i)} x_j))
//
// sparse: Dwivedi, Bresson: A Generalization of Transformer Networks to Graphs, 2021,
// equations 1 to 7. full: Ying et al.: Do Transformers Really Perform Bad for Graph
// Representation?, NeurIPS 2021, equation 6. mixed: Rampasek et al.: Recipe for a
// General, Powerful, Scalable Graph Transformer, NeurIPS 2022, equations 2 to 6.
//
// h, x [n, 32], p [n, 4], wp [4, 32], wq, wk, wv [32, 4, 8], wo [32, 32],
// s1, t1, s2, t2 [32], w1 [32, 64], w2 [64, 32], distance [n * n] (of a complete graph's
// edges), bias [8, 4], m [32, 32] -> out [n, 32]
//
//   clique-run examples/families/graph_transformer.mlir --entry=mixed \
//       --graph=examples/graphs/karate.mtx --verify

func.func @sparse(%g: !mp.graph, %h: tensor<?x32xf32>, %p: tensor<?x4xf32>,
                  %wp: tensor<4x32xf32>, %wq: tensor<32x4x8xf32>, %wk: tensor<32x4x8xf32>,
                  %wv: tensor<32x4x8xf32>, %wo: tensor<32x32xf32>, %s1: tensor<32xf32>,
                  %t1: tensor<32xf32>, %s2: tensor<32xf32>, %t2: tensor<32xf32>,
                  %w1: tensor<32x64xf32>, %w2: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %wpp = mp.linear %p, %wp : (tensor<?x4xf32>, tensor<4x32xf32>) -> tensor<?x32xf32>
  %x = arith.addf %h, %wpp : tensor<?x32xf32>
  %s, %v = mp.message %g dst(%xi = %x : tensor<?x32xf32>) src(%xj = %x : tensor<?x32xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %a, %b = func.call @score(%xi, %xj, %wq, %wk, %wv)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<32x4x8xf32>,
           tensor<32x4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>)
    mp.yield %a, %b : tensor<4xf32>, tensor<4x8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  %out = mp.update (%xi = %x : tensor<?x32xf32>, %mi = %m : tensor<?x4x8xf32>)
      -> tensor<?x32xf32> {
    %o = func.call @join(%mi, %wo) : (tensor<4x8xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %a = arith.addf %xi, %o : tensor<32xf32>
    %y = func.call @finish(%a, %s1, %t1, %s2, %t2, %w1, %w2)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>,
           tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}

func.func @full(%g: !mp.graph<complete>, %x: tensor<?x32xf32>, %distance: !mp.edges<i32>,
                %bias: tensor<8x4xf32>, %wq: tensor<32x4x8xf32>, %wk: tensor<32x4x8xf32>,
                %wv: tensor<32x4x8xf32>, %wo: tensor<32x32xf32>, %s1: tensor<32xf32>,
                %t1: tensor<32xf32>, %s2: tensor<32xf32>, %t2: tensor<32xf32>,
                %w1: tensor<32x64xf32>, %w2: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %s, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x32xf32>)
      src(%xj = %x : tensor<?x32xf32>) edge(%d = %distance : !mp.edges<i32>)
      -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %a, %b = func.call @score(%xi, %xj, %wq, %wk, %wv)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<32x4x8xf32>,
           tensor<32x4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>)
    %t = mp.lookup %bias[%d] : tensor<8x4xf32>, tensor<i32> -> tensor<4xf32>
    %e = arith.addf %a, %t : tensor<4xf32>
    mp.yield %e, %b : tensor<4xf32>, tensor<4x8xf32>
  }
  %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  %out = mp.update (%xi = %x : tensor<?x32xf32>, %mi = %m : tensor<?x4x8xf32>)
      -> tensor<?x32xf32> {
    %o = func.call @join(%mi, %wo) : (tensor<4x8xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %a = arith.addf %xi, %o : tensor<32xf32>
    %y = func.call @finish(%a, %s1, %t1, %s2, %t2, %w1, %w2)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>,
           tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}

func.func @mixed(%g: !mp.graph, %x: tensor<?x32xf32>, %m: tensor<32x32xf32>,
                 %wq: tensor<32x4x8xf32>, %wk: tensor<32x4x8xf32>,
                 %wv: tensor<32x4x8xf32>, %wo: tensor<32x32xf32>, %s1: tensor<32xf32>,
                 %t1: tensor<32xf32>, %s2: tensor<32xf32>, %t2: tensor<32xf32>,
                 %w1: tensor<32x64xf32>, %w2: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %n = mp.num_dst %g
  %all = mp.complete %n
  %s, %v = mp.message %all : !mp.graph<complete> dst(%xi = %x : tensor<?x32xf32>)
      src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %a, %b = func.call @score(%xi, %xj, %wq, %wk, %wv)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<32x4x8xf32>,
           tensor<32x4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>)
    mp.yield %a, %b : tensor<4xf32>, tensor<4x8xf32>
  }
  %far = mp.aggregate %all : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  %mx = mp.message %g src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<32xf32> {
    %y = mp.linear %xj, %m : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  %near = mp.aggregate %g sum %mx : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %out = mp.update (%xi = %x : tensor<?x32xf32>, %fi = %far : tensor<?x4x8xf32>,
                    %ni = %near : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %o = func.call @join(%fi, %wo) : (tensor<4x8xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %r = mp.relu %ni : tensor<32xf32>
    %b = arith.addf %o, %r : tensor<32xf32>
    %a = arith.addf %xi, %b : tensor<32xf32>
    %y = func.call @finish(%a, %s1, %t1, %s2, %t2, %w1, %w2)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>,
           tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}

// Of one pair of nodes: its scores, and the values of the source.
func.func private @score(%xi: tensor<32xf32>, %xj: tensor<32xf32>, %wq: tensor<32x4x8xf32>,
                         %wk: tensor<32x4x8xf32>, %wv: tensor<32x4x8xf32>)
    -> (tensor<4xf32>, tensor<4x8xf32>) {
  %q = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
  %k = mp.linear %xj, %wk : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
  %v = mp.linear %xj, %wv : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
  %d = mp.dot %q, %k : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  %c = arith.constant dense<0.35355339> : tensor<4xf32>
  %e = arith.mulf %d, %c : tensor<4xf32>
  return %e, %v : tensor<4xf32>, tensor<4x8xf32>
}

// Of one node: its heads, and O.
func.func private @join(%m: tensor<4x8xf32>, %wo: tensor<32x32xf32>) -> tensor<32xf32> {
  %f = tensor.collapse_shape %m [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %o = mp.linear %f, %wo : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
  return %o : tensor<32xf32>
}

// Of one node: LN1, the MLP, LN2.
func.func private @finish(%a: tensor<32xf32>, %s1: tensor<32xf32>, %t1: tensor<32xf32>,
                          %s2: tensor<32xf32>, %t2: tensor<32xf32>,
                          %w1: tensor<32x64xf32>, %w2: tensor<64x32xf32>) -> tensor<32xf32> {
  %y = mp.layer_norm %a scale %s1 shift %t1
      : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %p = mp.linear %y, %w1 : (tensor<32xf32>, tensor<32x64xf32>) -> tensor<64xf32>
  %r = mp.relu %p : tensor<64xf32>
  %q = mp.linear %r, %w2 : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
  %z = arith.addf %y, %q : tensor<32xf32>
  %out = mp.layer_norm %z scale %s2 shift %t2
      : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  return %out : tensor<32xf32>
}
