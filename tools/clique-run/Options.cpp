//===- Options.cpp - The command line of clique-run -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options, their help, and the numbers in them.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Options.h"
#include "tools/clique-run/Numbers.h"
#include "tools/support/Level.h"
#include "tools/support/Version.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace clique;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {
/// The options, made after those of the LLVM libraries were taken out.
struct Options {
  cl::OptionCategory dataCategory{"Arguments and results"};
  cl::OptionCategory runCategory{"Execution"};
  cl::OptionCategory checkCategory{"Checks and explanations"};

  cl::opt<std::string> layer{cl::Positional, cl::Required,
                             cl::desc("SPEC.mlir|LAYER.so"),
                             cl::cat(dataCategory)};
  cl::opt<std::string> entry{
      "entry", cl::value_desc("NAME"), cl::cat(dataCategory),
      cl::desc("The layer to run, where the file has several")};
  cl::list<std::string> graph{
      "graph", cl::value_desc("[ARG=]GRAPH"), cl::cat(dataCategory),
      cl::desc("A file (Matrix Market, plain or gzip, or a SciPy\n"
               "CSR matrix in .npz), or one of\n"
               "  complete:N  complete_no_self:N  causal:N\n"
               "  bipartite:NxM (destinations x sources)\n"
               "  window:N,W (half width W)\n"
               "  cliques:A,B,C...  causal_cliques:A,B,C... (sizes)\n"
               "  blocks:N,SIZE,EVERY (of blocks of SIZE nodes each\n"
               "    receives from every EVERY-th)\n"
               "ARG= where the layer takes several graphs")};
  cl::list<std::string> input{
      "input", cl::value_desc("ARG=FILE.npy"), cl::cat(dataCategory),
      cl::desc("The value of an argument; ARG=NUMBER for a scalar.\n"
               "A tensor that is not given is random, and the same\n"
               "on every machine")};
  cl::list<std::string> weights{
      "weights", cl::value_desc("FILE.safetensors"), cl::cat(dataCategory),
      cl::desc("Arrays for the arguments of their names (mp.name in\n"
               "the spec) that --input does not give; mp.stored on an\n"
               "argument says how its array is stored. May be repeated")};
  cl::list<std::string> output{
      "output", cl::value_desc("[RESULT=]FILE.npy"), cl::cat(dataCategory),
      cl::desc("Where to write a result, after all went well")};
  cl::opt<std::string> seed{"seed", cl::init("0"), cl::value_desc("S"),
                            cl::cat(dataCategory),
                            cl::desc("Seed of the random inputs (default 0)")};

  cl::list<std::string> pruneHeads{
      "prune-heads", cl::CommaSeparated, cl::value_desc("HEADS"),
      cl::cat(runCategory),
      cl::desc("Run a spec without these heads of attention, as\n"
               "clique-compile --prune-heads compiles it")};
  cl::opt<std::string> repeat{
      "repeat", cl::value_desc("N"), cl::cat(runCategory),
      cl::desc("Run N times and print the median time; with N > 1\n"
               "one more run comes first and does not count. Not\n"
               "given: up to 10 times within 0.05 s, or once, if the\n"
               "first run took a second or is emulated")};
  cl::list<std::string> gradients{
      "gradients",
      cl::CommaSeparated,
      cl::ValueOptional,
      cl::value_desc("ARG,ARG"),
      cl::cat(runCategory),
      cl::desc("Run the forward and the backward function of a spec,\n"
               "for random cotangents of its results; the outputs are\n"
               "the cotangents of these arguments (default: all of\n"
               "floats). With --verify also against differences")};
  cl::opt<bool> secondOrder{
      "second-order", cl::cat(runCategory),
      cl::desc("With --gradients: those of NAME_gradient, which makes\n"
               "the gradient from the arguments and cotangents of the\n"
               "results, so that second derivatives are run and\n"
               "verified")};
  cl::opt<std::string> threads{
      "threads", cl::init("0"), cl::value_desc("N"), cl::cat(runCategory),
      cl::desc("Threads to use (default: all cores); the result\n"
               "does not depend on it")};
  cl::opt<bool> emulate{
      "emulate", cl::cat(runCategory),
      cl::desc("Run a layer for GPUs on the processor, slowly, and\n"
               "check what its kernels do")};
  cl::opt<std::string> lowering{
      "lowering", cl::init("auto"),
      cl::value_desc("auto|dense|sparse|measured"), cl::cat(runCategory),
      cl::desc("Version of each kernel: what the cost model\n"
               "chooses (default), dense tiles (for graphs without\n"
               "parallel edges), sparse rows (for any), or what is\n"
               "faster in the first calls on the graph")};
  cl::opt<std::string> reorder{
      "reorder", cl::init("given"), cl::value_desc("given|degree|rcm|auto"),
      cl::cat(runCategory),
      cl::desc("Order in which the layer gets the nodes of a sparse\n"
               "graph: as given (default), highest out-degree first,\n"
               "reverse Cuthill-McKee, or what promises to be fastest.\n"
               "Inputs and outputs stay in the given order")};

  cl::opt<std::string> target{
      "target", cl::init("cpu"), cl::value_desc("cpu|cuda"),
      cl::cat(runCategory),
      cl::desc("Where a spec runs: cpu (default), or cuda: on an\n"
               "NVIDIA GPU, which --emulate stands for. A library\n"
               "runs where it was made for")};
  cl::opt<std::string> gpuArch{
      "gpu-arch", cl::value_desc("NAMES"), cl::cat(runCategory),
      cl::desc("With --target=cuda: the GPUs to compile for, as for\n"
               "clique-compile (default: that of this machine)")};

  cl::opt<std::string> f32Products{
      "f32-products", cl::init("exact"), cl::value_desc("exact|tf32"),
      cl::cat(runCategory),
      cl::desc("With --target=cuda: how matrices of f32 are multiplied:\n"
               "exact (default), or tf32: on tensor cores, which read\n"
               "10 of the 23 bits of a fraction")};

  cl::opt<Level> level{cl::init(Level::full), cl::cat(runCategory),
                       cl::desc("How a spec is compiled:"), makeLevels()};
  cl::opt<bool> noCache{
      "no-cache", cl::cat(runCategory),
      cl::desc("Compile a spec even if its code is in the cache: in\n"
               "CLIQUE_CACHE_DIR, or clique in the user's folder of\n"
               "caches; up to CLIQUE_CACHE_MIB (512)")};

  cl::opt<std::string> verify{
      "verify", cl::ValueOptional, cl::value_desc("TOLERANCE"),
      cl::cat(checkCategory),
      cl::desc("Compare with the reference interpreter, which\n"
               "evaluates the spec edge by edge in double precision.\n"
               "TOLERANCE is relative to the largest value; default:\n"
               "f32 1e-5 (with tf32 1e-2), f64 1e-12, f16 2e-3,\n"
               "bf16 2e-2, and in each row half of these digits; or\n"
               "8 times what rounding alone does to the result.\n"
               "Integers are compared exactly, and so are the results\n"
               "with one thread and with two")};
  cl::opt<std::string> spec{"spec", cl::value_desc("SPEC.mlir"),
                            cl::cat(checkCategory),
                            cl::desc("The spec of LAYER.so, for --verify,\n"
                                     "--save-case, and what mp.stored says of\n"
                                     "--weights")};
  cl::opt<std::string> saveCase{
      "save-case", cl::value_desc("FOLDER"), cl::cat(checkCategory),
      cl::desc("Do not run the layer: write its inputs and what the\n"
               "reference interpreter makes of them, for a test on\n"
               "another machine: ARG.npy, RESULT.expected.npy")};
  cl::opt<bool> explain{
      "explain", cl::cat(checkCategory),
      cl::desc("Print why each kernel ran as it did, and the memory\n"
               "it took")};
};
} // namespace

static constexpr StringLiteral kOverview =
    R"(Runs a layer: a spec, compiled on the spot, or a library of clique-compile.

  Prints for each graph what was found in it, the shape of each result and the
  time. Names, shapes and types are checked before anything runs.
)";

static constexpr StringLiteral kExamples = R"(
EXAMPLES:
  One spec on a sparse graph and on a complete one, compared with the reference:
    clique-run attention.mlir --graph=karate.mtx --verify --explain
    clique-run attention.mlir --graph=complete:1024 --verify --explain

  With data:
    clique-run gat.mlir --graph=g.npz --input=h=h.npy --output=out.npy

  The gradient, compared with the reference and with differences:
    clique-run gat.mlir --graph=karate.mtx --gradients --verify
    clique-run gat.mlir --graph=karate.mtx --gradients=w,a --output=grad_w=w.npy

  A compiled library, timed:
    clique-run gat.so --graph=g.npz --repeat=20 --threads=4
    clique-run gat.so --spec=gat.mlir --graph=g.npz --verify

EXIT STATUS:
  0 if all went well, 1 on an error or if --verify finds too large a difference.
  Then no output is written.
)";

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Error parseCounts(const Options &options, RunRequest &request) {
  if (options.repeat.getNumOccurrences()) {
    std::optional<int64_t> repeat = parseInteger(options.repeat);
    if (!repeat || *repeat < 1 || *repeat > 1000000)
      return createStringError("--repeat=" + options.repeat +
                               ": expected a number of runs from 1 to 1000000");
    request.repeat = unsigned(*repeat);
  }
  std::optional<int64_t> threads = parseInteger(options.threads);
  if (!threads || *threads < 0 || *threads > 1024)
    return createStringError(
        "--threads=" + options.threads +
        ": expected a number of threads from 1 to 1024, or 0 for "
        "all cores");
  if (StringRef(options.seed).getAsInteger(10, request.seed))
    return createStringError("--seed=" + options.seed +
                             ": expected a whole number from 0 to 2^64 - 1");
  request.threads = unsigned(*threads);
  return Error::success();
}

static Error parseLowering(const Options &options, RunRequest &request) {
  for (auto [name, lowering] :
       {std::pair("auto", CLIQUE_LOWERING_AUTO),
        std::pair("dense", CLIQUE_LOWERING_DENSE),
        std::pair("sparse", CLIQUE_LOWERING_SPARSE),
        std::pair("measured", CLIQUE_LOWERING_MEASURED)})
    if (options.lowering == name) {
      request.lowering = lowering;
      return Error::success();
    }
  return createStringError("--lowering=" + options.lowering +
                           ": expected auto, dense, sparse or measured");
}

static Error parseOrder(const Options &options, RunRequest &request) {
  for (clique_node_order order : {CLIQUE_ORDER_GIVEN, CLIQUE_ORDER_DEGREE,
                                  CLIQUE_ORDER_RCM, CLIQUE_ORDER_AUTO})
    if (options.reorder == clique_node_order_name(order)) {
      request.order = order;
      return Error::success();
    }
  return createStringError("--reorder=" + options.reorder +
                           ": expected given, degree, rcm or auto");
}

static Error parseTarget(const Options &options, RunRequest &request) {
  if (options.target != "cpu" && options.target != "cuda")
    return createStringError("--target=" + options.target +
                             ": expected cpu or cuda");
  std::optional<F32Products> products = parseF32Products(options.f32Products);
  if (!products)
    return createStringError("--f32-products=" + options.f32Products +
                             ": expected exact or tf32");
  request.f32Products = *products;
  if (options.target == "cpu" && !options.emulate) {
    if (options.f32Products.getNumOccurrences())
      return createStringError("--f32-products=" + options.f32Products +
                               ": is for kernels of GPUs; add --target=cuda");
    if (options.gpuArch.empty())
      return Error::success();
    return createStringError("--gpu-arch=" + options.gpuArch +
                             ": is for kernels of GPUs; add --target=cuda");
  }
  if (options.target == "cpu" && options.target.getNumOccurrences())
    return createStringError("--emulate: runs a layer for GPUs; leave "
                             "--target=cpu out");
  request.target = TargetDevice::cuda;
  // Without a name it is that of this machine.
  if (options.gpuArch.empty())
    return Error::success();
  Expected<SmallVector<TargetGpu>> gpus = selectTargetGpus(options.gpuArch);
  if (!gpus)
    return gpus.takeError();
  request.gpus = std::move(*gpus);
  return Error::success();
}

static Error parseVerify(const Options &options, RunRequest &request) {
  request.caseFolder = options.saveCase;
  if (!request.caseFolder.empty() && !options.output.empty())
    return createStringError("--save-case=" + options.saveCase +
                             ": the layer is not run, so there is nothing for "
                             "--output; leave one of them out");
  if (!request.caseFolder.empty() && request.order != CLIQUE_ORDER_GIVEN)
    return createStringError("--save-case=" + options.saveCase +
                             ": the layer is not run, in no order of nodes; "
                             "leave --reorder out");
  if (!request.caseFolder.empty() &&
      (options.explain || options.repeat.getNumOccurrences()))
    return createStringError("--save-case=" + options.saveCase +
                             ": the layer is not run, so there is nothing to "
                             "explain or to time; leave --explain and --repeat "
                             "out");
  request.verify = options.verify.getNumOccurrences() > 0;
  if (!request.caseFolder.empty() && request.verify)
    return createStringError("--save-case=" + options.saveCase +
                             ": the layer is not run, so there is nothing to "
                             "verify; leave --verify out");
  if (options.verify.empty())
    return Error::success();
  request.tolerance = parseNumber(options.verify);
  if (!request.tolerance || !(*request.tolerance >= 0))
    return createStringError("--verify=" + options.verify +
                             ": expected a tolerance such as 1e-5");
  return Error::success();
}

static Error parseGradients(const Options &options, RunRequest &request) {
  if (!options.gradients.getNumOccurrences())
    return options.secondOrder
               ? createStringError(
                     "--second-order says which gradients are meant; add "
                     "--gradients")
               : Error::success();
  request.secondOrder = options.secondOrder;
  std::vector<std::string> &names = request.gradients.emplace();
  for (const std::string &name : options.gradients)
    if (!name.empty())
      names.push_back(name);
  for (auto [isGiven, option] :
       {std::pair(!request.spec.empty(), "--spec"),
        std::pair(!request.caseFolder.empty(), "--save-case"),
        std::pair(request.order != CLIQUE_ORDER_GIVEN, "--reorder")})
    if (isGiven)
      return createStringError("--gradients does not go together with %s; "
                               "leave one of them out",
                               option);
  return Error::success();
}

Expected<RunRequest> clique::parseRunCommandLine(int argc, char **argv) {
  // The libraries bring hundreds of options, one of them called like ours.
  cl::ResetCommandLineParser();
  // They stay registered: the linker goes through all that are.
  static Options options;
  cl::extrahelp help(kExamples);
  cl::HideUnrelatedOptions(
      {&options.dataCategory, &options.runCategory, &options.checkCategory});
  cl::SetVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(argc, argv, kOverview);

  RunRequest request;
  request.layer = options.layer;
  request.prunedHeads.assign(options.pruneHeads.begin(),
                             options.pruneHeads.end());
  request.entry = options.entry;
  request.spec = options.spec;
  request.graphs.assign(options.graph.begin(), options.graph.end());
  request.inputs.assign(options.input.begin(), options.input.end());
  request.weights.assign(options.weights.begin(), options.weights.end());
  request.outputs.assign(options.output.begin(), options.output.end());
  request.explain = options.explain;
  request.emulate = options.emulate;
  request.quick = options.level == Level::quick;
  request.useCache = !options.noCache;
  if (Error error = parseCounts(options, request))
    return std::move(error);
  if (Error error = parseLowering(options, request))
    return std::move(error);
  if (Error error = parseOrder(options, request))
    return std::move(error);
  if (Error error = parseTarget(options, request))
    return std::move(error);
  if (Error error = parseVerify(options, request))
    return std::move(error);
  if (Error error = parseGradients(options, request))
    return std::move(error);
  return request;
}
