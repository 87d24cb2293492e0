//===- AggregatorDetail.h - What aggregators share --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_AGGREGATORDETAIL_H
#define CLIQUE_COMPILER_LOWERING_AGGREGATORDETAIL_H

#include "compiler/Lowering/Aggregators.h"

namespace clique::detail {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A float constant, or a vector of equal ones.
mlir::Value constant(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                     double value);

/// `mask ? value : otherwise`, for scalars; the mask is an i8.
mlir::Value selectEdge(mlir::OpBuilder &b, mlir::Location loc, mlir::Value mask,
                       mlir::Value value, double otherwise);

/// Inputs of a reduction over edges: the value and, where there is one, the
/// mask.
llvm::SmallVector<Lifted> withMask(Lifted value, const EdgeTile &tile);

/// `state (+) value`, summed over the edges of the tile.
Lifted sumEdges(Lifter &lifter, mlir::Location loc, Lifted state, Lifted value,
                const EdgeTile &tile);

std::unique_ptr<Aggregator> createStd(mp::AggregateOp op, bool hasDst);
std::unique_ptr<Aggregator> createSoftmax(mp::AggregateOp op, bool hasDst);
std::unique_ptr<Aggregator> createLogSumExp(mp::AggregateOp op, bool hasDst);
std::unique_ptr<Aggregator> createCustom(mp::AggregateOp op, bool hasDst);

} // namespace clique::detail
#endif // CLIQUE_COMPILER_LOWERING_AGGREGATORDETAIL_H
