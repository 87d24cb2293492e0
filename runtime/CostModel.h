//===- CostModel.h - Dense tiles or sparse rows -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice among the versions of a kernel that were compiled.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_COSTMODEL_H
#define CLIQUE_RUNTIME_COSTMODEL_H

#include "runtime/Graph.h"

#include <string>

namespace clique {

/// Versions of a kernel, as clique_rt_choose_dense gets them.
constexpr int64_t kSparseVersion = 1;
constexpr int64_t kDenseVersion = 2;
/// Added to them where tiles take the nodes of mixed cliques in order.
constexpr int64_t kInOrder = 4;

/// What the parts of a kernel's versions are expected to take: picoseconds of
/// one core, as the compiler counts them (#mp.cost).
struct KernelCost {
  /// Of sparse rows; `sourceBytes` are bytes.
  int64_t edge, farEdge, sourceBytes, row;
  /// Of dense tiles; `tileRows` are destinations.
  int64_t pair, maskedPair, tileEdge, tileRows, registerBlock, evenSaving;
};

/// A choice and why it was made.
struct Choice {
  bool dense = false;
  /// A literal; null if it was made by the times that are expected.
  const char *rule = nullptr;
  /// What of the user's wish was not fulfilled, a literal; else empty.
  const char *exception = "";
  /// The times of both versions: expected, milliseconds of one core, or
  /// measured, the least of several calls.
  double rows = 0, tiles = 0;
  enum class By { Model, Trial, Clock } by = By::Model;
  /// Whether tiles take nodes in another order than they are numbered in.
  bool inOrder = false;

  std::string describeReason() const;
};

/// Throws if the graph has no version, or not the one asked for.
Choice chooseLowering(const clique_graph &graph, const char *kernel,
                      int64_t versions, const KernelCost &cost);

} // namespace clique

#endif // CLIQUE_RUNTIME_COSTMODEL_H
