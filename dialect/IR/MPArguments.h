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

/// A unit attribute of an argument that the caller may give away with a call:
/// its memory is then a result's, or free, once nothing reads it any more.
constexpr llvm::StringLiteral kDonatableAttr = "mp.donatable";

/// Of an input and a result of a block function, an i64 that pairs them: row i
/// of the result may lie where row i of the input does. That row is read only
/// by the call that writes it, and by calls before.
constexpr llvm::StringLiteral kOverwrittenAttr = "mp.overwritten";
constexpr llvm::StringLiteral kOverwritesAttr = "mp.overwrites";

} // namespace clique::mp
#endif // CLIQUE_DIALECT_IR_MPARGUMENTS_H
