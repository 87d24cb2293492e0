// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Transformer as one function over three graphs: the encoder's positions all receive from
// each other, the decoder's receive from those up to their own, and each of these from every
// position of the encoder.
//
//   m = F1(LN(x + MHA1(x, x)))                      on the complete graph
//   z = LN(y + MHA2(y, y))                          on the causal graph
//   out = F2(LN(z + MHA3(z, m)))                    on the complete bipartite graph
//
//   MHA(a, b)_i = O ||_heads sum_j softmax_j((Q a_i) . (K b_j) / sqrt(8)) V b_j
//   F(a) = LN(a + W2 relu(W1 a))                    LN without scale and shift
//
// x and y are embeddings with the sinusoidal positions of the paper added:
// examples/families/positions.mlir makes them.
//
// Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin: Attention Is
// All You Need, NeurIPS 2017, figure 1 and equation 1 (one layer of each half).
//
// x [m, 32], y [n, 32], per attention (1, 2, 3) q, k, v [32, 4, 8], o [32, 32], per
// feed-forward part (1, 2) u [32, 64], d [64, 32] -> out [n, 32]
//
//   clique-run examples/families/encoder_decoder.mlir --input=x=x.npy --input=y=y.npy --verify

func.func @encoder_decoder(%x: tensor<?x32xf32>, %y: tensor<?x32xf32>,
    %q1: tensor<32x4x8xf32>, %k1: tensor<32x4x8xf32>, %v1: tensor<32x4x8xf32>, %o1: tensor<32x32xf32>,
    %q2: tensor<32x4x8xf32>, %k2: tensor<32x4x8xf32>, %v2: tensor<32x4x8xf32>, %o2: tensor<32x32xf32>,
    %q3: tensor<32x4x8xf32>, %k3: tensor<32x4x8xf32>, %v3: tensor<32x4x8xf32>, %o3: tensor<32x32xf32>,
    %u1: tensor<32x64xf32>, %d1: tensor<64x32xf32>, %u2: tensor<32x64xf32>, %d2: tensor<64x32xf32>)
    -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %sources = tensor.dim %x, %c0 : tensor<?x32xf32>
  %targets = tensor.dim %y, %c0 : tensor<?x32xf32>
  %encoder = mp.complete %sources
  %decoder = mp.causal %targets
  %across = mp.bipartite %targets, %sources
  %ge = mp.cast %encoder : !mp.graph<complete> to !mp.graph
  %gd = mp.cast %decoder : !mp.graph<causal> to !mp.graph
  %ga = mp.cast %across : !mp.graph<bipartite> to !mp.graph
  %a = call @attend(%ge, %x, %x, %q1, %k1, %v1, %o1)
      : (!mp.graph, tensor<?x32xf32>, tensor<?x32xf32>, tensor<32x4x8xf32>,
         tensor<32x4x8xf32>, tensor<32x4x8xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %m = call @feed_forward(%a, %u1, %d1)
      : (tensor<?x32xf32>, tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<?x32xf32>
  %z = call @attend(%gd, %y, %y, %q2, %k2, %v2, %o2)
      : (!mp.graph, tensor<?x32xf32>, tensor<?x32xf32>, tensor<32x4x8xf32>,
         tensor<32x4x8xf32>, tensor<32x4x8xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %b = call @attend(%ga, %z, %m, %q3, %k3, %v3, %o3)
      : (!mp.graph, tensor<?x32xf32>, tensor<?x32xf32>, tensor<32x4x8xf32>,
         tensor<32x4x8xf32>, tensor<32x4x8xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %out = call @feed_forward(%b, %u2, %d2)
      : (tensor<?x32xf32>, tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<?x32xf32>
  return %out : tensor<?x32xf32>
}

// LN(a + MHA(a, b)) on any graph: calls with one of a known topology are compiled for that.
func.func private @attend(%g: !mp.graph, %a: tensor<?x32xf32>, %b: tensor<?x32xf32>,
                          %wq: tensor<32x4x8xf32>, %wk: tensor<32x4x8xf32>,
                          %wv: tensor<32x4x8xf32>, %wo: tensor<32x32xf32>)
    -> tensor<?x32xf32> {
  %s, %v = mp.message %g dst(%ai = %a : tensor<?x32xf32>) src(%bj = %b : tensor<?x32xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %q = mp.linear %ai, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %k = mp.linear %bj, %wk : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %w = mp.linear %bj, %wv : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %d = mp.dot %q, %k : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.35355339> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %e, %w : tensor<4xf32>, tensor<4x8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  %out = mp.update (%ai = %a : tensor<?x32xf32>, %mi = %m : tensor<?x4x8xf32>)
      -> tensor<?x32xf32> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    %o = mp.linear %f, %wo : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %r = arith.addf %ai, %o : tensor<32xf32>
    %n = mp.layer_norm %r : (tensor<32xf32>) -> tensor<32xf32>
    mp.yield %n : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}

func.func private @feed_forward(%a: tensor<?x32xf32>, %up: tensor<32x64xf32>,
                                %down: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %out = mp.update (%ai = %a : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %p = mp.linear %ai, %up : (tensor<32xf32>, tensor<32x64xf32>) -> tensor<64xf32>
    %r = mp.relu %p : tensor<64xf32>
    %q = mp.linear %r, %down : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    %s = arith.addf %ai, %q : tensor<32xf32>
    %n = mp.layer_norm %s : (tensor<32xf32>) -> tensor<32xf32>
    mp.yield %n : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}
