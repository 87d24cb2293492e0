//===- Compile.cpp - Compilation through the C ABI ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/CApi/Request.h"
#include "compiler/Target/Artefact.h"
#include "compiler/Target/CHeader.h"
#include "compiler/Target/SharedLibrary.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clique;

const char *clique_compiler_version(void) { return CLIQUE_VERSION; }

clique_status clique_compile_library(const clique_compile_request *request,
                                     const char *path,
                                     clique_buffer *messages) {
  Request call(*request, messages);
  std::optional<LayerCompiler::Options> options = call.readOptions();
  Spec *spec = options ? call.readSpec() : nullptr;
  if (!spec)
    return Request::getFailure();
  LayerCompiler compiler(std::move(*options));
  ArtefactKind kind;
  kind.isLibrary = true;
  mlir::FailureOr<std::string> object = makeArtefact(compiler, *spec, kind);
  if (failed(object))
    return Request::getFailure();
  if (Error error =
          linkSharedLibrary(MemoryBufferRef(*object, "object"), path)) {
    call.fail(std::move(error));
    // Not the spec's: a file could not be written, or read.
    return CLIQUE_IO_ERROR;
  }
  return CLIQUE_OK;
}

static std::string makeHeader(const Spec &spec, StringRef name) {
  std::string text;
  raw_string_ostream out(text);
  std::string stem = sys::path::stem(name).str();
  emitCHeader(out, spec.getSignatures(), stem + ".h",
              sys::path::filename(name));
  return text;
}

clique_status clique_compile_emit(const clique_compile_request *request,
                                  const char *kind, clique_buffer *contents,
                                  clique_buffer *messages) {
  Request call(*request, messages);
  std::optional<LayerCompiler::Options> options = call.readOptions();
  if (!options)
    return Request::getFailure();
  std::optional<ArtefactKind> wanted = findArtefactKind(kind, call.getTarget());
  bool isHeader = StringRef(kind) == "header";
  if (!isHeader && (!wanted || wanted->isLibrary))
    return call.fail("there is no stage '" + Twine(kind) +
                     "'; expected header, " +
                     StringRef(listArtefactKinds(call.getTarget()))
                         .drop_front(StringRef("so, ").size()));
  if (isHeader && call.getTarget() == TargetDevice::cuda)
    return call.fail("there is no header of layers for GPUs: its functions "
                     "take arrays in the processor's memory; call the layer by "
                     "clique_layer_invoke");
  Spec *spec = call.readSpec();
  if (!spec)
    return Request::getFailure();
  if (isHeader) {
    *contents = copyToBuffer(makeHeader(*spec, call.getName()));
    return CLIQUE_OK;
  }
  LayerCompiler compiler(std::move(*options));
  mlir::FailureOr<std::string> made = makeArtefact(compiler, *spec, *wanted);
  if (failed(made))
    return Request::getFailure();
  *contents = copyToBuffer(*made);
  return CLIQUE_OK;
}
