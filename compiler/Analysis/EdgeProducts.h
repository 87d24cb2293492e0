//===- EdgeProducts.h - Linear maps of what an edge has ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network on edges (an edge's new state, a filter made from a distance)
// applies the same weights to a value of each edge. One edge at a time that is
// a product of a matrix and a vector; for a chunk of edges it is one of two
// matrices.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_EDGEPRODUCTS_H
#define CLIQUE_COMPILER_ANALYSIS_EDGEPRODUCTS_H

#include "compiler/Analysis/KernelInfo.h"

namespace clique {

/// Whether the messages of a kernel have enough linear maps of an edge's values
/// to be computed for chunks of edges, in rows. Weights are those that all
/// edges share. Maps of what an edge has won are none: they skip zeros.
bool isWorthChunks(const KernelInfo &info);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_EDGEPRODUCTS_H
