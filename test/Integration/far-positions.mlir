// A position that no step of a loop changes, and that the tensor does not have: the first step is an error, and a
// loop without a step is none. Nothing is read or written before the check.
// RUN: %python -c 'import numpy as n; n.save("%t.npy", n.ones((3, 2), "f4"))'
// DEFINE: %{run} = clique-run --O1 %s --input=x=%t.npy --input=p=1000000000000
// RUN: %{run} --entry=element --input=n=0 --verify | FileCheck %s
// RUN: %{run} --entry=row --input=n=0 --verify | FileCheck %s
// RUN: %{run} --entry=conditional --input=n=0 --verify | FileCheck %s
// RUN: %{run} --entry=written --input=n=0 --verify | FileCheck %s
// RUN: %{run} --entry=nested --input=n=0 --verify | FileCheck %s
// RUN: not %{run} --entry=element --input=n=2 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not %{run} --entry=row --input=n=2 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not %{run} --entry=conditional --input=n=2 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not %{run} --entry=written --input=n=2 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not %{run} --entry=nested --input=n=2 2>&1 | FileCheck %s --check-prefix=ELEMENT
// CHECK: verify {{.*}}: ok
// ELEMENT: error: {{.*}} 'tensor.extract': position along dimension 0: given 1000000000000, expected 0 to 2
// ROW: error: {{.*}} 'tensor.extract_slice': first position along dimension 0: given 1000000000000, expected 0 to 2

func.func @element(%x: tensor<?x2xf32>, %p: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %y = tensor.extract %x[%p, %c1] : tensor<?x2xf32>
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  return %r : f32
}

func.func @row(%x: tensor<?x2xf32>, %p: index, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<2xf32>) {
    %y = tensor.extract_slice %x[%p, 0] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<2xf32>
    %t = arith.addf %s, %y : tensor<2xf32>
    scf.yield %t : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

func.func @conditional(%x: tensor<?x2xf32>, %p: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r, %e = scf.while (%s = %zero, %k = %c0) : (f32, index) -> (f32, index) {
    %more = arith.cmpi slt, %k, %n : index
    scf.condition(%more) %s, %k : f32, index
  } do {
  ^bb0(%s: f32, %k: index):
    %y = tensor.extract %x[%p, %c1] : tensor<?x2xf32>
    %t = arith.addf %s, %y : f32
    %next = arith.addi %k, %c1 : index
    scf.yield %t, %next : f32, index
  }
  return %r : f32
}

func.func @written(%x: tensor<?x2xf32>, %p: index, %n: index) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?x2xf32>) {
    %y = tensor.extract_slice %s[%p, 0] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<2xf32>
    %t = arith.addf %y, %one : tensor<2xf32>
    %z = tensor.insert_slice %t into %s[%p, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<?x2xf32>
    scf.yield %z : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}

// The outer loop has steps, the inner one may have none.
func.func @nested(%x: tensor<?x2xf32>, %p: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (f32) {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%t = %s) -> (f32) {
      %y = tensor.extract %x[%p, %c1] : tensor<?x2xf32>
      %u = arith.addf %t, %y : f32
      scf.yield %u : f32
    }
    scf.yield %q : f32
  }
  return %r : f32
}
