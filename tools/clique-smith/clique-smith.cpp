//===- clique-smith.cpp - Random specs, run in every way ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts cases, collects what became of them, and prints each kind of failure
// once, as small as it gets.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/CaseCompiler.h"
#include "tools/clique-smith/Coverage.h"
#include "tools/clique-smith/Options.h"
#include "tools/clique-smith/Reducer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

#include <chrono>
#include <map>

using namespace llvm;
using namespace clique::smith;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The inputs of a case as files of the folder; returns their arguments. The
/// time that cases have does not count here.
static std::vector<std::string> writeInputs(const SmithRequest &request,
                                            const Case &test, StringRef name) {
  RunOptions options;
  options.inputsPrefix = (request.folder + "/" + name + ".").str();
  return runIsolated(Limits(),
                     [&](Report &report) { runCase(test, options, report); })
      .runs;
}

/// The command of clique-run that shows a failure. `files`: the arguments whose
/// values are written.
static std::string describeCommand(const Case &test, const Outcome &outcome,
                                   StringRef name,
                                   ArrayRef<std::string> files) {
  const bool isGpu = StringRef(outcome.phase).contains("gpu");
  std::string text;
  if (test.cpu != "native" || test.linksLibrary)
    text = "clique-compile " + name.str() + ".mlir --cpu=" + test.cpu + " -o " +
           name.str() + ".so && ";
  text += "clique-run " + name.str() +
          (text.empty() ? ".mlir" : ".so --spec=" + name.str() + ".mlir");
  // The first of several.
  const StringRef spec = test.spec;
  if (spec.count("func.func @") > 1)
    text +=
        " --entry=" + spec.split("func.func @").second.split('(').first.str();
  if (isGpu)
    text += " --target=cuda --gpu-arch=" + test.gpuArch + " --emulate";
  for (unsigned k = 0; k < test.graphs.size(); ++k) {
    const auto &[argument, plan] = test.graphs[k];
    if (!StringRef(test.spec).contains("!mp.graph"))
      break;
    text += " --graph=" + (test.graphs.size() > 1 ? argument + "=" : "") +
            (plan.description.empty()
                 ? name.str() + (k ? std::to_string(k) : "") + ".mtx"
                 : plan.description);
  }
  for (const std::string &input : test.inputs)
    text += " --input=" + input;
  for (const std::string &argument : files)
    text +=
        (" --input=" + argument + "=" + name + "." + argument + ".npy").str();
  for (StringRef lowering : {"dense", "sparse"})
    if (StringRef(outcome.phase).ends_with(lowering))
      text += (" --lowering=" + lowering).str();
  if (StringRef(outcome.phase).contains("gradient") ||
      outcome.phase == "differentiate")
    text += " --gradients";
  return text + " --verify";
}

static void writeFile(StringRef path, StringRef text) {
  std::error_code code;
  raw_fd_ostream out(path, code);
  out << text;
}

/// Prints a failing case, or writes it to a folder.
static void showCase(const SmithRequest &request, const Case &test,
                     const Outcome &outcome) {
  const std::string name = "case-" + std::to_string(test.seed);
  std::vector<std::string> files;
  if (!request.folder.empty())
    files = writeInputs(request, test, name);
  std::string text =
      "// " + outcome.failure + " in " + outcome.phase + ": " +
      outcome.message + "\n// Seed " + std::to_string(test.seed) + ", for " +
      test.cpu + (test.optimises ? "" : ", quick code") +
      (test.verifiesEach ? ", IR verified after each pass" : "") +
      (test.emulatesGpu ? ", also kernels of GPUs" : "") +
      (test.differentiates ? ", also its gradient" : "") + "\n// " +
      describeCommand(test, outcome, name, files) + "\n" + test.spec;
  if (request.folder.empty())
    outs() << text;
  else
    writeFile(request.folder + "/" + name + ".mlir", text);
  for (unsigned k = 0; k < test.graphs.size(); ++k) {
    const GraphPlan &plan = test.graphs[k].second;
    if (!plan.description.empty())
      continue;
    std::string path = name + (k ? std::to_string(k) : "") + ".mtx";
    if (!request.folder.empty())
      writeFile(request.folder + "/" + path, plan.writeMatrixMarket());
    else if (plan.dst.size() <= 64)
      outs() << "// " << path << ":\n" << plan.writeMatrixMarket();
  }
  outs().flush();
}

namespace {
class Driver {
public:
  explicit Driver(const SmithRequest &request)
      : request(request), workers(request.limits) {}
  int run();

private:
  void startNext();
  void collect();
  void handleFailure(const Case &test, Outcome outcome);
  void printSummary();

  const SmithRequest &request;
  Workers workers;
  Coverage coverage;
  Clock::time_point start = Clock::now();
  uint64_t numStarted = 0, numDone = 0, numFailed = 0;
  std::map<std::string, std::vector<uint64_t>> failures; ///< by kind
  std::map<std::string, double> seconds;                 ///< by phase
  double total = 0;
};
} // namespace

void Driver::startNext() {
  const uint64_t seed = request.seed + numStarted++;
  Case test = generateCase(seed, request.restrictions);
  workers.start(seed,
                [&](Report &report) { runCase(test, request.run, report); });
}

void Driver::handleFailure(const Case &test, Outcome outcome) {
  ++numFailed;
  std::vector<uint64_t> &seeds = failures[outcome.getSignature()];
  seeds.push_back(test.seed);
  if (seeds.size() > 1)
    return;
  outs() << "seed " << test.seed << ": " << outcome.failure << " in "
         << outcome.phase << ": " << outcome.message << "\n";
  Case smallest = test;
  if (request.reduce)
    smallest = reduceCase(test, request.run, request.limits,
                          request.reduceSeconds, outcome);
  showCase(request, smallest, outcome);
}

void Driver::collect() {
  auto [seed, outcome] = workers.wait();
  ++numDone;
  Case test = generateCase(seed, request.restrictions);
  coverage.add(test, outcome);
  total += outcome.processor;
  for (const auto &[phase, time] : outcome.seconds)
    seconds[phase] += time;
  if (request.verbose) {
    outs() << "seed " << seed << format(" %.2f s ", outcome.processor)
           << (outcome.isOk() ? "ok" : outcome.getSignature());
    for (const auto &[phase, time] : outcome.seconds)
      outs() << " " << phase << format("=%.0fms", 1000 * time);
    outs() << "\n";
    outs().flush();
  }
  if (!outcome.isOk())
    handleFailure(test, std::move(outcome));
}

void Driver::printSummary() {
  for (const auto &[kind, seeds] : failures) {
    outs() << seeds.size() << " x " << kind << " (seeds";
    for (unsigned k = 0; k < seeds.size() && k < 8; ++k)
      outs() << " " << seeds[k];
    outs() << (seeds.size() > 8 ? " ..." : "") << ")\n";
  }
  if (request.coverage) {
    coverage.print(outs());
    for (const auto &[phase, time] : seconds)
      outs() << format("%-24s %8.1f s\n", phase.c_str(), time);
  }
  outs() << numDone << " cases from seed " << request.seed << ", " << numFailed
         << " failed, " << failures.size()
         << format(" kinds; %.0f s, %.2f s of a processor for each\n",
                   secondsSince(start), numDone ? total / double(numDone) : 0);
}

int Driver::run() {
  auto isOver = [&] {
    return numStarted >= request.cases ||
           (request.seconds > 0 && secondsSince(start) > request.seconds);
  };
  while (true) {
    while (workers.getNumRunning() < request.jobs && !isOver())
      startNext();
    if (workers.getNumRunning() == 0)
      break;
    collect();
  }
  printSummary();
  return numFailed ? 1 : 0;
}

int main(int argc, char **argv) {
  Expected<SmithRequest> request = parseCommandLine(argc, argv);
  if (!request) {
    errs() << "clique-smith: error: " << toString(request.takeError()) << "\n";
    return 1;
  }
  if (request->print) {
    Outcome none;
    none.failure = "not run";
    for (uint64_t k = 0; k < request->cases; ++k)
      showCase(*request, generateCase(request->seed + k, request->restrictions),
               none);
    return 0;
  }
  if (!request->folder.empty())
    if (std::error_code code = sys::fs::create_directories(request->folder)) {
      errs() << "clique-smith: error: -o " << request->folder << ": "
             << code.message() << "\n";
      return 1;
    }
  // Threads that wait for more work would count as the case's own time.
  setenv("KMP_BLOCKTIME", "0", /*replace=*/0);
  if (clique_set_num_threads(1) != CLIQUE_OK) {
    errs() << "clique-smith: error: " << clique_last_error() << "\n";
    return 1;
  }
  warmUp();
  return Driver(*request).run();
}
