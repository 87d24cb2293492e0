//===- MPSizes.h - Sizes, numbers and checks --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops that ask for sizes and check them, and that number nodes.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPSIZES_H
#define CLIQUE_DIALECT_IR_MPSIZES_H

#include "dialect/IR/MPOps.h"

namespace clique::mp {
/// Tells the sizes of the results of aggregations, updates, readouts and
/// degrees (ReifyRankedShapedTypeOpInterface).
void attachSizeInterfaces(mlir::MLIRContext &context);
} // namespace clique::mp

#define GET_OP_CLASSES
#include "dialect/IR/MPSizeOps.h.inc"

#endif // CLIQUE_DIALECT_IR_MPSIZES_H
