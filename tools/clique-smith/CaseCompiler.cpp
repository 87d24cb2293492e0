//===- CaseCompiler.cpp - Compiles cases ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/CaseCompiler.h"
#include "compiler/Target/SharedLibrary.h"
#include "tools/clique-run/Verification.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace llvm;
using namespace clique;
using namespace clique::smith;

static Error load(const Case &test, Compiled &compiled, StringRef object) {
  if (!test.linksLibrary) {
    Expected<Jit> jit = Jit::create(MemoryBuffer::getMemBufferCopy(object, ""));
    if (!jit)
      return jit.takeError();
    compiled.jit.emplace(std::move(*jit));
    compiled.layer = compiled.jit->getLayers()[0];
    return Error::success();
  }
  SmallString<64> path;
  sys::fs::createUniquePath("/tmp/clique-smith-%%%%%%%%.so", path, false);
  const FileRemover remover(path);
  if (Error error = linkSharedLibrary(MemoryBufferRef(object, "object"), path))
    return error;
  const clique_layer *const *layers = nullptr;
  clique_status status =
      clique_library_open(path.c_str(), &compiled.library, &layers);
  if (status != CLIQUE_OK)
    return makeRuntimeError();
  compiled.layer = layers[0];
  return Error::success();
}

Expected<Compiled> clique::smith::compileCase(const Case &test, Spec &spec,
                                              TargetDevice target,
                                              StringRef cpu,
                                              LoweringChoice lowering,
                                              Report &report) {
  Expected<SmallVector<TargetCpu>> cpus = selectTargetCpus(cpu, "");
  if (!cpus)
    return cpus.takeError();
  SmallVector<TargetGpu> gpus;
  if (target == TargetDevice::cuda) {
    Expected<SmallVector<TargetGpu>> selected = selectTargetGpus(test.gpuArch);
    if (!selected)
      return selected.takeError();
    gpus = std::move(*selected);
  }
  LayerCompiler::Options settings;
  settings.cpus = std::move(*cpus);
  settings.verifyEach = test.verifiesEach;
  settings.target = target;
  settings.gpus = std::move(gpus);
  settings.quick = !test.optimises;
  settings.lowering = lowering;
  LayerCompiler compiler(std::move(settings));
  auto module = compiler.compile(spec.getModule(), spec.getSignatures());
  if (failed(module))
    return createStringError("");
  report.enterPhase("emit " + cpu.str() +
                    (target == TargetDevice::cuda ? " gpu" : ""));
  SmallString<0> object;
  raw_svector_ostream stream(object);
  if (Error error = compiler.emit(**module, CodeFormat::object, stream))
    return std::move(error);
  report.enterPhase("load " + cpu.str());
  Compiled compiled;
  if (Error error = load(test, compiled, object))
    return std::move(error);
  return compiled;
}

void clique::smith::warmUp() {
  // Dialects, code generators: what the first use builds is never built again.
  Case test;
  test.spec =
      "func.func @f(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
      "  %m = mp.message %g src(%x = %h : tensor<?x4xf32>)\n"
      "      -> !mp.edges<4xf32> {\n"
      "    %y = math.tanh %x : tensor<4xf32>\n"
      "    mp.yield %y : tensor<4xf32>\n"
      "  }\n"
      "  %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> "
      "tensor<?x4xf32>\n"
      "  return %s : tensor<?x4xf32>\n}\n";
  auto spec = Spec::fromText(MemoryBuffer::getMemBufferCopy(test.spec, "warm"),
                             "warm", {});
  spec->getContext().disableMultithreading();
  Expected<SmallVector<TargetCpu>> cpus = selectTargetCpus("native", "");
  if (!cpus)
    return consumeError(cpus.takeError());
  LayerCompiler::Options settings;
  settings.cpus = std::move(*cpus);
  LayerCompiler compiler(std::move(settings));
  auto module = compiler.compile(spec->getModule(), spec->getSignatures());
  SmallString<0> object;
  raw_svector_ostream stream(object);
  if (succeeded(module))
    consumeError(compiler.emit(**module, CodeFormat::object, stream));
}
