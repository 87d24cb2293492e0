//===- RowsInPlace.h - Rows of nodes in memory of the caller ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register block reads its rows of a node feature where they lie: a copy
// would take as long as the rows of a small product. Where there are fewer rows
// than it has, or they stand in another order than they lie in, they are copied
// to scratch memory, which has the same strides, so that both have one type.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_ROWSINPLACE_H
#define CLIQUE_COMPILER_LOWERING_ROWSINPLACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace clique {

class RowsInPlace {
public:
  /// Of `size` rows of `buffer`, [node, feature...]; none where its strides are
  /// not known or rows lie too far apart. Scratch memory is that of the
  /// function in which `builder` stands.
  static std::optional<RowsInPlace> get(mlir::OpBuilder &builder,
                                        mlir::Value buffer, int64_t size);

  mlir::Value getScratch() const { return scratch; }
  int64_t getSize() const { return getType().getDimSize(0); }
  mlir::MemRefType getType() const {
    return mlir::cast<mlir::MemRefType>(scratch.getType());
  }
  /// Rows of `buffer` from `from` on if `isInPlace`, else scratch memory, which
  /// `fill` writes.
  mlir::Value select(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value buffer, mlir::Value isInPlace,
                     mlir::Value from, llvm::function_ref<void()> fill) const;

private:
  explicit RowsInPlace(mlir::Value scratch) : scratch(scratch) {}

  mlir::Value scratch;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_ROWSINPLACE_H
