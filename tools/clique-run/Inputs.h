//===- Inputs.h - The values of a layer's arguments -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--input`, `--weights` and `--seed`.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_INPUTS_H
#define CLIQUE_TOOLS_CLIQUE_RUN_INPUTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tools/clique-run/Graphs.h"
#include "tools/clique-run/Numbers.h"

namespace clique {

/// The values of all arguments that are no graphs; null for graphs.
/// Tensors that neither `given` ("ARG=FILE.npy", "ARG=NUMBER") nor a file of
/// `weights` (.safetensors) names are random. `function` is null if there is no
/// spec.
llvm::Expected<std::vector<TensorHandle>>
makeInputs(const LayerSignature &signature, mlir::func::FuncOp function,
           llvm::ArrayRef<GraphArgument> graphs,
           llvm::ArrayRef<std::string> given,
           llvm::ArrayRef<std::string> weights, uint64_t seed);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_INPUTS_H
