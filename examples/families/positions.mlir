// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways to tell attention where its tokens are. In all but the first q = Q x_i, k = K x_j,
// v = V x_j are per head (4 of 8 features), and out = ||_heads sum_j softmax_j(s_ij) v_j.
//
//   sinusoidal      out_i = x_i + [sin(i / 10000^(2k/32)) || cos(i / 10000^(2k/32))]_k<16
//   rotary          s_ij = (R^i q) . (R^j k) / sqrt(8): features k and k + 4 of a head are
//                   a point that is turned by the angle i 10000^(-k/4); j <= i
//   alibi           s_ij = q . k / sqrt(8) - slope_head (i - j); j <= i
//   bias_table      s_ij = q . k / sqrt(8) + table[clip(j - i, -16, 16)]_head
//   relative_keys   s_ij = q . (k + a_ij) / sqrt(8), values v + b_ij, where a_ij and b_ij
//                   are rows clip(j - i, -4, 4) of two tables
//
// sinusoidal: Vaswani et al.: Attention Is All You Need, 2017, section 3.5 (sines before
// cosines). rotary: Su et al.: RoFormer, 2021, equation 34 (pairs as in GPT-NeoX).
// alibi: Press, Smith, Lewis: Train Short, Test Long, ICLR 2022, section 3. bias_table:
// Raffel et al.: Exploring the Limits of Transfer Learning, JMLR 2020, section 2.1 (one
// bucket per distance). relative_keys: Shaw, Uszkoreit, Vaswani: Self-Attention with
// Relative Position Representations, NAACL 2018, equations 3 and 4.
//
// x [n, 32], wq, wk, wv [32, 4, 8], slope [4], table [33, 4], ta, tb [9, 8]
// -> out [n, 4, 8] (sinusoidal: [n, 32])
//
//   clique-run examples/families/positions.mlir --entry=rotary --graph=causal:128 --verify

func.func @sinusoidal(%x: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x32xf32>
  %place = func.call @numbers(%n) : (index) -> tensor<?xf32>
  %out = mp.update (%xi = %x : tensor<?x32xf32>, %i = %place : tensor<?xf32>)
      -> tensor<?x32xf32> {
    // 10000^(-k/16)
    %f = arith.constant dense<[1.0, 0.56234133, 0.31622777, 0.17782794, 0.1, 0.056234133,
      0.031622777, 0.017782794, 0.01, 0.0056234133, 0.0031622777, 0.0017782794, 0.001,
      0.00056234133, 0.00031622777, 0.00017782794]> : tensor<16xf32>
    %is = mp.broadcast %i : tensor<f32> to tensor<16xf32>
    %a = arith.mulf %is, %f : tensor<16xf32>
    %s = math.sin %a : tensor<16xf32>
    %c = math.cos %a : tensor<16xf32>
    %p = tensor.concat dim(0) %s, %c : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
    %r = arith.addf %xi, %p : tensor<32xf32>
    mp.yield %r : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}

func.func @rotary(%g: !mp.graph<causal>, %x: tensor<?x32xf32>, %wq: tensor<32x4x8xf32>,
                  %wk: tensor<32x4x8xf32>, %wv: tensor<32x4x8xf32>) -> tensor<?x4x8xf32> {
  %n = mp.num_dst %g : !mp.graph<causal>
  %place = func.call @numbers(%n) : (index) -> tensor<?xf32>
  %s, %v = mp.message %g : !mp.graph<causal>
      dst(%xi = %x : tensor<?x32xf32>, %i = %place : tensor<?xf32>)
      src(%xj = %x : tensor<?x32xf32>, %j = %place : tensor<?xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %q = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %k = mp.linear %xj, %wk : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %w = mp.linear %xj, %wv : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %qi = func.call @turn(%q, %i) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %kj = func.call @turn(%k, %j) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %d = mp.dot %qi, %kj : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.35355339> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %e, %w : tensor<4xf32>, tensor<4x8xf32>
  }
  %out = mp.aggregate %g : !mp.graph<causal> softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  return %out : tensor<?x4x8xf32>
}

// (a, b) to (a cos - b sin, b cos + a sin), each angle the place times 10000^(-k/4).
func.func private @turn(%x: tensor<4x8xf32>, %place: tensor<f32>) -> tensor<4x8xf32> {
  %f = arith.constant dense<[1.0, 0.1, 0.01, 0.001]> : tensor<4xf32>
  %p = mp.broadcast %place : tensor<f32> to tensor<4xf32>
  %t = arith.mulf %p, %f : tensor<4xf32>
  %cos = math.cos %t : tensor<4xf32>
  %sin = math.sin %t : tensor<4xf32>
  %c = mp.broadcast %cos trailing : tensor<4xf32> to tensor<4x4xf32>
  %s = mp.broadcast %sin trailing : tensor<4xf32> to tensor<4x4xf32>
  %a = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %b = tensor.extract_slice %x[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %ac = arith.mulf %a, %c : tensor<4x4xf32>
  %bs = arith.mulf %b, %s : tensor<4x4xf32>
  %bc = arith.mulf %b, %c : tensor<4x4xf32>
  %as = arith.mulf %a, %s : tensor<4x4xf32>
  %u = arith.subf %ac, %bs : tensor<4x4xf32>
  %v = arith.addf %bc, %as : tensor<4x4xf32>
  %r = tensor.concat dim(1) %u, %v : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

func.func @alibi(%g: !mp.graph<causal>, %x: tensor<?x32xf32>, %slope: tensor<4xf32>,
                 %wq: tensor<32x4x8xf32>, %wk: tensor<32x4x8xf32>, %wv: tensor<32x4x8xf32>)
    -> tensor<?x4x8xf32> {
  %s, %v = mp.message %g : !mp.graph<causal> dst(%xi = %x : tensor<?x32xf32>)
      src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %d, %w = func.call @score(%xi, %xj, %wq, %wk, %wv)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<32x4x8xf32>,
           tensor<32x4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>)
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %back = arith.subi %i, %j : tensor<i32>
    %b = arith.sitofp %back : tensor<i32> to tensor<f32>
    %bs = mp.broadcast %b : tensor<f32> to tensor<4xf32>
    %p = arith.mulf %slope, %bs : tensor<4xf32>
    %e = arith.subf %d, %p : tensor<4xf32>
    mp.yield %e, %w : tensor<4xf32>, tensor<4x8xf32>
  }
  %out = mp.aggregate %g : !mp.graph<causal> softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  return %out : tensor<?x4x8xf32>
}

func.func @bias_table(%g: !mp.graph, %x: tensor<?x32xf32>, %table: tensor<33x4xf32>,
                      %wq: tensor<32x4x8xf32>, %wk: tensor<32x4x8xf32>,
                      %wv: tensor<32x4x8xf32>) -> tensor<?x4x8xf32> {
  %s, %v = mp.message %g dst(%xi = %x : tensor<?x32xf32>) src(%xj = %x : tensor<?x32xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %d, %w = func.call @score(%xi, %xj, %wq, %wk, %wv)
        : (tensor<32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<32x4x8xf32>,
           tensor<32x4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>)
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %ahead = arith.subi %j, %i : tensor<i32>
    // Beyond the table its first or last row is taken.
    %middle = arith.constant dense<16> : tensor<i32>
    %row = arith.addi %ahead, %middle : tensor<i32>
    %b = mp.lookup %table[%row] : tensor<33x4xf32>, tensor<i32> -> tensor<4xf32>
    %e = arith.addf %d, %b : tensor<4xf32>
    mp.yield %e, %w : tensor<4xf32>, tensor<4x8xf32>
  }
  %out = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  return %out : tensor<?x4x8xf32>
}

func.func @relative_keys(%g: !mp.graph, %x: tensor<?x32xf32>, %ta: tensor<9x8xf32>,
                         %tb: tensor<9x8xf32>, %wq: tensor<32x4x8xf32>,
                         %wk: tensor<32x4x8xf32>, %wv: tensor<32x4x8xf32>)
    -> tensor<?x4x8xf32> {
  %s, %v = mp.message %g dst(%xi = %x : tensor<?x32xf32>) src(%xj = %x : tensor<?x32xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
    %q = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %k = mp.linear %xj, %wk : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %w = mp.linear %xj, %wv : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %ahead = arith.subi %j, %i : tensor<i32>
    %middle = arith.constant dense<4> : tensor<i32>
    %row = arith.addi %ahead, %middle : tensor<i32>
    %a = mp.lookup %ta[%row] : tensor<9x8xf32>, tensor<i32> -> tensor<8xf32>
    %b = mp.lookup %tb[%row] : tensor<9x8xf32>, tensor<i32> -> tensor<8xf32>
    %as = mp.broadcast %a trailing : tensor<8xf32> to tensor<4x8xf32>
    %bs = mp.broadcast %b trailing : tensor<8xf32> to tensor<4x8xf32>
    %ka = arith.addf %k, %as : tensor<4x8xf32>
    %d = mp.dot %q, %ka : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.35355339> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    %wb = arith.addf %w, %bs : tensor<4x8xf32>
    mp.yield %e, %wb : tensor<4xf32>, tensor<4x8xf32>
  }
  %out = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  return %out : tensor<?x4x8xf32>
}

// q . k / sqrt(8) and v of one pair.
func.func private @score(%xi: tensor<32xf32>, %xj: tensor<32xf32>, %wq: tensor<32x4x8xf32>,
                         %wk: tensor<32x4x8xf32>, %wv: tensor<32x4x8xf32>)
    -> (tensor<4xf32>, tensor<4x8xf32>) {
  %q = mp.linear %xi, %wq : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
  %k = mp.linear %xj, %wk : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
  %v = mp.linear %xj, %wv : (tensor<32xf32>, tensor<32x4x8xf32>) -> tensor<4x8xf32>
  %d = mp.dot %q, %k : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  %c = arith.constant dense<0.35355339> : tensor<4xf32>
  %e = arith.mulf %d, %c : tensor<4xf32>
  return %e, %v : tensor<4xf32>, tensor<4x8xf32>
}

// 0, 1, 2 ... n - 1
func.func private @numbers(%n: index) -> tensor<?xf32> {
  %i = mp.node_numbers %n : tensor<?xi32>
  %r = arith.sitofp %i : tensor<?xi32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
