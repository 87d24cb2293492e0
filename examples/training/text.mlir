// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A causal Transformer of two blocks over the characters of a text (Vaswani et al., 2017; layer
// normalisation first, as in GPT-2). A batch is one graph: a causal clique for each piece of text.
//
// x [n] the characters in [0, 128), p [n] their places in [0, 64) -> logits of the next, [n, 128]

func.func private @block(%g: !mp.graph, %h: tensor<?x64xf32>, %s: tensor<64xf32>, %t: tensor<64xf32>,
    %wq: tensor<64x4x16xf32>, %wk: tensor<64x4x16xf32>, %wv: tensor<64x4x16xf32>,
    %wo: tensor<64x64xf32>, %s2: tensor<64xf32>, %t2: tensor<64xf32>,
    %w1: tensor<64x256xf32>, %b1: tensor<256xf32>, %w2: tensor<256x64xf32>, %b2: tensor<64xf32>)
    -> tensor<?x64xf32> {
  %n = mp.update (%hi = %h : tensor<?x64xf32>) -> tensor<?x64xf32> {
    %y = mp.layer_norm %hi scale %s shift %t
        : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    mp.yield %y : tensor<64xf32>
  }
  %e, %v = mp.message %g dst(%ni = %n : tensor<?x64xf32>) src(%nj = %n : tensor<?x64xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x16xf32> {
    %q = mp.linear %ni, %wq : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %k = mp.linear %nj, %wk : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %w = mp.linear %nj, %wv : (tensor<64xf32>, tensor<64x4x16xf32>) -> tensor<4x16xf32>
    %d = mp.dot %q, %k : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.25> : tensor<4xf32>
    %r = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %r, %w : tensor<4xf32>, tensor<4x16xf32>
  }
  %m = mp.aggregate %g softmax(%e) %v : (!mp.edges<4xf32>, !mp.edges<4x16xf32>) -> tensor<?x4x16xf32>
  %out = mp.update (%hi = %h : tensor<?x64xf32>, %mi = %m : tensor<?x4x16xf32>) -> tensor<?x64xf32> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
    %a = mp.linear %f, %wo : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>
    %r = arith.addf %hi, %a : tensor<64xf32>
    %y = mp.layer_norm %r scale %s2 shift %t2
        : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %b = mp.linear %y, %w1 bias %b1
        : (tensor<64xf32>, tensor<64x256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %c = mp.relu %b : tensor<256xf32>
    %d = mp.linear %c, %w2 bias %b2
        : (tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %z = arith.addf %r, %d : tensor<64xf32>
    mp.yield %z : tensor<64xf32>
  }
  return %out : tensor<?x64xf32>
}

func.func @text(%g: !mp.graph, %x: tensor<?xi32>, %p: tensor<?xi32>,
    %characters: tensor<128x64xf32>, %places: tensor<64x64xf32>,
    %b1_scale: tensor<64xf32>, %b1_shift: tensor<64xf32>, %b1_q: tensor<64x4x16xf32>,
    %b1_k: tensor<64x4x16xf32>, %b1_v: tensor<64x4x16xf32>, %b1_o: tensor<64x64xf32>,
    %b1_scale2: tensor<64xf32>, %b1_shift2: tensor<64xf32>, %b1_up: tensor<64x256xf32>,
    %b1_upb: tensor<256xf32>, %b1_down: tensor<256x64xf32>, %b1_downb: tensor<64xf32>,
    %b2_scale: tensor<64xf32>, %b2_shift: tensor<64xf32>, %b2_q: tensor<64x4x16xf32>,
    %b2_k: tensor<64x4x16xf32>, %b2_v: tensor<64x4x16xf32>, %b2_o: tensor<64x64xf32>,
    %b2_scale2: tensor<64xf32>, %b2_shift2: tensor<64xf32>, %b2_up: tensor<64x256xf32>,
    %b2_upb: tensor<256xf32>, %b2_down: tensor<256x64xf32>, %b2_downb: tensor<64xf32>,
    %head: tensor<64x128xf32>) -> tensor<?x128xf32> {
  %h0 = mp.update (%xi = %x : tensor<?xi32>, %pi = %p : tensor<?xi32>) -> tensor<?x64xf32> {
    %a = mp.lookup %characters[%xi] : tensor<128x64xf32>, tensor<i32> -> tensor<64xf32>
    %b = mp.lookup %places[%pi] : tensor<64x64xf32>, tensor<i32> -> tensor<64xf32>
    %s = arith.addf %a, %b : tensor<64xf32>
    mp.yield %s : tensor<64xf32>
  }
  %h1 = func.call @block(%g, %h0, %b1_scale, %b1_shift, %b1_q, %b1_k, %b1_v, %b1_o,
      %b1_scale2, %b1_shift2, %b1_up, %b1_upb, %b1_down, %b1_downb)
      : (!mp.graph, tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x4x16xf32>, tensor<64x4x16xf32>,
         tensor<64x4x16xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>,
         tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %h2 = func.call @block(%g, %h1, %b2_scale, %b2_shift, %b2_q, %b2_k, %b2_v, %b2_o,
      %b2_scale2, %b2_shift2, %b2_up, %b2_upb, %b2_down, %b2_downb)
      : (!mp.graph, tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x4x16xf32>, tensor<64x4x16xf32>,
         tensor<64x4x16xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x256xf32>,
         tensor<256xf32>, tensor<256x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %out = mp.update (%hi = %h2 : tensor<?x64xf32>) -> tensor<?x128xf32> {
    %y = mp.linear %hi, %head : (tensor<64xf32>, tensor<64x128xf32>) -> tensor<128xf32>
    mp.yield %y : tensor<128xf32>
  }
  return %out : tensor<?x128xf32>
}
