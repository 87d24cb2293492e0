//===- MPArguments.h - What arguments of functions say of them --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPARGUMENTS_H
#define CLIQUE_DIALECT_IR_MPARGUMENTS_H

#include "llvm/ADT/StringRef.h"

namespace clique::mp {

/// A unit attribute of an edge feature: where nothing reads it, it may belong
/// to any graph, of those too that the layer made whose gradient the function
/// is, and has any number of rows.
constexpr llvm::StringLiteral kAnyGraphAttr = "mp.any_graph";

} // namespace clique::mp
#endif // CLIQUE_DIALECT_IR_MPARGUMENTS_H
