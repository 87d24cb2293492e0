//===- Log.h - What each stream was given -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line for each launch, copy and wait, with its stream, in the file that
// CLIQUE_EMULATION_LOG names: work that went into another stream than the
// caller's is seen there, since the emulation does it at once.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_LOG_H
#define CLIQUE_RUNTIME_EMULATION_LOG_H

#include "runtime/cuda/DriverTypes.h"

#include <fmt/format.h>

namespace clique::emulation {

bool isLogging();
void writeLog(clique::cuda::CUstream stream, const std::string &line);

/// "stream 0x7: launch mean_0".
template <typename... Args>
void logWork(clique::cuda::CUstream stream, fmt::format_string<Args...> format,
             Args &&...args) {
  if (isLogging())
    writeLog(stream, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_LOG_H
