// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks as they are trained: several layers, with the factors of dropout (0, or 1 / the share
// that is kept) as inputs. Sizes are those of Cora, 1433 features and 7 classes; train.py puts in
// those of other data. Results are logits, [nodes, classes] or [graphs, classes].

// Kipf, Welling: Semi-Supervised Classification with Graph Convolutional Networks, ICLR 2017.
// A relu(A x W1 + b1) W2 + b2 with A = D^-1/2 (adjacency and loops) D^-1/2.
func.func @gcn(%g: !mp.graph, %x: tensor<?x1433xf32>, %keep: tensor<?x16xf32>,
               %w1: tensor<1433x16xf32>, %b1: tensor<16xf32>,
               %w2: tensor<16x7xf32>, %b2: tensor<7xf32>) -> tensor<?x7xf32> {
  %d = mp.degree %g -> tensor<?xf32>
  %m1 = mp.message %g dst(%di = %d : tensor<?xf32>)
      src(%dj = %d : tensor<?xf32>, %xj = %x : tensor<?x1433xf32>) -> !mp.edges<16xf32> {
    %dd = arith.mulf %di, %dj : tensor<f32>
    %c = math.rsqrt %dd : tensor<f32>
    %cs = mp.broadcast %c : tensor<f32> to tensor<16xf32>
    %y = mp.linear %xj, %w1 : (tensor<1433xf32>, tensor<1433x16xf32>) -> tensor<16xf32>
    %m = arith.mulf %cs, %y : tensor<16xf32>
    mp.yield %m : tensor<16xf32>
  }
  %a1 = mp.aggregate %g sum %m1 : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  %h = mp.update (%ai = %a1 : tensor<?x16xf32>, %ki = %keep : tensor<?x16xf32>) -> tensor<?x16xf32> {
    %y = arith.addf %ai, %b1 : tensor<16xf32>
    %r = mp.relu %y : tensor<16xf32>
    %k = arith.mulf %r, %ki : tensor<16xf32>
    mp.yield %k : tensor<16xf32>
  }
  %m2 = mp.message %g dst(%di = %d : tensor<?xf32>)
      src(%dj = %d : tensor<?xf32>, %hj = %h : tensor<?x16xf32>) -> !mp.edges<7xf32> {
    %dd = arith.mulf %di, %dj : tensor<f32>
    %c = math.rsqrt %dd : tensor<f32>
    %cs = mp.broadcast %c : tensor<f32> to tensor<7xf32>
    %y = mp.linear %hj, %w2 : (tensor<16xf32>, tensor<16x7xf32>) -> tensor<7xf32>
    %m = arith.mulf %cs, %y : tensor<7xf32>
    mp.yield %m : tensor<7xf32>
  }
  %a2 = mp.aggregate %g sum %m2 : (!mp.edges<7xf32>) -> tensor<?x7xf32>
  %o = mp.update (%ai = %a2 : tensor<?x7xf32>) -> tensor<?x7xf32> {
    %y = arith.addf %ai, %b2 : tensor<7xf32>
    mp.yield %y : tensor<7xf32>
  }
  return %o : tensor<?x7xf32>
}

// Hamilton, Ying, Leskovec: Inductive Representation Learning on Large Graphs, NeurIPS 2017.
// U h_i + V mean_j h_j + b, twice, with a relu between.
func.func @sage(%g: !mp.graph, %x: tensor<?x1433xf32>, %keep: tensor<?x64xf32>,
                %u1: tensor<1433x64xf32>, %v1: tensor<1433x64xf32>, %b1: tensor<64xf32>,
                %u2: tensor<64x7xf32>, %v2: tensor<64x7xf32>, %b2: tensor<7xf32>) -> tensor<?x7xf32> {
  %m1 = mp.message %g src(%xj = %x : tensor<?x1433xf32>) -> !mp.edges<64xf32> {
    %y = mp.linear %xj, %v1 : (tensor<1433xf32>, tensor<1433x64xf32>) -> tensor<64xf32>
    mp.yield %y : tensor<64xf32>
  }
  %a1 = mp.aggregate %g mean %m1 : (!mp.edges<64xf32>) -> tensor<?x64xf32>
  %h = mp.update (%xi = %x : tensor<?x1433xf32>, %ai = %a1 : tensor<?x64xf32>,
                  %ki = %keep : tensor<?x64xf32>) -> tensor<?x64xf32> {
    %s = mp.linear %xi, %u1 bias %b1
        : (tensor<1433xf32>, tensor<1433x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %y = arith.addf %s, %ai : tensor<64xf32>
    %r = mp.relu %y : tensor<64xf32>
    %k = arith.mulf %r, %ki : tensor<64xf32>
    mp.yield %k : tensor<64xf32>
  }
  %m2 = mp.message %g src(%hj = %h : tensor<?x64xf32>) -> !mp.edges<7xf32> {
    %y = mp.linear %hj, %v2 : (tensor<64xf32>, tensor<64x7xf32>) -> tensor<7xf32>
    mp.yield %y : tensor<7xf32>
  }
  %a2 = mp.aggregate %g mean %m2 : (!mp.edges<7xf32>) -> tensor<?x7xf32>
  %o = mp.update (%hi = %h : tensor<?x64xf32>, %ai = %a2 : tensor<?x7xf32>) -> tensor<?x7xf32> {
    %s = mp.linear %hi, %u2 bias %b2
        : (tensor<64xf32>, tensor<64x7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %y = arith.addf %s, %ai : tensor<7xf32>
    mp.yield %y : tensor<7xf32>
  }
  return %o : tensor<?x7xf32>
}

// Velickovic, Cucurull, Casanova, Romero, Lio, Bengio: Graph Attention Networks, ICLR 2018.
// Eight heads of eight features, then one of the classes, or the mean of eight (on Pubmed); dropout of
// weights is a factor of messages.
func.func private @gat_hidden(%g: !mp.graph, %x: tensor<?x1433xf32>, %keep: tensor<?x64xf32>,
                              %keep1: !mp.edges<8xf32>, %w1: tensor<1433x8x8xf32>,
                              %p1: tensor<8x8xf32>, %q1: tensor<8x8xf32>, %b1: tensor<64xf32>)
    -> tensor<?x64xf32> {
  %s1, %z1 = mp.message %g dst(%xi = %x : tensor<?x1433xf32>) src(%xj = %x : tensor<?x1433xf32>)
      edge(%k = %keep1 : !mp.edges<8xf32>) -> !mp.edges<8xf32>, !mp.edges<8x8xf32> {
    %zi = mp.linear %xi, %w1 : (tensor<1433xf32>, tensor<1433x8x8xf32>) -> tensor<8x8xf32>
    %zj = mp.linear %xj, %w1 : (tensor<1433xf32>, tensor<1433x8x8xf32>) -> tensor<8x8xf32>
    %p = mp.dot %p1, %zi : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %q = mp.dot %q1, %zj : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %s = arith.addf %p, %q : tensor<8xf32>
    %e = mp.leaky_relu %s slope 0.2 : tensor<8xf32>
    %ks = mp.broadcast %k : tensor<8xf32> to tensor<8x8xf32>
    %m = arith.mulf %ks, %zj : tensor<8x8xf32>
    mp.yield %e, %m : tensor<8xf32>, tensor<8x8xf32>
  }
  %a1 = mp.aggregate %g softmax(%s1) %z1
      : (!mp.edges<8xf32>, !mp.edges<8x8xf32>) -> tensor<?x8x8xf32>
  %h = mp.update (%ai = %a1 : tensor<?x8x8xf32>, %ki = %keep : tensor<?x64xf32>) -> tensor<?x64xf32> {
    %f = tensor.collapse_shape %ai [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
    %y = arith.addf %f, %b1 : tensor<64xf32>
    %r = mp.elu %y : tensor<64xf32>
    %k = arith.mulf %r, %ki : tensor<64xf32>
    mp.yield %k : tensor<64xf32>
  }
  return %h : tensor<?x64xf32>
}

func.func @gat(%g: !mp.graph, %x: tensor<?x1433xf32>, %keep: tensor<?x64xf32>,
               %keep1: !mp.edges<8xf32>, %keep2: !mp.edges<f32>,
               %w1: tensor<1433x8x8xf32>, %p1: tensor<8x8xf32>, %q1: tensor<8x8xf32>, %b1: tensor<64xf32>,
               %w2: tensor<64x7xf32>, %p2: tensor<7xf32>, %q2: tensor<7xf32>, %b2: tensor<7xf32>)
    -> tensor<?x7xf32> {
  %h = call @gat_hidden(%g, %x, %keep, %keep1, %w1, %p1, %q1, %b1)
      : (!mp.graph, tensor<?x1433xf32>, tensor<?x64xf32>, !mp.edges<8xf32>, tensor<1433x8x8xf32>,
         tensor<8x8xf32>, tensor<8x8xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %s2, %z2 = mp.message %g dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
      edge(%k = %keep2 : !mp.edges<f32>) -> !mp.edges<f32>, !mp.edges<7xf32> {
    %zi = mp.linear %hi, %w2 : (tensor<64xf32>, tensor<64x7xf32>) -> tensor<7xf32>
    %zj = mp.linear %hj, %w2 : (tensor<64xf32>, tensor<64x7xf32>) -> tensor<7xf32>
    %p = mp.dot %p2, %zi : (tensor<7xf32>, tensor<7xf32>) -> tensor<f32>
    %q = mp.dot %q2, %zj : (tensor<7xf32>, tensor<7xf32>) -> tensor<f32>
    %s = arith.addf %p, %q : tensor<f32>
    %e = mp.leaky_relu %s slope 0.2 : tensor<f32>
    %ks = mp.broadcast %k : tensor<f32> to tensor<7xf32>
    %m = arith.mulf %ks, %zj : tensor<7xf32>
    mp.yield %e, %m : tensor<f32>, tensor<7xf32>
  }
  %a2 = mp.aggregate %g softmax(%s2) %z2 : (!mp.edges<f32>, !mp.edges<7xf32>) -> tensor<?x7xf32>
  %o = mp.update (%ai = %a2 : tensor<?x7xf32>) -> tensor<?x7xf32> {
    %y = arith.addf %ai, %b2 : tensor<7xf32>
    mp.yield %y : tensor<7xf32>
  }
  return %o : tensor<?x7xf32>
}

func.func @gat_mean(%g: !mp.graph, %x: tensor<?x1433xf32>, %keep: tensor<?x64xf32>,
                    %keep1: !mp.edges<8xf32>, %keep2: !mp.edges<8xf32>,
                    %w1: tensor<1433x8x8xf32>, %p1: tensor<8x8xf32>, %q1: tensor<8x8xf32>, %b1: tensor<64xf32>,
                    %w2: tensor<64x8x7xf32>, %p2: tensor<8x7xf32>, %q2: tensor<8x7xf32>, %b2: tensor<7xf32>)
    -> tensor<?x7xf32> {
  %h = call @gat_hidden(%g, %x, %keep, %keep1, %w1, %p1, %q1, %b1)
      : (!mp.graph, tensor<?x1433xf32>, tensor<?x64xf32>, !mp.edges<8xf32>, tensor<1433x8x8xf32>,
         tensor<8x8xf32>, tensor<8x8xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %s2, %z2 = mp.message %g dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
      edge(%k = %keep2 : !mp.edges<8xf32>) -> !mp.edges<8xf32>, !mp.edges<8x7xf32> {
    %zi = mp.linear %hi, %w2 : (tensor<64xf32>, tensor<64x8x7xf32>) -> tensor<8x7xf32>
    %zj = mp.linear %hj, %w2 : (tensor<64xf32>, tensor<64x8x7xf32>) -> tensor<8x7xf32>
    %p = mp.dot %p2, %zi : (tensor<8x7xf32>, tensor<8x7xf32>) -> tensor<8xf32>
    %q = mp.dot %q2, %zj : (tensor<8x7xf32>, tensor<8x7xf32>) -> tensor<8xf32>
    %s = arith.addf %p, %q : tensor<8xf32>
    %e = mp.leaky_relu %s slope 0.2 : tensor<8xf32>
    %ks = mp.broadcast %k : tensor<8xf32> to tensor<8x7xf32>
    %m = arith.mulf %ks, %zj : tensor<8x7xf32>
    mp.yield %e, %m : tensor<8xf32>, tensor<8x7xf32>
  }
  %a2 = mp.aggregate %g softmax(%s2) %z2
      : (!mp.edges<8xf32>, !mp.edges<8x7xf32>) -> tensor<?x8x7xf32>
  %o = mp.update (%ai = %a2 : tensor<?x8x7xf32>) -> tensor<?x7xf32> {
    %r = mp.reduce mean %ai dims [0] : tensor<8x7xf32> -> tensor<7xf32>
    %y = arith.addf %r, %b2 : tensor<7xf32>
    mp.yield %y : tensor<7xf32>
  }
  return %o : tensor<?x7xf32>
}

// Xu, Hu, Leskovec, Jegelka: How Powerful are Graph Neural Networks?, ICLR 2019.
// W relu(V (h_i + sum_j h_j)), twice, then the sum over each graph's nodes.
func.func @gin(%g: !mp.graph, %graphs: tensor<?xi64>, %x: tensor<?x1433xf32>,
               %keep: tensor<?x32xf32>, %v1: tensor<1433x32xf32>, %w1: tensor<32x32xf32>,
               %v2: tensor<32x32xf32>, %w2: tensor<32x32xf32>,
               %v3: tensor<32x7xf32>, %b3: tensor<7xf32>) -> tensor<?x7xf32> {
  %m1 = mp.message %g src(%xj = %x : tensor<?x1433xf32>) -> !mp.edges<1433xf32> {
    mp.yield %xj : tensor<1433xf32>
  }
  %a1 = mp.aggregate %g sum %m1 : (!mp.edges<1433xf32>) -> tensor<?x1433xf32>
  %h1 = mp.update (%xi = %x : tensor<?x1433xf32>, %ai = %a1 : tensor<?x1433xf32>) -> tensor<?x32xf32> {
    %s = arith.addf %xi, %ai : tensor<1433xf32>
    %y = mp.linear %s, %v1 : (tensor<1433xf32>, tensor<1433x32xf32>) -> tensor<32xf32>
    %r = mp.relu %y : tensor<32xf32>
    %z = mp.linear %r, %w1 : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %q = mp.relu %z : tensor<32xf32>
    mp.yield %q : tensor<32xf32>
  }
  %m2 = mp.message %g src(%hj = %h1 : tensor<?x32xf32>) -> !mp.edges<32xf32> {
    mp.yield %hj : tensor<32xf32>
  }
  %a2 = mp.aggregate %g sum %m2 : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %h2 = mp.update (%hi = %h1 : tensor<?x32xf32>, %ai = %a2 : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %s = arith.addf %hi, %ai : tensor<32xf32>
    %y = mp.linear %s, %v2 : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %r = mp.relu %y : tensor<32xf32>
    %z = mp.linear %r, %w2 : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    mp.yield %z : tensor<32xf32>
  }
  %s = mp.readout %graphs sum %h2 : (tensor<?xi64>, tensor<?x32xf32>) -> tensor<?x32xf32>
  %o = mp.update (%si = %s : tensor<?x32xf32>, %ki = %keep : tensor<?x32xf32>) -> tensor<?x7xf32> {
    %k = arith.mulf %si, %ki : tensor<32xf32>
    %y = mp.linear %k, %v3 bias %b3
        : (tensor<32xf32>, tensor<32x7xf32>, tensor<7xf32>) -> tensor<7xf32>
    mp.yield %y : tensor<7xf32>
  }
  return %o : tensor<?x7xf32>
}
