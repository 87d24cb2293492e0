//===- ConstructedGraphs.h - Graphs that a spec makes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_CONSTRUCTEDGRAPHS_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_CONSTRUCTEDGRAPHS_H

#include "tools/clique-smith/Scope.h"

namespace clique::smith {

/// Of a class, with as many nodes as the caller says: `inputs` gets the
/// arguments, as `clique-run --input` takes them. Or of constants.
GraphValue makeConstructed(Scope &scope, std::vector<std::string> &inputs);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_CONSTRUCTEDGRAPHS_H
