//===- Options.h - The command line of clique-device ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked for, before anything is read.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_BENCHMARKS_DEVICE_DRIVER_OPTIONS_H
#define CLIQUE_BENCHMARKS_DEVICE_DRIVER_OPTIONS_H

#include "runtime/clique.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace clique::device {

/// The request itself is wrong.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws unless the runtime succeeded.
inline void check(clique_status status) {
  if (status != CLIQUE_OK)
    throw std::runtime_error(clique_last_error());
}

struct Options {
  bool describeDevice = false; ///< and do nothing else
  std::string library, entry;
  std::string graph;                ///< of every graph argument
  std::string caseFolder;           ///< empty: random inputs, no comparison
  std::optional<double> tolerance;  ///< not given: by element type
  std::optional<double> timeBudget; ///< seconds; not given: one call, no time
  clique_lowering lowering = CLIQUE_LOWERING_AUTO;
};

/// The text of --help.
const char *getUsage();

/// Throws UsageError.
Options parseOptions(int argc, char **argv);

} // namespace clique::device
#endif // CLIQUE_BENCHMARKS_DEVICE_DRIVER_OPTIONS_H
