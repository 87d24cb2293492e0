//===- Isolation.h - A case in a process of its own -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A case may crash, hang or take all memory. It runs in a copy of this process,
// which is warm: forked, without a new program.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_ISOLATION_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_ISOLATION_H

#include "tools/clique-smith/Outcome.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace clique::smith {

/// By which the copy tells what it does.
class Report {
public:
  explicit Report(int file) : file(file) {}
  void enterPhase(const std::string &name);
  void addRun(const std::string &name);
  void fail(const std::string &failure, const std::string &message);

private:
  void write(char kind, const std::string &text);
  int file;
};

struct Limits {
  double seconds = 60; ///< of processors; ten times as many without any
  uint64_t bytes = uint64_t(8) << 30;
};

/// Up to so many processes at a time.
class Workers {
public:
  explicit Workers(Limits limits) : limits(limits) {}
  /// Ends what still runs.
  ~Workers();

  void start(uint64_t id, const std::function<void(Report &)> &body);
  unsigned getNumRunning() const { return unsigned(running.size()); }
  /// Waits until one has ended.
  std::pair<uint64_t, Outcome> wait();

private:
  struct Worker {
    uint64_t id;
    int pid;
    int process; ///< readable when it has ended
    int report, log;
    /// When it last had more of a processor, and how many seconds in all.
    std::chrono::steady_clock::time_point lastSeen;
    double processor = 0;
  };
  bool isStuck(Worker &worker) const;
  Outcome finish(const Worker &worker, int status, bool isLate,
                 double processor);

  Limits limits;
  std::vector<Worker> running;
};

/// One case by itself.
Outcome runIsolated(const Limits &limits,
                    const std::function<void(Report &)> &body);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_ISOLATION_H
