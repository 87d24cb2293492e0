//===- Weights.h - Arguments from a .safetensors file -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--weights`.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_WEIGHTS_H
#define CLIQUE_TOOLS_CLIQUE_RUN_WEIGHTS_H

#include "compiler/Target/LayerSignature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tools/clique-run/Numbers.h"

namespace clique {

/// How an argument says that its array is stored otherwise than the argument
/// is: words of `f64`, `f32`, `f16`, `bf16` (the type in the file) and
/// `transposed` (a matrix [outputs, inputs] in the file, where the argument is
/// [inputs, outputs], either of any number of dimensions).
constexpr llvm::StringLiteral kStoredAttr = "mp.stored";

/// Gives each argument without a value the array of its name in one of the
/// files, and says on standard output what of the files was not taken. Where
/// the types and shapes are the same the values are those in the mapped file.
/// An error that lists the weights (tensors of static shape) that have no value
/// then, and one if there is no spec (`function` is null), which says how
/// arrays are stored.
llvm::Error bindWeights(const LayerSignature &signature,
                        mlir::func::FuncOp function,
                        llvm::ArrayRef<std::string> files,
                        llvm::MutableArrayRef<TensorHandle> tensors);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_WEIGHTS_H
