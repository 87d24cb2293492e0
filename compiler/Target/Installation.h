//===- Installation.h - Files that come with the compiler -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled layers are linked with, and what code for GPUs needs.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_INSTALLATION_H
#define CLIQUE_COMPILER_TARGET_INSTALLATION_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace clique {

/// The folder of the libraries that come with the compiler: that of the shared
/// library that this code is in, or `../lib` of the program that it is in.
std::string findLibraryFolder();

/// The path of a file in that folder, or else `built`, where the build has it.
std::string findInstalled(llvm::StringRef name, llvm::StringRef built);

/// The path of the shared library that this code is in; empty in a program.
std::string findOwnLibrary();

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_INSTALLATION_H
