//===- Verification.h - Results against the reference -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--verify` and `--save-case`.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_VERIFICATION_H
#define CLIQUE_TOOLS_CLIQUE_RUN_VERIFICATION_H

#include "compiler/Reference/Interpreter.h"
#include "tools/clique-run/Graphs.h"
#include "tools/clique-run/LayerSource.h"
#include "tools/clique-run/Numbers.h"

namespace clique {

/// Copies of all arguments for the reference interpreter, in their order.
llvm::Expected<llvm::SmallVector<ReferenceValue>>
makeReferenceArguments(llvm::ArrayRef<GraphArgument> graphs,
                       llvm::ArrayRef<TensorHandle> inputs);
/// The same of tensors, null for graphs.
llvm::Expected<llvm::SmallVector<ReferenceValue>>
makeReferenceArguments(llvm::ArrayRef<GraphArgument> graphs,
                       llvm::ArrayRef<const DLTensor *> tensors);

/// Evaluates `function` with the reference interpreter, prints how far each
/// result is from it, and says whether all are within the tolerance. If none is
/// given it is that of the element type, or a multiple of what rounding alone
/// does to the result. `isNamed`: the lines name the results.
llvm::Expected<bool> verifyFunction(mlir::func::FuncOp function,
                                    llvm::ArrayRef<ReferenceValue> arguments,
                                    const LayerSignature &signature,
                                    llvm::ArrayRef<TensorHandle> results,
                                    F32Products products,
                                    std::optional<double> given, bool isNamed);

/// The same of the layer that `source` was asked for.
llvm::Expected<bool> verifyResults(const LayerSource &source,
                                   llvm::ArrayRef<GraphArgument> graphs,
                                   llvm::ArrayRef<TensorHandle> inputs,
                                   llvm::ArrayRef<TensorHandle> results,
                                   std::optional<double> given);

/// Writes to `folder`, which is made if need be, ARG.npy for each input and
/// RESULT.expected.npy for each result of the reference interpreter: f32 where
/// the result is f16 or bf16, else of its own type.
llvm::Error saveCase(const LayerSource &source,
                     llvm::ArrayRef<GraphArgument> graphs,
                     llvm::ArrayRef<TensorHandle> inputs,
                     llvm::StringRef folder);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_VERIFICATION_H
