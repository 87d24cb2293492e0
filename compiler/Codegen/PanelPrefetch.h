//===- PanelPrefetch.h - Weights that come from far away --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_PANELPREFETCH_H
#define CLIQUE_COMPILER_CODEGEN_PANELPREFETCH_H

#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {

/// The operand of a contraction that its register tiles read in vectors, all
/// steps of the sum for some columns: a panel. If it is larger than the
/// second-level cache, and its rows lie too far apart for the processor to
/// foresee them, the tiles of the last rows fetch the panel of the next columns
/// while they read their own for the last time.
class PanelPrefetch {
public:
  /// `vectorLoop`: that of the columns. Before the op is tiled.
  PanelPrefetch(mlir::linalg::LinalgOp op, unsigned vectorLoop,
                mp::CpuAttr cpu);

  /// `loops`: those around `step`, the op that is left inside, by the loops of
  /// the op that they tile. `isPacked`: the tiles read a copy of their panel
  /// (PanelPacking). Then the next one need not come further than to the second
  /// cache, which does no harm: all tiles fetch it, without a branch.
  void emit(mlir::OpBuilder &builder, mlir::linalg::LinalgOp step,
            const llvm::DenseMap<unsigned, mlir::scf::ForOp> &loops,
            std::optional<unsigned> rowLoop, bool isPacked) const;

private:
  unsigned vectorLoop;
  int64_t lineBytes;
  /// Null if nothing is fetched.
  mlir::Value panel;
  mlir::AffineMap map;
};

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_PANELPREFETCH_H
