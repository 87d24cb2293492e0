//===- Jit.cpp - A compiled layer in this process -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin layer over LLJIT.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Jit.h"
#include "compiler/Target/Installation.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace llvm;
using namespace clique;

Jit::Jit(std::unique_ptr<orc::LLJIT> jit, const clique_layer *const *layers)
    : jit(std::move(jit)), layers(layers) {}
Jit::Jit(Jit &&) = default;
Jit::~Jit() = default;

/// Lets code call what this library is linked with: if a program loaded it as a
/// plugin, the program's symbols do not have it.
static Error addLibrary(orc::LLJIT &jit) {
  std::string path = findOwnLibrary();
  if (path.empty())
    return Error::success();
  auto symbols = orc::DynamicLibrarySearchGenerator::Load(
      path.c_str(), jit.getDataLayout().getGlobalPrefix());
  if (!symbols)
    return symbols.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*symbols));
  return Error::success();
}

Expected<Jit> Jit::create(std::unique_ptr<MemoryBuffer> object) {
  // The object has no initialisers, so that no platform support is needed.
  Expected<std::unique_ptr<orc::LLJIT>> jit =
      orc::LLJITBuilder().setPlatformSetUp(orc::setUpInactivePlatform).create();
  if (!jit)
    return jit.takeError();
  Error error = addLibrary(**jit);
  if (!error)
    error = (*jit)->addObjectFile(std::move(object));
  if (error)
    return std::move(error);
  Expected<orc::ExecutorAddr> table = (*jit)->lookup("clique_layers");
  if (!table)
    return table.takeError();
  auto *layers = table->toPtr<const clique_layer *const *>();
  return Jit(std::move(*jit), layers);
}
