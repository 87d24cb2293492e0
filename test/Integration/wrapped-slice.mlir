// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of the last position is 2 in 64 bits, and far outside.

// RUN: %python -c "import numpy; numpy.save('%t.npy', numpy.ones((7, 4), 'f4'))"
// RUN: not clique-run %s --input=x=%t.npy 2>&1 | FileCheck %s
// CHECK: 'tensor.extract_slice': last position along dimension 0: given 9, expected 0 to 6

func.func @f(%x: tensor<?x4xf32>) -> tensor<4x4xf32> {
  %o = tensor.extract_slice %x[0, 0] [4, 4] [6148914691236517206, 1] : tensor<?x4xf32> to tensor<4x4xf32>
  return %o : tensor<4x4xf32>
}
