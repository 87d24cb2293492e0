//===- KernelGroups.h - Which ops run as one kernel -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partitions the messages, aggregations, scans and updates of a block into
// groups that can run as one kernel each: one iteration over the edges of one
// graph, or over nodes. No group depends on another that depends on it.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_KERNELGROUPS_H
#define CLIQUE_COMPILER_FUSION_KERNELGROUPS_H

#include "compiler/Fusion/BlockOrder.h"
#include "dialect/IR/MPOps.h"

namespace clique {

/// Ops that become one kernel.
struct KernelGroup {
  llvm::SetVector<mlir::Operation *> ops;
  /// Null for a group of updates only.
  mlir::Value graph;
};

class KernelGroups {
public:
  /// Messages must not use each other's values on the same graph.
  explicit KernelGroups(mlir::Block &block);

  /// The groups; a message whose values are only aggregated may be missing, or
  /// be in one group only, but feed several.
  llvm::ArrayRef<KernelGroup> getGroups() const { return groups; }

private:
  using Ops = llvm::SetVector<mlir::Operation *>;

  void addAggregates(mlir::Block &block);
  /// Each by itself.
  void addScans(mlir::Block &block);
  void addStoredMessages(mlir::Block &block);
  void mergeEdgeGroups();
  void addUpdates(mlir::Block &block);
  /// Updates that nothing else than one edge group uses join that group.
  void pullUpdatesIntoEdgeGroups(mlir::Block &block);

  unsigned addGroup(mlir::Value graph, Ops ops);
  /// Joins `ops` to the group if the result is one iteration.
  bool tryJoin(unsigned group, const Ops &ops);
  /// `ops` can run as one kernel: nothing outside needs one of them and is
  /// needed by another, and inside values flow node by node and edge by edge.
  bool canBeOneKernel(const Ops &ops) const;
  /// Another pass over the edges would gather the same values, or an update
  /// waits for both.
  bool profitFromSharing(const KernelGroup &a, const KernelGroup &b) const;
  /// The update and a group of updates run over the same nodes.
  bool haveSameNodes(mp::UpdateOp update, const KernelGroup &group) const;

  BlockOrder order;
  llvm::SmallVector<KernelGroup> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
};

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_KERNELGROUPS_H
