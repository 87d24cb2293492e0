//===- Cpu.h - Features of this CPU -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variant of a layer this CPU can run.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_CPU_H
#define CLIQUE_RUNTIME_CPU_H

#include <string>

namespace clique {

/// The first of a comma-separated list of features (LLVM's names, an optional
/// leading '+') that this CPU lacks; "" if it has all. A feature that is not
/// known counts as lacking, and so does one that the environment variable
/// CLIQUE_AVOID_FEATURES names.
std::string firstMissingFeature(const char *features);

/// Whether this CPU has all of such a list; fast for the list that the thread
/// asked for last.
bool hasFeatures(const char *features);

} // namespace clique

#endif // CLIQUE_RUNTIME_CPU_H
