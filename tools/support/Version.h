//===- Version.h - What --version prints ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same for all tools.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_SUPPORT_VERSION_H
#define CLIQUE_TOOLS_SUPPORT_VERSION_H

#include "llvm/Support/raw_ostream.h"

namespace clique {

/// The version of Clique, of its ABI and of LLVM.
void printVersion(llvm::raw_ostream &out);

} // namespace clique
#endif // CLIQUE_TOOLS_SUPPORT_VERSION_H
