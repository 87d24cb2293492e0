//===- ReuseKept.h - Kept values in place of their computation --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_REUSEKEPT_H
#define CLIQUE_COMPILER_GRADIENT_REUSEKEPT_H

#include "compiler/Gradient/GradientFunctions.h"

namespace clique::gradient {

/// What updates of the backward function compute again with linear maps, and
/// what it is given anyway, is read. `functions` with `kept` filled in; whether
/// anything changed.
bool reuseKept(const GradientFunctions &functions);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_REUSEKEPT_H
