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
#ifndef CLIQUE_COMPILER_LOWERING_EDGEPRODUCTS_H
#define CLIQUE_COMPILER_LOWERING_EDGEPRODUCTS_H

#include "compiler/Analysis/KernelInfo.h"

namespace clique {

/// Multiply-adds of an edge's values with weights that all edges share, in the
/// messages of a kernel. Maps of what an edge has won are none: they skip
/// zeros.
int64_t countEdgeProducts(const KernelInfo &info);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_EDGEPRODUCTS_H
