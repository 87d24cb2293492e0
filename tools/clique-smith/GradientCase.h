//===- GradientCase.h - Gradients of cases ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_GRADIENTCASE_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_GRADIENTCASE_H

#include "compiler/Reference/Interpreter.h"
#include "compiler/Target/Spec.h"

namespace clique::smith {

/// The gradient of a layer as a spec, whose layer takes the arguments and
/// cotangents of these results.
struct GradientCase {
  std::string spec;
  llvm::SmallVector<int64_t> results;
};

/// Nothing if there is none: no argument that a result depends on, or an op
/// without a rule. An error where the reference's gradient is not what
/// differences of the layer say.
llvm::Expected<std::optional<GradientCase>>
differentiate(Spec &spec, llvm::ArrayRef<ReferenceValue> arguments,
              uint64_t seed);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_GRADIENTCASE_H
