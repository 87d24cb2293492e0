//===- StructuredLayers.h - Layers that passes look for ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_STRUCTUREDLAYERS_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_STRUCTUREDLAYERS_H

#include "tools/clique-smith/Scope.h"

namespace clique::smith {

/// A message and its aggregation of a form that passes rewrite as a whole: a
/// mask by positions, a product of both ends, weights of edges, a product.
void addStructuredLayer(Scope &scope, const GraphValue &graph);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_STRUCTUREDLAYERS_H
