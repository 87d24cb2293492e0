// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message without nodes on a reversed graph, which has other destinations.
func.func @turned(%g: !mp.graph, %c: tensor<4xf32>, %w: tensor<3x4x5xf32>, %t: !mp.edges<i32>) -> !mp.edges<5xf32> {
  %r = mp.reverse %g
  %m = mp.message %r edge(%te = %t : !mp.edges<i32>) -> !mp.edges<5xf32> {
    %wt = mp.lookup %w[%te] : tensor<3x4x5xf32>, tensor<i32> -> tensor<4x5xf32>
    %y = mp.linear %c, %wt : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
    mp.yield %y : tensor<5xf32>
  }
  return %m : !mp.edges<5xf32>
}

// Tensors of unknown sizes that make one of a known size, and parts without elements.
func.func @joined(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<8xf32>, %d: tensor<0xf32>, %x: tensor<?x4xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<0xf32>, tensor<?x4xf32>) {
  %ab = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<8xf32>
  %p = arith.mulf %ab, %ab : tensor<8xf32>
  %cd = tensor.concat dim(0) %c, %d : (tensor<8xf32>, tensor<0xf32>) -> tensor<8xf32>
  %q = arith.mulf %cd, %p : tensor<8xf32>
  %s = tensor.extract_slice %q[3] [0] [2] : tensor<8xf32> to tensor<0xf32>
  %three = tensor.concat dim(0) %x, %x, %x : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = math.sin %three : tensor<?x4xf32>
  return %p, %q, %s, %r : tensor<8xf32>, tensor<8xf32>, tensor<0xf32>, tensor<?x4xf32>
}

// Edge features of half precision, whose users in the inner loop are not differentiable.
func.func @half_loop(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<4xf16>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %h) -> (tensor<?x4xf32>) {
    %q = scf.for %l = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<?x4xf32>) {
      %m = mp.message %g src(%yj = %y : tensor<?x4xf32>) edge(%te = %e : !mp.edges<4xf16>) -> !mp.edges<4xf32> {
        %f = arith.extf %te : tensor<4xf16> to tensor<4xf32>
        %z = arith.mulf %yj, %f : tensor<4xf32>
        mp.yield %z : tensor<4xf32>
      }
      %s = mp.aggregate %g mean %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      scf.yield %s : tensor<?x4xf32>
    }
    %i = arith.fptosi %q : tensor<?x4xf32> to tensor<?x4xi32>
    %whole = arith.sitofp %i : tensor<?x4xi32> to tensor<?x4xf32>
    %u = arith.mulf %whole, %x : tensor<?x4xf32>
    scf.yield %u : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// NaN beside the result of maxnumf and minnumf, which is the other operand.
func.func @not_a_number(%x: tensor<?xf32>, %z: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %l = math.log %z : tensor<?xf32>
  %m = arith.maxnumf %x, %l : tensor<?xf32>
  %k = arith.minnumf %l, %x : tensor<?xf32>
  return %m, %k : tensor<?xf32>, tensor<?xf32>
}

// Where the cube of the argument of tanh is infinite, its slope is 0.
func.func @far(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = mp.update (%xi = %x : tensor<?xf32>) -> tensor<?xf32> {
    %z = mp.gelu %xi tanh : tensor<f32>
    mp.yield %z : tensor<f32>
  }
  return %y : tensor<?xf32>
}
