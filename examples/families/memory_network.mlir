// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// End-to-end memory network: a question reads the memory as often as the caller says, the
// same weights each time.
//
//   p_j = softmax_j(u . (A x_j))    o = sum_j p_j C x_j    u' = H u + o
//
// A question is a destination that receives from every sentence of its memory.
//
// Sukhbaatar, Szlam, Weston, Fergus: End-To-End Memory Networks, NeurIPS 2015, equations 1
// and 2, layer-wise weights (section 2.2).
//
// q [n, 16] (questions), x [m, 32] (sentences), a, c [32, 16], h [16, 16], hops
// -> out [n, 16]
//
//   clique-run examples/families/memory_network.mlir --graph=bipartite:4x20 \
//       --input=hops=3 --verify

func.func @memory_network(%g: !mp.graph<bipartite>, %q: tensor<?x16xf32>,
                          %x: tensor<?x32xf32>, %a: tensor<32x16xf32>,
                          %c: tensor<32x16xf32>, %h: tensor<16x16xf32>, %hops: index)
    -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = scf.for %hop = %c0 to %hops step %c1 iter_args(%u = %q) -> (tensor<?x16xf32>) {
    %s, %v = mp.message %g : !mp.graph<bipartite> dst(%ui = %u : tensor<?x16xf32>)
        src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<f32>, !mp.edges<16xf32> {
      %k = mp.linear %xj, %a : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
      %w = mp.linear %xj, %c : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
      %d = mp.dot %ui, %k : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      mp.yield %d, %w : tensor<f32>, tensor<16xf32>
    }
    %o = mp.aggregate %g : !mp.graph<bipartite> softmax(%s) %v
        : (!mp.edges<f32>, !mp.edges<16xf32>) -> tensor<?x16xf32>
    %next = mp.update (%ui = %u : tensor<?x16xf32>, %oi = %o : tensor<?x16xf32>)
        -> tensor<?x16xf32> {
      %hu = mp.linear %ui, %h : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
      %r = arith.addf %hu, %oi : tensor<16xf32>
      mp.yield %r : tensor<16xf32>
    }
    scf.yield %next : tensor<?x16xf32>
  }
  return %out : tensor<?x16xf32>
}
