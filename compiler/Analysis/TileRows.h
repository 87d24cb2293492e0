//===- TileRows.h - Rows of a dense tile ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost model counts the tiles of a graph by it, the schedule has it.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_TILEROWS_H
#define CLIQUE_COMPILER_ANALYSIS_TILEROWS_H

#include "compiler/Analysis/KernelInfo.h"

namespace clique {

/// Whether the graph is a batch of cliques by its type.
bool isOfCliques(const KernelInfo &info);

/// Destinations that a tile computes together on this processor.
int64_t getTileRows(const KernelInfo &info, mp::CpuAttr cpu);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_TILEROWS_H
