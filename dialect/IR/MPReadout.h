//===- MPReadout.h - Graphs of the parts of a batch -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPREADOUT_H
#define CLIQUE_DIALECT_IR_MPREADOUT_H

#include "mlir/IR/Operation.h"

namespace clique::mp {

/// Of an mp.csr that a readout or a spread has become: its rows are the parts
/// of a batch. They stay rows whatever is asked for, and where its `indptr` is
/// wrong the error speaks of offsets.
constexpr llvm::StringLiteral kReadoutAttr = "mp.readout";

mlir::LogicalResult verifyReadout(mlir::Operation *op,
                                  mlir::NamedAttribute attr);

} // namespace clique::mp
#endif // CLIQUE_DIALECT_IR_MPREADOUT_H
