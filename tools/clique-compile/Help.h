//===- Help.h - What clique-compile --help says ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_COMPILE_HELP_H
#define CLIQUE_TOOLS_CLIQUE_COMPILE_HELP_H

#include "compiler/Pipelines/Pipelines.h"

namespace clique {

/// Before the options.
extern const llvm::StringLiteral kCompileOverview;

/// The stages of the compiler, a line each.
std::string describeStages(TargetDevice target);

/// Behind the options: the stages of both targets, examples.
std::string getMoreHelp();

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_COMPILE_HELP_H
