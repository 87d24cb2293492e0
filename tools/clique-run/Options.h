//===- Options.h - The command line of clique-run ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user asks for, before anything is read.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_OPTIONS_H
#define CLIQUE_TOOLS_CLIQUE_RUN_OPTIONS_H

#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/TargetGpu.h"
#include "runtime/clique.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace clique {

/// What is asked for, as far as it can be checked without the layer.
struct RunRequest {
  std::string layer;                    ///< a spec or a compiled library
  std::string entry;                    ///< empty: the only one
  std::string spec;                     ///< the spec of a compiled library
  std::vector<std::string> prunedHeads; ///< of a spec
  std::vector<std::string> graphs, inputs, weights, outputs;
  uint64_t seed = 0;
  bool verify = false;
  /// Run the gradient, by these arguments (none: all of floats).
  std::optional<std::vector<std::string>> gradients;
  bool secondOrder = false;        ///< the gradient is that of the gradient
  std::optional<double> tolerance; ///< not given: by element type
  std::string caseFolder; ///< not empty: write a case in place of running
  std::optional<unsigned> repeat; ///< not given: a few times
  unsigned threads = 0;           ///< 0: all cores
  clique_lowering lowering = CLIQUE_LOWERING_AUTO;
  clique_node_order order = CLIQUE_ORDER_GIVEN;
  bool explain = false;
  bool emulate = false; ///< kernels of GPUs run on the processor
  TargetDevice target = TargetDevice::cpu; ///< of a spec
  llvm::SmallVector<TargetGpu> gpus;
  F32Products f32Products = F32Products::exact; ///< of a spec
  bool quick = false;   ///< little time for optimising a spec's code
  bool useCache = true; ///< take a spec's code from CodeCache
};

/// Reads the command line. `--help` and mistakes in the form of an option end
/// the process; what the options say wrongly together is the error.
llvm::Expected<RunRequest> parseRunCommandLine(int argc, char **argv);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_OPTIONS_H
