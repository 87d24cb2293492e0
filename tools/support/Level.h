//===- Level.h - How much a layer's code is optimised -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_SUPPORT_LEVEL_H
#define CLIQUE_TOOLS_SUPPORT_LEVEL_H

#include "llvm/Support/CommandLine.h"

namespace clique {

/// Of optimisation, for the processor's code.
enum class Level { quick, full };

/// -O1 and -O3.
inline llvm::cl::ValuesClass makeLevels() {
  return llvm::cl::values(
      clEnumValN(Level::quick, "O1", "for tests: compiled sooner, much slower"),
      clEnumValN(Level::full, "O3", "as fast as can be (default)"));
}

} // namespace clique
#endif // CLIQUE_TOOLS_SUPPORT_LEVEL_H
