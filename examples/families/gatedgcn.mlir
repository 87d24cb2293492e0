// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gated graph convolution with a state on each edge; s is the logistic function:
//
//   x_ij  = C e_ij + D h_i + E h_j
//   e_ij' = e_ij + relu(LN(x_ij))
//   h_i'  = h_i + relu(LN(A h_i + sum_j s(x_ij) * B h_j / (sum_j s(x_ij) + 1e-6)))
//
// Bresson, Laurent: Residual Gated Graph ConvNets, 2017; with edge states as in
// Dwivedi, Joshi, Luu, Laurent, Bengio, Bresson: Benchmarking Graph Neural Networks,
// JMLR 2023, equations 33 to 35 (there with batch normalisation).
//
// h [n, 32], e [edges, 32], a, b, c, d, u [32, 32] (u is E), sn, tn, se, te [32]
// (scales and shifts for nodes and edges) -> out [n, 32], e_out [edges, 32]
//
//   clique-run examples/families/gatedgcn.mlir --graph=examples/graphs/karate.mtx --verify

func.func @gatedgcn(%g: !mp.graph, %h: tensor<?x32xf32>, %e: !mp.edges<32xf32>,
                    %a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %c: tensor<32x32xf32>,
                    %d: tensor<32x32xf32>, %u: tensor<32x32xf32>,
                    %sn: tensor<32xf32>, %tn: tensor<32xf32>,
                    %se: tensor<32xf32>, %te: tensor<32xf32>)
    -> (tensor<?x32xf32> {mp.name = "out"}, !mp.edges<32xf32> {mp.name = "e_out"}) {
  %gate, %gated, %edge = mp.message %g dst(%hi = %h : tensor<?x32xf32>)
      src(%hj = %h : tensor<?x32xf32>) edge(%eij = %e : !mp.edges<32xf32>)
      -> !mp.edges<32xf32>, !mp.edges<32xf32>, !mp.edges<32xf32> {
    %ce = mp.linear %eij, %c : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %dh = mp.linear %hi, %d : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %eh = mp.linear %hj, %u : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %bh = mp.linear %hj, %b : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %ends = arith.addf %dh, %eh : tensor<32xf32>
    %x = arith.addf %ce, %ends : tensor<32xf32>
    %s = mp.sigmoid %x : tensor<32xf32>
    %sb = arith.mulf %s, %bh : tensor<32xf32>
    %n = mp.layer_norm %x scale %se shift %te
        : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %r = mp.relu %n : tensor<32xf32>
    %next = arith.addf %eij, %r : tensor<32xf32>
    mp.yield %s, %sb, %next : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
  }
  %gates = mp.aggregate %g sum %gate : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %sum = mp.aggregate %g sum %gated : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %out = mp.update (%hi = %h : tensor<?x32xf32>, %si = %sum : tensor<?x32xf32>,
                    %gi = %gates : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %eps = arith.constant dense<1.0e-6> : tensor<32xf32>
    %den = arith.addf %gi, %eps : tensor<32xf32>
    %mean = arith.divf %si, %den : tensor<32xf32>
    %ah = mp.linear %hi, %a : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %x = arith.addf %ah, %mean : tensor<32xf32>
    %n = mp.layer_norm %x scale %sn shift %tn
        : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %r = mp.relu %n : tensor<32xf32>
    %y = arith.addf %hi, %r : tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %out, %edge : tensor<?x32xf32>, !mp.edges<32xf32>
}
