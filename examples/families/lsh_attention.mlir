// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention within the buckets of a locality-sensitive hash: what points in a similar
// direction is likely to be in one bucket. Queries are keys, as long as 1:
//
//   b_i = argmax([R x_i || -R x_i])
//   s_ij = (q_i . q_j / |q_j|) / sqrt(8)   for j with b_j = b_i
//   o_i = ||_heads sum_j softmax_j(s_ij) v_j
//
// The nodes are sorted by bucket (a counting sort, which keeps the order within a bucket); then
// the buckets are cliques, dense tiles whatever their sizes, and the results go back to where
// the nodes were.
//
// Kitaev, Kaiser, Levskaya: Reformer: The Efficient Transformer, ICLR 2020, section 2; one
// round of hashing.
//
// x [n, 32], r [32, 4], wq, wv [32, 4, 8] -> out [n, 32], bucket [n]
//
//   clique-run examples/families/lsh_attention.mlir --entry=lsh_attention --input=x=x.npy --verify

func.func @lsh_attention(%x: tensor<?x32xf32>, %r: tensor<32x4xf32>, %wq: tensor<32x4x8xf32>,
                         %wv: tensor<32x4x8xf32>)
    -> (tensor<?x32xf32> {mp.name = "out"}, tensor<?xi32> {mp.name = "bucket"}) {
  %bucket = mp.update (%xi = %x : tensor<?x32xf32>) -> tensor<?xi32> {
    %p = mp.linear %xi, %r : (tensor<32xf32>, tensor<32x4xf32>) -> tensor<4xf32>
    %m = arith.negf %p : tensor<4xf32>
    %both = tensor.concat dim(0) %p, %m : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    // The first of the largest.
    %top = mp.reduce max %both dims [0] : tensor<8xf32> -> tensor<f32>
    %tops = mp.broadcast %top : tensor<f32> to tensor<8xf32>
    %is = arith.cmpf oeq, %both, %tops : tensor<8xf32>
    %numbers = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf32>
    %none = arith.constant dense<8.0> : tensor<8xf32>
    %candidates = arith.select %is, %numbers, %none : tensor<8xi1>, tensor<8xf32>
    %first = mp.reduce min %candidates dims [0] : tensor<8xf32> -> tensor<f32>
    %b = arith.fptosi %first : tensor<f32> to tensor<i32>
    mp.yield %b : tensor<i32>
  }
  %order, %offsets = call @sort(%bucket) : (tensor<?xi32>) -> (tensor<?xi32>, tensor<9xi64>)
  // Place k of the sorted nodes receives from node order[k].
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x32xf32>
  %n1 = arith.addi %n, %c1 : index
  %rows = mp.node_numbers %n1 : tensor<?xi64>
  %places = mp.csr %rows, %order, %n : tensor<?xi64>, tensor<?xi32> -> !mp.graph<sparse>
  %xs = call @move(%places, %x) : (!mp.graph<sparse>, tensor<?x32xf32>) -> tensor<?x32xf32>
  %any = tensor.cast %offsets : tensor<9xi64> to tensor<?xi64>
  %g = mp.cliques %any : tensor<?xi64> -> !mp.graph<cliques>
  %s, %v = mp.message %g : !mp.graph<cliques> dst(%xi = %xs : tensor<?x32xf32>)
      src(%xj = %xs : tensor<?x32xf32>) -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %qi = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %qj = mp.linear %xj, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %w = mp.linear %xj, %wv : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %qq = mp.dot %qj, %qj : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    // 1 / sqrt(8 |q_j|^2), and no division by 0.
    %eight = arith.constant dense<8.0> : tensor<4xf32>
    %tiny = arith.constant dense<1.0e-12> : tensor<4xf32>
    %q8 = arith.mulf %qq, %eight : tensor<4xf32>
    %length = arith.addf %q8, %tiny : tensor<4xf32>
    %c = math.rsqrt %length : tensor<4xf32>
    %cs = mp.broadcast %c : tensor<4xf32> to tensor<4x8xf32>
    %key = arith.mulf %qj, %cs : tensor<4x8xf32>
    %d = mp.dot %qi, %key : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    mp.yield %d, %w : tensor<4xf32>, tensor<4x8xf32>
  }
  %a = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  %o = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x4x8xf32> into tensor<?x32xf32>
  %nodes = mp.reverse %places : !mp.graph<sparse> -> !mp.graph<sparse>
  %out = call @move(%nodes, %o) : (!mp.graph<sparse>, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %out, %bucket : tensor<?x32xf32>, tensor<?xi32>
}

// To each node what its only in-neighbour has.
func.func private @move(%g: !mp.graph<sparse>, %x: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %m = mp.message %g : !mp.graph<sparse> src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<32xf32> {
    mp.yield %xj : tensor<32xf32>
  }
  %y = mp.aggregate %g : !mp.graph<sparse> sum %m : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// The nodes in the order of their buckets 0 to 7, and where each bucket begins.
func.func private @sort(%bucket: tensor<?xi32>) -> (tensor<?xi32>, tensor<9xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1 : i64
  %n = tensor.dim %bucket, %c0 : tensor<?xi32>
  %zeros = arith.constant dense<0> : tensor<9xi64>
  // How many have the bucket before.
  %counts = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zeros) -> (tensor<9xi64>) {
    %b = tensor.extract %bucket[%i] : tensor<?xi32>
    %k = arith.index_cast %b : i32 to index
    %next = arith.addi %k, %c1 : index
    %c = tensor.extract %t[%next] : tensor<9xi64>
    %d = arith.addi %c, %one : i64
    %u = tensor.insert %d into %t[%next] : tensor<9xi64>
    scf.yield %u : tensor<9xi64>
  }
  %offsets = scf.for %i = %c1 to %c9 step %c1 iter_args(%t = %counts) -> (tensor<9xi64>) {
    %before = arith.subi %i, %c1 : index
    %a = tensor.extract %t[%before] : tensor<9xi64>
    %b = tensor.extract %t[%i] : tensor<9xi64>
    %s = arith.addi %a, %b : i64
    %u = tensor.insert %s into %t[%i] : tensor<9xi64>
    scf.yield %u : tensor<9xi64>
  }
  // Each node at the next place of its bucket.
  %start = arith.subi %bucket, %bucket : tensor<?xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %start, %t = %offsets)
      -> (tensor<?xi32>, tensor<9xi64>) {
    %b = tensor.extract %bucket[%i] : tensor<?xi32>
    %k = arith.index_cast %b : i32 to index
    %c = tensor.extract %t[%k] : tensor<9xi64>
    %place = arith.index_cast %c : i64 to index
    %node = arith.index_cast %i : index to i32
    %p = tensor.insert %node into %o[%place] : tensor<?xi32>
    %d = arith.addi %c, %one : i64
    %u = tensor.insert %d into %t[%k] : tensor<9xi64>
    scf.yield %p, %u : tensor<?xi32>, tensor<9xi64>
  }
  return %r#0, %offsets : tensor<?xi32>, tensor<9xi64>
}
