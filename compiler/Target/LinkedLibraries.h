//===- LinkedLibraries.h - What compiled code may call ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The libraries that a compiled layer is linked with, and whether they have all
// that it calls.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_LINKEDLIBRARIES_H
#define CLIQUE_COMPILER_TARGET_LINKEDLIBRARIES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>

namespace clique {

/// Paths: libclique_runtime beside this program's folder, or that of the build;
/// LLVM's libomp.
std::string getRuntimeLibrary();
std::string getOpenMPLibrary();

/// An error that names the symbols which an object file calls and no library
/// has: neither the runtime, OpenMP, libm nor libc. Other libraries, such as
/// the compiler's own, are not everywhere. Names that begin with `allowed` are
/// those of a library that is told of (empty: of none).
llvm::Error checkUndefinedSymbols(llvm::MemoryBufferRef object,
                                  llvm::StringRef allowed);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_LINKEDLIBRARIES_H
