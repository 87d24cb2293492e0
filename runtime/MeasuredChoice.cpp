//===- MeasuredChoice.cpp - Rows or tiles by the clock --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/MeasuredChoice.h"
#include "runtime/CostModel.h"

#include <algorithm>
#include <limits>

using namespace clique;

/// How often each version runs: the first time it may count tiles, or ask for
/// memory. One that takes so many times as long is not run that often.
constexpr int kRuns = 4, kFewRuns = 2;
constexpr double kMuchSlower = 1.5;

bool MeasuredChoice::isDecided() const {
  const int few = std::min(runs[0], runs[1]);
  return few >= kRuns ||
         (few >= kFewRuns && std::max(least[0], least[1]) >
                                 kMuchSlower * std::min(least[0], least[1]));
}

bool MeasuredChoice::choose(bool &isTrial) {
  std::lock_guard<std::mutex> lock(mutex);
  isTrial = !isDecided();
  if (!isTrial)
    return least[1] < least[0];
  return runs[0] == runs[1] ? first : runs[1] < runs[0];
}

void MeasuredChoice::add(bool dense, double milliseconds) {
  std::lock_guard<std::mutex> lock(mutex);
  if (isDecided())
    return;
  double &time = least[dense];
  time = runs[dense]++ == 0 ? milliseconds : std::min(time, milliseconds);
}

double MeasuredChoice::getLeast(bool dense) {
  std::lock_guard<std::mutex> lock(mutex);
  return runs[dense] > 0 ? least[dense]
                         : std::numeric_limits<double>::infinity();
}

std::shared_ptr<MeasuredChoice> MeasuredChoices::get(const char *kernel,
                                                     const KernelCost &cost,
                                                     int numThreads,
                                                     bool expected) {
  // Layers of other modules may have kernels of that name.
  const Key key(kernel,
                {cost.edge, cost.farEdge, cost.sourceBytes, cost.row, cost.pair,
                 cost.maskedPair, cost.tileEdge, cost.tileRows,
                 cost.registerBlock, cost.evenSaving, numThreads});
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<MeasuredChoice> &found = choices[key];
  if (!found)
    found = std::make_shared<MeasuredChoice>(expected);
  return found;
}

void KernelClock::start(std::shared_ptr<MeasuredChoice> choice, bool dense) {
  running = std::move(choice);
  isDense = dense;
  begin = std::chrono::steady_clock::now();
}

void KernelClock::stop() {
  if (!running)
    return;
  const std::chrono::duration<double, std::milli> taken =
      std::chrono::steady_clock::now() - begin;
  running->add(isDense, taken.count());
  running.reset();
}
