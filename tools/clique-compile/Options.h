//===- Options.h - The command line of clique-compile -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user asks for, before anything is read.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_COMPILE_OPTIONS_H
#define CLIQUE_TOOLS_CLIQUE_COMPILE_OPTIONS_H

#include "compiler/Target/Artefact.h"

#include <vector>

namespace clique {

/// What is asked for, checked.
struct CompileRequest {
  std::string spec;
  /// Empty: only the header is wanted.
  std::string output;
  std::string header;
  std::vector<std::string> entries;
  std::vector<std::string> prunedHeads;
  /// Wanted, and by which arguments (none: all of floats).
  std::optional<std::vector<std::string>> gradients;
  TargetDevice target = TargetDevice::cpu;
  llvm::SmallVector<TargetCpu> cpus;
  llvm::SmallVector<TargetGpu> gpus;
  F32Products f32Products = F32Products::exact;
  LoweringChoice lowering = LoweringChoice::automatic;
  std::string from; ///< the stage that left the input; empty for a spec
  bool remarks = false;
  bool printStages = false; ///< list the stages, nothing else
  bool verifyEach = false;
  bool quick = false; ///< little time for optimising the processor's code
  Sanitizer sanitizer = getOwnSanitizer();

  /// What the output is, unless only the header is wanted.
  ArtefactKind artefact;
};

/// Reads the command line. `--help` and mistakes in the form of an option end
/// the process; what the options say wrongly together is the error.
llvm::Expected<CompileRequest> parseCompileCommandLine(int argc, char **argv);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_COMPILE_OPTIONS_H
