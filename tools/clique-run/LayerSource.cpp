//===- LayerSource.cpp - The layer that is run ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens a spec or a library and finds one layer in it.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/LayerSource.h"
#include "compiler/Target/LayerCompiler.h"
#include "tools/clique-run/Graphs.h"
#include "tools/clique-run/ReportedError.h"
#include "tools/support/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace clique;

mlir::func::FuncOp LayerSource::getFunction() const {
  return spec ? spec->getModule().lookupSymbol<mlir::func::FuncOp>(
                    signature.name)
              : nullptr;
}

/// Finds a layer by name, or the only one.
static Expected<unsigned> choose(ArrayRef<std::string> names, StringRef entry,
                                 StringRef path) {
  if (entry.empty() && names.size() == 1)
    return 0;
  for (auto [k, name] : enumerate(names))
    if (name == entry)
      return k;
  std::string valid = join(names, ", ");
  if (entry.empty())
    return createStringError(path +
                             ": has several layers; choose one with "
                             "--entry=NAME: " +
                             valid);
  return createStringError("--entry=" + entry + ": " + path +
                           " has no such layer; there is: " + valid);
}

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

Error LayerSource::openSpec(const std::string &path, const std::string &entry,
                            std::optional<ArrayRef<std::string>> gradients,
                            unsigned derivative) {
  std::vector<std::string> entries;
  if (!entry.empty())
    entries.push_back(entry);
  spec =
      Spec::read(path, {entries, /*remarks=*/false,
                        /*isLowered=*/false, prunedHeads, gradients, derivative,
                        /*keepsDifferentiated=*/true});
  return spec ? Error::success() : make_error<ReportedError>();
}

/// The GPU of this machine.
static Expected<TargetGpu> findGpu() {
  const char *device = clique_cuda_architecture();
  if (!device)
    return makeRuntimeError();
  return selectTargetGpuOf(device);
}

static Expected<SmallString<0>> makeCode(mlir::ModuleOp module,
                                         ArrayRef<LayerSignature> signatures,
                                         LayerCompiler::Options options) {
  LayerCompiler compiler(std::move(options));
  auto lowered = compiler.compile(module, signatures);
  if (failed(lowered))
    return make_error<ReportedError>();
  SmallString<0> object;
  raw_svector_ostream stream(object);
  if (Error error = compiler.emit(**lowered, CodeFormat::object, stream))
    return std::move(error);
  return object;
}

Expected<Jit> LayerSource::compileOrFind(ArrayRef<LayerSignature> signatures,
                                         LayerCompiler::Options options) {
  std::optional<std::string> key;
  if (cache)
    key = CodeCache::getKey(spec->getModule(), signatures, options);
  if (key)
    if (std::unique_ptr<MemoryBuffer> code = cache->find(*key))
      return Jit::create(std::move(code));
  Progress progress("compiling " + path);
  Expected<SmallString<0>> code =
      makeCode(spec->getModule(), signatures, std::move(options));
  if (!code)
    return code.takeError();
  if (key)
    if (Error error = cache->store(*key, *code))
      return std::move(error);
  return Jit::create(MemoryBuffer::getMemBufferCopy(*code, path));
}

Error LayerSource::compile(ArrayRef<LayerSignature> signatures) {
  if (target == TargetDevice::cuda && gpus.empty()) {
    Expected<TargetGpu> gpu = findGpu();
    if (!gpu)
      return gpu.takeError();
    gpus.push_back(*gpu);
  }
  Expected<SmallVector<TargetCpu>> cpus = selectTargetCpus("native", "");
  if (!cpus)
    return cpus.takeError();
  LayerCompiler::Options options;
  options.cpus = std::move(*cpus);
  options.target = target;
  options.gpus = gpus;
  options.f32Products = f32Products;
  options.lowering = lowering;
  options.quick = isQuick;
  Expected<Jit> linked = compileOrFind(signatures, std::move(options));
  if (!linked)
    return linked.takeError();
  jit.emplace(std::move(*linked));
  layer = jit->getLayers()[0];
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

static LayerArgument describe(const clique_arg &arg) {
  LayerArgument result;
  result.name = arg.name;
  result.kind = clique_arg_kind(arg.kind);
  result.extent = clique_extent(arg.extent);
  result.graph = arg.graph;
  result.topology = clique_topology(arg.topology);
  result.param = arg.param;
  result.noSelf = arg.no_self;
  result.dtype = arg.dtype;
  result.shape.assign(arg.shape, arg.shape + arg.rank);
  if (result.kind == CLIQUE_ARG_GRAPH && !arg.renumberable)
    result.numberUse = "the library does not say that they may change; with "
                       "--spec=SPEC.mlir it is known why";
  return result;
}

static LayerSignature describe(const clique_layer &layer) {
  LayerSignature signature;
  signature.name = layer.name;
  for (int32_t k = 0; k < layer.num_args; ++k)
    signature.args.push_back(describe(layer.args[k]));
  for (int32_t k = 0; k < layer.num_results; ++k)
    signature.results.push_back(describe(layer.results[k]));
  return signature;
}

/// Whether a library's layer was compiled from this function, or one like it.
static bool isSame(const LayerArgument &a, const LayerArgument &b) {
  return a.name == b.name && a.kind == b.kind && a.extent == b.extent &&
         a.graph == b.graph && a.topology == b.topology && a.param == b.param &&
         a.noSelf == b.noSelf && a.dtype.code == b.dtype.code &&
         a.dtype.bits == b.dtype.bits && a.shape == b.shape;
}

Error LayerSource::openLibrary(const std::string &path,
                               const std::string &entry) {
  clique_library *opened = nullptr;
  const clique_layer *const *layers = nullptr;
  if (clique_library_open(path.c_str(), &opened, &layers) != CLIQUE_OK)
    return makeRuntimeError();
  library.reset(opened);
  std::vector<std::string> names;
  for (auto *next = layers; *next; ++next)
    names.push_back((*next)->name);
  if (names.empty())
    return createStringError(path + ": has no layers; compile a spec with "
                                    "clique-compile");
  Expected<unsigned> index = choose(names, entry, path);
  if (!index)
    return index.takeError();
  layer = layers[*index];
  signature = describe(*layer);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

static bool isLibrary(StringRef path) {
  // The bytes of a pipe come once: they are for the parser.
  file_magic magic;
  return sys::fs::is_regular_file(path) && !identify_magic(path, magic) &&
         magic.is_object();
}

const LayerSignature *LayerSource::findSignature(StringRef name) const {
  return llvm::find_if(
      spec->getSignatures(),
      [&](const LayerSignature &signature) { return signature.name == name; });
}

Expected<LayerSource::Gradient> LayerSource::loadGradient() {
  Gradient gradient;
  gradient.functions = *findGradient(spec->getModule(), signature.name);
  gradient.forward = *findSignature(gradient.functions.forward.getName());
  gradient.backward = *findSignature(gradient.functions.backward.getName());
  // The layer itself is for the reference interpreter.
  for (const LayerSignature &other : spec->getSignatures())
    if (other.name != gradient.forward.name &&
        other.name != gradient.backward.name)
      spec->getModule()
          .lookupSymbol<mlir::func::FuncOp>(other.name)
          .setPrivate();
  if (Error error = compile({gradient.forward, gradient.backward}))
    return std::move(error);
  for (auto *next = jit->getLayers(); *next; ++next) {
    if (gradient.forward.name == (*next)->name)
      gradient.forwardLayer = *next;
    if (gradient.backward.name == (*next)->name)
      gradient.backwardLayer = *next;
  }
  return gradient;
}

Expected<LayerSource> LayerSource::open(const RunRequest &request) {
  LayerSource source;
  source.path = request.layer;
  source.target = request.target;
  source.prunedHeads = request.prunedHeads;
  source.gpus = request.gpus;
  source.f32Products = request.f32Products;
  source.isQuick = request.quick;
  // Rows serve every graph; tiles only some: there the runtime chooses.
  if (request.lowering == CLIQUE_LOWERING_SPARSE)
    source.lowering = LoweringChoice::sparse;
  if (request.useCache) {
    Expected<std::optional<CodeCache>> cache = CodeCache::open();
    if (!cache)
      return cache.takeError();
    source.cache = std::move(*cache);
  }
  if (isLibrary(request.layer)) {
    if (Error error = source.openLibrary(request.layer, request.entry))
      return std::move(error);
    if (request.emulate && source.layer->device_type == kDLCPU)
      return createStringError("--emulate: " + request.layer +
                               " is for the processor; compile it with "
                               "--target=cuda --gpu-arch=emulated");
    if (request.spec.empty() && !request.prunedHeads.empty())
      return createStringError("--prune-heads: " + request.layer +
                               " is compiled; give the option to "
                               "clique-compile, and here with --spec");
    if (request.spec.empty())
      return source;
    if (Error error = source.openSpec(request.spec, source.signature.name))
      return std::move(error);
    const LayerSignature &other = source.spec->getSignatures().front();
    if (!std::equal(other.args.begin(), other.args.end(),
                    source.signature.args.begin(), source.signature.args.end(),
                    isSame) ||
        !std::equal(other.results.begin(), other.results.end(),
                    source.signature.results.begin(),
                    source.signature.results.end(), isSame))
      return createStringError(
          "--spec=" + request.spec + ": function '" + source.signature.name +
          "' has other arguments or results than the layer in " +
          request.layer + "; compile the library again");
    source.signature = other;
    return source;
  }
  if (!request.spec.empty())
    return createStringError("--spec=" + request.spec + ": " + request.layer +
                             " is a spec itself; leave the option out");
  std::optional<ArrayRef<std::string>> gradients;
  if (request.gradients)
    gradients = *request.gradients;
  if (Error error = source.openSpec(request.layer, request.entry, gradients,
                                    request.secondOrder ? 2 : 0))
    return std::move(error);
  // What the layer is called whose gradient is differentiated.
  StringRef suffix = request.secondOrder ? "_gradient" : "";
  std::vector<std::string> names;
  mlir::ModuleOp module = source.spec->getModule();
  for (const LayerSignature &signature : source.spec->getSignatures())
    if (!request.gradients || findGradient(module, signature.name))
      names.push_back(StringRef(signature.name).drop_back(suffix.size()).str());
  Expected<unsigned> index = choose(names, request.entry, request.layer);
  if (!index)
    return index.takeError();
  source.signature = *source.findSignature((names[*index] + suffix).str());
  return source;
}

Expected<const clique_layer *> LayerSource::load() {
  if (!layer)
    if (Error error = compile({signature}))
      return std::move(error);
  return layer;
}
