//===- CaseCompiler.h - Compiles cases --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_CASECOMPILER_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_CASECOMPILER_H

#include "compiler/Target/Jit.h"
#include "compiler/Target/LayerCompiler.h"
#include "compiler/Target/Spec.h"
#include "tools/clique-smith/Case.h"
#include "tools/clique-smith/Isolation.h"

namespace clique::smith {

/// A layer that can be called.
struct Compiled {
  std::optional<Jit> jit;
  clique_library *library = nullptr;
  const clique_layer *layer = nullptr;
};

/// Compiles the spec as the case says, and loads it. `cpu`: of the machine
/// code, or of the host's side. An error without a text was printed.
llvm::Expected<Compiled> compileCase(const Case &test, Spec &spec,
                                     TargetDevice target, llvm::StringRef cpu,
                                     LoweringChoice lowering, Report &report);

/// Fetches what all cases need, so that copies of this process have it.
void warmUp();

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_CASECOMPILER_H
