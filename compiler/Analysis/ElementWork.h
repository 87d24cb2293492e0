//===- ElementWork.h - What an op of a message executes ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of the cost model (MessageCost.h), by elements and by vectors.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_ELEMENTWORK_H
#define CLIQUE_COMPILER_ANALYSIS_ELEMENTWORK_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace clique {

/// Operations on each element of an op's largest value.
struct ElementWork {
  double arithmetic = 0, divisions = 0, functions = 0;
};
ElementWork getElementWork(mlir::Operation &op);

/// What one edge or node has of a value; null if that is no tensor.
mlir::RankedTensorType getFeature(mlir::Type type);
/// Elements of one edge's value.
double getSize(mlir::Type type);
/// Registers of one edge's value: each innermost row begins a new one, but for
/// those of which several fill one.
double getVectors(mlir::Type type, int64_t lanes);
/// Innermost rows of it that end in a part of a register.
double countRests(mlir::Type type, int64_t lanes);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_ELEMENTWORK_H
