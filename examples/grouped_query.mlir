// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grouped-query attention: 8 heads of queries, of which groups of 4 share one head of
// keys and values. Head (r, c) is the query r of group c:
//
//   s_ij(r, c) = (Q_rc h_i) . (K_c h_j) / sqrt(16)
//   h_i'       = h_i + O ||_(r, c) sum_{j in N(i)} softmax_j(s_ij(r, c)) V_c h_j
//
// Ainslie, Lee-Thorp, de Jong, Zemlyanskiy, Lebron, Sanghai: GQA: Training Generalized
// Multi-Query Transformer Models from Multi-Head Checkpoints, EMNLP 2023.
//
// h [n, 64], wq [64, 4, 2, 16], wk, wv [64, 2, 16], wo [128, 64] -> out [n, 64]
//
//   clique-run examples/grouped_query.mlir --graph=causal:100 --verify

func.func @grouped_query(%g: !mp.graph, %h: tensor<?x64xf32>, %wq: tensor<64x4x2x16xf32>,
                         %wk: tensor<64x2x16xf32>, %wv: tensor<64x2x16xf32>,
                         %wo: tensor<128x64xf32>) -> tensor<?x64xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
      -> !mp.edges<4x2xf32>, !mp.edges<4x2x16xf32> {
    %q = mp.linear %hi, %wq : (tensor<64xf32>, tensor<64x4x2x16xf32>) -> tensor<4x2x16xf32>
    %k = mp.linear %hj, %wk : (tensor<64xf32>, tensor<64x2x16xf32>) -> tensor<2x16xf32>
    %w = mp.linear %hj, %wv : (tensor<64xf32>, tensor<64x2x16xf32>) -> tensor<2x16xf32>
    %ks = mp.broadcast %k trailing : tensor<2x16xf32> to tensor<4x2x16xf32>
    %ws = mp.broadcast %w trailing : tensor<2x16xf32> to tensor<4x2x16xf32>
    %d = mp.dot %q, %ks : (tensor<4x2x16xf32>, tensor<4x2x16xf32>) -> tensor<4x2xf32>
    %c = arith.constant dense<0.25> : tensor<4x2xf32>
    %e = arith.mulf %d, %c : tensor<4x2xf32>
    mp.yield %e, %ws : tensor<4x2xf32>, tensor<4x2x16xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<4x2xf32>, !mp.edges<4x2x16xf32>) -> tensor<?x4x2x16xf32>
  %out = mp.update (%hi = %h : tensor<?x64xf32>, %mi = %m : tensor<?x4x2x16xf32>)
      -> tensor<?x64xf32> {
    %f = tensor.collapse_shape %mi [[0, 1, 2]] : tensor<4x2x16xf32> into tensor<128xf32>
    %o = mp.linear %f, %wo : (tensor<128xf32>, tensor<128x64xf32>) -> tensor<64xf32>
    %r = arith.addf %hi, %o : tensor<64xf32>
    mp.yield %r : tensor<64xf32>
  }
  return %out : tensor<?x64xf32>
}
