//===- Artefact.h - What a spec is compiled to ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of outputs, by the names that users give them.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_ARTEFACT_H
#define CLIQUE_COMPILER_TARGET_ARTEFACT_H

#include "compiler/Target/LayerCompiler.h"
#include "compiler/Target/Spec.h"

#include <optional>

namespace clique {

/// One of these.
struct ArtefactKind {
  bool isLibrary = false;
  std::optional<CodeFormat> format;
  std::optional<KernelFormat> kernels;
  std::string stage; ///< the IR after it
};

/// The kind of this name: `so`, `obj`, `asm`, `llvm`, `bitcode`, `ptx`, `cubin`
/// or a stage of the target.
std::optional<ArtefactKind> findArtefactKind(llvm::StringRef name,
                                             TargetDevice target);
/// All names that findArtefactKind() knows, with commas between.
std::string listArtefactKinds(TargetDevice target);

/// The contents of an artefact; of a library the object that it is linked from.
/// Reports through the diagnostics of the spec, which it may change.
mlir::FailureOr<std::string> makeArtefact(LayerCompiler &compiler, Spec &spec,
                                          const ArtefactKind &kind);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_ARTEFACT_H
