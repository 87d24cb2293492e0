// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two graphs in one layer: half of the heads receive from every token, the other half the
// neighbours in the sentence's syntax tree, each along its own weights.
//
//   a_i = sum_{j} softmax_j((Q x_i) . (K x_j) / 4) V x_j
//   t_i = sum_{j in tree(i)} softmax_j((Q' x_i) . (K' x_j) / 4) V' x_j
//   out_i = LN(x_i + O [a_i || t_i])
//
// Strubell, Verga, Andor, Weiss, McCallum: Linguistically-Informed Self-Attention for
// Semantic Role Labeling, EMNLP 2018, section 2.2, with the tree's edges as a mask, as in
// Zhang et al.: SG-Net, AAAI 2020, equation 4.
//
// tree: any graph, x [n, 32], wq, wk, wv, tq, tk, tv [32, 16], wo [32, 32] -> out [n, 32]
//
//   clique-run examples/families/syntax_attention.mlir --graph=examples/graphs/karate.mtx --verify

func.func @syntax_attention(%tree: !mp.graph, %x: tensor<?x32xf32>, %wq: tensor<32x16xf32>,
                            %wk: tensor<32x16xf32>, %wv: tensor<32x16xf32>,
                            %tq: tensor<32x16xf32>, %tk: tensor<32x16xf32>,
                            %tv: tensor<32x16xf32>, %wo: tensor<32x32xf32>)
    -> tensor<?x32xf32> {
  %n = mp.num_dst %tree
  %all = mp.complete %n
  %g = mp.cast %all : !mp.graph<complete> to !mp.graph
  %a = call @attend(%g, %x, %wq, %wk, %wv)
      : (!mp.graph, tensor<?x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>,
         tensor<32x16xf32>) -> tensor<?x16xf32>
  %t = call @attend(%tree, %x, %tq, %tk, %tv)
      : (!mp.graph, tensor<?x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>,
         tensor<32x16xf32>) -> tensor<?x16xf32>
  %out = mp.update (%xi = %x : tensor<?x32xf32>, %ai = %a : tensor<?x16xf32>,
                    %ti = %t : tensor<?x16xf32>) -> tensor<?x32xf32> {
    %c = tensor.concat dim(0) %ai, %ti : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
    %o = mp.linear %c, %wo : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %r = arith.addf %xi, %o : tensor<32xf32>
    %y = mp.layer_norm %r : (tensor<32xf32>) -> tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}

func.func private @attend(%g: !mp.graph, %x: tensor<?x32xf32>, %wq: tensor<32x16xf32>,
                          %wk: tensor<32x16xf32>, %wv: tensor<32x16xf32>)
    -> tensor<?x16xf32> {
  %s, %v = mp.message %g dst(%xi = %x : tensor<?x32xf32>) src(%xj = %x : tensor<?x32xf32>)
      -> !mp.edges<f32>, !mp.edges<16xf32> {
    %q = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
    %k = mp.linear %xj, %wk : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
    %w = mp.linear %xj, %wv : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
    %d = mp.dot %q, %k : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
    %c = arith.constant dense<0.25> : tensor<f32>
    %e = arith.mulf %d, %c : tensor<f32>
    mp.yield %e, %w : tensor<f32>, tensor<16xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<16xf32>) -> tensor<?x16xf32>
  return %m : tensor<?x16xf32>
}
