// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two-layer networks for the nodes of Cora (1433 features, 7 classes), with weights that
// PyTorch Geometric trained: the arguments have the names of PyG's parameters, and train_pyg.py
// makes the files. For other data write its sizes in place of 1433 and 7.
//
//   gcn    A' = A + I, c_ij = 1 / sqrt(d_i d_j):   out = A'c relu(A'c x W1 + b1) W2 + b2
//   gat    8 heads of 8, then the mean of heads of 7, here of one:
//          s_ij = leaky_relu(a_dst . z_i + a_src . z_j, 0.2)
//   sage   x_i' = L mean_{j in N(i)} x_j + b + R x_i
//
// Kipf, Welling: Semi-Supervised Classification with Graph Convolutional Networks, ICLR 2017.
// Velickovic et al.: Graph Attention Networks, ICLR 2018.
// Hamilton, Ying, Leskovec: Inductive Representation Learning on Large Graphs, NeurIPS 2017.
//
// x [n, 1433], rows that add up to 1 -> logits [n, 7]
//
//   clique-run examples/networks/networks.mlir --entry=gat --graph=cora/graph.mtx --input=x=x.npy \
//       --weights=examples/networks/gat-cora.safetensors --output=logits=logits.npy

func.func @gcn(%g: !mp.graph, %x: tensor<?x1433xf32>,
    %w1: tensor<1433x16xf32> {mp.name = "conv1.lin.weight", mp.stored = "transposed f16"},
    %b1: tensor<16xf32> {mp.name = "conv1.bias", mp.stored = "f16"},
    %w2: tensor<16x7xf32> {mp.name = "conv2.lin.weight", mp.stored = "transposed f16"},
    %b2: tensor<7xf32> {mp.name = "conv2.bias", mp.stored = "f16"})
    -> (tensor<?x7xf32> {mp.name = "logits"}) {
  %a = mp.self_loops %g
  %d = mp.degree %a -> tensor<?xf32>
  %z1 = mp.linear %x, %w1 : (tensor<?x1433xf32>, tensor<1433x16xf32>) -> tensor<?x16xf32>
  %m1 = mp.message %a dst(%di = %d : tensor<?xf32>)
      src(%dj = %d : tensor<?xf32>, %zj = %z1 : tensor<?x16xf32>) -> !mp.edges<16xf32> {
    %dd = arith.mulf %di, %dj : tensor<f32>
    %c = math.rsqrt %dd : tensor<f32>
    %cs = mp.broadcast %c : tensor<f32> to tensor<16xf32>
    %r = arith.mulf %cs, %zj : tensor<16xf32>
    mp.yield %r : tensor<16xf32>
  }
  %s1 = mp.aggregate %a sum %m1 : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  %z2 = mp.update (%si = %s1 : tensor<?x16xf32>) -> tensor<?x7xf32> {
    %sb = arith.addf %si, %b1 : tensor<16xf32>
    %h = mp.relu %sb : tensor<16xf32>
    %r = mp.linear %h, %w2 : (tensor<16xf32>, tensor<16x7xf32>) -> tensor<7xf32>
    mp.yield %r : tensor<7xf32>
  }
  %m2 = mp.message %a dst(%di = %d : tensor<?xf32>)
      src(%dj = %d : tensor<?xf32>, %zj = %z2 : tensor<?x7xf32>) -> !mp.edges<7xf32> {
    %dd = arith.mulf %di, %dj : tensor<f32>
    %c = math.rsqrt %dd : tensor<f32>
    %cs = mp.broadcast %c : tensor<f32> to tensor<7xf32>
    %r = arith.mulf %cs, %zj : tensor<7xf32>
    mp.yield %r : tensor<7xf32>
  }
  %s2 = mp.aggregate %a sum %m2 : (!mp.edges<7xf32>) -> tensor<?x7xf32>
  %logits = mp.update (%si = %s2 : tensor<?x7xf32>) -> tensor<?x7xf32> {
    %r = arith.addf %si, %b2 : tensor<7xf32>
    mp.yield %r : tensor<7xf32>
  }
  return %logits : tensor<?x7xf32>
}

func.func @gat(%g: !mp.graph, %x: tensor<?x1433xf32>,
    %w1: tensor<1433x8x8xf32> {mp.name = "conv1.lin.weight", mp.stored = "transposed f16"},
    %src1: tensor<8x8xf32> {mp.name = "conv1.att_src", mp.stored = "f16"},
    %dst1: tensor<8x8xf32> {mp.name = "conv1.att_dst", mp.stored = "f16"},
    %b1: tensor<8x8xf32> {mp.name = "conv1.bias", mp.stored = "f16"},
    %w2: tensor<64x1x7xf32> {mp.name = "conv2.lin.weight", mp.stored = "transposed f16"},
    %src2: tensor<1x7xf32> {mp.name = "conv2.att_src", mp.stored = "f16"},
    %dst2: tensor<1x7xf32> {mp.name = "conv2.att_dst", mp.stored = "f16"},
    %b2: tensor<7xf32> {mp.name = "conv2.bias", mp.stored = "f16"})
    -> (tensor<?x7xf32> {mp.name = "logits"}) {
  %a = mp.self_loops %g
  %z1 = mp.linear %x, %w1 : (tensor<?x1433xf32>, tensor<1433x8x8xf32>) -> tensor<?x8x8xf32>
  %s1, %v1 = mp.message %a dst(%zi = %z1 : tensor<?x8x8xf32>) src(%zj = %z1 : tensor<?x8x8xf32>)
      -> !mp.edges<8xf32>, !mp.edges<8x8xf32> {
    %si = mp.dot %zi, %dst1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %sj = mp.dot %zj, %src1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %s = arith.addf %si, %sj : tensor<8xf32>
    %e = mp.leaky_relu %s slope 0.2 : tensor<8xf32>
    mp.yield %e, %zj : tensor<8xf32>, tensor<8x8xf32>
  }
  %m1 = mp.aggregate %a softmax(%s1) %v1
      : (!mp.edges<8xf32>, !mp.edges<8x8xf32>) -> tensor<?x8x8xf32>
  %z2 = mp.update (%mi = %m1 : tensor<?x8x8xf32>) -> tensor<?x1x7xf32> {
    %mb = arith.addf %mi, %b1 : tensor<8x8xf32>
    %h = mp.elu %mb : tensor<8x8xf32>
    %f = tensor.collapse_shape %h [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
    %r = mp.linear %f, %w2 : (tensor<64xf32>, tensor<64x1x7xf32>) -> tensor<1x7xf32>
    mp.yield %r : tensor<1x7xf32>
  }
  %s2, %v2 = mp.message %a dst(%zi = %z2 : tensor<?x1x7xf32>) src(%zj = %z2 : tensor<?x1x7xf32>)
      -> !mp.edges<1xf32>, !mp.edges<1x7xf32> {
    %si = mp.dot %zi, %dst2 : (tensor<1x7xf32>, tensor<1x7xf32>) -> tensor<1xf32>
    %sj = mp.dot %zj, %src2 : (tensor<1x7xf32>, tensor<1x7xf32>) -> tensor<1xf32>
    %s = arith.addf %si, %sj : tensor<1xf32>
    %e = mp.leaky_relu %s slope 0.2 : tensor<1xf32>
    mp.yield %e, %zj : tensor<1xf32>, tensor<1x7xf32>
  }
  %m2 = mp.aggregate %a softmax(%s2) %v2
      : (!mp.edges<1xf32>, !mp.edges<1x7xf32>) -> tensor<?x1x7xf32>
  %logits = mp.update (%mi = %m2 : tensor<?x1x7xf32>) -> tensor<?x7xf32> {
    %f = mp.reduce mean %mi dims [0] : tensor<1x7xf32> -> tensor<7xf32>
    %r = arith.addf %f, %b2 : tensor<7xf32>
    mp.yield %r : tensor<7xf32>
  }
  return %logits : tensor<?x7xf32>
}

func.func @sage(%g: !mp.graph, %x: tensor<?x1433xf32>,
    %l1: tensor<1433x16xf32> {mp.name = "conv1.lin_l.weight", mp.stored = "transposed f16"},
    %b1: tensor<16xf32> {mp.name = "conv1.lin_l.bias", mp.stored = "f16"},
    %r1: tensor<1433x16xf32> {mp.name = "conv1.lin_r.weight", mp.stored = "transposed f16"},
    %l2: tensor<16x7xf32> {mp.name = "conv2.lin_l.weight", mp.stored = "transposed f16"},
    %b2: tensor<7xf32> {mp.name = "conv2.lin_l.bias", mp.stored = "f16"},
    %r2: tensor<16x7xf32> {mp.name = "conv2.lin_r.weight", mp.stored = "transposed f16"})
    -> (tensor<?x7xf32> {mp.name = "logits"}) {
  // L is linear: the mean of L x_j is taken, which is shorter than x_j.
  %z1 = mp.linear %x, %l1 : (tensor<?x1433xf32>, tensor<1433x16xf32>) -> tensor<?x16xf32>
  %m1 = mp.message %g src(%zj = %z1 : tensor<?x16xf32>) -> !mp.edges<16xf32> {
    mp.yield %zj : tensor<16xf32>
  }
  %a1 = mp.aggregate %g mean %m1 : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  %h, %z2 = mp.update (%ai = %a1 : tensor<?x16xf32>, %xi = %x : tensor<?x1433xf32>)
      -> tensor<?x16xf32>, tensor<?x7xf32> {
    %own = mp.linear %xi, %r1 bias %b1
        : (tensor<1433xf32>, tensor<1433x16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %sum = arith.addf %ai, %own : tensor<16xf32>
    %h = mp.relu %sum : tensor<16xf32>
    %z = mp.linear %h, %l2 : (tensor<16xf32>, tensor<16x7xf32>) -> tensor<7xf32>
    mp.yield %h, %z : tensor<16xf32>, tensor<7xf32>
  }
  %m2 = mp.message %g src(%zj = %z2 : tensor<?x7xf32>) -> !mp.edges<7xf32> {
    mp.yield %zj : tensor<7xf32>
  }
  %a2 = mp.aggregate %g mean %m2 : (!mp.edges<7xf32>) -> tensor<?x7xf32>
  %own = mp.linear %h, %r2 bias %b2
      : (tensor<?x16xf32>, tensor<16x7xf32>, tensor<7xf32>) -> tensor<?x7xf32>
  %logits = arith.addf %a2, %own : tensor<?x7xf32>
  return %logits : tensor<?x7xf32>
}
