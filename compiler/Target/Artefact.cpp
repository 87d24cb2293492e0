//===- Artefact.cpp - What a spec is compiled to --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Artefact.h"

using namespace llvm;
using namespace clique;

static constexpr std::pair<StringLiteral, CodeFormat> kCodeFormats[] = {
    {"obj", CodeFormat::object},
    {"asm", CodeFormat::assembly},
    {"llvm", CodeFormat::llvmIR},
    {"bitcode", CodeFormat::bitcode}};
static constexpr std::pair<StringLiteral, KernelFormat> kKernelFormats[] = {
    {"ptx", KernelFormat::ptx}, {"cubin", KernelFormat::cubin}};

std::optional<ArtefactKind> clique::findArtefactKind(StringRef name,
                                                     TargetDevice target) {
  ArtefactKind kind;
  kind.isLibrary = name == "so";
  if (kind.isLibrary)
    return kind;
  for (auto [known, format] : kCodeFormats)
    if (name == known)
      kind.format = format;
  for (auto [known, format] : kKernelFormats)
    if (name == known)
      kind.kernels = format;
  if (kind.format || kind.kernels)
    return kind;
  kind.stage = name.str();
  if (name == kParsedStage ||
      any_of(getStages(target),
             [&](const Stage &stage) { return stage.name == name; }))
    return kind;
  return std::nullopt;
}

std::string clique::listArtefactKinds(TargetDevice target) {
  std::string names = "so";
  for (auto [name, format] : kCodeFormats)
    names += ", " + name.str();
  for (auto [name, format] : kKernelFormats)
    names += ", " + name.str();
  names += " or a stage: " + kParsedStage.str();
  for (const Stage &stage : getStages(target))
    names += ", " + stage.name.str();
  return names;
}

mlir::FailureOr<std::string> clique::makeArtefact(LayerCompiler &compiler,
                                                  Spec &spec,
                                                  const ArtefactKind &kind) {
  if (kind.kernels)
    return compiler.compileKernels(spec.getModule(), *kind.kernels);
  if (!kind.stage.empty()) {
    if (failed(compiler.lowerToStage(spec.getModule(), kind.stage)))
      return mlir::failure();
    std::string text;
    raw_string_ostream out(text);
    spec.getModule()->print(out,
                            mlir::OpPrintingFlags().printNameLocAsPrefix());
    out << "\n";
    return text;
  }
  auto module = compiler.compile(spec.getModule(), spec.getSignatures());
  if (failed(module))
    return mlir::failure();
  SmallString<0> code;
  raw_svector_ostream out(code);
  if (Error error = compiler.emit(
          **module, kind.isLibrary ? CodeFormat::object : *kind.format, out))
    return emitError(spec.getModule().getLoc()) << toString(std::move(error));
  return code.str().str();
}
