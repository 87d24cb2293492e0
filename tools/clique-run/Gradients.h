//===- Gradients.h - Runs the gradient of a layer ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--gradients`.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_GRADIENTS_H
#define CLIQUE_TOOLS_CLIQUE_RUN_GRADIENTS_H

#include "tools/clique-run/LayerSource.h"

namespace clique {

/// Runs the forward and the backward function, and checks and writes what the
/// latter returns. Cotangents of results are random, as inputs are that nobody
/// gave.
llvm::Error runGradient(LayerSource &source, const RunRequest &request);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_GRADIENTS_H
