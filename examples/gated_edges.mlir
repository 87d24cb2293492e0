// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Residual gated graph convolution; the edges have features, which are updated
// and returned too.
//
//   x_ij  = A h_i + B h_j + C e_ij
//   h_i'  = h_i + relu(U h_i + sum_j sigmoid(x_ij) * V h_j / (sum_j sigmoid(x_ij) + 1e-6))
//   e_ij' = e_ij + relu(x_ij)
//
// Bresson, Laurent: Residual Gated Graph ConvNets, 2017, in the form of Dwivedi,
// Joshi, Luu, Laurent, Bengio, Bresson: Benchmarking Graph Neural Networks, JMLR
// 2023, without batch normalisation.
//
// h [n, 32], e [edges, 32], a, b, c, u, v [32, 32] -> h_out [n, 32], e_out [edges, 32]
// Edges are in the order of the graph's file.
//
//   clique-run examples/gated_edges.mlir --graph=examples/graphs/karate.mtx --verify

func.func @gated_edges(%g: !mp.graph, %h: tensor<?x32xf32>, %e: !mp.edges<32xf32>,
                       %a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
                       %c: tensor<32x32xf32>, %u: tensor<32x32xf32>,
                       %v: tensor<32x32xf32>)
    -> (tensor<?x32xf32> {mp.name = "h_out"}, !mp.edges<32xf32> {mp.name = "e_out"}) {
  %gate, %gv, %eout = mp.message %g dst(%hi = %h : tensor<?x32xf32>)
      src(%hj = %h : tensor<?x32xf32>) edge(%eij = %e : !mp.edges<32xf32>)
      -> !mp.edges<32xf32>, !mp.edges<32xf32>, !mp.edges<32xf32> {
    %ah = mp.linear %hi, %a : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %bh = mp.linear %hj, %b : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %ce = mp.linear %eij, %c : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %ab = arith.addf %ah, %bh : tensor<32xf32>
    %x = arith.addf %ab, %ce : tensor<32xf32>
    %s = mp.sigmoid %x : tensor<32xf32>
    %vh = mp.linear %hj, %v : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %sv = arith.mulf %s, %vh : tensor<32xf32>
    %r = mp.relu %x : tensor<32xf32>
    %er = arith.addf %eij, %r : tensor<32xf32>
    mp.yield %s, %sv, %er : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
  }
  %den, %num = mp.aggregate %g sum %gate, %gv
      : (!mp.edges<32xf32>, !mp.edges<32xf32>) -> (tensor<?x32xf32>, tensor<?x32xf32>)
  %hout = mp.update (%hi = %h : tensor<?x32xf32>, %n = %num : tensor<?x32xf32>,
                     %d = %den : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %eps = arith.constant dense<1.0e-6> : tensor<32xf32>
    %de = arith.addf %d, %eps : tensor<32xf32>
    %m = arith.divf %n, %de : tensor<32xf32>
    %uh = mp.linear %hi, %u : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %s = arith.addf %uh, %m : tensor<32xf32>
    %r = mp.relu %s : tensor<32xf32>
    %o = arith.addf %hi, %r : tensor<32xf32>
    mp.yield %o : tensor<32xf32>
  }
  return %hout, %eout : tensor<?x32xf32>, !mp.edges<32xf32>
}
