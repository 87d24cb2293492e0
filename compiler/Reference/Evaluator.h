//===- Evaluator.h - The ops of a function ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates one call of a function, op after op.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_EVALUATOR_H
#define CLIQUE_COMPILER_REFERENCE_EVALUATOR_H

#include "compiler/Reference/Aggregate.h"
#include "dialect/IR/MPGroups.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <variant>

namespace clique::reference {

/// What a value of a function stands for.
using Binding = std::variant<TensorPtr, GraphPtr, EdgeValues>;

class Evaluator : public ValueInfo {
public:
  /// `depth`: how many calls are under way.
  explicit Evaluator(const ReferencePrecision &precision, unsigned depth = 0)
      : precision(precision), depth(depth) {}

  /// Evaluates a function's block with arguments of the right kinds.
  mlir::FailureOr<mlir::SmallVector<Binding>>
  call(mlir::Block &block, mlir::ArrayRef<Binding> arguments);

  Shape getShape(mlir::Value value) const override;
  std::optional<int64_t> getIndex(mlir::Value value) const override;
  const ReferencePrecision &getPrecision() const override { return precision; }

private:
  // Values.
  const TensorPtr &getTensor(mlir::Value value) const;
  const GraphPtr &getGraph(mlir::Value value) const;
  const EdgeValues &getEdges(mlir::Value value) const;
  /// The elements of a tensor of integers.
  std::vector<int64_t> getIntegers(mlir::Value value) const;
  /// Binds `value`; an error if a tensor does not have the shape of its type.
  mlir::LogicalResult define(mlir::Value value, Binding binding);
  /// Binds the values that a step of a loop begins with, or that are its
  /// results; edge values are computed first.
  mlir::LogicalResult carry(mlir::ValueRange from, mlir::ValueRange to);
  /// Binds a tensor that was computed, rounded to what it is stored as.
  mlir::LogicalResult defineTensor(mlir::Value value, ReferenceTensor tensor);
  mlir::LogicalResult defineIndex(mlir::Value value, int64_t index);

  // Ops, by family. The first is asked first, each hands on what it does not
  // know.
  mlir::LogicalResult evaluateBlock(mlir::Block &block);
  mlir::LogicalResult evaluate(mlir::Operation *op);
  mlir::LogicalResult evaluateGraphOp(mlir::Operation *op);
  mlir::LogicalResult evaluateGraphInfo(mlir::Operation *op);
  mlir::LogicalResult evaluateTensorOp(mlir::Operation *op);

  mlir::LogicalResult evaluate(mlir::func::CallOp op);
  mlir::LogicalResult evaluate(mlir::scf::ForOp op);
  mlir::LogicalResult evaluate(mlir::scf::WhileOp op);
  mlir::LogicalResult evaluate(mp::KernelOp op);
  mlir::LogicalResult evaluate(mp::MessageOp op);
  mlir::LogicalResult evaluate(mp::AggregateOp op);
  mlir::LogicalResult evaluate(mp::SourceSumOp op);
  mlir::LogicalResult evaluate(mp::ScanOp op);
  mlir::LogicalResult evaluate(mp::UpdateOp op);
  mlir::LogicalResult evaluate(mp::ReadoutOp op);
  mlir::LogicalResult evaluate(mp::SpreadOp op);
  mlir::LogicalResult evaluate(mp::EdgeSoftmaxOp op);
  /// Numbers of nodes and of parts of a batch.
  mlir::LogicalResult evaluateNumbers(mlir::Operation *op);

  /// The offsets of a batch of `numNodes` nodes.
  mlir::FailureOr<std::vector<int64_t>>
  getOffsets(mlir::Operation *op, mlir::Value offsets, int64_t numNodes) const;
  template <typename OpTy>
  mlir::FailureOr<Monoid> bindMonoid(OpTy op);
  mlir::LogicalResult evaluateCustom(mp::AggregateOp op);
  mlir::LogicalResult evaluateBuiltin(mp::AggregateOp op);
  mlir::LogicalResult defineGraph(mlir::Operation *op,
                                  llvm::Expected<ReferenceGraph> graph);
  mlir::LogicalResult defineDegrees(mp::DegreeOp op);
  mlir::LogicalResult evaluatePart(mp::LevelsOp op);
  mlir::LogicalResult evaluatePart(mp::GroupEdgesOp op);
  mlir::LogicalResult evaluatePart(mp::RowsOp op);
  /// Binds edge values that are stored, a row for each edge.
  mlir::LogicalResult defineEdges(mlir::Value edges, TensorPtr rows);
  mlir::LogicalResult lookUpEdges(mp::LookupOp op);

  /// Compiles a region and binds what it uses from outside.
  mlir::FailureOr<BoundProgram> bind(mlir::Block &block);

  ReferencePrecision precision;
  unsigned depth;
  mlir::DenseMap<mlir::Value, Binding> bindings;
};

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_EVALUATOR_H
