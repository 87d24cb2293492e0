// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention in which a token receives from some of the others: one head of 16 features,
//
//   out_i = sum_j softmax_j((Q x_i) . (K x_j) / 4 + bias) V x_j
//
//   window_global   j within 4 of i, or i or j is global (the first globals tokens)
//   dilated         j = i + d k for |k| <= 4 and a dilation d from the caller
//   adaptive_span   every j, the weights times clip((span + 8 - |i - j|) / 8, 0, 1), then
//                   normalised; span is learned
//   partition       the edges of the given graph, with a bias for each from a table by
//                   the edge's type: binary partition graphs, whose sources are the
//                   tokens and the spans above them, two sets of nodes in one
//
// window_global: Beltagy, Peters, Cohan: Longformer, 2020, section 3.1 (one set of
// weights). dilated: the same. adaptive_span: Sukhbaatar, Grave, Bojanowski, Joulin:
// Adaptive Attention Span in Transformers, ACL 2019, equations 4 and 5. partition: Ye, Guo,
// Gan, Qiu, Zhang: BP-Transformer, 2019, section 3.2.
//
// x [n, 32], wq, wk, wv [32, 16], globals, dilation [], span [], type [edges], table [8]
// -> out [n, 16]
//
//   clique-run examples/families/sparse_attention.mlir --entry=adaptive_span \
//       --graph=complete:64 --verify

func.func @window_global(%g: !mp.graph<complete>, %x: tensor<?x32xf32>, %globals: tensor<i32>,
                         %wq: tensor<32x16xf32>, %wk: tensor<32x16xf32>,
                         %wv: tensor<32x16xf32>) -> tensor<?x16xf32> {
  %s, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x32xf32>)
      src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<f32>, !mp.edges<16xf32> {
    %e, %w = func.call @score(%xi, %xj, %wq, %wk, %wv)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<32x16xf32>,
           tensor<32x16xf32>) -> (tensor<f32>, tensor<16xf32>)
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %far = math.absi %d : tensor<i32>
    %reach = arith.constant dense<4> : tensor<i32>
    %near = arith.cmpi sle, %far, %reach : tensor<i32>
    %first = arith.minsi %i, %j : tensor<i32>
    %global = arith.cmpi slt, %first, %globals : tensor<i32>
    %allowed = arith.ori %near, %global : tensor<i1>
    %none = arith.constant dense<0xFF800000> : tensor<f32>
    %m = arith.select %allowed, %e, %none : tensor<i1>, tensor<f32>
    mp.yield %m, %w : tensor<f32>, tensor<16xf32>
  }
  %out = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<16xf32>) -> tensor<?x16xf32>
  return %out : tensor<?x16xf32>
}

func.func @dilated(%g: !mp.graph<complete>, %x: tensor<?x32xf32>, %dilation: tensor<i32>,
                   %wq: tensor<32x16xf32>, %wk: tensor<32x16xf32>, %wv: tensor<32x16xf32>)
    -> tensor<?x16xf32> {
  %s, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x32xf32>)
      src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<f32>, !mp.edges<16xf32> {
    %e, %w = func.call @score(%xi, %xj, %wq, %wk, %wv)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<32x16xf32>,
           tensor<32x16xf32>) -> (tensor<f32>, tensor<16xf32>)
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %far = math.absi %d : tensor<i32>
    %four = arith.constant dense<4> : tensor<i32>
    %reach = arith.muli %four, %dilation : tensor<i32>
    %near = arith.cmpi sle, %far, %reach : tensor<i32>
    %rest = arith.remsi %far, %dilation : tensor<i32>
    %zero = arith.constant dense<0> : tensor<i32>
    %hits = arith.cmpi eq, %rest, %zero : tensor<i32>
    %allowed = arith.andi %near, %hits : tensor<i1>
    %none = arith.constant dense<0xFF800000> : tensor<f32>
    %m = arith.select %allowed, %e, %none : tensor<i1>, tensor<f32>
    mp.yield %m, %w : tensor<f32>, tensor<16xf32>
  }
  %out = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<16xf32>) -> tensor<?x16xf32>
  return %out : tensor<?x16xf32>
}

func.func @adaptive_span(%g: !mp.graph<complete>, %x: tensor<?x32xf32>, %span: tensor<f32>,
                         %wq: tensor<32x16xf32>, %wk: tensor<32x16xf32>,
                         %wv: tensor<32x16xf32>) -> tensor<?x16xf32> {
  %s, %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x32xf32>)
      src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<f32>, !mp.edges<16xf32> {
    %e, %w = func.call @score(%xi, %xj, %wq, %wk, %wv)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<32x16xf32>,
           tensor<32x16xf32>) -> (tensor<f32>, tensor<16xf32>)
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %far = math.absi %d : tensor<i32>
    %f = arith.sitofp %far : tensor<i32> to tensor<f32>
    %ramp = arith.constant dense<8.0> : tensor<f32>
    %end = arith.addf %span, %ramp : tensor<f32>
    %left = arith.subf %end, %f : tensor<f32>
    %part = arith.divf %left, %ramp : tensor<f32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %one = arith.constant dense<1.0> : tensor<f32>
    %low = arith.maximumf %part, %zero : tensor<f32>
    %mask = arith.minimumf %low, %one : tensor<f32>
    // mask exp(e) = exp(e + log(mask)), and log(0) is -inf: no weight.
    %l = math.log %mask : tensor<f32>
    %m = arith.addf %e, %l : tensor<f32>
    mp.yield %m, %w : tensor<f32>, tensor<16xf32>
  }
  %out = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<16xf32>) -> tensor<?x16xf32>
  return %out : tensor<?x16xf32>
}

func.func @partition(%g: !mp.graph, %x: tensor<?x32xf32>, %type: !mp.edges<i32>,
                     %table: tensor<8xf32>, %wq: tensor<32x16xf32>, %wk: tensor<32x16xf32>,
                     %wv: tensor<32x16xf32>) -> tensor<?x16xf32> {
  %s, %v = mp.message %g dst(%xi = %x : tensor<?x32xf32>) src(%xj = %x : tensor<?x32xf32>)
      edge(%t = %type : !mp.edges<i32>) -> !mp.edges<f32>, !mp.edges<16xf32> {
    %e, %w = func.call @score(%xi, %xj, %wq, %wk, %wv)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<32x16xf32>,
           tensor<32x16xf32>) -> (tensor<f32>, tensor<16xf32>)
    %b = mp.lookup %table[%t] : tensor<8xf32>, tensor<i32> -> tensor<f32>
    %m = arith.addf %e, %b : tensor<f32>
    mp.yield %m, %w : tensor<f32>, tensor<16xf32>
  }
  %out = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<f32>, !mp.edges<16xf32>) -> tensor<?x16xf32>
  return %out : tensor<?x16xf32>
}

func.func private @score(%xi: tensor<32xf32>, %xj: tensor<32xf32>, %wq: tensor<32x16xf32>,
                         %wk: tensor<32x16xf32>, %wv: tensor<32x16xf32>)
    -> (tensor<f32>, tensor<16xf32>) {
  %q = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
  %k = mp.linear %xj, %wk : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
  %v = mp.linear %xj, %wv : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
  %d = mp.dot %q, %k : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
  %c = arith.constant dense<0.25> : tensor<f32>
  %e = arith.mulf %d, %c : tensor<f32>
  return %e, %v : tensor<f32>, tensor<16xf32>
}
