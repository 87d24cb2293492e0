// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relational graph convolution: every edge has a type r_ij, and every type its
// own weights; normalised by the number of all neighbours.
//
//   h_i' = relu(W_0 h_i + 1/|N(i)| sum_{j in N(i)} W_{r_ij} h_j)
//
// Schlichtkrull, Kipf, Bloem, van den Berg, Titov, Welling: Modeling Relational Data
// with Graph Convolutional Networks, ESWC 2018.
//
// h [n, 32], type [edges] in [0, 45), w [45, 32, 16], w0 [32, 16] -> out [n, 16]
// Edges are in the order of the graph's file.
//
//   clique-run examples/rgcn.mlir --graph=examples/graphs/karate.mtx --verify

func.func @rgcn(%g: !mp.graph, %h: tensor<?x32xf32>, %type: !mp.edges<i32>,
                %w: tensor<45x32x16xf32>, %w0: tensor<32x16xf32>) -> tensor<?x16xf32> {
  %wh = mp.message %g src(%hj = %h : tensor<?x32xf32>) edge(%r = %type : !mp.edges<i32>)
      -> !mp.edges<16xf32> {
    %wr = mp.lookup %w[%r] : tensor<45x32x16xf32>, tensor<i32> -> tensor<32x16xf32>
    %m = mp.linear %hj, %wr : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
    mp.yield %m : tensor<16xf32>
  }
  %m = mp.aggregate %g mean %wh : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  %out = mp.update (%hi = %h : tensor<?x32xf32>, %mi = %m : tensor<?x16xf32>)
      -> tensor<?x16xf32> {
    %own = mp.linear %hi, %w0 : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
    %s = arith.addf %own, %mi : tensor<16xf32>
    %r = mp.relu %s : tensor<16xf32>
    mp.yield %r : tensor<16xf32>
  }
  return %out : tensor<?x16xf32>
}
