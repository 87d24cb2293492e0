//===- MPOps.h - Graphs, messages, aggregations, updates --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of the message-passing dialect.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPOPS_H
#define CLIQUE_DIALECT_IR_MPOPS_H

#include "dialect/IR/MPDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace clique::mp {
class YieldOp;

/// The feature of one node: `tensor<?x8xf32>` -> `tensor<8xf32>`.
mlir::RankedTensorType getNodeFeature(mlir::Type nodeTensor);

/// What a region computes for one edge or node has at most so many elements.
constexpr int64_t kMaxFeatureElements = int64_t(1) << 24;

/// Whether the static dimensions of a shape make at most `limit` elements; no
/// product overflows.
bool hasAtMost(mlir::ArrayRef<int64_t> shape, int64_t limit);

/// Whether the dimensions after the first are static.
bool hasStaticFeature(mlir::Type tensor);

/// Whether it is a tensor whose first dimension counts nodes.
bool hasRows(mlir::Type type);

/// Emits an error where the result of a feature op has rows and its first
/// operand has none, or the other way round, and where at function level its
/// types are not those of an mp.update.
mlir::LogicalResult verifyFeatureOp(mlir::Operation *op);

/// Of an op that may stand at function level, where it is computed row by row.
template <typename ConcreteType>
class FeatureOp : public mlir::OpTrait::TraitBase<ConcreteType, FeatureOp> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyFeatureOp(op);
  }
};

/// Checks that the ops inside `region` have no side effects, work on static
/// tensors and scalars and use only such values from outside.
mlir::LogicalResult verifyFeatureRegion(mlir::Operation *op,
                                        mlir::Region &region,
                                        llvm::StringRef constraint);
} // namespace clique::mp

#define GET_OP_CLASSES
#include "dialect/IR/MPOps.h.inc"

#endif // CLIQUE_DIALECT_IR_MPOPS_H
