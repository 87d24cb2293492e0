// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a graph network over a batch of graphs: edges, nodes and one value per
// graph are updated in turn. P_e, P_v, P_u are a linear map and a relu; G(i) is the
// graph of node i.
//
//   e_ij' = P_e [e_ij || h_i || h_j || u_G(i)]
//   h_i'  = P_v [sum_j e_ij' || h_i || u_G(i)]
//   u_k'  = P_u [sum_{i in k} sum_j e_ij' || sum_{i in k} h_i' || u_k]
//
// Battaglia et al.: Relational Inductive Biases, Deep Learning, and Graph Networks,
// 2018, algorithm 1.
//
// h [n, 16], e [edges, 8], u [graphs, 8], offsets [graphs + 1], we [48, 8], be [8],
// wv [32, 16], bv [16], wu [32, 8], bu [8] -> h_out [n, 16], e_out [edges, 8],
// u_out [graphs, 8]
//
//   clique-run examples/families/graph_network.mlir --graph=cliques:5,3,8 \
//       --input=offsets=offsets.npy --input=u=u.npy --verify

func.func @graph_network(%g: !mp.graph, %h: tensor<?x16xf32>, %e: !mp.edges<8xf32>,
                         %u: tensor<?x8xf32>, %offsets: tensor<?xi64>,
                         %we: tensor<48x8xf32>, %be: tensor<8xf32>,
                         %wv: tensor<32x16xf32>, %bv: tensor<16xf32>,
                         %wu: tensor<32x8xf32>, %bu: tensor<8xf32>)
    -> (tensor<?x16xf32> {mp.name = "h_out"}, !mp.edges<8xf32> {mp.name = "e_out"},
        tensor<?x8xf32> {mp.name = "u_out"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %h, %c0 : tensor<?x16xf32>
  %un = mp.spread %offsets %u to %n : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>

  %e1 = mp.message %g dst(%hi = %h : tensor<?x16xf32>, %ui = %un : tensor<?x8xf32>)
      src(%hj = %h : tensor<?x16xf32>) edge(%eij = %e : !mp.edges<8xf32>)
      -> !mp.edges<8xf32> {
    %x = tensor.concat dim(0) %eij, %hi, %hj, %ui
        : (tensor<8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xf32>) -> tensor<48xf32>
    %y = mp.linear %x, %we bias %be
        : (tensor<48xf32>, tensor<48x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r = mp.relu %y : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  %en = mp.aggregate %g sum %e1 : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %h1 = mp.update (%hi = %h : tensor<?x16xf32>, %ei = %en : tensor<?x8xf32>,
                   %ui = %un : tensor<?x8xf32>) -> tensor<?x16xf32> {
    %x = tensor.concat dim(0) %ei, %hi, %ui
        : (tensor<8xf32>, tensor<16xf32>, tensor<8xf32>) -> tensor<32xf32>
    %y = mp.linear %x, %wv bias %bv
        : (tensor<32xf32>, tensor<32x16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %r = mp.relu %y : tensor<16xf32>
    mp.yield %r : tensor<16xf32>
  }
  %eu = mp.readout %offsets sum %en : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %hu = mp.readout %offsets sum %h1 : (tensor<?xi64>, tensor<?x16xf32>) -> tensor<?x16xf32>
  %u1 = mp.update (%ek = %eu : tensor<?x8xf32>, %hk = %hu : tensor<?x16xf32>,
                   %uk = %u : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %x = tensor.concat dim(0) %ek, %hk, %uk
        : (tensor<8xf32>, tensor<16xf32>, tensor<8xf32>) -> tensor<32xf32>
    %y = mp.linear %x, %wu bias %bu
        : (tensor<32xf32>, tensor<32x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r = mp.relu %y : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  return %h1, %e1, %u1 : tensor<?x16xf32>, !mp.edges<8xf32>, tensor<?x8xf32>
}
