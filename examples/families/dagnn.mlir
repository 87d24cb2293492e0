// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DAGNN: a layer that goes through an acyclic graph in topological order. A node attends to
// its predecessors, whose new states are known by then; a gated recurrent unit joins what it
// gets with its own input. s is the logistic function.
//
//   a_uv = softmax over u of (w1 . x_v + w2 . h_u)    m_v = sum_u a_uv h_u
//   r, z = s(Wr x_v + Ur m_v), s(Wz x_v + Uz m_v)     n = tanh(Wn x_v + r * Un m_v)
//   h_v  = (1 - z) * n + z * m_v
//
// Thost, Chen: Directed Acyclic Graph Neural Networks, ICLR 2021, equations 2, 3 and 6.
//
// x [n, 16], w1, w2 [16], w, u [16, 3 (r, z, n), 16] -> h [n, 16]
//
//   clique-run examples/families/dagnn.mlir --graph=dag.mtx --verify

func.func @dagnn(%g: !mp.graph, %x: tensor<?x16xf32>, %w1: tensor<16xf32>, %w2: tensor<16xf32>,
                 %w: tensor<16x3x16xf32>, %u: tensor<16x3x16xf32>)
    -> (tensor<?x16xf32> {mp.name = "h"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dag, %nodes, %places, %offsets = mp.levels %g
  %xs = mp.lookup %x[%nodes] : tensor<?x16xf32>, tensor<?xi32> -> tensor<?x16xf32>
  %entries = tensor.dim %offsets, %c0 : tensor<?xi64>
  %levels = arith.subi %entries, %c1 : index
  %start = mp.update (%xi = %x : tensor<?x16xf32>) -> tensor<?x16xf32> {
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    mp.yield %zero : tensor<16xf32>
  }
  %r = scf.for %k = %c0 to %levels step %c1 iter_args(%h = %start) -> (tensor<?x16xf32>) {
    %next = arith.addi %k, %c1 : index
    %begin = tensor.extract %offsets[%k] : tensor<?xi64>
    %end = tensor.extract %offsets[%next] : tensor<?xi64>
    %size = arith.subi %end, %begin : i64
    %first = arith.index_cast %begin : i64 to index
    %n = arith.index_cast %size : i64 to index
    %level, %edges = mp.rows %dag, %first, %n
    %xk = tensor.extract_slice %xs[%first, 0] [%n, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
    %s, %hs = mp.message %level dst(%xv = %xk : tensor<?x16xf32>) src(%hu = %h : tensor<?x16xf32>)
        -> !mp.edges<f32>, !mp.edges<16xf32> {
      %a = mp.dot %xv, %w1 : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      %b = mp.dot %hu, %w2 : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      %ab = arith.addf %a, %b : tensor<f32>
      mp.yield %ab, %hu : tensor<f32>, tensor<16xf32>
    }
    %m = mp.aggregate %level softmax(%s) %hs : (!mp.edges<f32>, !mp.edges<16xf32>) -> tensor<?x16xf32>
    %hn = mp.update (%xv = %xk : tensor<?x16xf32>, %mv = %m : tensor<?x16xf32>) -> tensor<?x16xf32> {
      %wx = mp.linear %xv, %w : (tensor<16xf32>, tensor<16x3x16xf32>) -> tensor<3x16xf32>
      %um = mp.linear %mv, %u : (tensor<16xf32>, tensor<16x3x16xf32>) -> tensor<3x16xf32>
      %wx2 = tensor.extract_slice %wx[0, 0] [2, 16] [1, 1] : tensor<3x16xf32> to tensor<2x16xf32>
      %um2 = tensor.extract_slice %um[0, 0] [2, 16] [1, 1] : tensor<3x16xf32> to tensor<2x16xf32>
      %rz0 = arith.addf %wx2, %um2 : tensor<2x16xf32>
      %rz = mp.sigmoid %rz0 : tensor<2x16xf32>
      %rv = tensor.extract_slice %rz[0, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
      %zv = tensor.extract_slice %rz[1, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
      %wn = tensor.extract_slice %wx[2, 0] [1, 16] [1, 1] : tensor<3x16xf32> to tensor<16xf32>
      %un = tensor.extract_slice %um[2, 0] [1, 16] [1, 1] : tensor<3x16xf32> to tensor<16xf32>
      %ru = arith.mulf %rv, %un : tensor<16xf32>
      %n0 = arith.addf %wn, %ru : tensor<16xf32>
      %nv = math.tanh %n0 : tensor<16xf32>
      // (1 - z) n + z m = n + z (m - n)
      %d = arith.subf %mv, %nv : tensor<16xf32>
      %zd = arith.mulf %zv, %d : tensor<16xf32>
      %hv = arith.addf %nv, %zd : tensor<16xf32>
      mp.yield %hv : tensor<16xf32>
    }
    %h1 = tensor.insert_slice %hn into %h[%first, 0] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<?x16xf32>
    scf.yield %h1 : tensor<?x16xf32>
  }
  %out = mp.lookup %r[%places] : tensor<?x16xf32>, tensor<?xi32> -> tensor<?x16xf32>
  return %out : tensor<?x16xf32>
}
