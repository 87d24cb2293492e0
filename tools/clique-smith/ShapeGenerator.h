//===- ShapeGenerator.h - Random shapes and elements ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mostly small, so that a case is compiled quickly; unit, odd and wide sizes
// are where code differs.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_SHAPEGENERATOR_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_SHAPEGENERATOR_H

#include "tools/clique-smith/Features.h"
#include "tools/clique-smith/Random.h"

namespace clique::smith {

int64_t makeSize(Random &random);
/// Rank 0 to 3, at most `most` elements.
Shape makeShape(Random &random, int64_t most = 512);
/// Of the float that a case is about mostly, seldom another.
Element makeFloat(Random &random, Element usual);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_SHAPEGENERATOR_H
