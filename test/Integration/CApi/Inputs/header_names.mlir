// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @f(%clique_args: tensor<?x4xf32>, %clique_shape_1: tensor<?x4xf32>,
             %kDLFloat: tensor<?x4xf32>, %DLTensor: tensor<?x4xf32>, %CLIQUE_OK: f32)
    -> tensor<?x4xf32> {
  %0 = arith.addf %clique_args, %clique_shape_1 : tensor<?x4xf32>
  %1 = arith.addf %kDLFloat, %DLTensor : tensor<?x4xf32>
  %2 = arith.addf %0, %1 : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
