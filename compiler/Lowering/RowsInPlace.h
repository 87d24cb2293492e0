//===- RowsInPlace.h - Rows of nodes in memory of the caller ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register block reads its rows of a node feature where they lie, and a tile
// those of its sources that are only summed: a copy would take as long as the
// rows of a small product. Where there are fewer rows than it has, or they
// stand in another order than they lie in, they are copied to scratch memory of
// the same type.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_ROWSINPLACE_H
#define CLIQUE_COMPILER_LOWERING_ROWSINPLACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace clique {

/// How far apart rows of scratch memory lie: as rows in place, which is known
/// then, or as close as they can.
enum class RowPitch { same, dense };

class RowsInPlace {
public:
  /// Of `size` rows of `buffer`, [node, feature...]; none where its strides are
  /// not known or scratch memory would be too large. That is of the function in
  /// which `builder` stands.
  static std::optional<RowsInPlace> get(mlir::OpBuilder &builder,
                                        mlir::Value buffer, int64_t size,
                                        RowPitch pitch);

  mlir::Value getScratch() const { return scratch; }
  /// Bytes from one row of the buffer to the next, and whether nothing lies
  /// between them.
  int64_t getPitch() const { return pitch; }
  bool isDense() const;
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
  RowsInPlace(mlir::Value scratch, int64_t pitch)
      : scratch(scratch), pitch(pitch) {}

  mlir::Value scratch;
  int64_t pitch;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_ROWSINPLACE_H
