//===- Log.cpp - What each stream was given -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Log.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

using namespace clique::emulation;

/// Never closed: kernels may run while the process ends.
static std::FILE *logFile() {
  static std::FILE *file = [] {
    const char *path = std::getenv("CLIQUE_EMULATION_LOG");
    return path && *path ? std::fopen(path, "a") : nullptr;
  }();
  return file;
}

bool clique::emulation::isLogging() { return logFile(); }

void clique::emulation::writeLog(clique::cuda::CUstream stream,
                                 const std::string &line) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::fprintf(logFile(), "stream 0x%zx: %s\n",
               reinterpret_cast<size_t>(stream), line.c_str());
  std::fflush(logFile());
}
