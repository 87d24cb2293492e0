//===- MPScores.h - What is known of scores ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mp.score_reference`, an f64 of a softmax: what may be
// subtracted from all of its scores before exp, as bounds of these are known.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPSCORES_H
#define CLIQUE_DIALECT_IR_MPSCORES_H

#include "dialect/IR/MPOps.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace clique::mp {

constexpr llvm::StringLiteral kScoreReferenceAttr("mp.score_reference");

/// The reference that an aggregation has been given.
inline std::optional<double> getScoreReference(AggregateOp op) {
  auto attr = op->getAttrOfType<mlir::FloatAttr>(kScoreReferenceAttr);
  return attr ? std::optional(attr.getValueAsDouble()) : std::nullopt;
}

} // namespace clique::mp
#endif // CLIQUE_DIALECT_IR_MPSCORES_H
