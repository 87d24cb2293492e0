//===- RegisterTiles.h - What a tile of registers can be --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_REGISTERTILES_H
#define CLIQUE_COMPILER_CODEGEN_REGISTERTILES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace clique {

/// The loop that runs over vectors. A sum takes the one along which its result
/// and the operands that depend on it are contiguous, so that nothing is added
/// across lanes; else it is the loop along which most of the data is
/// contiguous, and least of it apart.
std::optional<unsigned> getVectorLoop(mlir::linalg::LinalgOp op);

/// The loop along which the first result is contiguous.
std::optional<unsigned> getOutputLoop(mlir::linalg::LinalgOp op);

/// The largest divisor of `size` that is at most `limit`.
int64_t getLargestDivisor(int64_t size, int64_t limit);

/// The sizes of vectors that hold `size` numbers of a row. Each is what LLVM
/// keeps in registers from one block of code to the next: a power of two of
/// whole registers, or less than one. Others it takes apart into scalars there.
/// A last column of several rows is not alone: it would be a vector of rows,
/// gathered element by element, and takes half of the register before it along.
llvm::SmallVector<int64_t> getVectors(int64_t size, int64_t lanes,
                                      bool hasRows = false);

/// The same where a loop of vectors of `longest` elements, several registers,
/// comes first.
llvm::SmallVector<int64_t> getVectorParts(int64_t size, int64_t lanes,
                                          int64_t longest, bool hasRows);

/// Whether vectors run along an output loop, and another one has several steps.
bool hasRows(mlir::linalg::LinalgOp op, unsigned vectorLoop);

/// The one user of a contraction, if it does a little arithmetic to each of
/// its elements: it does so while they are in registers.
mlir::linalg::LinalgOp getFinisher(mlir::linalg::LinalgOp op);

bool hasFunctions(mlir::linalg::LinalgOp op);

/// Whether an op makes what sums start from: a fill, or the same row for all
/// rows, as of a bias.
bool isStart(mlir::Operation *op);

/// A sum of products whose vectors run along an output dimension.
bool isContraction(mlir::linalg::LinalgOp op, unsigned vectorLoop);

/// Its sums are no reduction of vectors: the reduced loop is tiled by 1.
bool isOfPairs(mlir::linalg::LinalgOp op);

/// Squares of whole vectors in both directions, which shuffles transpose.
llvm::SmallVector<int64_t> getSquare(mlir::linalg::LinalgOp op, int64_t lanes);

/// The output loop whose steps share the vectors they multiply: the operand
/// that is contiguous along the vector loop does not depend on it.
std::optional<unsigned> getRowLoop(mlir::linalg::LinalgOp op,
                                   unsigned vectorLoop);

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_REGISTERTILES_H
