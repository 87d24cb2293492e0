//===- KernelInfo.h - What a kernel reads and writes ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analysis of an mp.kernel: its messages, aggregations and updates, and the
// values that cross its border, by role.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_KERNELINFO_H
#define CLIQUE_COMPILER_ANALYSIS_KERNELINFO_H

#include "dialect/IR/MPOps.h"
#include "llvm/ADT/SetVector.h"

namespace clique {

struct KernelInfo {
  explicit KernelInfo(mp::KernelOp kernel);

  /// Ops are handles: reading through them changes nothing here.
  mutable mp::KernelOp kernel;
  llvm::SmallVector<mp::MessageOp> messages;
  llvm::SmallVector<mp::AggregateOp> aggregates;
  llvm::SmallVector<mp::SourceSumOp> sourceSums;
  llvm::SmallVector<mp::UpdateOp> updates;
  /// Of a kernel that is one, else null.
  mutable mp::ScanOp scan;

  /// The value at the kernel's border that stands behind an input or capture:
  /// for a part of it that belongs to one head, the whole.
  static mlir::Value getSource(mlir::Value value);

  /// Node features of the kernel's own rows: dst operands of messages, operands
  /// of updates, the states with which a scan begins.
  llvm::SetVector<mlir::Value> dstInputs;
  /// Node features gathered from sources.
  llvm::SetVector<mlir::Value> srcInputs;
  llvm::SetVector<mlir::Value> edgeInputs;
  /// Weights and scalars that the regions use from outside; constants are not
  /// among them.
  llvm::SetVector<mlir::Value> captures;
  /// Constants outside that the regions use.
  llvm::SetVector<mlir::Value> constants;

  /// Node features of both kinds, each once.
  llvm::SetVector<mlir::Value> getNodeInputs() const;

  bool isNodeKernel() const { return messages.empty(); }
  /// Edge features are read or written.
  bool usesEdgeFeatures() const;
  /// A message asks for the numbers of its edges.
  bool usesEdgeNumbers() const;

  /// Elements that a block keeps of each row: features and aggregated values.
  int64_t getRowSize() const;
  /// Elements of the largest edge value that depends on both endpoints, so that
  /// a tile of them fits a cache.
  int64_t getEdgeValueSize() const;
  /// Whether all that the kernel reads and writes of nodes is of half
  /// precision, and updates have products of a size for tensor cores.
  bool hasHalfProducts() const;
  /// Elements of the largest value of a row in the updates.
  int64_t getUpdateValueSize() const;
  /// Elements of the largest value that an edge or its row has anywhere in the
  /// kernel: features, and what is computed from them.
  int64_t getLargestValueSize() const;
};

/// Whether what a kernel yields has a row for each source.
inline bool isSourceSum(mlir::Value yielded) {
  return bool(yielded.getDefiningOp<mp::SourceSumOp>());
}

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_KERNELINFO_H
