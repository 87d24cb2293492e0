//===- TensorRegions.h - Tensors whose elements a region makes --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_TENSORREGIONS_H
#define CLIQUE_COMPILER_REFERENCE_TENSORREGIONS_H

#include "compiler/Reference/Kernel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique::reference {

/// The numbers of a list of static and dynamic sizes, offsets or strides; an
/// error if they are not known before the op runs.
mlir::FailureOr<Shape> resolve(mlir::Operation *op,
                               mlir::ArrayRef<mlir::OpFoldResult> mixed,
                               const ValueInfo &info);
/// The same of sizes of a new tensor; an error if one is negative.
mlir::FailureOr<Shape> resolveSizes(mlir::Operation *op,
                                    mlir::ArrayRef<mlir::OpFoldResult> mixed,
                                    const ValueInfo &info);

mlir::FailureOr<Kernel> makeGenerate(mlir::tensor::GenerateOp op,
                                     const ValueInfo &info);
mlir::FailureOr<Kernel> makePad(mlir::tensor::PadOp op, const ValueInfo &info);

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_TENSORREGIONS_H
