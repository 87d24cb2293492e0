//===- Case.h - A spec, graphs for it, and how it is run --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_CASE_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_CASE_H

#include "tools/clique-smith/GraphGenerator.h"
#include "tools/clique-smith/Session.h"

namespace clique::smith {

struct Case {
  uint64_t seed = 0;
  std::string spec;
  /// For the graph arguments in their order, all named `g`, `g1` ...
  std::vector<std::pair<std::string, GraphPlan>> graphs;
  /// "n=16", as `clique-run --input` takes them.
  std::vector<std::string> inputs;
  std::vector<OpUse> uses;

  // How it is run, beside all lowerings and one and two threads.
  std::string cpu = "native";
  bool verifiesEach = false; ///< the IR after each pass
  bool linksLibrary = false; ///< by way of a file
  bool emulatesGpu = false;
  /// Beside the others, the spec with more or less said about its graph, or
  /// with its layer called twice.
  bool changesTopology = false, callsTwice = false;
  bool differentiates = false; ///< its gradient is a spec, too
  /// Compiles rows where the type of the graph suggests tiles alone.
  bool runsSparseOnly = true;
  /// Features with different numbers of rows may meet, which is an error.
  bool mayBeRefused = false;
  std::string gpuArch = "emulated"; ///< of every other case emulated_90a
  bool optimises = true;            ///< else the code generator is quick
  /// Nothing but rows is compiled and run, for processors.
  bool isSparseOnly = false;
};

/// What a user asks for; empty: at random.
struct Restrictions {
  std::string topology;
  std::string element;
  /// One layer of small shapes, compiled once, mostly as rows alone: half of
  /// the time.
  bool isSmall = false;
  /// The share of cases whose kernels also run under the emulated driver.
  double gpuShare = 0.1;
  /// The share of cases that are differentiated.
  double gradientShare = 0.05;
  /// The share of cases that have a form of RareForms.h.
  double rareShare = 0.3;
};

/// The same for every call.
Case generateCase(uint64_t seed, const Restrictions &restrictions);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_CASE_H
