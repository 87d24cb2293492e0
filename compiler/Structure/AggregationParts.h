//===- AggregationParts.h - Aggregations made of parts ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What rewrites of aggregations are made of: values of a message computed per
// node, sums of node features over a graph, updates.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_AGGREGATIONPARTS_H
#define CLIQUE_COMPILER_STRUCTURE_AGGREGATIONPARTS_H

#include "dialect/IR/MPNodeTypes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/IR/IRMapping.h"

namespace clique {

/// The type of the value in a region.
mlir::RankedTensorType getFeature(mlir::Value value);
/// With f32 in place of half precision.
mlir::RankedTensorType widen(mlir::RankedTensorType type);
bool isHalf(mlir::Type tensor);

/// The value of a message's region that becomes this edge feature; null if no
/// message on the graph makes it.
mlir::Value getMessageValue(mlir::Value edges, mlir::Value graph);

/// Clones what `value` is computed from, as far as it is not mapped.
mlir::Value cloneWithOperands(mlir::OpBuilder &builder, mlir::Value value,
                              mlir::IRMapping &mapping);

/// A value that only the sources (destinations) have a part in, as a feature of
/// these nodes, widened.
mlir::Value computeAtNodes(mlir::OpBuilder &builder, mp::MessageOp message,
                           mlir::Value value, mp::Endpoint end);

/// An update of one result.
mlir::Value makeUpdate(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange nodes,
    mlir::RankedTensorType feature,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> body);

/// Has `rewrite` change each aggregation in `root`, or not; whether one was.
bool rewriteAggregations(mlir::Operation *root,
                         llvm::function_ref<bool(mp::AggregateOp)> rewrite);

/// Aggregates these values of `op` by themselves.
void splitOff(mlir::OpBuilder &builder, mp::AggregateOp op,
              llvm::ArrayRef<unsigned> indices);

/// Aggregates node features over the edges of a graph.
mp::AggregateOp aggregateNodes(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value graph, mp::AggregatorKind kind,
                               mlir::Value score, mlir::ValueRange nodes,
                               unsigned numExtra = 0);

} // namespace clique
#endif // CLIQUE_COMPILER_STRUCTURE_AGGREGATIONPARTS_H
