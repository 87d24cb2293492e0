//===- Passes.td - Rewrites of a layer's equations -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_PASSES_TD
#define CLIQUE_COMPILER_ALGEBRA_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeFeaturesPass : Pass<"mp-decompose-features"> {
  let summary = "Activations and normalisations to arith and math";
  let description = [{
    | op | becomes |
    | --- | --- |
    | `mp.relu` | maximum(x, 0), which keeps NaN |
    | `mp.leaky_relu` | x > 0 ? x : slope * x |
    | `mp.elu` | x > 0 ? x : alpha * expm1(x) |
    | `mp.sigmoid` | 1 / (1 + exp(-x)) |
    | `mp.silu` | x * sigmoid(x) |
    | `mp.softplus` | maximum(x, 0) + log1p(exp(-abs(x))), which never overflows |
    | `mp.gelu` | x/2 * (1 + erf(x / sqrt(2))), or the approximation by tanh |
    | `mp.layer_norm` | mean and variance by `mp.reduce`, then (x - mean) * rsqrt(variance + eps) |
    | `mp.batch_norm` | (x - mean) * (scale * rsqrt(variance + eps)) + shift |

    Element types stay as they are.

    ```mlir
    %y = mp.softplus %x : tensor<8xf32>
    ```
    becomes
    ```mlir
    %zero = arith.constant dense<0.0> : tensor<8xf32>
    %p = arith.maximumf %x, %zero : tensor<8xf32>
    %a = math.absf %x : tensor<8xf32>
    %n = arith.negf %a : tensor<8xf32>
    %e = math.exp %n : tensor<8xf32>
    %l = math.log1p %e : tensor<8xf32>
    %y = arith.addf %p, %l : tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

#endif // CLIQUE_COMPILER_ALGEBRA_PASSES_TD
