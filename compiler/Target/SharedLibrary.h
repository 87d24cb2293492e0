//===- SharedLibrary.h - Links a compiled layer -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an object file to a library that a program can load.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_SHAREDLIBRARY_H
#define CLIQUE_COMPILER_TARGET_SHAREDLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>

namespace clique {

/// Links an object file to a shared library at `output`, with the linker that
/// is part of this compiler. It needs libclique_runtime and libomp, and looks
/// for them beside itself, then where this compiler has them. Thread-safe.
llvm::Error linkSharedLibrary(llvm::MemoryBufferRef object,
                              llvm::StringRef output);

/// Joins object files to one. Thread-safe.
llvm::Expected<std::string>
mergeObjects(llvm::ArrayRef<llvm::SmallString<0>> objects);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_SHAREDLIBRARY_H
