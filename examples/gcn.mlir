// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph convolution: A' = A + I is the graph with self-loops, D its in-degrees,
//
//   H' = relu(D^-1/2 A' D^-1/2 H W),
//   h_i' = relu(sum_{j in N(i) + i} W h_j / sqrt(d_i d_j))
//
// Kipf, Welling: Semi-Supervised Classification with Graph Convolutional
// Networks, ICLR 2017.
//
// h [n, 64], w [64, 32] -> out [n, 32]
//
//   clique-run examples/gcn.mlir --graph=examples/graphs/karate.mtx --verify

func.func @gcn(%g: !mp.graph, %h: tensor<?x64xf32>, %w: tensor<64x32xf32>)
    -> tensor<?x32xf32> {
  %a = mp.self_loops %g
  %d = mp.degree %a -> tensor<?xf32>
  %wh = mp.message %a dst(%di = %d : tensor<?xf32>)
      src(%dj = %d : tensor<?xf32>, %hj = %h : tensor<?x64xf32>) -> !mp.edges<32xf32> {
    %dd = arith.mulf %di, %dj : tensor<f32>
    %c = math.rsqrt %dd : tensor<f32>
    %cs = mp.broadcast %c : tensor<f32> to tensor<32xf32>
    %x = mp.linear %hj, %w : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    %m = arith.mulf %cs, %x : tensor<32xf32>
    mp.yield %m : tensor<32xf32>
  }
  %m = mp.aggregate %a sum %wh : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %out = mp.update (%mi = %m : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %r = mp.relu %mi : tensor<32xf32>
    mp.yield %r : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}
