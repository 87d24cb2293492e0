// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decoder's causal self-attention: position i receives from the positions j <= i.
//
//   s_ij = (Q x_i) . (K x_j) / sqrt(16)                  for each of 4 heads
//   x_i' = x_i + O ||_heads sum_{j <= i} softmax_j(s_ij) V x_j
//
// Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin:
// Attention Is All You Need, NeurIPS 2017. Radford, Narasimhan, Salimans,
// Sutskever: Improving Language Understanding by Generative Pre-Training, 2018.
//
// x [n, 64], wq, wk, wv [64, 4, 16], wo [64, 64] -> out [n, 64]
//
//   clique-run examples/causal_attention.mlir --graph=causal:512 --verify

func.func @causal_attention(%g: !mp.graph<causal>, %x: tensor<?x64xf32>,
                            %wq: tensor<64x4x16xf32>, %wk: tensor<64x4x16xf32>,
                            %wv: tensor<64x4x16xf32>, %wo: tensor<64x64xf32>)
    -> tensor<?x64xf32> {
  %s, %v = mp.message %g : !mp.graph<causal> dst(%xi = %x : tensor<?x64xf32>)
      src(%xj = %x : tensor<?x64xf32>) -> !mp.edges<4xf32>, !mp.edges<4x16xf32> {
    %q = mp.linear %xi, %wq : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %k = mp.linear %xj, %wk : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %w = mp.linear %xj, %wv : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %d = mp.dot %q, %k : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.25> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %e, %w : tensor<4xf32>, tensor<4x16xf32>
  }
  %m = mp.aggregate %g : !mp.graph<causal> softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x16xf32>) -> tensor<?x4x16xf32>
  %out = mp.update (%xi = %x : tensor<?x64xf32>, %mi = %m : tensor<?x4x16xf32>)
      -> tensor<?x64xf32> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
    %o = mp.linear %f, %wo : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>
    %r = arith.addf %xi, %o : tensor<64xf32>
    mp.yield %r : tensor<64xf32>
  }
  return %out : tensor<?x64xf32>
}
