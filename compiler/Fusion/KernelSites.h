//===- KernelSites.h - Kernels of tiles and where they stand ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of tiles stands in a block by itself, or in the choice between tiles
// and rows that is made at run time.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_KERNELSITES_H
#define CLIQUE_COMPILER_FUSION_KERNELSITES_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// The only message of a kernel; null if there are several.
mp::MessageOp getOnlyMessage(mp::KernelOp kernel);

/// A kernel of tiles in a block, or the choice between it and rows.
struct KernelSite {
  static std::optional<KernelSite> find(mlir::Operation &op);

  mlir::Operation *op;
  /// Handles: reading through them changes nothing here.
  mutable mp::KernelOp tiles;
  /// What asks for it, if anything does.
  mutable mp::ChooseDenseOp asked;
};

/// Moves `first`, and what needs it, to `second`, so that nothing stands
/// between the two. False, and nothing is moved, if `second` needs it.
bool bringTogether(mlir::Operation *first, mlir::Operation *second);

/// Brings the kernels of tiles of both sites, which stand together, into one
/// block: where `base` is a choice, its choice is that of `other` from then on,
/// else `other` has tiles whatever was asked.
void joinSites(const KernelSite &base, const KernelSite &other);

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_KERNELSITES_H
