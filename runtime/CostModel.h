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

/// What one edge of a kernel costs, as the compiler counts it.
struct EdgeWork {
  int64_t bytes;
  int64_t flops;
  /// The flops among them that a tile does as products of matrices.
  int64_t products;
};

/// A choice and why it was made.
struct Choice {
  bool dense = false;
  /// A literal; null if it was made by the times that are expected.
  const char *rule = nullptr;
  /// What of the user's wish was not fulfilled, a literal; else empty.
  const char *exception = "";
  double meanRow = 0;
  /// The time of the other version over that of this one.
  double gain = 0;

  std::string describeReason() const;
};

/// Throws if the graph has no version, or not the one asked for.
Choice chooseLowering(const clique_graph &graph, const char *kernel,
                      int64_t versions, const EdgeWork &work);

} // namespace clique

#endif // CLIQUE_RUNTIME_COSTMODEL_H
