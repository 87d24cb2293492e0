//===- Progress.h - What takes long says so ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For work of more than two seconds, on a terminal.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_SUPPORT_PROGRESS_H
#define CLIQUE_TOOLS_SUPPORT_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace clique {

/// While it lives: after two seconds a line "compiling ... 3 s" on standard
/// error, where that is a terminal; gone when it ends.
class Progress {
public:
  explicit Progress(std::string activity);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

private:
  void report();

  std::string activity;
  bool isDone = false;
  std::mutex mutex;
  std::condition_variable done;
  std::thread reporter;
};

} // namespace clique
#endif // CLIQUE_TOOLS_SUPPORT_PROGRESS_H
