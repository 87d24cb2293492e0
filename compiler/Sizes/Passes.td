//===- Passes.td - Sizes that are known when a layer runs -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that checks sizes.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_SIZES_PASSES_TD
#define CLIQUE_COMPILER_SIZES_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckSizesPass : Pass<"mp-check-sizes"> {
  let summary = "Checks sizes and positions that are known only at run time";
  let description = [{
    Puts an `mp.check` in front of each op that would read or write where nothing
    is if sizes did not fit: node and edge features against their graph or each
    other, operands of elementwise and structured ops, concatenations, reshapes,
    casts to a static size, parts of tensors and single elements. What types say
    is not checked again, nor the same numbers twice. A check costs one
    comparison; the positions at which the region of a `linalg.generic` or a
    `tensor.generate` reads are first reduced to the smallest and the largest.

    ```mlir
    func.func @add(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %c = arith.addf %a, %b : tensor<?x8xf32>
      return %c : tensor<?x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @add(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %c0 = arith.constant 0 : index
      %m = tensor.dim %a, %c0 : tensor<?x8xf32>
      %n = tensor.dim %b, %c0 : tensor<?x8xf32>
      mp.check %n in %m to %m, "add.mlir:2:8: 'arith.addf': dimension 0 of operand #1 must be that of operand #0"
      %c = arith.addf %a, %b : tensor<?x8xf32>
      return %c : tensor<?x8xf32>
    }
    ```

    Sizes are those of arguments and graphs as far as the ops between say so
    (ReifyRankedShapedTypeOpInterface), so that a check keeps nothing alive. It comes
    as early as its sizes are known: what an op before computes may be computed
    in place, where the op that is checked puts it. The
    upstream pass `generate-runtime-verification` covers fewer ops, and its
    messages do not say what was given.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
    "::clique::mp::MPDialect"];
}

#endif // CLIQUE_COMPILER_SIZES_PASSES_TD
