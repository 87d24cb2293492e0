//===- Version.cpp - What --version prints --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers come from the build and from the headers.
//
//===----------------------------------------------------------------------===//
#include "tools/support/Version.h"
#include "runtime/clique.h"
#include "llvm/Config/llvm-config.h"

void clique::printVersion(llvm::raw_ostream &out) {
  out << "Clique " CLIQUE_VERSION ", ABI version " << CLIQUE_ABI_VERSION
      << ", LLVM " LLVM_VERSION_STRING "\n";
}
