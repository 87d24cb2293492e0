// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph isomorphism network:
//
//   h_i' = MLP((1 + eps) h_i + sum_{j in N(i)} h_j),   MLP(x) = W2 relu(W1 x + b1) + b2
//
// and as in the paper's experiments with batch normalisation before the relu, by
// the statistics of training (the variance is not negative: give it as input).
//
// Xu, Hu, Leskovec, Jegelka: How Powerful are Graph Neural Networks?, ICLR 2019.
//
// h [n, 64], eps scalar, w1 [64, 128], b1 [128], w2 [128, 32], b2 [32] -> out [n, 32]
// gin_batch_norm also: mean, variance, scale, shift [128]
//
//   clique-run examples/gin.mlir --entry=gin --graph=examples/graphs/karate.mtx --verify

func.func @gin(%g: !mp.graph, %h: tensor<?x64xf32>, %eps: tensor<f32>,
               %w1: tensor<64x128xf32>, %b1: tensor<128xf32>,
               %w2: tensor<128x32xf32>, %b2: tensor<32xf32>) -> tensor<?x32xf32> {
  %x = call @add_neighbours(%g, %h, %eps)
      : (!mp.graph, tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %out = mp.update (%xi = %x : tensor<?x64xf32>) -> tensor<?x32xf32> {
    %a = mp.linear %xi, %w1 bias %b1
        : (tensor<64xf32>, tensor<64x128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %r = mp.relu %a : tensor<128xf32>
    %y = mp.linear %r, %w2 bias %b2
        : (tensor<128xf32>, tensor<128x32xf32>, tensor<32xf32>) -> tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}

func.func @gin_batch_norm(%g: !mp.graph, %h: tensor<?x64xf32>, %eps: tensor<f32>,
                          %w1: tensor<64x128xf32>, %b1: tensor<128xf32>,
                          %mean: tensor<128xf32>, %variance: tensor<128xf32>,
                          %scale: tensor<128xf32>, %shift: tensor<128xf32>,
                          %w2: tensor<128x32xf32>, %b2: tensor<32xf32>)
    -> tensor<?x32xf32> {
  %x = call @add_neighbours(%g, %h, %eps)
      : (!mp.graph, tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %out = mp.update (%xi = %x : tensor<?x64xf32>) -> tensor<?x32xf32> {
    %a = mp.linear %xi, %w1 bias %b1
        : (tensor<64xf32>, tensor<64x128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %n = mp.batch_norm %a mean %mean variance %variance scale %scale shift %shift
        : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>,
           tensor<128xf32>) -> tensor<128xf32>
    %r = mp.relu %n : tensor<128xf32>
    %y = mp.linear %r, %w2 bias %b2
        : (tensor<128xf32>, tensor<128x32xf32>, tensor<32xf32>) -> tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}

// (1 + eps) h_i + sum_j h_j
func.func private @add_neighbours(%g: !mp.graph, %h: tensor<?x64xf32>, %eps: tensor<f32>)
    -> tensor<?x64xf32> {
  %hs = mp.message %g src(%hj = %h : tensor<?x64xf32>) -> !mp.edges<64xf32> {
    mp.yield %hj : tensor<64xf32>
  }
  %m = mp.aggregate %g sum %hs : (!mp.edges<64xf32>) -> tensor<?x64xf32>
  %x = mp.update (%hi = %h : tensor<?x64xf32>, %mi = %m : tensor<?x64xf32>)
      -> tensor<?x64xf32> {
    %one = arith.constant dense<1.0> : tensor<f32>
    %c = arith.addf %one, %eps : tensor<f32>
    %cs = mp.broadcast %c : tensor<f32> to tensor<64xf32>
    %ch = arith.mulf %cs, %hi : tensor<64xf32>
    %s = arith.addf %ch, %mi : tensor<64xf32>
    mp.yield %s : tensor<64xf32>
  }
  return %x : tensor<?x64xf32>
}
