//===- RowCaller.h - The loop over blocks of sparse rows --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of about equal numbers of edges, and before them the rows that are
// divided.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_ROWCALLER_H
#define CLIQUE_COMPILER_LOWERING_ROWCALLER_H

#include "compiler/Lowering/HubCalls.h"
#include "compiler/Lowering/KernelCaller.h"

namespace clique {

class RowCaller : public KernelCaller {
public:
  /// `hubs`: the functions of rows that are divided; nothing if none is.
  RowCaller(const KernelInfo &info, TileShape shape,
            std::optional<HubFunctions> hubs)
      : KernelCaller(info, shape), blockEdges(constantIndex(shape.edges)),
        hubs(std::move(hubs)) {}

protected:
  mlir::Value emitSplit() override;
  Bounds getBounds(mlir::Value block) override;
  void emitBeforeBlocks(mlir::ValueRange args) override;
  mlir::Value getLast(mlir::Value first, mlir::Value last) override;

  /// Edges per block, about.
  mlir::Value blockEdges;

private:
  /// A block of one row has no fewer.
  bool isEven() const { return shape.rows == 1; }
  /// Edges of a row that is not divided, at most.
  mlir::Value getLongestRow();

  std::optional<HubFunctions> hubs;
  std::optional<HubCalls> hubCalls;
  /// The first row of each block.
  mlir::Value split;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_ROWCALLER_H
