// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @f(%clique_args: tensor<?x4xf32>, %clique_shape_1: tensor<?x4xf32>,
             %kDLFloat: tensor<?x4xf32>, %DLTensor: tensor<?x4xf32>, %CLIQUE_OK: f32)
    -> tensor<?x4xf32> {
  %0 = arith.addf %clique_args, %clique_shape_1 : tensor<?x4xf32>
  %1 = arith.addf %kDLFloat, %DLTensor : tensor<?x4xf32>
  %2 = arith.addf %0, %1 : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

// Types, words of C++ and sizes.
func.func @g(%int64_t: tensor<?x4xf32>, %x: tensor<?x?xf32>, %x_dim0: f32, %uint8_t: f32,
             %bitand: f32, %compl: f32, %static_cast: f32, %constexpr: f32, %INT8_MAX: f32,
             %_Bool: f32, %__func__: f32, %bool: i1)
    -> (tensor<?x4xf32> {mp.name = "x_dim1"}) {
  return %int64_t : tensor<?x4xf32>
}
