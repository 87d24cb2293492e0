//===- FetchAhead.h - The rows of the block that comes next -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of small cliques share no sources: each begins with rows that no cache
// has, and with heads apart with a part of each row, which hardware does not
// take for a stream. They are fetched while the block before is computed, some
// at a time: a processor drops what it is asked to fetch while it waits for as
// much as it can.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_FETCHAHEAD_H
#define CLIQUE_COMPILER_LOWERING_FETCHAHEAD_H

#include "compiler/Lowering/BlockFunction.h"
#include "llvm/ADT/SetVector.h"

namespace clique {

class FetchAhead {
public:
  /// Where the schedule says that the block fetches ahead, its arguments say
  /// what the next block is and, where heads are computed apart, its head, and
  /// slices of the rows of the block behind all heads of this one: one head's
  /// lines of a few rows lie so far apart that memory is slow to give them.
  explicit FetchAhead(BlockFunction &function);

  /// Before the first step, given the number of steps of the block, about.
  void begin(mlir::Value numSteps);
  /// Fetches a step's share of the rows.
  void step();
  /// Whether it asks for so much that its steps should lie apart.
  bool isLarge() const;

private:
  /// Fetches the slice that is as far from the first one as `row` from the
  /// first row.
  void fetchSlice(mlir::Value row);

  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value first, last, head;
  /// Slices of rows: slice s is what head s mod heads has of row s / heads.
  mlir::Value firstSlice, pastSlice, heads;
  /// The row from which on rows are still to be fetched, in memory: steps are
  /// in loops and branches. And the rows of a step. Both in fractions of rows.
  mlir::Value position, share;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_FETCHAHEAD_H
