//===- Jit.h - A compiled layer in this process -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the code of a spec without a file between.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_JIT_H
#define CLIQUE_COMPILER_TARGET_JIT_H

#include "runtime/clique.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace clique {

/// An object file of LayerCompiler, linked into this process; what it calls
/// (the runtime, OpenMP, the mathematical library) is found there.
class Jit {
public:
  static llvm::Expected<Jit> create(std::unique_ptr<llvm::MemoryBuffer> object);
  Jit(Jit &&);
  ~Jit();

  /// The NULL-terminated table of layers, valid as long as this.
  const clique_layer *const *getLayers() const { return layers; }

private:
  Jit(std::unique_ptr<llvm::orc::LLJIT> jit, const clique_layer *const *layers);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  const clique_layer *const *layers;
};

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_JIT_H
