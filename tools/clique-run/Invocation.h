//===- Invocation.h - Runs a layer and takes the time -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_INVOCATION_H
#define CLIQUE_TOOLS_CLIQUE_RUN_INVOCATION_H

#include "runtime/clique.h"
#include "tools/clique-run/Numbers.h"
#include "tools/clique-run/Options.h"
#include "tools/clique-run/Report.h"

namespace clique {

/// Runs the layer as often as is asked for; the results are those of the last
/// time.
llvm::Expected<std::vector<TensorHandle>>
runRepeatedly(const clique_layer &layer, llvm::ArrayRef<clique_value> arguments,
              const RunRequest &request, RunTimes &times);

/// Runs a layer of the CPU once more, with one thread if `request` asks for
/// several, else with two: an error if its results are not `results`, bit for
/// bit. Nothing is done for layers of a GPU and where the clock chooses
/// versions, whose rounding differs.
llvm::Error verifyThreads(const clique_layer &layer,
                          llvm::ArrayRef<clique_value> arguments,
                          const RunRequest &request,
                          llvm::ArrayRef<TensorHandle> results);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_INVOCATION_H
