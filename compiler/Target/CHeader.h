//===- CHeader.h - The C header of compiled layers --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a C or C++ program includes to call compiled layers.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_CHEADER_H
#define CLIQUE_COMPILER_TARGET_CHEADER_H

#include "compiler/Target/LayerSignature.h"
#include "llvm/Support/raw_ostream.h"

namespace clique {

/// Writes a header, for C and C++, that declares the layers, documents their
/// arguments and has a typed function `clique_run_NAME` for each.
/// `headerName` and `specName` are file names, for guard and comments.
void emitCHeader(llvm::raw_ostream &out,
                 llvm::ArrayRef<LayerSignature> signatures,
                 llvm::StringRef headerName, llvm::StringRef specName);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_CHEADER_H
