//===- Scatter.h - One slice written into a tensor --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_SCATTER_H
#define CLIQUE_COMPILER_REFERENCE_SCATTER_H

#include "compiler/Reference/Kernel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique::reference {

/// As regions have it: one index, which is clamped as that of a look-up.
mlir::FailureOr<Kernel> makeScatter(mlir::tensor::ScatterOp op,
                                    const ValueInfo &info);

} // namespace clique::reference
#endif // CLIQUE_COMPILER_REFERENCE_SCATTER_H
