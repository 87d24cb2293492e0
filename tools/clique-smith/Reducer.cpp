//===- Reducer.cpp - The smallest case that still fails -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Reducer.h"
#include "compiler/Target/Spec.h"
#include "dialect/IR/MPOps.h"
#include "tools/clique-smith/Edits.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>
#include <fcntl.h>
#include <set>
#include <unistd.h>

using namespace clique;
using namespace clique::smith;

using Clock = std::chrono::steady_clock;

namespace {
class Reducer {
public:
  Reducer(const Case &failing, const RunOptions &options, const Limits &limits,
          double seconds, const Outcome &outcome);
  void run();

  Case best;
  Outcome outcome;

private:
  /// Whether it fails in the same way; then it is the best one.
  bool accept(const Case &candidate);
  bool isLate() const { return left < 0 || Clock::now() > deadline; }

  bool simplifyRun();
  bool reduceGraphs();
  bool reduceEdges(unsigned graph);
  bool applyEdits();
  bool reduceSizes();

  RunOptions options;
  Limits limits;
  double left; ///< seconds of processors
  Clock::time_point deadline;
  std::string signature;
  std::set<std::string> tried;
};
} // namespace

Reducer::Reducer(const Case &failing, const RunOptions &options,
                 const Limits &limits, double seconds, const Outcome &outcome)
    : best(failing), outcome(outcome), options(options), limits(limits),
      left(seconds),
      deadline(Clock::now() + std::chrono::seconds(int(10 * seconds))),
      signature(outcome.getSignature()) {
  // The lowering that fails is enough.
  llvm::StringRef phase = outcome.phase;
  this->options.onlyGpu |= phase.contains("gpu");
  phase.consume_front("gpu ");
  if (phase == "auto" || phase == "dense" || phase == "sparse")
    this->options.lowering = phase.str();
}

bool Reducer::accept(const Case &candidate) {
  if (isLate() ||
      (candidate.spec != best.spec && !tried.insert(candidate.spec).second))
    return false;
  Outcome found = runIsolated(
      limits, [&](Report &report) { runCase(candidate, options, report); });
  left -= found.processor;
  if (found.getSignature() != signature)
    return false;
  best = candidate;
  outcome = found;
  return true;
}

bool Reducer::simplifyRun() {
  bool changed = false;
  auto attempt = [&](auto change) {
    Case candidate = best;
    change(candidate);
    changed |= accept(candidate);
  };
  if (best.linksLibrary)
    attempt([](Case &test) { test.linksLibrary = false; });
  if (best.cpu != "native")
    attempt([](Case &test) { test.cpu = "native"; });
  attempt([](Case &test) { test.gpuArch = "emulated"; });
  if (best.optimises)
    attempt([](Case &test) { test.optimises = false; });
  else
    // The tools have no such code.
    attempt([](Case &test) { test.optimises = true; });
  if (best.verifiesEach)
    attempt([](Case &test) { test.verifiesEach = false; });
  return changed;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

bool Reducer::reduceEdges(unsigned graph) {
  bool changed = false;
  for (size_t part = best.graphs[graph].second.dst.size() / 2; part >= 1;
       part /= 2)
    for (size_t first = 0; first < best.graphs[graph].second.dst.size();) {
      Case candidate = best;
      GraphPlan &plan = candidate.graphs[graph].second;
      const size_t last = std::min(first + part, plan.dst.size());
      plan.dst.erase(plan.dst.begin() + first, plan.dst.begin() + last);
      plan.src.erase(plan.src.begin() + first, plan.src.begin() + last);
      plan.description.clear();
      if (isLate() || plan.dst.empty())
        return changed;
      if (accept(candidate))
        changed = true;
      else
        first = last;
      if (part < plan.dst.size() / 16)
        return changed;
    }
  return changed;
}

bool Reducer::reduceGraphs() {
  bool changed = false;
  for (unsigned k = 0; k < best.graphs.size(); ++k) {
    const GraphPlan &plan = best.graphs[k].second;
    // A graph with a name says more than a list.
    for (const char *description :
         {"complete:1", "complete:3", "complete:8", "complete:37", "causal:8",
          "cliques:3,2", "window:9,1", "bipartite:3x4"}) {
      if (best.graphs[k].second.description == description)
        break;
      Case candidate = best;
      candidate.graphs[k].second.description = description;
      candidate.graphs[k].second.dst.clear();
      candidate.graphs[k].second.src.clear();
      if (accept(candidate)) {
        changed = true;
        break;
      }
    }
    if (plan.description.empty())
      changed |= reduceEdges(k);
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

/// The spec after its edit of this number; empty if it has none, "-" if that
/// one changes nothing.
static std::string applyEdit(const std::string &text, unsigned number,
                             bool keepsMonoids) {
  // What a candidate is refused for is nobody's business.
  const int errors = dup(2), nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, 2);
  close(nothing);
  std::string result;
  if (auto spec = Spec::fromText(
          llvm::MemoryBuffer::getMemBufferCopy(text, "spec.mlir"), "spec.mlir",
          {})) {
    spec->getContext().disableMultithreading();
    const EditResult made = editModule(spec->getModule(), number, keepsMonoids);
    if (made == EditResult::none)
      result = "-";
    else if (made == EditResult::changed)
      result = printModule(spec->getModule());
  }
  dup2(errors, 2);
  close(errors);
  return result;
}

bool Reducer::applyEdits() {
  bool changed = false;
  for (unsigned number = 0; !isLate();) {
    std::string text = applyEdit(best.spec, number, outcome.differs());
    if (text.empty())
      return changed;
    Case candidate = best;
    candidate.spec = text;
    // The next one has this number when this one is done.
    if (text != "-" && text != best.spec && accept(candidate))
      changed = true;
    else
      ++number;
  }
  return changed;
}

bool Reducer::reduceSizes() {
  bool changed = false;
  std::set<int64_t, std::greater<>> sizes = findSizes(best.spec);
  for (int64_t size : sizes)
    for (int64_t smaller : {int64_t(1), int64_t(2), int64_t(3), size / 2}) {
      if (smaller >= size)
        continue;
      Case candidate = best;
      candidate.spec = replaceSize(best.spec, size, smaller);
      if (accept(candidate)) {
        changed = true;
        break;
      }
    }
  return changed;
}

void Reducer::run() {
  // This variant knows how the generator writes.
  if (outcome.phase == "called twice")
    return;
  simplifyRun();
  for (bool changed = true; changed && !isLate();) {
    changed = applyEdits();
    changed |= reduceSizes();
    changed |= reduceGraphs();
  }
}

Case clique::smith::reduceCase(const Case &failing, const RunOptions &options,
                               const Limits &limits, double seconds,
                               Outcome &outcome) {
  Reducer reducer(failing, options, limits, seconds, outcome);
  reducer.run();
  outcome = reducer.outcome;
  return reducer.best;
}
