//===- Options.cpp - The command line of clique-smith ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Options.h"
#include "tools/support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace clique;
using namespace clique::smith;

static constexpr StringLiteral kOverview =
    "Generates random specs and graphs, runs them in every way, and compares "
    "with the\nreference interpreter\n\n"
    "A case is a spec, its graphs and its inputs; its seed says all of them. "
    "The lowerings\nauto, dense and sparse must agree with the reference, and "
    "one and two threads with\neach other bit for bit. Every case runs in a "
    "process of its own. A failing one is\nreduced and printed with the "
    "command that shows it.";

static constexpr StringLiteral kExamples =
    "\nEXAMPLES:\n"
    "  clique-smith --cases=1000 --jobs=2        seeds 0 to 999\n"
    "  clique-smith --seed=123456 --time=3600    from a seed on, for an hour\n"
    "  clique-smith --seed=42 --cases=1          one case again\n"
    "  clique-smith --seed=42 --print            only show it\n"
    "  clique-smith --graph=causal --element=bf16 --lowering=dense\n"
    "  clique-smith --target=cuda                kernels of GPUs, emulated\n"
    "  clique-smith --cases=500 --coverage       what was generated\n"
    "\nEXIT STATUS:\n"
    "  0 if no case failed, else 1.\n";

namespace {
struct Options {
  cl::OptionCategory caseCategory{"Cases"};
  cl::OptionCategory runCategory{"Execution"};

  cl::opt<uint64_t> seed{"seed", cl::init(0), cl::value_desc("S"),
                         cl::cat(caseCategory),
                         cl::desc("Seed of the first case (default 0); the\n"
                                  "others follow it")};
  cl::opt<uint64_t> cases{"cases", cl::init(100), cl::value_desc("N"),
                          cl::cat(caseCategory),
                          cl::desc("How many cases (default 100)")};
  cl::opt<double> time{"time", cl::init(0), cl::value_desc("SECONDS"),
                       cl::cat(caseCategory),
                       cl::desc("Cases for so long, however many")};
  cl::opt<std::string> graph{
      "graph", cl::value_desc("TOPOLOGY"), cl::cat(caseCategory),
      cl::desc("Only graphs of this type: unknown, sparse, complete,\n"
               "bipartite, causal, window, cliques, causal_cliques\n"
               "or blocks")};
  cl::opt<std::string> element{"element", cl::value_desc("f32|f64|f16|bf16"),
                               cl::cat(caseCategory),
                               cl::desc("What most features consist of")};
  cl::opt<bool> small{
      "small", cl::cat(caseCategory),
      cl::desc("One layer of small shapes, compiled once and mostly\n"
               "as rows alone: in half of the time")};
  cl::opt<bool> print{"print", cl::cat(caseCategory),
                      cl::desc("Print the case of --seed and do not run it")};
  cl::opt<bool> coverage{
      "coverage", cl::cat(caseCategory),
      cl::desc("Print how often each op was generated with which\n"
               "shapes and elements, and what ran")};

  cl::opt<std::string> lowering{"lowering", cl::value_desc("auto|dense|sparse"),
                                cl::cat(runCategory),
                                cl::desc("Run this lowering only")};
  cl::opt<std::string> target{
      "target", cl::init("cpu"), cl::value_desc("cpu|cuda"),
      cl::cat(runCategory),
      cl::desc("cuda: every case as kernels of GPUs, on the emulated\n"
               "driver; else a tenth of them are that, too")};
  cl::opt<bool> gradients{"gradients", cl::cat(runCategory),
                          cl::desc("Differentiate every case; else one of\n"
                                   "twenty")};
  cl::opt<bool> rare{"rare", cl::cat(caseCategory),
                     cl::desc("Every case has a form that is rare: sums of\n"
                              "linalg, poles, scores of -inf, chains of\n"
                              "messages; else three of ten")};
  cl::opt<unsigned> jobs{"jobs", cl::init(1), cl::value_desc("N"),
                         cl::cat(runCategory),
                         cl::desc("Cases at a time (default 1)")};
  cl::opt<double> limit{"limit", cl::init(60), cl::value_desc("SECONDS"),
                        cl::cat(runCategory),
                        cl::desc("A case that takes longer hangs (default "
                                 "60)")};
  cl::opt<bool> noReduce{"no-reduce", cl::cat(runCategory),
                         cl::desc("Print failing cases as they are")};
  cl::opt<std::string> folder{
      "o", cl::value_desc("FOLDER"), cl::cat(runCategory),
      cl::desc("Write failing cases there, one for each kind of\n"
               "failure: NAME.mlir with its command, and its graph")};
  cl::opt<bool> verbose{"verbose", cl::cat(runCategory),
                        cl::desc("A line for each case, with its times")};
};
} // namespace

Expected<SmithRequest> clique::smith::parseCommandLine(int argc, char **argv) {
  cl::ResetCommandLineParser();
  // They stay registered: the linker goes through all that are.
  static Options options;
  cl::extrahelp help(kExamples);
  cl::HideUnrelatedOptions({&options.caseCategory, &options.runCategory});
  cl::SetVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(argc, argv, kOverview);

  auto check = [](StringRef option, StringRef value,
                  ArrayRef<StringRef> valid) -> Error {
    if (value.empty() || is_contained(valid, value))
      return Error::success();
    return createStringError("--" + option + "=" + value + ": expected " +
                             join(valid, ", "));
  };
  if (Error error =
          check("graph", options.graph,
                {"unknown", "sparse", "complete", "bipartite", "causal",
                 "window", "cliques", "causal_cliques", "blocks"}))
    return std::move(error);
  if (Error error =
          check("element", options.element, {"f32", "f64", "f16", "bf16"}))
    return std::move(error);
  if (Error error =
          check("lowering", options.lowering, {"auto", "dense", "sparse"}))
    return std::move(error);
  if (Error error = check("target", options.target, {"cpu", "cuda"}))
    return std::move(error);
  if (options.jobs == 0)
    return createStringError("--jobs=0: expected at least 1");
  if (!(options.time >= 0))
    return createStringError("--time=%g: expected seconds, 0 or more",
                             options.time.getValue());

  SmithRequest request;
  request.seed = options.seed;
  request.cases = options.cases;
  request.seconds = options.time;
  if (request.seconds > 0 && !options.cases.getNumOccurrences())
    request.cases = UINT64_MAX;
  if (options.print && !options.cases.getNumOccurrences())
    request.cases = 1;
  request.jobs = options.jobs;
  request.print = options.print;
  request.reduce = !options.noReduce;
  request.coverage = options.coverage;
  request.verbose = options.verbose;
  request.folder = options.folder;
  request.restrictions.topology = options.graph;
  request.restrictions.element = options.element;
  request.restrictions.isSmall = options.small;
  request.run.lowering = options.lowering;
  request.run.onlyGpu = options.target == "cuda";
  if (options.gradients)
    request.restrictions.gradientShare = 1;
  if (options.rare)
    request.restrictions.rareShare = 1;
  request.limits.seconds = options.limit;
  return request;
}
