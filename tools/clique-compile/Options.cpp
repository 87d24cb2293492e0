//===- Options.cpp - The command line of clique-compile -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options, their help, and what they must not say together.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-compile/Options.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/AtomicFile.h"
#include "compiler/Target/LayerCompiler.h"
#include "tools/clique-compile/Help.h"
#include "tools/support/Level.h"
#include "tools/support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clique;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {
/// The options, made after those of the LLVM libraries were taken out.
struct Options {
  cl::OptionCategory outputCategory{"Artefacts"};
  cl::OptionCategory targetCategory{"Processors and GPUs"};
  cl::OptionCategory insightCategory{"Insight"};

  cl::opt<std::string> spec{cl::Positional, cl::desc("SPEC.mlir"),
                            cl::cat(outputCategory)};
  cl::opt<std::string> output{
      "o", cl::value_desc("FILE"), cl::cat(outputCategory),
      cl::desc("The artefact; its ending says what it is: .so .o .s\n"
               ".ll .bc .ptx .cubin, or .mlir for the LLVM dialect.\n"
               "'-' is standard output, for what is text")};
  cl::opt<std::string> emit{
      "emit", cl::value_desc("KIND"), cl::cat(outputCategory),
      cl::desc("What to write, whatever the ending: so, obj, asm,\n"
               "llvm, bitcode, the IR after a stage (see below), or\n"
               "of the kernels for one GPU: ptx, cubin")};
  cl::opt<std::string> header{
      "header", cl::value_desc("FILE.h"), cl::cat(outputCategory),
      cl::desc("Also write a C header: shapes, errors, a typed\n"
               "function for each layer, a check of the version")};
  cl::list<std::string> entry{
      "entry", cl::CommaSeparated, cl::value_desc("NAME"),
      cl::cat(outputCategory),
      cl::desc("Compile these public functions only (a comma\n"
               "between two)")};
  cl::list<std::string> gradients{
      "gradients",
      cl::CommaSeparated,
      cl::ValueOptional,
      cl::value_desc("ARG,ARG"),
      cl::cat(outputCategory),
      cl::desc("Add to each layer NAME its gradient: NAME_forward\n"
               "and NAME_backward, by these arguments (default: all\n"
               "of floats)")};
  cl::list<std::string> pruneHeads{
      "prune-heads", cl::CommaSeparated, cl::value_desc("HEADS"),
      cl::cat(outputCategory),
      cl::desc("Remove these heads of attention (a comma between\n"
               "two): HEAD of every softmax with heads, SOFTMAX:HEAD\n"
               "of one. Their results are 0, and cost nothing")};
  cl::opt<std::string> target{
      "target", cl::init("cpu"), cl::value_desc("cpu|cuda"),
      cl::cat(targetCategory),
      cl::desc("cpu (default), or cuda: kernels for NVIDIA GPUs,\n"
               "started by code for the processor")};
  cl::opt<std::string> gpuArch{
      "gpu-arch", cl::init("multi"), cl::value_desc("NAMES"),
      cl::cat(targetCategory),
      cl::desc("With --target=cuda: multi (default), which is\n"
               "sm_80,sm_90a,sm_100a,sm_120, or some of these,\n"
               "sm_86, sm_89, sm_90, sm_100, and emulated, for\n"
               "the driver that runs kernels on the processor (as\n"
               "emulated_90a with the products of sm_90a)")};
  cl::opt<std::string> f32Products{
      "f32-products", cl::init("exact"), cl::value_desc("exact|tf32"),
      cl::cat(targetCategory),
      cl::desc("With --target=cuda: how matrices of f32 are multiplied:\n"
               "exact (default), or tf32: on tensor cores, which read\n"
               "10 of the 23 bits of a fraction")};
  cl::opt<std::string> lowering{
      "lowering", cl::init("auto"), cl::value_desc("auto|dense|sparse"),
      cl::cat(targetCategory),
      cl::desc("Versions of each kernel: as the type of its graph asks\n"
               "(default; where that is open both, chosen at run time),\n"
               "dense tiles only, or sparse rows only")};
  cl::opt<std::string> cpu{
      "cpu", cl::init("native"), cl::value_desc("NAME"),
      cl::cat(targetCategory),
      cl::desc("native (default): this machine\n"
               "multi: variants for x86-64-v4, -v3 and -v2 in one\n"
               "artefact; each call takes the best that runs\n"
               "or a name of LLVM's: generic, x86-64-v3, znver4 ...")};
  cl::opt<std::string> features{
      "features", cl::value_desc("+A,-B"), cl::cat(targetCategory),
      cl::desc("Features to use (+) or avoid (-) beside those of\n"
               "the processor, in LLVM's spelling")};
  cl::opt<Level> level{cl::init(Level::full), cl::cat(targetCategory),
                       cl::desc("Code of the processor:"), makeLevels()};
  cl::opt<bool> remarks{
      "remarks", cl::cat(insightCategory),
      cl::desc("Print what each pass decided, and why, on standard\n"
               "error")};
  cl::opt<bool> printStages{
      "print-stages", cl::cat(insightCategory),
      cl::desc("List the stages that --emit knows, and do nothing\n"
               "else")};
  cl::opt<std::string> from{
      "from", cl::value_desc("STAGE"), cl::cat(insightCategory),
      cl::desc("SPEC.mlir is no spec, but what this stage left,\n"
               "changed by hand perhaps; for --emit of a later\n"
               "stage, ptx or cubin")};
  cl::opt<bool> verifyEach{
      "verify-each", cl::cat(insightCategory),
      cl::desc("Check the IR after each pass; for those who change\n"
               "the compiler")};
  cl::opt<std::string> sanitize{
      "sanitize", cl::value_desc("none|address|thread"),
      cl::cat(insightCategory),
      cl::desc("Check each access to memory as clang's -fsanitize=\n"
               "does, for programs and a runtime built with it")};
};
} // namespace

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

template <typename... Args>
static Error makeError(const char *format, const Args &...args) {
  return createStringError(std::errc::invalid_argument, format, args...);
}

/// Sets what is to be written from the name of a kind; false if there is none.
static bool setKind(CompileRequest &request, StringRef name) {
  std::optional<ArtefactKind> kind = findArtefactKind(name, request.target);
  request.artefact = kind.value_or(ArtefactKind());
  return kind.has_value();
}

static StringRef getKindOfEnding(StringRef ending) {
  for (auto [known, kind] :
       {std::pair(".so", "so"), std::pair(".o", "obj"), std::pair(".s", "asm"),
        std::pair(".ll", "llvm"), std::pair(".bc", "bitcode"),
        std::pair(".ptx", "ptx"), std::pair(".cubin", "cubin")})
    if (ending == known)
      return kind;
  return ending == ".mlir" ? StringRef(kLastStage) : StringRef();
}

static Error chooseKind(const Options &options, CompileRequest &request) {
  if (!options.emit.empty()) {
    if (setKind(request, options.emit))
      return Error::success();
    return makeError("--emit=%s: there is no such kind; expected %s",
                     options.emit.c_str(),
                     listArtefactKinds(request.target).c_str());
  }
  if (request.output == "-")
    return makeError("-o -: say with --emit=KIND what to write: asm, llvm or "
                     "the name of a stage");
  StringRef ending = sys::path::extension(request.output);
  if (setKind(request, getKindOfEnding(ending)))
    return Error::success();
  return makeError(
      "-o %s: the ending '%s' says nothing; use .so, .o, .s, .ll, "
      ".bc, .ptx, .cubin or .mlir, or say with --emit=KIND what to write",
      request.output.c_str(), ending.str().c_str());
}

static Error parseTarget(const Options &options, CompileRequest &request) {
  if (options.target != "cpu" && options.target != "cuda")
    return makeError("--target=%s: expected cpu or cuda",
                     options.target.c_str());
  std::optional<F32Products> products = parseF32Products(options.f32Products);
  if (!products)
    return makeError("--f32-products=%s: expected exact or tf32",
                     options.f32Products.c_str());
  request.f32Products = *products;
  std::optional<LoweringChoice> lowering =
      parseLoweringChoice(options.lowering);
  if (!lowering)
    return makeError("--lowering=%s: expected auto, dense or sparse",
                     options.lowering.c_str());
  request.lowering = *lowering;
  if (options.target == "cuda") {
    request.target = TargetDevice::cuda;
    return Error::success();
  }
  if (options.f32Products.getNumOccurrences())
    return makeError("--f32-products=%s: is for kernels of GPUs; add "
                     "--target=cuda",
                     options.f32Products.c_str());
  if (options.gpuArch.getNumOccurrences())
    return makeError("--gpu-arch=%s: is for kernels of GPUs; add --target=cuda",
                     options.gpuArch.c_str());
  return Error::success();
}

static Error chooseSanitizer(const Options &options, CompileRequest &request) {
  if (options.sanitize.empty())
    return Error::success();
  std::optional<Sanitizer> sanitizer = parseSanitizer(options.sanitize);
  if (!sanitizer)
    return makeError("--sanitize=%s: expected none, address or thread",
                     options.sanitize.c_str());
  request.sanitizer = *sanitizer;
  return Error::success();
}

static Error checkFrom(const Options &options, CompileRequest &request) {
  request.from = options.from;
  if (options.from.empty())
    return Error::success();
  if (!request.prunedHeads.empty())
    return makeError("--prune-heads: heads are removed from a spec, not from "
                     "what a stage left; leave out --from");
  ArrayRef<Stage> stages = getStages(request.target);
  auto find = [&](StringRef name) {
    return find_if(stages,
                   [&](const Stage &stage) { return stage.name == name; });
  };
  if (options.from != kParsedStage && find(options.from) == stages.end())
    return makeError("--from=%s: there is no such stage; --print-stages lists "
                     "them",
                     options.from.c_str());
  if (!request.header.empty() ||
      (!request.artefact.kernels && request.artefact.stage.empty()))
    return makeError("--from=%s: only IR, PTX and cubins are made from a "
                     "stage; a library needs the spec",
                     options.from.c_str());
  if (!request.artefact.stage.empty() &&
      find(request.artefact.stage) <= find(options.from))
    return makeError("--from=%s: the stage '%s' comes no later",
                     options.from.c_str(), request.artefact.stage.c_str());
  return Error::success();
}

static Error selectGpus(const Options &options, CompileRequest &request) {
  if (request.target != TargetDevice::cuda) {
    if (request.artefact.kernels)
      return makeError("%s: only GPUs have it; add --target=cuda",
                       options.emit.empty()
                           ? request.output.c_str()
                           : ("--emit=" + options.emit).c_str());
    return Error::success();
  }
  Expected<SmallVector<TargetGpu>> gpus = selectTargetGpus(options.gpuArch);
  if (!gpus)
    return gpus.takeError();
  request.gpus = std::move(*gpus);
  if (request.artefact.kernels &&
      (request.gpus.size() != 1 ||
       (request.artefact.kernels == KernelFormat::ptx &&
        request.gpus.front().isEmulated())))
    return makeError("PTX and cubins are for one GPU each; say which with "
                     "--gpu-arch=sm_90a, for instance");
  return Error::success();
}

static bool isText(const CompileRequest &request) {
  if (!request.artefact.stage.empty())
    return true;
  return request.artefact.format == CodeFormat::assembly ||
         request.artefact.format == CodeFormat::llvmIR ||
         request.artefact.kernels == KernelFormat::ptx;
}

static Error checkOutputs(const Options &options, CompileRequest &request) {
  if (request.output.empty() && !options.emit.empty())
    return makeError("--emit=%s: needs a file to write to; give -o FILE, or "
                     "'-o -' for text on standard output",
                     options.emit.c_str());
  if (request.output.empty() && request.header.empty())
    return makeError("nothing to write; give -o FILE or --header=FILE.h");
  if (!request.header.empty() && request.target == TargetDevice::cuda)
    return makeError("--header=%s: its functions take arrays in the "
                     "processor's memory, and layers for GPUs such in a GPU's; "
                     "leave it out, and call the layer by clique_layer_invoke",
                     request.header.c_str());
  if (request.header == "-" && request.output == "-")
    return makeError(
        "-o and --header: only one of them can be standard output");
  if (!request.header.empty() && !request.output.empty() &&
      resolvePath(request.header) == resolvePath(request.output))
    return makeError("-o and --header: both are %s; give them two names",
                     request.output.c_str());
  if (request.output.empty())
    return Error::success();
  if (Error error = chooseKind(options, request))
    return error;
  if (request.output == "-" && !isText(request))
    return makeError("-o -: only text goes to standard output; give a file "
                     "name, or --emit=asm, llvm or a stage");
  return Error::success();
}

Expected<CompileRequest> clique::parseCompileCommandLine(int argc,
                                                         char **argv) {
  // The libraries bring hundreds of options of their own.
  cl::ResetCommandLineParser();
  // They stay registered: the linker goes through all that are.
  static Options options;
  const std::string more = getMoreHelp(); // as long as the help is
  cl::extrahelp help(more);
  cl::HideUnrelatedOptions({&options.outputCategory, &options.targetCategory,
                            &options.insightCategory});
  cl::SetVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(argc, argv, kCompileOverview);

  CompileRequest request;
  request.spec = options.spec;
  request.output = options.output;
  request.header = options.header;
  request.entries.assign(options.entry.begin(), options.entry.end());
  request.prunedHeads.assign(options.pruneHeads.begin(),
                             options.pruneHeads.end());
  if (options.gradients.getNumOccurrences()) {
    std::vector<std::string> &names = request.gradients.emplace();
    for (const std::string &name : options.gradients)
      if (!name.empty())
        names.push_back(name);
  }
  request.remarks = options.remarks;
  request.printStages = options.printStages;
  request.verifyEach = options.verifyEach;
  request.quick = options.level == Level::quick;
  if (Error error = parseTarget(options, request))
    return std::move(error);
  if (request.printStages)
    return request;
  if (request.spec.empty())
    return makeError("no spec given; say clique-compile SPEC.mlir -o FILE, or "
                     "--help");
  if (Error error = checkOutputs(options, request))
    return std::move(error);
  if (Error error = checkFrom(options, request))
    return std::move(error);
  if (Error error = chooseSanitizer(options, request))
    return std::move(error);
  if (Error error = selectGpus(options, request))
    return std::move(error);
  Expected<SmallVector<TargetCpu>> cpus =
      selectTargetCpus(options.cpu, options.features);
  if (!cpus)
    return cpus.takeError();
  request.cpus = std::move(*cpus);
  return request;
}
