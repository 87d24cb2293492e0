//===- SumBlocks.h - How sums of whole tensors are divided ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum over nodes of few elements is divided by its terms, so that each is
// read once, and there is work for any number of threads; one of many elements
// into blocks of its result.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_SUMBLOCKS_H
#define CLIQUE_COMPILER_CODEGEN_SUMBLOCKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace clique {

/// The sizes of a block of the op's result: as many rows as have a result that
/// stays in the first cache; of a large product rows and columns whose operands
/// stay in the second.
llvm::SmallVector<int64_t> getBlockSizes(mlir::linalg::LinalgOp op);

/// The op that joins a term with what is there; null if there is not one.
mlir::Operation *getCombiner(mlir::linalg::LinalgOp op);

/// Those of all results; none unless each has one, with a neutral element.
llvm::SmallVector<mlir::Operation *> getCombiners(mlir::linalg::LinalgOp op);

/// `combiner` of other operands.
mlir::Value emitCombiner(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Operation *combiner, mlir::Value sum,
                         mlir::Value term);

/// The loop over terms whose number only a run knows, parts of which are summed
/// by themselves; none if there is nothing that a part could begin with.
std::optional<unsigned> getPartedLoop(mlir::linalg::LinalgOp op);

/// Terms of a part, for results of `shape`: so many that its result is little
/// beside its operands.
int64_t getPartTerms(llvm::ArrayRef<int64_t> shape);

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_SUMBLOCKS_H
