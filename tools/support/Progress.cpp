//===- Progress.cpp - What takes long says so -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that waits, and writes over its own line.
//
//===----------------------------------------------------------------------===//
#include "tools/support/Progress.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace clique;

Progress::Progress(std::string activity) : activity(std::move(activity)) {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    reporter = std::thread([this] { report(); });
}

Progress::~Progress() {
  if (!reporter.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
  }
  done.notify_one();
  reporter.join();
}

void Progress::report() {
  std::unique_lock<std::mutex> lock(mutex);
  auto isOver = [this] { return isDone; };
  unsigned seconds = 2;
  if (done.wait_for(lock, std::chrono::seconds(seconds), isOver))
    return;
  do
    llvm::errs() << "\r" << activity << " ... " << seconds++ << " s";
  while (!done.wait_for(lock, std::chrono::seconds(1), isOver));
  llvm::errs() << "\r\033[K";
}
