//===- HeadSlices.h - Values without some of their heads --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of a value when heads are removed, in the regions of layers and
// between them.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_HEADSLICES_H
#define CLIQUE_COMPILER_ALGEBRA_HEADSLICES_H

#include "dialect/IR/MPOps.h"
#include "llvm/ADT/BitVector.h"

#include <map>

namespace clique {

/// A dimension in which each head has `block` neighbouring entries.
struct HeadDim {
  int64_t dim;
  int64_t block = 1;
};

/// The place of the heads where the leading dimension of a group of a reshape
/// holds them, and all dimensions of the group become one.
std::optional<HeadDim>
collapseHeads(mlir::RankedTensorType expanded,
              mlir::ArrayRef<mlir::ReassociationIndices> groups, HeadDim head);

class HeadSlices {
public:
  explicit HeadSlices(llvm::BitVector kept) : kept(std::move(kept)) {}

  /// The value without the removed heads: computed from such parts of what it
  /// is computed from, or cut out of it where its op mixes heads, or others
  /// need it whole.
  mlir::Value slice(mlir::Value value, HeadDim head);
  /// The message that makes these results alone, without the removed heads,
  /// which are the first feature dimension.
  mlir::ValueRange slice(mp::MessageOp message,
                         mlir::ArrayRef<unsigned> results);
  /// The whole value of a part, with 0 for the removed heads.
  mlir::Value restore(mlir::OpBuilder &b, mlir::Value part, HeadDim head);
  /// The type of a value without the removed heads.
  mlir::Type narrow(mlir::Type type, HeadDim head) const;

private:
  /// Heads next to each other, all of them kept or none.
  struct Run {
    int64_t first, count;
    bool isKept;
  };
  llvm::SmallVector<Run> getRuns() const;

  mlir::Value compute(mlir::Value value, HeadDim head);
  mlir::Value sliceArgument(mlir::BlockArgument arg, HeadDim head);
  mlir::Value cut(mlir::Value value, HeadDim head);

  llvm::BitVector kept;
  std::map<std::tuple<void *, int64_t, int64_t>, mlir::Value> known;
};

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_HEADSLICES_H
