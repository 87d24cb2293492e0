//===- Reducer.h - The smallest case that still fails -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes ops, values, edges and sizes away for as long as the failure stays of
// one kind.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_REDUCER_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_REDUCER_H

#include "tools/clique-smith/CaseRunner.h"

namespace clique::smith {

/// `outcome` is that of `failing`, and becomes that of the result. Gives up
/// after so many seconds of processors, with what there is by then.
Case reduceCase(const Case &failing, const RunOptions &options,
                const Limits &limits, double seconds, Outcome &outcome);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_REDUCER_H
