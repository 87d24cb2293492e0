// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gated graph sequence network: as many steps of a gated recurrent unit as the
// caller says, on the sums of what the neighbours send.
//
//   a_i = sum_{j in N(i)} W h_j
//   z = s(Wz [a_i || h_i])    r = s(Wr [a_i || h_i])    c = tanh(Wc [a_i || r * h_i])
//   h_i' = (1 - z) * h_i + z * c
//
// Li, Tarlow, Brockschmidt, Zemel: Gated Graph Sequence Neural Networks, ICLR 2016,
// equations 2 to 6 (one type of edges).
//
// h [n, 16], w [16, 16], wz, wr, wc [32, 16], steps -> out [n, 16]
//
//   clique-run examples/families/ggnn.mlir --graph=examples/graphs/karate.mtx \
//       --input=steps=4 --verify

func.func @ggnn(%g: !mp.graph, %h: tensor<?x16xf32>, %w: tensor<16x16xf32>,
                %wz: tensor<32x16xf32>, %wr: tensor<32x16xf32>, %wc: tensor<32x16xf32>,
                %steps: index) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = scf.for %k = %c0 to %steps step %c1 iter_args(%x = %h) -> (tensor<?x16xf32>) {
    %m = mp.message %g src(%xj = %x : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %v = mp.linear %xj, %w : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
      mp.yield %v : tensor<16xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %next = mp.update (%xi = %x : tensor<?x16xf32>, %ai = %a : tensor<?x16xf32>)
        -> tensor<?x16xf32> {
      %ah = tensor.concat dim(0) %ai, %xi : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
      %lz = mp.linear %ah, %wz : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
      %z = mp.sigmoid %lz : tensor<16xf32>
      %lr = mp.linear %ah, %wr : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
      %r = mp.sigmoid %lr : tensor<16xf32>
      %rx = arith.mulf %r, %xi : tensor<16xf32>
      %arx = tensor.concat dim(0) %ai, %rx : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
      %lc = mp.linear %arx, %wc : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
      %c = math.tanh %lc : tensor<16xf32>
      // (1 - z) x + z c = x + z (c - x)
      %d = arith.subf %c, %xi : tensor<16xf32>
      %zd = arith.mulf %z, %d : tensor<16xf32>
      %n = arith.addf %xi, %zd : tensor<16xf32>
      mp.yield %n : tensor<16xf32>
    }
    scf.yield %next : tensor<?x16xf32>
  }
  return %out : tensor<?x16xf32>
}
