// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention over a segment of n tokens and a memory of the t tokens before it: position i
// receives from the whole memory and the segment up to itself. With y = [memory || x]:
//
//   s_ij = ((Q x_i + b) . (K y_j) + (Q x_i + c) . (R p(i + t - j))) / sqrt(8),  j <= i + t
//   out_i = x_i + O ||_heads sum_j softmax_j(s_ij) V y_j
//
// p(d) is row d of a table of encodings of distances (the last one from its end on).
//
// Dai, Yang, Yang, Carbonell, Le, Salakhutdinov: Transformer-XL, ACL 2019, section 3.3
// (R p is a table per head here, computed once).
//
// x [n, 32], memory [t, 32], wq, wk, wv [32, 4, 8], rp [64, 4, 8], b, c [4, 8],
// wo [32, 32] -> out [n, 32]
//
//   clique-run examples/families/segments.mlir --input=x=x.npy --input=memory=memory.npy --verify

func.func @segments(%x: tensor<?x32xf32>, %memory: tensor<?x32xf32>,
                    %wq: tensor<32x4x8xf32>, %wk: tensor<32x4x8xf32>,
                    %wv: tensor<32x4x8xf32>, %rp: tensor<64x4x8xf32>, %b: tensor<4x8xf32>,
                    %c: tensor<4x8xf32>, %wo: tensor<32x32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x32xf32>
  %t = tensor.dim %memory, %c0 : tensor<?x32xf32>
  %all = arith.addi %n, %t : index
  %before = arith.index_cast %t : index to i32
  %past = tensor.from_elements %before : tensor<i32>
  %y = tensor.concat dim(0) %memory, %x
      : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  %g = mp.bipartite %n, %all
  %s, %v = mp.message %g : !mp.graph<bipartite> dst(%xi = %x : tensor<?x32xf32>)
      src(%yj = %y : tensor<?x32xf32>) -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %q = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %k = mp.linear %yj, %wk : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %w = mp.linear %yj, %wv : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %last = arith.addi %i, %past : tensor<i32>
    %d = arith.subi %last, %j : tensor<i32>
    %p = mp.lookup %rp[%d] : tensor<64x4x8xf32>, tensor<i32> -> tensor<4x8xf32>
    %qb = arith.addf %q, %b : tensor<4x8xf32>
    %qc = arith.addf %q, %c : tensor<4x8xf32>
    %content = mp.dot %qb, %k : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %place = mp.dot %qc, %p : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %sum = arith.addf %content, %place : tensor<4xf32>
    %root = arith.constant dense<0.35355339> : tensor<4xf32>
    %e = arith.mulf %sum, %root : tensor<4xf32>
    %allowed = arith.cmpi sle, %j, %last : tensor<i32>
    %hs = mp.broadcast %allowed : tensor<i1> to tensor<4xi1>
    %none = arith.constant dense<0xFF800000> : tensor<4xf32>
    %m = arith.select %hs, %e, %none : tensor<4xi1>, tensor<4xf32>
    mp.yield %m, %w : tensor<4xf32>, tensor<4x8xf32>
  }
  %a = mp.aggregate %g : !mp.graph<bipartite> softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  %out = mp.update (%xi = %x : tensor<?x32xf32>, %ai = %a : tensor<?x4x8xf32>)
      -> tensor<?x32xf32> {
    %f = tensor.collapse_shape %ai [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    %o = mp.linear %f, %wo : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %r = arith.addf %xi, %o : tensor<32xf32>
    mp.yield %r : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}
