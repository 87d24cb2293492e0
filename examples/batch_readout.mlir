// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classifiers of the graphs of a batch. Graph k holds the nodes offsets[k] to
// offsets[k + 1] - 1; the graphs are the disjoint parts of one large graph.
//
//   h_i' = relu(U h_i + sum_{j in N(i)} V h_j)          (graphs)
//   h_i' = sum_j softmax_j((Q h_i) . (K h_j) / 8) V h_j  (sequences; j in i's own sequence)
//   y_k  = C mean_{i in graph k} h_i' + b
//
// `graphs` gathers along the edges of the given graph; `sequences` makes its graph
// from the offsets: every part is complete.
//
// Xu, Hu, Leskovec, Jegelka: How Powerful are Graph Neural Networks?, ICLR 2019.
//
// graphs: h [n, 32], offsets [graphs + 1], u, v [32, 64], c [64, 2], b [2]
// sequences: h [n, 32], offsets [sequences + 1], q, k, v [32, 64], c [64, 2], b [2]
// -> out [graphs, 2]
//
// Offsets start at 0, never fall, and end with n: give them as input.
//
//   clique-run examples/batch_readout.mlir --entry=sequences --input=offsets=offsets.npy \
//       --input=h=h.npy --verify

func.func @graphs(%g: !mp.graph, %offsets: tensor<?xi64>, %h: tensor<?x32xf32>,
                  %u: tensor<32x64xf32>, %v: tensor<32x64xf32>, %c: tensor<64x2xf32>,
                  %b: tensor<2xf32>) -> tensor<?x2xf32> {
  %vh = mp.message %g src(%hj = %h : tensor<?x32xf32>) -> !mp.edges<64xf32> {
    %x = mp.linear %hj, %v : (tensor<32xf32>, tensor<32x64xf32>) -> tensor<64xf32>
    mp.yield %x : tensor<64xf32>
  }
  %m = mp.aggregate %g sum %vh : (!mp.edges<64xf32>) -> tensor<?x64xf32>
  %x = mp.update (%hi = %h : tensor<?x32xf32>, %mi = %m : tensor<?x64xf32>)
      -> tensor<?x64xf32> {
    %uh = mp.linear %hi, %u : (tensor<32xf32>, tensor<32x64xf32>) -> tensor<64xf32>
    %s = arith.addf %uh, %mi : tensor<64xf32>
    %r = mp.relu %s : tensor<64xf32>
    mp.yield %r : tensor<64xf32>
  }
  %y = call @classify(%offsets, %x, %c, %b)
      : (tensor<?xi64>, tensor<?x64xf32>, tensor<64x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

func.func @sequences(%offsets: tensor<?xi64>, %h: tensor<?x32xf32>,
                     %q: tensor<32x64xf32>, %k: tensor<32x64xf32>, %v: tensor<32x64xf32>,
                     %c: tensor<64x2xf32>, %b: tensor<2xf32>) -> tensor<?x2xf32> {
  %g = mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>
  %s, %vh = mp.message %g : !mp.graph<cliques> dst(%hi = %h : tensor<?x32xf32>)
      src(%hj = %h : tensor<?x32xf32>) -> !mp.edges<f32>, !mp.edges<64xf32> {
    %qi = mp.linear %hi, %q : (tensor<32xf32>, tensor<32x64xf32>) -> tensor<64xf32>
    %kj = mp.linear %hj, %k : (tensor<32xf32>, tensor<32x64xf32>) -> tensor<64xf32>
    %vj = mp.linear %hj, %v : (tensor<32xf32>, tensor<32x64xf32>) -> tensor<64xf32>
    %d = mp.dot %qi, %kj : (tensor<64xf32>, tensor<64xf32>) -> tensor<f32>
    %scale = arith.constant dense<0.125> : tensor<f32>
    %e = arith.mulf %d, %scale : tensor<f32>
    mp.yield %e, %vj : tensor<f32>, tensor<64xf32>
  }
  %x = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %vh
      : (!mp.edges<f32>, !mp.edges<64xf32>) -> tensor<?x64xf32>
  %y = call @classify(%offsets, %x, %c, %b)
      : (tensor<?xi64>, tensor<?x64xf32>, tensor<64x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

// C mean_{i in graph k} x_i + b
func.func private @classify(%offsets: tensor<?xi64>, %x: tensor<?x64xf32>,
                            %c: tensor<64x2xf32>, %b: tensor<2xf32>) -> tensor<?x2xf32> {
  %mean = mp.readout %offsets mean %x : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = mp.update (%xk = %mean : tensor<?x64xf32>) -> tensor<?x2xf32> {
    %r = mp.linear %xk, %c bias %b
        : (tensor<64xf32>, tensor<64x2xf32>, tensor<2xf32>) -> tensor<2xf32>
    mp.yield %r : tensor<2xf32>
  }
  return %y : tensor<?x2xf32>
}
