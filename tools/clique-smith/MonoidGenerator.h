//===- MonoidGenerator.h - Custom aggregators -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Monoids that are associative and commutative by construction.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_MONOIDGENERATOR_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_MONOIDGENERATOR_H

#include "tools/clique-smith/RegionGenerator.h"

namespace clique::smith {

/// The four regions of `mp.aggregate ... custom`, and what they make.
struct Monoid {
  std::string regions;
  std::vector<Feature> results;
  double size;
};

/// Of edge values of these types, at most `maxDegree` of them at a node.
Monoid makeMonoid(Session &session,
                  const RegionGenerator::WeightSource &weights,
                  llvm::ArrayRef<Value> values, int64_t maxDegree);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_MONOIDGENERATOR_H
