// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schlichtkrull, Kipf, Bloem, van den Berg, Titov, Welling: Modeling Relational Data with Graph
// Convolutional Networks, ESWC 2018.
//
//   h_i' = W_0 h_i + sum_r 1/|N_r(i)| sum_{j in N_r(i)} W_r h_j + b
//
// twice, with a relu between. Nodes have no features: e, an embedding of each, is learned too. Sizes
// are those of aifb: 45 relations and as many the other way round, 4 classes.
//
// e [n, 16], r [edges] in [0, 90), c [edges] = 1/|N_r(i)| -> logits [n, 4]

func.func @rgcn(%g: !mp.graph, %r: !mp.edges<i32>, %c: !mp.edges<f32>, %e: tensor<?x16xf32>,
                %w1: tensor<90x16x16xf32>, %u1: tensor<16x16xf32>, %b1: tensor<16xf32>,
                %w2: tensor<90x16x4xf32>, %u2: tensor<16x4xf32>, %b2: tensor<4xf32>)
    -> tensor<?x4xf32> {
  %m1 = mp.message %g src(%ej = %e : tensor<?x16xf32>)
      edge(%rij = %r : !mp.edges<i32>, %cij = %c : !mp.edges<f32>) -> !mp.edges<16xf32> {
    %w = mp.lookup %w1[%rij] : tensor<90x16x16xf32>, tensor<i32> -> tensor<16x16xf32>
    %cs = mp.broadcast %cij : tensor<f32> to tensor<16xf32>
    %x = arith.mulf %cs, %ej : tensor<16xf32>
    %y = mp.linear %x, %w : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
    mp.yield %y : tensor<16xf32>
  }
  %a1 = mp.aggregate %g sum %m1 : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  %h = mp.update (%ei = %e : tensor<?x16xf32>, %ai = %a1 : tensor<?x16xf32>) -> tensor<?x16xf32> {
    %own = mp.linear %ei, %u1 bias %b1
        : (tensor<16xf32>, tensor<16x16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %s = arith.addf %own, %ai : tensor<16xf32>
    %y = mp.relu %s : tensor<16xf32>
    mp.yield %y : tensor<16xf32>
  }
  %m2 = mp.message %g src(%hj = %h : tensor<?x16xf32>)
      edge(%rij = %r : !mp.edges<i32>, %cij = %c : !mp.edges<f32>) -> !mp.edges<4xf32> {
    %w = mp.lookup %w2[%rij] : tensor<90x16x4xf32>, tensor<i32> -> tensor<16x4xf32>
    %cs = mp.broadcast %cij : tensor<f32> to tensor<16xf32>
    %x = arith.mulf %cs, %hj : tensor<16xf32>
    %y = mp.linear %x, %w : (tensor<16xf32>, tensor<16x4xf32>) -> tensor<4xf32>
    mp.yield %y : tensor<4xf32>
  }
  %a2 = mp.aggregate %g sum %m2 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %out = mp.update (%hi = %h : tensor<?x16xf32>, %ai = %a2 : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %own = mp.linear %hi, %u2 bias %b2
        : (tensor<16xf32>, tensor<16x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %y = arith.addf %own, %ai : tensor<4xf32>
    mp.yield %y : tensor<4xf32>
  }
  return %out : tensor<?x4xf32>
}
