// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mixture model network: K = 3 Gaussian kernels over the pseudo-coordinates of an
// edge, which come from the degrees of its ends (plus 1: defined for every node).
//
//   u_ij   = tanh(P [1/sqrt(d_i + 1), 1/sqrt(d_j + 1)] + b)                (2 numbers)
//   w_k(u) = exp(-1/2 sum_c ((u_c - mu_kc) / sigma_kc)^2)
//   h_i'   = relu(sum_{j in N(i)} sum_k w_k(u_ij) W_k h_j)
//
// Monti, Boscaini, Masci, Rodola, Svoboda, Bronstein: Geometric Deep Learning on
// Graphs and Manifolds Using Mixture Model CNNs, CVPR 2017.
//
// h [n, 64], p [2, 2], b [2], mu [3, 2], inv_sigma [3, 2], w [64, 3, 32] -> out [n, 32]
//
//   clique-run examples/monet.mlir --graph=examples/graphs/karate.mtx --verify

func.func @monet(%g: !mp.graph, %h: tensor<?x64xf32>, %p: tensor<2x2xf32>,
                 %b: tensor<2xf32>, %mu: tensor<3x2xf32>, %inv_sigma: tensor<3x2xf32>,
                 %w: tensor<64x3x32xf32>) -> tensor<?x32xf32> {
  %d = mp.degree %g -> tensor<?xf32>
  %coordinate = mp.update (%di = %d : tensor<?xf32>) -> tensor<?x1xf32> {
    %one = arith.constant dense<1.0> : tensor<f32>
    %d1 = arith.addf %di, %one : tensor<f32>
    %c = math.rsqrt %d1 : tensor<f32>
    %r = mp.broadcast %c : tensor<f32> to tensor<1xf32>
    mp.yield %r : tensor<1xf32>
  }
  %wh = mp.message %g dst(%ci = %coordinate : tensor<?x1xf32>)
      src(%cj = %coordinate : tensor<?x1xf32>, %hj = %h : tensor<?x64xf32>)
      -> !mp.edges<32xf32> {
    %c = tensor.concat dim(0) %ci, %cj : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %pc = mp.linear %c, %p bias %b
        : (tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %u = math.tanh %pc : tensor<2xf32>
    %us = mp.broadcast %u trailing : tensor<2xf32> to tensor<3x2xf32>
    %um = arith.subf %us, %mu : tensor<3x2xf32>
    %x = arith.mulf %um, %inv_sigma : tensor<3x2xf32>
    %xx = mp.dot %x, %x : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3xf32>
    %half = arith.constant dense<-0.5> : tensor<3xf32>
    %e = arith.mulf %half, %xx : tensor<3xf32>
    %k = math.exp %e : tensor<3xf32>
    %ks = mp.broadcast %k : tensor<3xf32> to tensor<3x32xf32>
    %y = mp.linear %hj, %w : (tensor<64xf32>, tensor<64x3x32xf32>) -> tensor<3x32xf32>
    %ky = arith.mulf %ks, %y : tensor<3x32xf32>
    %m = mp.reduce sum %ky dims [0] : tensor<3x32xf32> -> tensor<32xf32>
    mp.yield %m : tensor<32xf32>
  }
  %m = mp.aggregate %g sum %wh : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %out = mp.update (%mi = %m : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %r = mp.relu %mi : tensor<32xf32>
    mp.yield %r : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}
