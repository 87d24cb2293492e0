//===- StandardStreams.h - Output that cannot be written --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report that does not reach its reader is an error like any other.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_SUPPORT_STANDARDSTREAMS_H
#define CLIQUE_TOOLS_SUPPORT_STANDARDSTREAMS_H

#include "llvm/Support/Error.h"

namespace clique {

/// A file that is opened while a standard stream is closed (`2>&-`) would get
/// its number, and what is printed would get into the file. Called first.
void occupyStandardStreams();

/// What was printed on standard output is written, or an error says why not.
llvm::Error flushStandardOutput();

} // namespace clique
#endif // CLIQUE_TOOLS_SUPPORT_STANDARDSTREAMS_H
