// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tree-LSTM: every node after its children, all nodes of a level at once, on all trees of a
// batch. The graph has an edge from each child to its parent; s is the logistic function.
//
//   H_j  = sum_{k in children(j)} h_k
//   i, o = s(Wi x_j + Ui H_j), s(Wo x_j + Uo H_j)    u = tanh(Wu x_j + Uu H_j)
//   f_jk = s(Wf x_j + Uf h_k)
//   c_j  = i * u + sum_k f_jk * c_k    h_j = o * tanh(c_j)
//
// A step of the loop computes the nodes of one level, which receive from lower levels: each
// node and each edge has its turn once. Any acyclic graph will do.
//
// nary_tree_lstm is for constituency trees, whose children have places, 3 at most: the edge
// from the child at place l has the number l, and weights of its own,
//
//   i, o = s(Wi x_j + sum_l Ui_l h_l), s(Wo x_j + sum_l Uo_l h_l)   u likewise, with tanh
//   f_k  = s(Wf x_j + sum_l Uf_kl h_l)
//   c_j  = i * u + sum_k f_k * c_k    h_j = o * tanh(c_j)
//
// Tai, Socher, Manning: Improved Semantic Representations From Tree-Structured Long
// Short-Term Memory Networks, ACL 2015, equations 2 to 8 and 9 to 14.
//
// x [n, 16], w [16, 4 (i, o, u, f), 16], u [16, 3 (i, o, u), 16], uf [16, 16] -> h, c [n, 16]
// x [n, 16], place [edges], w [16, 4 (i, o, u, f), 16], u [3, 16, 6 (i, o, u, f_0, f_1, f_2), 16]
//   -> h, c [n, 16]
//
//   clique-run examples/families/tree_lstm.mlir --entry=tree_lstm --graph=tree.mtx --verify

func.func @tree_lstm(%g: !mp.graph, %x: tensor<?x16xf32>, %w: tensor<16x4x16xf32>,
                     %u: tensor<16x3x16xf32>, %uf: tensor<16x16xf32>)
    -> (tensor<?x16xf32> {mp.name = "h"}, tensor<?x16xf32> {mp.name = "c"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %trees, %nodes, %places, %offsets = mp.levels %g
  %xs = mp.lookup %x[%nodes] : tensor<?x16xf32>, tensor<?xi32> -> tensor<?x16xf32>
  %wx = mp.linear %xs, %w : (tensor<?x16xf32>, tensor<16x4x16xf32>) -> tensor<?x4x16xf32>
  %levels = call @count(%offsets) : (tensor<?xi64>) -> index
  %start = call @zeros(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %r:2 = scf.for %k = %c0 to %levels step %c1 iter_args(%h = %start, %c = %start)
      -> (tensor<?x16xf32>, tensor<?x16xf32>) {
    %first, %n = func.call @level(%offsets, %k) : (tensor<?xi64>, index) -> (index, index)
    %t, %edges = mp.rows %trees, %first, %n
    %wk = tensor.extract_slice %wx[%first, 0, 0] [%n, 4, 16] [1, 1, 1]
        : tensor<?x4x16xf32> to tensor<?x4x16xf32>
    %hk, %fc = mp.message %t dst(%wj = %wk : tensor<?x4x16xf32>)
        src(%hs = %h : tensor<?x16xf32>, %cs = %c : tensor<?x16xf32>)
        -> !mp.edges<16xf32>, !mp.edges<16xf32> {
      %a = tensor.extract_slice %wj[3, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
      %b = mp.linear %hs, %uf : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
      %ab = arith.addf %a, %b : tensor<16xf32>
      %f = mp.sigmoid %ab : tensor<16xf32>
      %r = arith.mulf %f, %cs : tensor<16xf32>
      mp.yield %hs, %r : tensor<16xf32>, tensor<16xf32>
    }
    %hsum = mp.aggregate %t sum %hk : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %kept = mp.aggregate %t sum %fc : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %hn, %cn = mp.update (%wj = %wk : tensor<?x4x16xf32>, %hj = %hsum : tensor<?x16xf32>,
                          %cj = %kept : tensor<?x16xf32>)
        -> tensor<?x16xf32>, tensor<?x16xf32> {
      %uh = mp.linear %hj, %u : (tensor<16xf32>, tensor<16x3x16xf32>) -> tensor<3x16xf32>
      %h1, %c1n = func.call @cell(%wj, %uh, %cj) : (tensor<4x16xf32>, tensor<3x16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
      mp.yield %h1, %c1n : tensor<16xf32>, tensor<16xf32>
    }
    %h2 = tensor.insert_slice %hn into %h[%first, 0] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<?x16xf32>
    %c2 = tensor.insert_slice %cn into %c[%first, 0] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<?x16xf32>
    scf.yield %h2, %c2 : tensor<?x16xf32>, tensor<?x16xf32>
  }
  %ho = mp.lookup %r#0[%places] : tensor<?x16xf32>, tensor<?xi32> -> tensor<?x16xf32>
  %co = mp.lookup %r#1[%places] : tensor<?x16xf32>, tensor<?xi32> -> tensor<?x16xf32>
  return %ho, %co : tensor<?x16xf32>, tensor<?x16xf32>
}

func.func @nary_tree_lstm(%g: !mp.graph, %x: tensor<?x16xf32>, %place: !mp.edges<i32>,
                          %w: tensor<16x4x16xf32>, %u: tensor<3x16x6x16xf32>)
    -> (tensor<?x16xf32> {mp.name = "h"}, tensor<?x16xf32> {mp.name = "c"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %trees, %nodes, %places, %offsets = mp.levels %g
  %xs = mp.lookup %x[%nodes] : tensor<?x16xf32>, tensor<?xi32> -> tensor<?x16xf32>
  %wx = mp.linear %xs, %w : (tensor<?x16xf32>, tensor<16x4x16xf32>) -> tensor<?x4x16xf32>
  %levels = call @count(%offsets) : (tensor<?xi64>) -> index
  %start = call @zeros(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %r:2 = scf.for %k = %c0 to %levels step %c1 iter_args(%h = %start, %c = %start)
      -> (tensor<?x16xf32>, tensor<?x16xf32>) {
    %first, %n = func.call @level(%offsets, %k) : (tensor<?xi64>, index) -> (index, index)
    %t, %edges = mp.rows %trees, %first, %n
    %at = mp.lookup %place[%edges] : !mp.edges<i32>, tensor<?xi64> -> !mp.edges<i32>
    %wk = tensor.extract_slice %wx[%first, 0, 0] [%n, 4, 16] [1, 1, 1]
        : tensor<?x4x16xf32> to tensor<?x4x16xf32>
    %uh = mp.message %t src(%hl = %h : tensor<?x16xf32>) edge(%l = %at : !mp.edges<i32>)
        -> !mp.edges<6x16xf32> {
      %ul = mp.lookup %u[%l] : tensor<3x16x6x16xf32>, tensor<i32> -> tensor<16x6x16xf32>
      %r = mp.linear %hl, %ul : (tensor<16xf32>, tensor<16x6x16xf32>) -> tensor<6x16xf32>
      mp.yield %r : tensor<6x16xf32>
    }
    %sum = mp.aggregate %t sum %uh : (!mp.edges<6x16xf32>) -> tensor<?x6x16xf32>
    // The forget gate of the child's own place.
    %fc = mp.message %t dst(%wj = %wk : tensor<?x4x16xf32>, %uj = %sum : tensor<?x6x16xf32>)
        src(%ck = %c : tensor<?x16xf32>) edge(%l = %at : !mp.edges<i32>)
        -> !mp.edges<16xf32> {
      %eye = arith.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]>
          : tensor<3x3xf32>
      %own = mp.lookup %eye[%l] : tensor<3x3xf32>, tensor<i32> -> tensor<3xf32>
      %owns = mp.broadcast %own : tensor<3xf32> to tensor<3x16xf32>
      %all = tensor.extract_slice %uj[3, 0] [3, 16] [1, 1] : tensor<6x16xf32> to tensor<3x16xf32>
      %only = arith.mulf %owns, %all : tensor<3x16xf32>
      %uf = mp.reduce sum %only dims [0] : tensor<3x16xf32> -> tensor<16xf32>
      %wf = tensor.extract_slice %wj[3, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
      %wuf = arith.addf %wf, %uf : tensor<16xf32>
      %f = mp.sigmoid %wuf : tensor<16xf32>
      %r = arith.mulf %f, %ck : tensor<16xf32>
      mp.yield %r : tensor<16xf32>
    }
    %kept = mp.aggregate %t sum %fc : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %hn, %cn = mp.update (%wj = %wk : tensor<?x4x16xf32>, %uj = %sum : tensor<?x6x16xf32>,
                          %cj = %kept : tensor<?x16xf32>)
        -> tensor<?x16xf32>, tensor<?x16xf32> {
      %b = tensor.extract_slice %uj[0, 0] [3, 16] [1, 1] : tensor<6x16xf32> to tensor<3x16xf32>
      %h1, %c1n = func.call @cell(%wj, %b, %cj) : (tensor<4x16xf32>, tensor<3x16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
      mp.yield %h1, %c1n : tensor<16xf32>, tensor<16xf32>
    }
    %h2 = tensor.insert_slice %hn into %h[%first, 0] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<?x16xf32>
    %c2 = tensor.insert_slice %cn into %c[%first, 0] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<?x16xf32>
    scf.yield %h2, %c2 : tensor<?x16xf32>, tensor<?x16xf32>
  }
  %ho = mp.lookup %r#0[%places] : tensor<?x16xf32>, tensor<?xi32> -> tensor<?x16xf32>
  %co = mp.lookup %r#1[%places] : tensor<?x16xf32>, tensor<?xi32> -> tensor<?x16xf32>
  return %ho, %co : tensor<?x16xf32>, tensor<?x16xf32>
}

// The gates i, o and u from W x_j and the children's part, and the new h and c.
func.func private @cell(%wj: tensor<4x16xf32>, %uj: tensor<3x16xf32>, %kept: tensor<16xf32>)
    -> (tensor<16xf32>, tensor<16xf32>) {
  %a = tensor.extract_slice %wj[0, 0] [3, 16] [1, 1] : tensor<4x16xf32> to tensor<3x16xf32>
  %ab = arith.addf %a, %uj : tensor<3x16xf32>
  %gates = tensor.extract_slice %ab[0, 0] [2, 16] [1, 1] : tensor<3x16xf32> to tensor<2x16xf32>
  %io = mp.sigmoid %gates : tensor<2x16xf32>
  %i = tensor.extract_slice %io[0, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
  %o = tensor.extract_slice %io[1, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
  %u0 = tensor.extract_slice %ab[2, 0] [1, 16] [1, 1] : tensor<3x16xf32> to tensor<16xf32>
  %u = math.tanh %u0 : tensor<16xf32>
  %iu = arith.mulf %i, %u : tensor<16xf32>
  %c = arith.addf %iu, %kept : tensor<16xf32>
  %t = math.tanh %c : tensor<16xf32>
  %h = arith.mulf %o, %t : tensor<16xf32>
  return %h, %c : tensor<16xf32>, tensor<16xf32>
}

func.func private @zeros(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %r = mp.update (%xi = %x : tensor<?x16xf32>) -> tensor<?x16xf32> {
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    mp.yield %zero : tensor<16xf32>
  }
  return %r : tensor<?x16xf32>
}

func.func private @count(%offsets: tensor<?xi64>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %entries = tensor.dim %offsets, %c0 : tensor<?xi64>
  %levels = arith.subi %entries, %c1 : index
  return %levels : index
}

// The first node of level k, and how many it has.
func.func private @level(%offsets: tensor<?xi64>, %k: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %next = arith.addi %k, %c1 : index
  %begin = tensor.extract %offsets[%k] : tensor<?xi64>
  %end = tensor.extract %offsets[%next] : tensor<?xi64>
  %size = arith.subi %end, %begin : i64
  %first = arith.index_cast %begin : i64 to index
  %n = arith.index_cast %size : i64 to index
  return %first, %n : index, index
}
