//===- OnlineSoftmax.h - Scores as a stream ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Online softmax (Milakov, Gimelshein, 2018; Rabe, Staats, 2021), state (m, l,
// a):
//   m' = max(m, max_j s_j), c = exp(m - m'), p_j = exp(s_j - m')
//   l' = c l + sum_j p_j,   a' = c a + sum_j p_j v_j
// This is the part of the scores: m, l, the weights p_j and c a.
//
// Where bounds of all scores are known, a reference r takes the place of m, and
// there is no c: p_j = exp(s_j - r), l' = l + sum_j p_j.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_ONLINESOFTMAX_H
#define CLIQUE_COMPILER_LOWERING_ONLINESOFTMAX_H

#include "compiler/Lowering/AggregatorDetail.h"

namespace clique::detail {

/// A state is m, unless there is a reference, l, and any sums that the weights
/// scale.
class OnlineSoftmax {
public:
  OnlineSoftmax(mlir::Location loc, std::optional<double> reference)
      : loc(loc), reference(reference) {}

  /// How many parts of a state are m and l.
  size_t getNumParts() const { return reference ? 1 : 2; }
  const Lifted &getSum(llvm::ArrayRef<Lifted> state) const {
    return state[getNumParts() - 1];
  }

  /// m and l before the first score.
  llvm::SmallVector<Lifted> getIdentity(Lifter &lifter, mp::EdgesType score,
                                        const Layout &layout) const;
  /// Takes in the scores of a tile; returns the weights of its edges. In a
  /// dense tile m follows the maximum loosely, as any m gives the same result.
  Lifted accumulate(Lifter &lifter, llvm::MutableArrayRef<Lifted> state,
                    Lifted score, const EdgeTile &tile) const;
  /// The same for the first `count` scores of a chunk, [src, feature...], in
  /// vectors of several edges. The weights take the place of the scores.
  Lifted accumulateChunk(Lifter &lifter, llvm::MutableArrayRef<Lifted> state,
                         const Lifted &scores, mlir::Value count) const;
  /// Puts -inf where accumulateChunk() would read beyond `count` scores.
  Lifted padChunk(Lifter &lifter, const Lifted &scores,
                  mlir::Value count) const;
  /// The state after the scores of both.
  llvm::SmallVector<Lifted> combine(Lifter &lifter,
                                    llvm::ArrayRef<Lifted> state,
                                    llvm::ArrayRef<Lifted> other) const;
  /// m + log(l), and after it its low part where `withLow`; 0 where nothing was
  /// received.
  llvm::SmallVector<Lifted> getLogSumExp(Lifter &lifter,
                                         llvm::ArrayRef<Lifted> state,
                                         bool withLow) const;

private:
  Lifted expDifference(Lifter &lifter, const Lifted &x,
                       const Lifted &reference) const;
  Lifted expOfBounded(Lifter &lifter, const Lifted &score) const;
  Lifted getMaximum(Lifter &lifter, const Lifted &score,
                    const Layout &layout) const;
  Lifted rescale(Lifter &lifter, llvm::MutableArrayRef<Lifted> state,
                 const Lifted &score) const;
  void rescaleIfNeeded(Lifter &lifter, llvm::MutableArrayRef<Lifted> state,
                       const Lifted &score) const;
  Lifted followLoosely(Lifter &lifter, llvm::MutableArrayRef<Lifted> state,
                       const Lifted &score, mlir::Value isFirst) const;

  mlir::Location loc;
  std::optional<double> reference;
};

/// The larger score, of scalars or vectors. One that is NaN may get lost here:
/// its weight is NaN all the same.
mlir::Value emitLargerScore(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Value y);
/// What is subtracted from scores before exp: m, or 0 where all scores so far
/// are -inf, whose weights are 0 then.
mlir::Value emitReference(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value max);

} // namespace clique::detail
#endif // CLIQUE_COMPILER_LOWERING_ONLINESOFTMAX_H
