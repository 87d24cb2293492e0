//===- Aggregators.h - Monoids over an iteration space ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How each aggregator of mp.aggregate streams over the edges of a destination:
// a state with an identity, a step that takes in one edge or a tile of edges,
// the join of two states, and a finaliser. The same code serves both lowerings;
// where the values have a source axis it is reduced. What is cheaper for
// several edges of a row at once (the exponentials of a softmax) is taken in
// ahead.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_AGGREGATORS_H
#define CLIQUE_COMPILER_LOWERING_AGGREGATORS_H

#include "compiler/Lowering/Lifting.h"
#include "dialect/IR/MPOps.h"
#include <functional>

namespace clique {

/// The part of an iteration space that a step takes in.
struct EdgeTile {
  /// i8 [dst, src] or [src]: 1 where the tile has an edge. None: everywhere,
  /// and every value has a source axis if there is more than one source.
  std::optional<Lifted> mask;
  /// Whether the mask, i8 [src], takes out columns without a source alone: what
  /// lies there of a source's features is 0.
  bool masksPadding = false;
  /// With such a mask, if sums may end there: how many of the first columns
  /// have a source, an index.
  mlir::Value numColumns = {};
  /// Whether threads hold scores and states in registers: to agree that the
  /// maximum of a softmax need not follow closely costs more than to follow.
  bool inRegisters = false;
  /// Whether there are registers for one set of states alone: what the step
  /// adds joins them term by term.
  bool hasOneSet = false;
  /// Whether the state is that of a destination that has received nothing, an
  /// i1; none if that is not known.
  mlir::Value isFirst = {};
  /// Emits other work between the weights of edges and what they weigh, where
  /// an aggregator has both.
  std::function<void()> emitBetween = {};
};

/// Whether any element of a tensor is infinite or NaN, an i1.
mlir::Value isAnyNotFinite(Lifter &lifter, mlir::Location loc,
                           const Lifted &value);

class Aggregator {
public:
  virtual ~Aggregator() = default;
  /// The aggregator of `op`; null if mp-decompose-aggregates has to make others
  /// of it first. `hasDst`: states have a destination axis. `mayBeNone`: states
  /// of no edge are combined, too.
  static std::unique_ptr<Aggregator> create(mp::AggregateOp op, bool hasDst,
                                            bool mayBeNone = false);

  /// The state of a destination that has received nothing.
  virtual mlir::FailureOr<llvm::SmallVector<Lifted>>
  getIdentity(Lifter &lifter) = 0;
  /// The state after the edges of a tile. `inputs`: the score, if there is one,
  /// and the values.
  virtual mlir::FailureOr<llvm::SmallVector<Lifted>>
  accumulate(Lifter &lifter, llvm::ArrayRef<Lifted> state,
             llvm::ArrayRef<Lifted> inputs, const EdgeTile &tile) = 0;
  /// The state after the edges of `state` and those of `other`.
  virtual mlir::FailureOr<llvm::SmallVector<Lifted>>
  combine(Lifter &lifter, llvm::ArrayRef<Lifted> state,
          llvm::ArrayRef<Lifted> other) = 0;
  /// The results. `degree`: i64 [dst], how many edges each destination has.
  virtual mlir::FailureOr<llvm::SmallVector<Lifted>>
  finalise(Lifter &lifter, llvm::ArrayRef<Lifted> state,
           const Lifted &degree) = 0;

  /// The values among op's operands that the state is to know of several edges
  /// at once: rows take their edges in chunks where an aggregator has any.
  virtual llvm::SmallVector<mlir::Value> getAhead() { return {}; }
  /// A tensor [src, feature...] before the values of getAhead() that `count`
  /// edges have are put into it.
  virtual Lifted prepareAhead(Lifter &lifter, const Lifted &tensor,
                              mlir::Value count);
  /// Takes in the values of getAhead() of the first `count` edges of a chunk,
  /// [src, feature...] each. Returns what accumulateEdge() takes a row of.
  virtual llvm::SmallVector<Lifted>
  accumulateAhead(Lifter &, llvm::MutableArrayRef<Lifted> /*state*/,
                  llvm::ArrayRef<Lifted> /*ahead*/, mlir::Value /*count*/) {
    return {};
  }
  /// Whether a chunk's edges are all taken in by then.
  virtual bool isDoneAhead() { return false; }
  /// The state after one edge of the chunk. `weights`: its part of what
  /// accumulateAhead() returned.
  virtual mlir::FailureOr<llvm::SmallVector<Lifted>>
  accumulateEdge(Lifter &lifter, llvm::ArrayRef<Lifted> state,
                 llvm::ArrayRef<Lifted> inputs,
                 llvm::ArrayRef<Lifted> /*weights*/) {
    return accumulate(lifter, state, inputs, {});
  }

protected:
  Aggregator(mp::AggregateOp op, bool hasDst) : op(op), hasDst(hasDst) {}
  /// The layout of a state with this feature rank.
  Layout getStateLayout(unsigned featureRank) const {
    return getCanonicalLayout(featureRank, hasDst, false);
  }
  mlir::Location getLoc() const { return op->getLoc(); }

  mp::AggregateOp op;
  bool hasDst;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_AGGREGATORS_H
