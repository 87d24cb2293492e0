//===- SourceNames.h - Names of arguments and results -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of a compiled layer are known by the names that they have in the
// spec: `%h` is `--input=h=...`. MLIR forgets them when it parses; they are
// read from the source again and kept as `mp.name` attributes.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_SOURCENAMES_H
#define CLIQUE_COMPILER_TARGET_SOURCENAMES_H

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace clique {

/// The attribute that holds the name of an argument or a result.
constexpr llvm::StringLiteral kNameAttr = "mp.name";

/// Gives each argument and result of the public functions an `mp.name` where it
/// has none: the name in the source (`arg0` ... where there is none), and `out`
/// or `out0` ... for results. An error if a name is used twice or cannot be
/// written on a command line. Arguments of regions keep theirs for what is
/// printed.
mlir::LogicalResult nameArguments(mlir::ModuleOp module,
                                  const llvm::SourceMgr &sources);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_SOURCENAMES_H
