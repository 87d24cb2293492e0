//===- clique-compile.cpp - From a spec to a library ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a spec and writes what is asked for.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AtomicFile.h"
#include "compiler/Target/CHeader.h"
#include "compiler/Target/SharedLibrary.h"
#include "compiler/Target/Spec.h"
#include "tools/clique-compile/Help.h"
#include "tools/clique-compile/Options.h"
#include "tools/support/CrashReport.h"
#include "tools/support/Mains.h"
#include "tools/support/Progress.h"
#include "tools/support/StandardStreams.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace llvm;
using namespace clique;

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

/// Prints the error, if it is one.
static LogicalResult check(Error error) {
  if (!error)
    return success();
  errs() << "clique-compile: error: " << toString(std::move(error)) << "\n";
  return failure();
}

namespace {
/// A file, standard output, or an output that is not wanted.
class Output {
public:
  LogicalResult open(StringRef path);
  LogicalResult write(function_ref<Error(raw_pwrite_stream &)> writer);
  AtomicFile &getFile() { return *file; }
  /// Null unless it is a file.
  AtomicFile *findFile() { return file ? &*file : nullptr; }

private:
  std::optional<AtomicFile> file;
};
} // namespace

LogicalResult Output::open(StringRef path) {
  if (path.empty() || path == "-")
    return success();
  Expected<AtomicFile> opened = AtomicFile::create(path);
  if (!opened)
    return check(opened.takeError());
  file.emplace(std::move(*opened));
  return success();
}

LogicalResult Output::write(function_ref<Error(raw_pwrite_stream &)> writer) {
  if (file)
    return check(file->write(writer));
  SmallString<0> text;
  raw_svector_ostream stream(text);
  if (failed(check(writer(stream))))
    return failure();
  outs() << text;
  return check(flushStandardOutput());
}

static LogicalResult writeArtefact(const CompileRequest &request, Spec &spec,
                                   Output &output) {
  Progress progress("compiling " + request.spec);
  LayerCompiler compiler({request.cpus, request.verifyEach, request.target,
                          request.gpus, request.from, request.f32Products,
                          request.sanitizer, request.quick, request.lowering});
  auto contents = makeArtefact(compiler, spec, request.artefact);
  if (failed(contents))
    return failure();
  if (request.artefact.isLibrary)
    return check(linkSharedLibrary(MemoryBufferRef(*contents, "object"),
                                   output.getFile().getTemporaryPath()));
  return output.write([&](raw_pwrite_stream &out) {
    out << *contents;
    return Error::success();
  });
}

static LogicalResult writeHeader(const CompileRequest &request,
                                 const Spec &spec, Output &output) {
  StringRef name = request.header == "-" ? StringRef("layer.h")
                                         : sys::path::filename(request.header);
  return output.write([&](raw_pwrite_stream &out) {
    emitCHeader(out, spec.getSignatures(), name,
                sys::path::filename(request.spec));
    return Error::success();
  });
}

/// An output would take the place of the spec.
static Error keepSpec(const CompileRequest &request) {
  for (const std::string &file : {request.output, request.header})
    if (sys::fs::exists(file) && sys::fs::equivalent(file, request.spec))
      return createStringError(
          std::errc::invalid_argument,
          "%s: is the spec, which would be overwritten; give another name",
          file.c_str());
  return Error::success();
}

static LogicalResult compile(const CompileRequest &request) {
  PrettyStackTraceFormat trace("compiling %s", request.spec.c_str());
  if (failed(check(keepSpec(request))))
    return failure();
  Spec::Options options = {request.entries, request.remarks,
                           /*isLowered=*/!request.from.empty()};
  options.prunedHeads = request.prunedHeads;
  if (request.gradients)
    options.gradients = ArrayRef(*request.gradients);
  std::unique_ptr<Spec> spec = Spec::read(request.spec, options);
  // Outputs that cannot be written are found before the work is done.
  Output artefact, header;
  if (!spec || failed(artefact.open(request.output)) ||
      failed(header.open(request.header)))
    return failure();
  // The artefact may be the lowered spec itself, so that the header is first.
  if (!request.header.empty() && failed(writeHeader(request, *spec, header)))
    return failure();
  if (!request.output.empty() &&
      failed(writeArtefact(request, *spec, artefact)))
    return failure();
  SmallVector<AtomicFile *> files;
  for (Output *output : {&artefact, &header})
    if (AtomicFile *file = output->findFile())
      files.push_back(file);
  return check(AtomicFile::commitAll(files));
}

int clique::compileMain(int argc, char **argv) {
  occupyStandardStreams();
  reportCrashes("clique-compile");
  Expected<CompileRequest> request = parseCompileCommandLine(argc, argv);
  if (!request)
    return failed(check(request.takeError()));
  if (request->printStages) {
    outs() << describeStages(request->target);
    return failed(check(flushStandardOutput()));
  }
  return failed(compile(*request));
}
