// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edges into the nodes from k on, for each k, the other way round.

func.func @reversed_parts(%g: !mp.graph, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<?x4xf32>) {
    %len = arith.subi %n, %k : index
    %part, %edges = mp.rows %g, %k, %len
    %rev = mp.reverse %part
    %own = tensor.extract_slice %x[%k, 0] [%len, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
    %m = mp.message %rev src(%pj = %own : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      mp.yield %pj : tensor<4xf32>
    }
    %s = mp.aggregate %rev sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    %q = arith.addf %p, %s : tensor<?x4xf32>
    scf.yield %q : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}
