//===- Sharing.h - One aggregation, taken apart -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites an aggregation over a known graph, of what the sources alone give,
// as aggregations over fewer edges.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_SHARING_H
#define CLIQUE_COMPILER_STRUCTURE_SHARING_H

#include "compiler/Structure/MessageSeparation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace clique {

/// What the destinations have in common.
enum class Shared { nothing, everything, cliques, blocks, windows };

/// One value of an aggregation.
struct Part {
  mp::MessageOp message;
  SeparatedValue value;
  mlir::Value result;
};

/// Rewrites one aggregation.
class Sharing {
public:
  /// `level`: of how many levels of blocks the nodes of its graph are.
  Sharing(mp::AggregateOp op, unsigned level);

  /// False if nothing was changed.
  bool run();

  /// In a region: whether the number is above 0, as truth values of the shape.
  static mlir::Value hasSome(mlir::OpBuilder &b, mlir::Location loc,
                             mlir::Value count, mlir::RankedTensorType type);

private:
  bool findParts();
  /// Whether a softmax's score is the source's, but for terms that its weights
  /// do not depend on.
  bool findScore();
  /// Makes the guard of such terms a factor of the value; false if it cannot.
  bool applyGuard(SeparatedValue &value, mlir::Value edges);
  bool canShare(const SeparatedValue &value, mlir::RankedTensorType type);
  /// Whether some destinations have all sources in common.
  bool isWhole() const {
    return shared == Shared::everything || shared == Shared::cliques;
  }
  void shareEverything();
  void shareBlocks();
  void shareWindows();
  /// Sums over all sources of node features, and their way to the destinations.
  llvm::SmallVector<mlir::Value> aggregateOnce(mlir::ValueRange nodes,
                                               mlir::Value score);
  /// Over cliques of the same offsets: within them, and the way back.
  llvm::SmallVector<mlir::Value> readOut(mlir::ValueRange nodes,
                                         mp::AggregatorKind kind,
                                         mlir::Value score, mlir::Value offsets,
                                         unsigned numExtra);
  llvm::SmallVector<mlir::Value> spread(mlir::ValueRange parts,
                                        mlir::Value offsets);
  /// The original messages over the edges within blocks.
  llvm::SmallVector<mlir::Value> aggregateWithin(mlir::Value blocks,
                                                 mp::AggregatorKind kind);
  /// The destination's part of a value, applied to the sum of the sources'.
  /// `count`: of how many edges the sum is, where that may be none; else null.
  mlir::Value applyDestination(Part part, mlir::Value sum, mlir::Value within,
                               mlir::Value degree, mlir::Value count);
  /// Whether a part is more than the sources'.
  bool usesDestinations() const;
  /// The in-degrees of a graph's nodes as f32.
  mlir::Value countEdges(mlir::Value graph);
  /// What a sum is divided by to be a mean; null for a sum.
  mlir::Value getDegree(Part part);
  /// The sums of the sources' parts within each block, of which a part may have
  /// several: `numSums` of each.
  llvm::SmallVector<mlir::Value>
  sumBlocks(mlir::Value offsets, mp::AggregatorKind kind,
            llvm::SmallVectorImpl<unsigned> &numSums);
  /// Such sums of all parts at the nodes of each block, a value for each part.
  llvm::SmallVector<mlir::Value> bringToNodes(mlir::ValueRange sums,
                                              llvm::ArrayRef<unsigned> numSums,
                                              mlir::Value offsets);
  mlir::Value joinExtrema(mlir::Value within, mlir::Value before,
                          mlir::Value numBefore, mlir::Value numWithin);
  void report(llvm::StringRef how);
  mlir::Value getIndex(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }

  mp::AggregateOp op;
  const unsigned level;
  mp::MPGraphType type;
  mlir::Location loc;
  mlir::OpBuilder builder;
  Shared shared = Shared::nothing;
  llvm::SmallVector<Part> parts;
  mlir::Value score;
  /// Those of SplitScore, if the score has terms of the destination's.
  mlir::Value guard, isLowest;
};

} // namespace clique
#endif // CLIQUE_COMPILER_STRUCTURE_SHARING_H
