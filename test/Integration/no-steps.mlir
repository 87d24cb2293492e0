// A loop over the rows of a tensor that reads its first one: of no rows there is no step, and nothing to
// read. The same of a loop with a condition, and of rows that are looked up.
// RUN: %python -c 'import numpy as n; n.save("%t.npy", n.ones((0, 2), "f4"))'
// RUN: clique-run --O1 %s --entry=counted --input=x=%t.npy --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=conditional --input=x=%t.npy --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=looked_up --input=x=%t.npy --verify | FileCheck %s
// CHECK: verify {{.*}}: ok

func.func @counted(%x: tensor<?x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %first = tensor.extract %x[%c0, %c1] : tensor<?x2xf32>
    %own = tensor.extract %x[%k, %c0] : tensor<?x2xf32>
    %d = arith.subf %own, %first : f32
    %t = arith.addf %s, %d : f32
    scf.yield %t : f32
  }
  return %r : f32
}

func.func @conditional(%x: tensor<?x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %r, %e = scf.while (%s = %zero, %k = %c0) : (f32, index) -> (f32, index) {
    %more = arith.cmpi slt, %k, %n : index
    scf.condition(%more) %s, %k : f32, index
  } do {
  ^bb0(%s: f32, %k: index):
    %first = tensor.extract %x[%c0, %c1] : tensor<?x2xf32>
    %t = arith.addf %s, %first : f32
    %next = arith.addi %k, %c1 : index
    scf.yield %t, %next : f32, index
  }
  return %r : f32
}

func.func @looked_up(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.constant dense<0> : tensor<i32>
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<?x2xf32>) {
    %row = mp.lookup %x[%first] : tensor<?x2xf32>, tensor<i32> -> tensor<2xf32>
    %z = mp.update (%yi = %y : tensor<?x2xf32>) -> tensor<?x2xf32> {
      %d = arith.subf %yi, %row : tensor<2xf32>
      mp.yield %d : tensor<2xf32>
    }
    scf.yield %z : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}
