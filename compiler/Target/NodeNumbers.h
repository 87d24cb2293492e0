//===- NodeNumbers.h - Layers that know nodes by number ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the nodes of a graph may be renumbered, together with the rows that
// count them, without any other change of a layer's results.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_NODENUMBERS_H
#define CLIQUE_COMPILER_TARGET_NODENUMBERS_H

#include "compiler/Sizes/Extents.h"

#include <string>

namespace clique {

/// What depends on the numbers of the nodes of a graph argument, with its place
/// in the spec; empty if nothing does.
std::string findNodeNumberUse(mlir::func::FuncOp function, unsigned graph,
                              ExtentAnalysis &extents);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_NODENUMBERS_H
