// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Transformer's encoder block, with the layer normalisation before each part
// (pre_norm) or after its residual (post_norm):
//
//   pre_norm    y = x + MHA(LN1(x))       out = y + MLP(LN2(y))
//   post_norm   y = LN1(x + MHA(x))       out = LN2(y + MLP(y))
//
//   MHA(x)_i = O ||_heads sum_j softmax_j((Q x_i) . (K x_j) / sqrt(16)) V x_j     4 heads
//   MLP(x)   = W2 gelu(W1 x + b1) + b2
//
// A sequence is a complete graph, a batch of sequences a graph of cliques; on any
// other graph this is a graph Transformer.
//
// Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin:
// Attention Is All You Need, NeurIPS 2017. Xiong, Yang, He, Zheng, Zheng, Xing,
// Zhang, Lan, Wang, Liu: On Layer Normalization in the Transformer Architecture,
// ICML 2020.
//
// x [n, 64], wq, wk, wv [64, 4, 16], wo [64, 64], s1, t1, s2, t2 [64] (scales and
// shifts of LN1 and LN2), w1 [64, 256], b1 [256], w2 [256, 64], b2 [64] -> out [n, 64]
//
//   clique-run examples/transformer.mlir --entry=pre_norm --graph=cliques:128,77,200 --verify

func.func @pre_norm(%g: !mp.graph, %x: tensor<?x64xf32>,
    %wq: tensor<64x4x16xf32>, %wk: tensor<64x4x16xf32>, %wv: tensor<64x4x16xf32>,
    %wo: tensor<64x64xf32>, %s1: tensor<64xf32>, %t1: tensor<64xf32>,
    %s2: tensor<64xf32>, %t2: tensor<64xf32>, %w1: tensor<64x256xf32>,
    %b1: tensor<256xf32>, %w2: tensor<256x64xf32>, %b2: tensor<64xf32>)
    -> tensor<?x64xf32> {
  %n = mp.update (%xi = %x : tensor<?x64xf32>) -> tensor<?x64xf32> {
    %y = mp.layer_norm %xi scale %s1 shift %t1
        : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    mp.yield %y : tensor<64xf32>
  }
  %m = call @heads(%g, %n, %wq, %wk, %wv)
      : (!mp.graph, tensor<?x64xf32>, tensor<64x4x16xf32>, tensor<64x4x16xf32>,
         tensor<64x4x16xf32>) -> tensor<?x64xf32>
  %out = mp.update (%xi = %x : tensor<?x64xf32>, %mi = %m : tensor<?x64xf32>)
      -> tensor<?x64xf32> {
    %o = mp.linear %mi, %wo : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>
    %r = arith.addf %xi, %o : tensor<64xf32>
    %y = mp.layer_norm %r scale %s2 shift %t2
        : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %a = mp.linear %y, %w1 bias %b1
        : (tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %b = mp.gelu %a : tensor<256xf32>
    %c = mp.linear %b, %w2 bias %b2
        : (tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %d = arith.addf %r, %c : tensor<64xf32>
    mp.yield %d : tensor<64xf32>
  }
  return %out : tensor<?x64xf32>
}

func.func @post_norm(%g: !mp.graph, %x: tensor<?x64xf32>,
    %wq: tensor<64x4x16xf32>, %wk: tensor<64x4x16xf32>, %wv: tensor<64x4x16xf32>,
    %wo: tensor<64x64xf32>, %s1: tensor<64xf32>, %t1: tensor<64xf32>,
    %s2: tensor<64xf32>, %t2: tensor<64xf32>, %w1: tensor<64x256xf32>,
    %b1: tensor<256xf32>, %w2: tensor<256x64xf32>, %b2: tensor<64xf32>)
    -> tensor<?x64xf32> {
  %m = call @heads(%g, %x, %wq, %wk, %wv)
      : (!mp.graph, tensor<?x64xf32>, tensor<64x4x16xf32>, tensor<64x4x16xf32>,
         tensor<64x4x16xf32>) -> tensor<?x64xf32>
  %out = mp.update (%xi = %x : tensor<?x64xf32>, %mi = %m : tensor<?x64xf32>)
      -> tensor<?x64xf32> {
    %o = mp.linear %mi, %wo : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>
    %r = arith.addf %xi, %o : tensor<64xf32>
    %y = mp.layer_norm %r scale %s1 shift %t1
        : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %a = mp.linear %y, %w1 bias %b1
        : (tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %b = mp.gelu %a : tensor<256xf32>
    %c = mp.linear %b, %w2 bias %b2
        : (tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %d = arith.addf %y, %c : tensor<64xf32>
    %z = mp.layer_norm %d scale %s2 shift %t2
        : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    mp.yield %z : tensor<64xf32>
  }
  return %out : tensor<?x64xf32>
}

// The heads of MHA(x), one after the other, before O.
func.func private @heads(%g: !mp.graph, %x: tensor<?x64xf32>, %wq: tensor<64x4x16xf32>,
                         %wk: tensor<64x4x16xf32>, %wv: tensor<64x4x16xf32>)
    -> tensor<?x64xf32> {
  %s, %v = mp.message %g dst(%xi = %x : tensor<?x64xf32>) src(%xj = %x : tensor<?x64xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x16xf32> {
    %q = mp.linear %xi, %wq : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %k = mp.linear %xj, %wk : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %w = mp.linear %xj, %wv : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %d = mp.dot %q, %k : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.25> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %e, %w : tensor<4xf32>, tensor<4x16xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x16xf32>) -> tensor<?x4x16xf32>
  %f = tensor.collapse_shape %m [[0], [1, 2]] : tensor<?x4x16xf32> into tensor<?x64xf32>
  return %f : tensor<?x64xf32>
}
