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

/// The cache lines in which the elements [first, last) of a row of a buffer lie
/// whose rows begin with a line; but for those further behind the first than
/// hardware needs to recognise a stream.
struct RowLines {
  RowLines(mlir::MemRefType buffer, int64_t bytesPerLine, int64_t first,
           int64_t last);

  int64_t elements;   ///< of a line
  int64_t from, past; ///< numbers of lines, from the row's start
};

/// Fetches the line with this element of row `row` into the second cache.
/// `offsets`: what is added to the index in each dimension of the feature;
/// null, or none at all, where nothing is.
void prefetchElement(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value buffer, mlir::Value row, int64_t element,
                     llvm::ArrayRef<mlir::Value> offsets = {});

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_ROWLINES_H
