//===- SplitEndpoints.h - Linear maps of two ends as two maps ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What mp-hoist-endpoints does to a message first, so that more of it depends
// on one end.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_SPLITENDPOINTS_H
#define CLIQUE_COMPILER_ALGEBRA_SPLITENDPOINTS_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// Takes apart linear maps, by weights that are the same for every edge, of
/// concatenations, sums and differences of what belongs to different ends:
/// `a . [x_i || x_j]` becomes `a1 . x_i + a2 . x_j`. A bias of the other end,
/// or of the edge, becomes a sum behind the map. Slices of weights are made
/// before the message. Emits a remark for each.
void splitEndpoints(mp::MessageOp message);

} // namespace clique
#endif // CLIQUE_COMPILER_ALGEBRA_SPLITENDPOINTS_H
