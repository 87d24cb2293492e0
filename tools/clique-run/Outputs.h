//===- Outputs.h - Results as files -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--output`.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_OUTPUTS_H
#define CLIQUE_TOOLS_CLIQUE_RUN_OUTPUTS_H

#include "compiler/Target/AtomicFile.h"
#include "compiler/Target/LayerSignature.h"
#include "tools/clique-run/Numbers.h"

namespace clique {

/// The files that `--output` names; nothing appears before write().
class Outputs {
public:
  /// Checks names, and that the files can be written.
  static llvm::Expected<Outputs> open(const LayerSignature &signature,
                                      llvm::ArrayRef<std::string> descriptions);

  llvm::Error write(llvm::ArrayRef<TensorHandle> results);

private:
  std::vector<std::pair<unsigned, AtomicFile>> files;
};

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_OUTPUTS_H
