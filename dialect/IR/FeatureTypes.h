//===- FeatureTypes.h - Types of features, in constraints -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the verifiers of the dialect share.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_FEATURETYPES_H
#define CLIQUE_DIALECT_IR_FEATURETYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace clique::mp::detail {

/// `8x16`, or `a scalar` for rank 0.
std::string describeShape(mlir::ArrayRef<int64_t> shape);

/// `prefix` leads `shape`.
bool isPrefix(mlir::ArrayRef<int64_t> prefix, mlir::ArrayRef<int64_t> shape);

mlir::RankedTensorType getTensorType(mlir::Value value);

/// `type` with another shape.
mlir::RankedTensorType withShape(mlir::RankedTensorType type,
                                 mlir::ArrayRef<int64_t> shape);

/// The result must have type `expected`, for the reason given.
mlir::LogicalResult verifyResultType(mlir::Operation *op, mlir::Type expected,
                                     const mlir::Twine &reason);

/// The feature of one edge or node as a region sees it.
mlir::RankedTensorType getFeature(mlir::Type type);

/// What features hold, as MP_FeatureElement says.
bool isFeatureElement(mlir::Type type);

/// Checks what a feature op or a look-up computes at function level, where it
/// is an mp.update.
mlir::LogicalResult verifyComputedFeature(mlir::Operation *op);

/// A tensor of rank >= 1 whose dimensions after the first are static.
bool isNodeTensor(mlir::Type type);

mlir::LogicalResult verifyNodeTensors(mlir::Operation *op,
                                      mlir::TypeRange types,
                                      mlir::StringRef what);

/// Checks that the block's arguments are the features of `types`.
mlir::LogicalResult verifyArguments(mlir::Operation *op, mlir::Block &block,
                                    mlir::TypeRange types,
                                    mlir::StringRef region = "region");

/// Checks that the region yields `features`.
mlir::LogicalResult verifyYield(mlir::Operation *op, mlir::Block &block,
                                mlir::TypeRange features,
                                mlir::StringRef ofWhat);

} // namespace clique::mp::detail
#endif // CLIQUE_DIALECT_IR_FEATURETYPES_H
