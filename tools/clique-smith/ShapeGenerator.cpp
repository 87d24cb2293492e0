//===- ShapeGenerator.cpp - Random shapes and elements --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/ShapeGenerator.h"

using namespace clique::smith;

int64_t clique::smith::makeSize(Random &random) {
  switch (random.weighted({2, 4.5, 1.6, 2.2, 0.35})) {
  case 0:
    return 1;
  case 1:
    return random.between(2, 5);
  case 2:
    return random.pick({7, 9, 11, 13, 15, 17, 25, 33});
  case 3:
    return random.pick({4, 8, 8, 8, 16, 16, 32});
  default:
    return random.between(49, 130);
  }
}

Shape clique::smith::makeShape(Random &random, int64_t most) {
  const unsigned rank = random.weighted({2, 5.5, 2, 0.5});
  Shape shape;
  int64_t count = 1;
  for (unsigned dim = 0; dim < rank; ++dim) {
    int64_t size = makeSize(random);
    while (count * size > most)
      size = (size + 1) / 2 > most / count ? 1 : (size + 1) / 2;
    shape.push_back(size);
    count *= size;
  }
  return shape;
}

Element clique::smith::makeFloat(Random &random, Element usual) {
  if (random.chance(0.93))
    return usual;
  return random.pick(
      {Element::f32, Element::f32, Element::f64, Element::f16, Element::bf16});
}
