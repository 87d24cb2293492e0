//===- MessageMerging.h - Several messages as one ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites that leave the value of a spec as it is and bring its messages into
// the form that a kernel needs: one message per kernel, that uses no edge value
// of another message on the same graph.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_MESSAGEMERGING_H
#define CLIQUE_COMPILER_FUSION_MESSAGEMERGING_H

#include "dialect/IR/MPOps.h"

namespace clique {

/// Computes inside `consumer` what it takes from messages of the same block and
/// graph as edge operands. Those messages stay, for their other users.
void inlineProducers(mp::MessageOp consumer);

/// One message that yields what `messages` yield, in their order, with equal
/// parts computed once. It stands where the first of them stood; they are on
/// one graph and do not depend on each other.
mp::MessageOp mergeMessages(llvm::ArrayRef<mp::MessageOp> messages);

/// Gives `reader`, an aggregation or a scan, its values through a message of
/// the same block and graph where they come from elsewhere: from the caller, or
/// from another graph whose edges have the same numbers.
void bringValuesThroughMessage(mlir::Operation *reader);

/// Moves reshapes of an update's operands, of the features only, into the
/// update, so that nothing lies between an aggregation and its update.
void sinkReshapes(mp::UpdateOp update);

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_MESSAGEMERGING_H
