// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tree-LSTM: every node after its children, on all trees of a batch at once.
// The graph has an edge from each child to its parent; s is the logistic function.
//
//   H_j  = sum_{k in children(j)} h_k
//   i, o = s(Wi x_j + Ui H_j), s(Wo x_j + Uo H_j)    u = tanh(Wu x_j + Uu H_j)
//   f_jk = s(Wf x_j + Uf h_k)
//   c_j  = i * u + sum_k f_jk * c_k    h_j = o * tanh(c_j)
//
// A step computes all nodes, and the state of a node no longer changes when those of its
// children do not: after as many steps as the deepest node has levels. Which node is how
// deep is found first, by the same messages; so any acyclic graph will do.
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
// x [n, 16], wi, wo, wu, wf, ui, uo, uu, uf [16, 16] -> h, c [n, 16], level [n]
// x [n, 16], place [edges], w [16, 4 (i, o, u, f), 16], u [3, 16, 6 (i, o, u, f_0, f_1, f_2), 16]
//   -> h, c [n, 16]
//
//   clique-run examples/families/tree_lstm.mlir --entry=tree_lstm --graph=tree.mtx --verify

func.func @tree_lstm(%g: !mp.graph, %x: tensor<?x16xf32>, %wi: tensor<16x16xf32>,
                     %wo: tensor<16x16xf32>, %wu: tensor<16x16xf32>, %wf: tensor<16x16xf32>,
                     %ui: tensor<16x16xf32>, %uo: tensor<16x16xf32>,
                     %uu: tensor<16x16xf32>, %uf: tensor<16x16xf32>)
    -> (tensor<?x16xf32> {mp.name = "h"}, tensor<?x16xf32> {mp.name = "c"},
        tensor<?xf32> {mp.name = "level"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %level, %levels = call @levels(%g, %x) : (!mp.graph, tensor<?x16xf32>) -> (tensor<?xf32>, index)
  %start = mp.update (%xi = %x : tensor<?x16xf32>) -> tensor<?x16xf32> {
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    mp.yield %zero : tensor<16xf32>
  }
  %r:2 = scf.for %step = %c0 to %levels step %c1 iter_args(%h = %start, %c = %start)
      -> (tensor<?x16xf32>, tensor<?x16xf32>) {
    %hk, %fc = mp.message %g dst(%xj = %x : tensor<?x16xf32>)
        src(%hs = %h : tensor<?x16xf32>, %cs = %c : tensor<?x16xf32>)
        -> !mp.edges<16xf32>, !mp.edges<16xf32> {
      %a = mp.linear %xj, %wf : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
      %b = mp.linear %hs, %uf : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
      %ab = arith.addf %a, %b : tensor<16xf32>
      %f = mp.sigmoid %ab : tensor<16xf32>
      %r = arith.mulf %f, %cs : tensor<16xf32>
      mp.yield %hs, %r : tensor<16xf32>, tensor<16xf32>
    }
    %hsum = mp.aggregate %g sum %hk : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %csum = mp.aggregate %g sum %fc : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %h1, %cn = mp.update (%xj = %x : tensor<?x16xf32>, %hj = %hsum : tensor<?x16xf32>,
                          %cj = %csum : tensor<?x16xf32>)
        -> tensor<?x16xf32>, tensor<?x16xf32> {
      %i0 = func.call @gate(%xj, %hj, %wi, %ui) : (tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
      %o0 = func.call @gate(%xj, %hj, %wo, %uo) : (tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
      %u0 = func.call @gate(%xj, %hj, %wu, %uu) : (tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
      %i = mp.sigmoid %i0 : tensor<16xf32>
      %o = mp.sigmoid %o0 : tensor<16xf32>
      %u = math.tanh %u0 : tensor<16xf32>
      %iu = arith.mulf %i, %u : tensor<16xf32>
      %new = arith.addf %iu, %cj : tensor<16xf32>
      %t = math.tanh %new : tensor<16xf32>
      %hn = arith.mulf %o, %t : tensor<16xf32>
      mp.yield %hn, %new : tensor<16xf32>, tensor<16xf32>
    }
    scf.yield %h1, %cn : tensor<?x16xf32>, tensor<?x16xf32>
  }
  return %r#0, %r#1, %level : tensor<?x16xf32>, tensor<?x16xf32>, tensor<?xf32>
}

func.func @nary_tree_lstm(%g: !mp.graph, %x: tensor<?x16xf32>, %place: !mp.edges<i32>,
                          %w: tensor<16x4x16xf32>, %u: tensor<3x16x6x16xf32>)
    -> (tensor<?x16xf32> {mp.name = "h"}, tensor<?x16xf32> {mp.name = "c"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %level, %levels = call @levels(%g, %x) : (!mp.graph, tensor<?x16xf32>) -> (tensor<?xf32>, index)
  %wx = mp.linear %x, %w : (tensor<?x16xf32>, tensor<16x4x16xf32>) -> tensor<?x4x16xf32>
  %start = arith.subf %x, %x : tensor<?x16xf32>
  %r:2 = scf.for %step = %c0 to %levels step %c1 iter_args(%h = %start, %c = %start)
      -> (tensor<?x16xf32>, tensor<?x16xf32>) {
    %uh = mp.message %g src(%hl = %h : tensor<?x16xf32>) edge(%l = %place : !mp.edges<i32>)
        -> !mp.edges<6x16xf32> {
      %ul = mp.lookup %u[%l] : tensor<3x16x6x16xf32>, tensor<i32> -> tensor<16x6x16xf32>
      %r = mp.linear %hl, %ul : (tensor<16xf32>, tensor<16x6x16xf32>) -> tensor<6x16xf32>
      mp.yield %r : tensor<6x16xf32>
    }
    %sum = mp.aggregate %g sum %uh : (!mp.edges<6x16xf32>) -> tensor<?x6x16xf32>
    // The forget gate of the child's own place.
    %fc = mp.message %g dst(%wj = %wx : tensor<?x4x16xf32>, %uj = %sum : tensor<?x6x16xf32>)
        src(%ck = %c : tensor<?x16xf32>) edge(%k = %place : !mp.edges<i32>)
        -> !mp.edges<16xf32> {
      %eye = arith.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]>
          : tensor<3x3xf32>
      %own = mp.lookup %eye[%k] : tensor<3x3xf32>, tensor<i32> -> tensor<3xf32>
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
    %kept = mp.aggregate %g sum %fc : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %h1, %cn = mp.update (%wj = %wx : tensor<?x4x16xf32>, %uj = %sum : tensor<?x6x16xf32>,
                          %cj = %kept : tensor<?x16xf32>)
        -> tensor<?x16xf32>, tensor<?x16xf32> {
      %a = tensor.extract_slice %wj[0, 0] [3, 16] [1, 1] : tensor<4x16xf32> to tensor<3x16xf32>
      %b = tensor.extract_slice %uj[0, 0] [3, 16] [1, 1] : tensor<6x16xf32> to tensor<3x16xf32>
      %ab = arith.addf %a, %b : tensor<3x16xf32>
      %gates = tensor.extract_slice %ab[0, 0] [2, 16] [1, 1] : tensor<3x16xf32> to tensor<2x16xf32>
      %io = mp.sigmoid %gates : tensor<2x16xf32>
      %i = tensor.extract_slice %io[0, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
      %o = tensor.extract_slice %io[1, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
      %u0 = tensor.extract_slice %ab[2, 0] [1, 16] [1, 1] : tensor<3x16xf32> to tensor<16xf32>
      %u1 = math.tanh %u0 : tensor<16xf32>
      %iu = arith.mulf %i, %u1 : tensor<16xf32>
      %new = arith.addf %iu, %cj : tensor<16xf32>
      %t = math.tanh %new : tensor<16xf32>
      %hn = arith.mulf %o, %t : tensor<16xf32>
      mp.yield %hn, %new : tensor<16xf32>, tensor<16xf32>
    }
    scf.yield %h1, %cn : tensor<?x16xf32>, tensor<?x16xf32>
  }
  return %r#0, %r#1 : tensor<?x16xf32>, tensor<?x16xf32>
}

func.func private @gate(%x: tensor<16xf32>, %h: tensor<16xf32>, %w: tensor<16x16xf32>,
                        %u: tensor<16x16xf32>) -> tensor<16xf32> {
  %a = mp.linear %x, %w : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
  %b = mp.linear %h, %u : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
  %r = arith.addf %a, %b : tensor<16xf32>
  return %r : tensor<16xf32>
}

// The level of each node, 1 for one without children, else one more than that of its
// highest child, and the number of levels. Levels rise until none does; where there is a
// cycle, as often as there are nodes.
func.func private @levels(%g: !mp.graph, %x: tensor<?x16xf32>) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %n = mp.num_dst %g : !mp.graph
  %start = mp.update (%xi = %x : tensor<?x16xf32>) -> tensor<?xf32> {
    mp.yield %zero : tensor<f32>
  }
  %true = arith.constant true
  %r:3 = scf.while (%level = %start, %rises = %true, %k = %c0)
      : (tensor<?xf32>, i1, index) -> (tensor<?xf32>, i1, index) {
    %few = arith.cmpi slt, %k, %n : index
    %goes = arith.andi %rises, %few : i1
    scf.condition(%goes) %level, %rises, %k : tensor<?xf32>, i1, index
  } do {
  ^bb0(%level: tensor<?xf32>, %rises: i1, %k: index):
    %m = mp.message %g src(%lk = %level : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %lk : tensor<f32>
    }
    %top = mp.aggregate %g max %m : (!mp.edges<f32>) -> tensor<?xf32>
    %next, %change = mp.update (%ti = %top : tensor<?xf32>, %li = %level : tensor<?xf32>)
        -> tensor<?xf32>, tensor<?xf32> {
      %one = arith.constant dense<1.0> : tensor<f32>
      %l = arith.addf %ti, %one : tensor<f32>
      %d = arith.subf %l, %li : tensor<f32>
      mp.yield %l, %d : tensor<f32>, tensor<f32>
    }
    %sum = linalg.reduce ins(%change : tensor<?xf32>) outs(%zero : tensor<f32>)
        dimensions = [0] (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
    %s = tensor.extract %sum[] : tensor<f32>
    %none = arith.constant 0.0 : f32
    %more = arith.cmpf ogt, %s, %none : f32
    %k1 = arith.addi %k, %c1 : index
    scf.yield %next, %more, %k1 : tensor<?xf32>, i1, index
  }
  return %r#0, %r#2 : tensor<?xf32>, index
}
