//===- FunctionGradient.h - The backward function as it grows ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through a forward function from its last op to the first and writes the
// backward one. Values of the forward function are called by their originals;
// `getPrimal` says what stands for them in the backward function: an argument,
// the same op again, or a value that the forward function keeps.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_FUNCTIONGRADIENT_H
#define CLIQUE_COMPILER_GRADIENT_FUNCTIONGRADIENT_H

#include "compiler/Gradient/Activity.h"
#include "compiler/Gradient/GradientPair.h"
#include "compiler/Gradient/KeepForBackward.h"
#include "compiler/Gradient/LoopSteps.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique::gradient {

class EdgeScope;

/// What one node adds to the gradient of weights, for all nodes: tensors of the
/// backward function. As WeightTerm.
struct NodeTerm {
  mlir::Value weights;
  mlir::Value index, x;
  mlir::Value adjoint;
  int64_t numSummed = 0;
  /// Which node's adjoint each index is for, where not its own.
  mlir::Value node = {};
};

class FunctionGradient {
public:
  /// The backward function of `functions` has the arguments of the forward one,
  /// then one cotangent for each of its results, and an empty body.
  FunctionGradient(const GradientFunctions &functions, const Activity &activity,
                   const KeptValues &keptValues, const LoopSteps &loops,
                   CotangentTypes types);

  /// Writes the body. Errors stand at the op that has no derivative.
  mlir::LogicalResult run();
  /// The forward values that the backward function takes, in the order of its
  /// arguments, which follow those of the forward function.
  llvm::ArrayRef<mlir::Value> getKept() const { return kept.getArrayRef(); }

  //===--------------------------------------------------------------------===//
  // For the rules
  //===--------------------------------------------------------------------===//

  mlir::OpBuilder &getBuilder() { return builder; }
  const KeptValues &getKeptValues() const { return keptValues; }
  bool isActive(mlir::Value value) const { return activity.isActive(value); }
  mlir::Value getPrimal(mlir::Value value);
  /// The same in the precision of gradients, for static tensors and scalars.
  mlir::Value getWidePrimal(mlir::Value value);
  /// An edge value of a message, computed again and stored.
  mlir::Value storeEdges(mlir::Value value);
  mlir::Value getTransposed(mlir::Value value, llvm::ArrayRef<int64_t> dims);
  /// A graph, turned round if `reversed`.
  mlir::Value getGraph(mlir::Value graph, bool reversed);
  /// In-degrees, as floats of this type.
  mlir::Value getDegrees(mlir::Value graph, mlir::Type element);

  /// Null where nothing arrived.
  mlir::Value getCotangent(mlir::Value value) const {
    return sweep->get(value);
  }
  void addCotangent(mlir::Value value, mlir::Value cotangent);
  /// The cotangents of an edge value as a result of the function.
  llvm::ArrayRef<mlir::Value> getEdgeCotangents(mlir::Value value) const {
    auto it = edgeCotangents.find(value);
    if (it == edgeCotangents.end())
      return {};
    return it->second;
  }
  void addNodeTerm(const NodeTerm &term);
  /// What a scan, or a custom monoid, adds to the cotangent of its operand
  /// `index`, an edge feature; null where nothing arrives. Known once the op
  /// was visited.
  mlir::Value getHandedBack(mlir::Operation *op, unsigned index) const {
    return handedBack.lookup({op, index});
  }
  /// The environment of a sweep over a region; `primal` knows its values.
  ReverseSweep::Environment
  makeEnvironment(std::function<mlir::Value(mlir::Value)> primal);

  /// An mp.update with one result; `body` gets the features in the precision of
  /// gradients.
  using NodeBody = llvm::function_ref<mlir::Value(
      mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;
  mlir::Value makeUpdate(mlir::Location loc, mlir::ValueRange nodes,
                         NodeBody body);
  /// Zeros of this type, with the dynamic sizes of `like`.
  mlir::Value makeZeros(mlir::Location loc, mlir::RankedTensorType type,
                        mlir::Value like);
  /// What rules of aggregations compute per node, once for each.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, mlir::Value> perNode;

private:
  friend class LoopRule;
  friend class ScanRule;

  mlir::LogicalResult visit(mlir::Operation *op);
  mlir::LogicalResult visitAggregate(mp::AggregateOp op);
  mlir::LogicalResult visitScan(mp::ScanOp op);
  mlir::LogicalResult checkWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult visitMessage(mp::MessageOp op);
  mlir::LogicalResult visitUpdate(mp::UpdateOp op);
  mlir::LogicalResult visitLinalg(mlir::linalg::LinalgOp op);
  /// Whether it is one of the ops on whole tensors that have rules here.
  bool visitTensorOp(mlir::Operation *op);
  mlir::LogicalResult visitLoop(mlir::scf::ForOp loop);
  /// The cotangent of a tensor of which a number was read.
  void addElement(mlir::tensor::ExtractOp op, mlir::Value g);
  void addInserted(mlir::tensor::InsertOp op, mlir::Value g);
  void addInsertedSlice(mlir::tensor::InsertSliceOp op, mlir::Value g);
  struct SliceBounds {
    llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
  };
  SliceBounds getBounds(mlir::OffsetSizeAndStrideOpInterface op);
  /// Whether these have dynamic shapes, whose rules are here.
  bool addSliced(mlir::tensor::ExtractSliceOp op, mlir::Value g);
  bool addConcatenated(mlir::tensor::ConcatOp op, mlir::Value g);
  /// Whether it is filled up with a constant, which has no derivative.
  bool addPadded(mlir::tensor::PadOp op, mlir::Value g);
  llvm::SmallVector<mlir::OpFoldResult>
  getPrimalSizes(llvm::SmallVector<mlir::OpFoldResult> sizes);
  llvm::SmallVector<mlir::Value> getPrimals(mlir::ValueRange values) {
    return llvm::map_to_vector(
        values, [this](mlir::Value value) { return getPrimal(value); });
  }
  /// The cotangents of a message's operands at one end, or of its edge inputs
  /// and weights too. Returns whether the other side has something to do.
  mlir::FailureOr<bool> addMessageSide(mp::MessageOp op, bool reversed);
  mlir::LogicalResult finish();

  static bool isRecomputed(mlir::Value value);
  mlir::Value recompute(mlir::Value value);
  mlir::Value sum(mlir::Value a, mlir::Value b);
  mlir::Value addToSlice(mlir::tensor::InsertSliceOp slice, mlir::Value whole);
  /// The type of the cotangent of an argument.
  mlir::Type getReturnedType(mlir::Type type) const {
    return types == CotangentTypes::wide ? getGradientType(type) : type;
  }
  mlir::Value makeRounded(mlir::Value nodes, mlir::RankedTensorType type);
  mlir::FailureOr<mlir::Value> makeEdgeGradient(mlir::Value values);
  mlir::Value makeRowsGradient(mlir::Value values);

  mlir::func::FuncOp forward, backward;
  llvm::SmallVector<int64_t> arguments, results;
  const Activity &activity;
  const KeptValues &keptValues;
  const LoopSteps &loops;
  CotangentTypes types;
  mlir::OpBuilder builder;
  std::unique_ptr<ReverseSweep> sweep;
  llvm::DenseMap<mlir::Value, mlir::Value> primals, widePrimals;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, mlir::Value>
      transposed;
  llvm::DenseMap<mlir::Value, mlir::Value> turned;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, mlir::Value> degreesOf;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> edgeCotangents;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, mlir::Value>
      handedBack;
  llvm::SetVector<mlir::Value> kept;
};

/// sum over nodes of x[n.., a..] y[n.., o..], or of y[n.., o..] where x is
/// null, as tensor<a..xo..>: a fixed order of additions. The nodes are the
/// first dimension, and `numSummed` more.
mlir::Value sumOverNodes(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value x, mlir::Value y, int64_t numSummed = 0);

/// Adds the cotangents of a structured op's inputs: an op over the same loops
/// for each.
mlir::LogicalResult addLinalgCotangents(FunctionGradient &gradient,
                                        mlir::linalg::LinalgOp op);

} // namespace clique::gradient
#endif // CLIQUE_COMPILER_GRADIENT_FUNCTIONGRADIENT_H
