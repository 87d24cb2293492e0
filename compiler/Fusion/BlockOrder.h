//===- BlockOrder.h - What must run before what -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order that the ops of a block must keep: a value is made before it is
// used, and side effects stay in the order in which they were written.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_BLOCKORDER_H
#define CLIQUE_COMPILER_FUSION_BLOCKORDER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace clique {

class BlockOrder {
public:
  explicit BlockOrder(mlir::Block &block);

  /// The ops of the block that must come after `op`, in the block's order; only
  /// the direct ones.
  llvm::ArrayRef<mlir::Operation *> getFollowers(mlir::Operation *op) const {
    auto it = followers.find(op);
    if (it == followers.end())
      return {};
    return it->second.getArrayRef();
  }

private:
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<mlir::Operation *>>
      followers;
};

/// Moves the ops of the block so that each comes after what it needs. Ops whose
/// order is free keep the one they have. There must be no cycle.
void sortBlock(mlir::Block &block);

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_BLOCKORDER_H
