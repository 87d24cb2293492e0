//===- RowLines.h - Cache lines of a row that are fetched -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_ROWLINES_H
#define CLIQUE_COMPILER_ANALYSIS_ROWLINES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace clique {

/// Elements of a row of a buffer, one in each of the cache lines in which the
/// elements [first, last) lie; but for lines further behind the first than
/// hardware needs to recognise a stream. `withLast`: the last element is among
/// them, which is in a line of its own where rows do not begin with one.
llvm::SmallVector<int64_t> getLineElements(mlir::MemRefType buffer,
                                           int64_t bytesPerLine, int64_t first,
                                           int64_t last, bool withLast = true);

/// Fetches the line with this element of row `row` into the cache of `level`.
/// `offsets`: what is added to the index in each dimension of the feature;
/// null, or none at all, where nothing is.
void prefetchElement(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value buffer, mlir::Value row, int64_t element,
                     unsigned level, llvm::ArrayRef<mlir::Value> offsets = {});

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_ROWLINES_H
