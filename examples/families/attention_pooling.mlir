// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling by attention: 4 learned seeds attend to the nodes of each graph of a batch.
//
//   y_k,s = sum_{i in k} softmax_i(seed_s . (K x_i) / sqrt(16)) V x_i
//
// A graph is a destination that receives from its nodes, and the seeds are the heads.
//
// Lee, Lee, Kim, Kosiorek, Choi, Teh: Set Transformer, ICML 2019, equation 11 (without
// the feed-forward parts); with one seed the readout of Li et al., ICLR 2016.
//
// x [n, 32], offsets [graphs + 1], seeds [4, 16], wk, wv [32, 16] -> out [graphs, 4, 16]
//
//   clique-run examples/families/attention_pooling.mlir --input=x=x.npy \
//       --input=offsets=offsets.npy --verify

func.func @attention_pooling(%x: tensor<?x32xf32>, %offsets: tensor<?xi64>,
                             %seeds: tensor<4x16xf32>, %wk: tensor<32x16xf32>,
                             %wv: tensor<32x16xf32>) -> tensor<?x4x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x32xf32>
  %nodes = mp.node_numbers %n : tensor<?xi32>
  %g = mp.csr %offsets, %nodes, %n : tensor<?xi64>, tensor<?xi32> -> !mp.graph<sparse>
  %s, %v = mp.message %g : !mp.graph<sparse> src(%xi = %x : tensor<?x32xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x16xf32> {
    %k = mp.linear %xi, %wk : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
    %w = mp.linear %xi, %wv : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
    %ks = mp.broadcast %k trailing : tensor<16xf32> to tensor<4x16xf32>
    %ws = mp.broadcast %w trailing : tensor<16xf32> to tensor<4x16xf32>
    %d = mp.dot %seeds, %ks : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.25> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %e, %ws : tensor<4xf32>, tensor<4x16xf32>
  }
  %out = mp.aggregate %g : !mp.graph<sparse> softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x16xf32>) -> tensor<?x4x16xf32>
  return %out : tensor<?x4x16xf32>
}
