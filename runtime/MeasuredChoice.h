//===- MeasuredChoice.h - Rows or tiles by the clock ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CLIQUE_LOWERING_MEASURED: a kernel runs as rows and as tiles by turns in its
// first calls on a graph; the faster version stays.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_MEASUREDCHOICE_H
#define CLIQUE_RUNTIME_MEASUREDCHOICE_H

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace clique {

struct KernelCost;

/// What both versions of a kernel took on a graph so far. Any number of threads
/// may run them.
class MeasuredChoice {
public:
  /// `dense`: the version that is expected to be faster, which is first.
  explicit MeasuredChoice(bool dense) : first(dense) {}

  /// The version to run now: the one that has run less often, until both have
  /// often enough; `isTrial` says so.
  bool choose(bool &isTrial);
  /// The version took so many milliseconds.
  void add(bool dense, double milliseconds);
  /// The least that it took; infinite if it has not run.
  double getLeast(bool dense);

private:
  bool isDecided() const;

  std::mutex mutex;
  const bool first;
  /// Of rows and of tiles.
  std::array<int, 2> runs{};
  std::array<double, 2> least;
};

/// Those of a graph, by kernel.
class MeasuredChoices {
public:
  /// `numThreads`: what a version takes depends on them.
  std::shared_ptr<MeasuredChoice> get(const char *kernel,
                                      const KernelCost &cost, int numThreads,
                                      bool expected);

private:
  using Key = std::pair<std::string, std::array<int64_t, 11>>;
  std::mutex mutex;
  std::map<Key, std::shared_ptr<MeasuredChoice>> choices;
};

/// The clock of an invocation: a kernel takes the time to the next kernel's
/// choice, or to the invocation's end. What nodes do in between is the same for
/// both versions.
class KernelClock {
public:
  void start(std::shared_ptr<MeasuredChoice> choice, bool dense);
  /// Of the kernel that runs, if any.
  void stop();

private:
  std::shared_ptr<MeasuredChoice> running;
  bool isDense = false;
  std::chrono::steady_clock::time_point begin;
};

} // namespace clique

#endif // CLIQUE_RUNTIME_MEASUREDCHOICE_H
