//===- EdgeScope.h - The region of a backward message -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Within the region of one edge: its forward values, computed again, and their
// cotangents. The edge is seen from a graph, or from its reverse, so that what
// goes to sources can be aggregated too.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_EDGESCOPE_H
#define CLIQUE_COMPILER_GRADIENT_EDGESCOPE_H

#include "compiler/Gradient/FunctionGradient.h"

namespace clique::gradient {

class EdgeScope {
public:
  /// `graph`: of the forward function.
  EdgeScope(FunctionGradient &gradient, mlir::Location loc, mlir::Value graph,
            bool reversed);
  ~EdgeScope();

  /// The forward ops of `message` and their cotangents. Null, without an error,
  /// where no cotangent arrives at it.
  mlir::FailureOr<ReverseSweep *> getAdjoint(mp::MessageOp message);

  /// The forward value of an edge.
  mlir::Value getPrimal(mlir::Value edges);
  /// Its cotangent; null where there is none.
  mlir::FailureOr<mlir::Value> getCotangent(mlir::Value edges);
  /// The feature of one end, of a node tensor of the backward function.
  mlir::Value getNode(mlir::Value nodes, bool atDst);
  /// The feature of a node tensor at the destinations of a forward graph,
  /// which is this one or its reverse.
  mlir::Value getNodeAt(mlir::Value nodes, mlir::Value graph);
  /// The feature of an edge tensor of the backward function.
  mlir::Value getEdge(mlir::Value edges);
  /// This edge's number, an i64 feature.
  mlir::Value getNumber();

  /// Whether the graph is known to have few edges.
  bool isSparse() const {
    return llvm::cast<mp::MPGraphType>(graph.getType()).getTopology() ==
           mp::Topology::sparse;
  }

  /// Whether it may have few edges or all.
  bool isOfAnyKind() const {
    return llvm::cast<mp::MPGraphType>(graph.getType()).isUnknown();
  }

  /// On what a value of the region depends.
  enum Ends : unsigned { none = 0, dst = 1, src = 2, edge = 4 };
  unsigned getEnds(mlir::Value value);
  /// A value that depends on destinations alone, as a node tensor.
  mlir::Value toNodes(mlir::Value value);
  /// Whether a value depends on its destination, if only on its number.
  bool knowsDst(mlir::Value value);
  /// A value that does not, as edges of another graph that has the same edges
  /// from the same sources.
  mlir::Value toEdgesOf(mlir::Value graph, mlir::Value value);
  /// The operand of this scope, if the value is one as it came.
  mlir::Value getOperand(mlir::Value value) const;

  /// The message that yields `values`.
  mp::MessageOp finish(mlir::ValueRange values);
  /// The sums of `values` over each destination's edges, then `stored`, with a
  /// row for each edge.
  llvm::SmallVector<mlir::Value> aggregate(mlir::ValueRange values,
                                           mlir::ValueRange stored = {});

  mlir::OpBuilder &getBuilder() { return builder; }
  FunctionGradient &getGradient() { return gradient; }
  /// In the backward function.
  mlir::Value getGraph() const { return graph; }

private:
  /// Whether `graph` is this one (false), its reverse (true), or another.
  std::optional<bool> isTurned(mlir::Value graph) const;
  void recompute(mp::MessageOp message);
  /// What `value` is made of in this scope: ops, in no order, and arguments.
  struct Slice {
    llvm::SetVector<mlir::Operation *> ops;
    llvm::SmallVector<mlir::BlockArgument> args;
  };
  Slice getSlice(mlir::Value value) const;
  /// The same ops in another region, which yields the value; `args` stand for
  /// those of the slice.
  void cloneSlice(const Slice &slice, mlir::ValueRange args, mlir::Value value,
                  mlir::Block &into);
  mlir::Value lookUp(mlir::Value value);
  /// What one use of an edge value adds to its cotangent.
  mlir::FailureOr<mlir::Value> getContribution(mlir::OpOperand &use);
  mlir::FailureOr<mlir::Value> getFromMessage(mp::MessageOp user,
                                              unsigned operand);

  FunctionGradient &gradient;
  mlir::Location loc;
  mlir::Value root;  ///< of the forward function
  bool turned;       ///< this edge is one of root's, turned round
  mlir::Value graph; ///< of the backward function
  std::unique_ptr<mlir::Block> block;
  mlir::OpBuilder builder;
  struct Input {
    mlir::Value operand;
    unsigned role; ///< dst, src, edge
  };
  llvm::SmallVector<Input> inputs;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> features;
  llvm::DenseMap<mlir::Value, mlir::Value> primals;
  llvm::DenseMap<mlir::Value, unsigned> ends;
  llvm::DenseSet<mlir::Operation *> recomputed;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<ReverseSweep>> adjoints;
  mlir::Value number;
};

/// What the aggregation adds to the cotangent of its operand `index` (0: the
/// graph) on one edge; null where nothing arrives.
mlir::Value getAggregateCotangent(EdgeScope &scope, mp::AggregateOp op,
                                  unsigned index);

/// What is made of the edges of a message.
struct EdgeResults {
  using Consumer = std::function<void(mlir::ValueRange)>;
  /// Summed over each destination's edges, and who takes the sums.
  llvm::SmallVector<mlir::Value> summed;
  llvm::SmallVector<Consumer> consumers;
  /// Stored with a row for each edge, and who takes the tensors.
  llvm::SmallVector<mlir::Value> stored;
  llvm::SmallVector<Consumer> storedConsumers;

  /// Makes them of the scope, which ends.
  void finish(EdgeScope &scope);
};

/// The gradients of weights from the terms of a message's edges. Where what one
/// end knows leaves the sum over its edges, a product over nodes remains: each
/// term is dealt with at the end where it does, those of sources by a scope
/// that sees the reverse. Where nothing does, and where the weights are looked
/// up by what the edge knows, both factors are stored for each edge and a
/// product over edges remains. Returns whether a scope that sees the reverse
/// has something to do.
bool addEdgeTerms(EdgeScope &scope, llvm::ArrayRef<WeightTerm> terms,
                  bool isReversed, EdgeResults &results);

/// The gradient of a table of weights that is looked up by what the edge knows,
/// where one factor of the outer product is the destination's: what the other
/// one is for the edges of one row into one destination is summed first, and
/// the products of these sums for each row.
void addGroupedTerm(EdgeScope &scope, const WeightTerm &term,
                    EdgeResults &results);

/// Row numbers as a look-up takes them, in the type that graphs have: what lies
/// outside is the first or last.
mlir::Value clampRow(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value index, int64_t rows);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_EDGESCOPE_H
