// Ops on tensors with a dimension of size 0 at function level: sums of nothing are 0.
// RUN: clique-run --O1 %s --entry=sum --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=transpose --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=product --verify --output=o.npy | FileCheck %s
// RUN: %python -c 'import numpy as n; assert (n.load("o.npy") == n.zeros((4, 5))).all()'
// CHECK: verify {{.*}}: ok

func.func @sum(%x: tensor<2x4xf32>, %w: tensor<3x4x0xf32>) -> (tensor<4x0xf32>, tensor<2x4xf32>) {
  %e = tensor.empty() : tensor<4x0xf32>
  %c0 = arith.constant 0.0 : f32
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x0xf32>) -> tensor<4x0xf32>
  %r = linalg.reduce ins(%w : tensor<3x4x0xf32>) outs(%z : tensor<4x0xf32>) dimensions = [0]
    (%in: f32, %out: f32) {
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    }
  return %r, %x : tensor<4x0xf32>, tensor<2x4xf32>
}

func.func @transpose(%x: tensor<2x4xf32>, %w: tensor<3x0xf32>) -> (tensor<0x3xf32>, tensor<2x4xf32>) {
  %e = tensor.empty() : tensor<0x3xf32>
  %r = linalg.transpose ins(%w : tensor<3x0xf32>) outs(%e : tensor<0x3xf32>) permutation = [1, 0]
  return %r, %x : tensor<0x3xf32>, tensor<2x4xf32>
}

func.func @product(%a: tensor<4x0xf32>, %b: tensor<0x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %c0 = arith.constant 0.0 : f32
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x0xf32>, tensor<0x5xf32>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
