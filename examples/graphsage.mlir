// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GraphSAGE with two of its aggregators; all neighbours take part, none sampled.
//
//   mean       m_i = mean_{j in N(i)} h_j
//   max_pool   m_i = max_{j in N(i)} relu(P h_j + b)
//   both       z_i = relu(W [h_i || m_i]),   h_i' = z_i / |z_i|   (0 where z_i = 0)
//
// Hamilton, Ying, Leskovec: Inductive Representation Learning on Large Graphs,
// NeurIPS 2017.
//
// h [n, 64], p [64, 64], b [64], w [128, 32] -> out [n, 32]
//
//   clique-run examples/graphsage.mlir --entry=max_pool --graph=examples/graphs/karate.mtx --verify

func.func @mean(%g: !mp.graph, %h: tensor<?x64xf32>, %w: tensor<128x32xf32>)
    -> tensor<?x32xf32> {
  %hs = mp.message %g src(%hj = %h : tensor<?x64xf32>) -> !mp.edges<64xf32> {
    mp.yield %hj : tensor<64xf32>
  }
  %m = mp.aggregate %g mean %hs : (!mp.edges<64xf32>) -> tensor<?x64xf32>
  %out = call @normalised(%h, %m, %w)
      : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<128x32xf32>) -> tensor<?x32xf32>
  return %out : tensor<?x32xf32>
}

func.func @max_pool(%g: !mp.graph, %h: tensor<?x64xf32>, %p: tensor<64x64xf32>,
                    %b: tensor<64xf32>, %w: tensor<128x32xf32>) -> tensor<?x32xf32> {
  %pool = mp.message %g src(%hj = %h : tensor<?x64xf32>) -> !mp.edges<64xf32> {
    %ph = mp.linear %hj, %p bias %b
        : (tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %r = mp.relu %ph : tensor<64xf32>
    mp.yield %r : tensor<64xf32>
  }
  %m = mp.aggregate %g max %pool : (!mp.edges<64xf32>) -> tensor<?x64xf32>
  %out = call @normalised(%h, %m, %w)
      : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<128x32xf32>) -> tensor<?x32xf32>
  return %out : tensor<?x32xf32>
}

func.func private @normalised(%h: tensor<?x64xf32>, %m: tensor<?x64xf32>,
                              %w: tensor<128x32xf32>) -> tensor<?x32xf32> {
  %out = mp.update (%hi = %h : tensor<?x64xf32>, %mi = %m : tensor<?x64xf32>)
      -> tensor<?x32xf32> {
    %hm = tensor.concat dim(0) %hi, %mi : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
    %wx = mp.linear %hm, %w : (tensor<128xf32>, tensor<128x32xf32>) -> tensor<32xf32>
    %z = mp.relu %wx : tensor<32xf32>
    %zz = mp.dot %z, %z : (tensor<32xf32>, tensor<32xf32>) -> tensor<f32>
    // Keeps the norm of a zero vector off zero.
    %tiny = arith.constant dense<1.0e-24> : tensor<f32>
    %n2 = arith.maximumf %zz, %tiny : tensor<f32>
    %c = math.rsqrt %n2 : tensor<f32>
    %cs = mp.broadcast %c : tensor<f32> to tensor<32xf32>
    %r = arith.mulf %z, %cs : tensor<32xf32>
    mp.yield %r : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}
