// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edge convolution of a dynamic graph network on point clouds:
//
//   h_i' = max_{j in N(i)} MLP([h_i || h_j - h_i]),   MLP(x) = relu(W2 relu(W1 x + b1) + b2)
//
// Wang, Sun, Liu, Sarma, Bronstein, Solomon: Dynamic Graph CNN for Learning on
// Point Clouds, ACM Transactions on Graphics 2019.
//
// h [n, 32], w1 [64, 64], b1 [64], w2 [64, 64], b2 [64] -> out [n, 64]
//
//   clique-run examples/edgeconv.mlir --graph=examples/graphs/karate.mtx --verify

func.func @edgeconv(%g: !mp.graph, %h: tensor<?x32xf32>, %w1: tensor<64x64xf32>,
                    %b1: tensor<64xf32>, %w2: tensor<64x64xf32>, %b2: tensor<64xf32>)
    -> tensor<?x64xf32> {
  %y = mp.message %g dst(%hi = %h : tensor<?x32xf32>) src(%hj = %h : tensor<?x32xf32>)
      -> !mp.edges<64xf32> {
    %d = arith.subf %hj, %hi : tensor<32xf32>
    %x = tensor.concat dim(0) %hi, %d : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %a = mp.linear %x, %w1 bias %b1
        : (tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %r = mp.relu %a : tensor<64xf32>
    %c = mp.linear %r, %w2 bias %b2
        : (tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %s = mp.relu %c : tensor<64xf32>
    mp.yield %s : tensor<64xf32>
  }
  %out = mp.aggregate %g max %y : (!mp.edges<64xf32>) -> tensor<?x64xf32>
  return %out : tensor<?x64xf32>
}
