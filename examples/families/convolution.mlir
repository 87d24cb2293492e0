// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions along a sequence as messages on a band of half width 3 (7 weights), a set of
// weights for each of 4 heads of 8 features:
//
//   lightweight   out_i = sum_{|j - i| <= 3} softmax_k(w)[j - i + 3] x_j
//   dynamic       the same with weights that the token makes: w_i = W x_i
//
// A softmax over the 7 places, not over the tokens that are there: at the ends of the
// sequence the others count as zeros.
//
// Wu, Fan, Baevski, Dauphin, Auli: Pay Less Attention with Lightweight and Dynamic
// Convolutions, ICLR 2019, equations 3 and 4.
//
// x [n, 4, 8], w [7, 4] (dynamic: [4, 8, 7, 4]) -> out [n, 4, 8]
//
//   clique-run examples/families/convolution.mlir --entry=dynamic --graph=window:128,3 --verify

func.func @lightweight(%g: !mp.graph<window, 3>, %x: tensor<?x4x8xf32>, %w: tensor<7x4xf32>)
    -> tensor<?x4x8xf32> {
  %m = mp.message %g : !mp.graph<window, 3> src(%xj = %x : tensor<?x4x8xf32>)
      -> !mp.edges<4x8xf32> {
    %p = func.call @normalise(%w) : (tensor<7x4xf32>) -> tensor<7x4xf32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %j, %i : tensor<i32>
    %three = arith.constant dense<3> : tensor<i32>
    %k = arith.addi %d, %three : tensor<i32>
    %f = mp.lookup %p[%k] : tensor<7x4xf32>, tensor<i32> -> tensor<4xf32>
    %fs = mp.broadcast %f : tensor<4xf32> to tensor<4x8xf32>
    %r = arith.mulf %fs, %xj : tensor<4x8xf32>
    mp.yield %r : tensor<4x8xf32>
  }
  %out = mp.aggregate %g : !mp.graph<window, 3> sum %m
      : (!mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  return %out : tensor<?x4x8xf32>
}

func.func @dynamic(%g: !mp.graph<window, 3>, %x: tensor<?x4x8xf32>, %w: tensor<4x8x7x4xf32>)
    -> tensor<?x4x8xf32> {
  %n = mp.update (%xi = %x : tensor<?x4x8xf32>) -> tensor<?x7x4xf32> {
    %y = mp.linear %xi, %w : (tensor<4x8xf32>, tensor<4x8x7x4xf32>) -> tensor<7x4xf32>
    %p = func.call @normalise(%y) : (tensor<7x4xf32>) -> tensor<7x4xf32>
    mp.yield %p : tensor<7x4xf32>
  }
  %m = mp.message %g : !mp.graph<window, 3> dst(%pi = %n : tensor<?x7x4xf32>)
      src(%xj = %x : tensor<?x4x8xf32>) -> !mp.edges<4x8xf32> {
    // Row j - i + 3 of the destination's weights: those times 1 there and 0 elsewhere.
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %j, %i : tensor<i32>
    %ds = mp.broadcast %d : tensor<i32> to tensor<7xi32>
    %places = arith.constant dense<[-3, -2, -1, 0, 1, 2, 3]> : tensor<7xi32>
    %here = arith.cmpi eq, %ds, %places : tensor<7xi32>
    %one = arith.uitofp %here : tensor<7xi1> to tensor<7xf32>
    %ones = mp.broadcast %one : tensor<7xf32> to tensor<7x4xf32>
    %taken = arith.mulf %ones, %pi : tensor<7x4xf32>
    %f = mp.reduce sum %taken dims [0] : tensor<7x4xf32> -> tensor<4xf32>
    %fs = mp.broadcast %f : tensor<4xf32> to tensor<4x8xf32>
    %r = arith.mulf %fs, %xj : tensor<4x8xf32>
    mp.yield %r : tensor<4x8xf32>
  }
  %out = mp.aggregate %g : !mp.graph<window, 3> sum %m
      : (!mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
  return %out : tensor<?x4x8xf32>
}

// A softmax over the places, for each head.
func.func private @normalise(%w: tensor<7x4xf32>) -> tensor<7x4xf32> {
  %most = mp.reduce max %w dims [0] : tensor<7x4xf32> -> tensor<4xf32>
  %mosts = mp.broadcast %most trailing : tensor<4xf32> to tensor<7x4xf32>
  %d = arith.subf %w, %mosts : tensor<7x4xf32>
  %e = math.exp %d : tensor<7x4xf32>
  %sum = mp.reduce sum %e dims [0] : tensor<7x4xf32> -> tensor<4xf32>
  %sums = mp.broadcast %sum trailing : tensor<4xf32> to tensor<7x4xf32>
  %p = arith.divf %e, %sums : tensor<7x4xf32>
  return %p : tensor<7x4xf32>
}
