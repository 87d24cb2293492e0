//===- IndexedOps.cpp - What an index chooses -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of tables, and slices written into features.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RegionGenerator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clique::smith;
using llvm::formatv;

Value RegionGenerator::lookup(const Feature &wanted, unsigned depth) {
  Feature type = wanted;
  type.shape.insert(type.shape.begin(), random.pick({1, 2, 3, 5, 7, 17}));
  // A table comes from outside.
  Value table =
      wanted.isFloat() && type.count() <= 4096 ? weights(type) : constant(type);
  Value index = generate({{}, random.chance(0.5) ? Element::i32 : Element::i64},
                         depth + 1);
  return emit("mp.lookup",
              formatv("{0}[{1}] : {2}, {3} -> {4}", table.name, index.name,
                      tensorType(type), tensorType(index.type),
                      tensorType(wanted)),
              wanted, wanted.isFloat() ? 2 : 5);
}

/// Mostly of 0 to `size` - 1.
RegionGenerator::Slot RegionGenerator::makeSlot(int64_t size, unsigned depth) {
  const Element element = random.pick(
      {Element::i32, Element::i32, Element::i64, Element::i8, Element::i1});
  Value slot;
  if (random.chance(0.15)) {
    slot = weights({{1}, element});
  } else if (element == Element::i1) {
    slot = generate({{1}, element}, depth + 2);
  } else {
    // Bounded before it is narrow.
    slot = generate({{1}, element == Element::i8 ? Element::i32 : element},
                    depth + 1);
    if (random.chance(0.7))
      slot = binary("arith.remsi", slot, splat(slot.type, double(size)),
                    double(size));
    slot = convert(slot, element);
  }
  const std::string type = tensorType(slot.type);
  if (element == Element::i1 || random.chance(0.85))
    return {slot.name, type};
  std::string name = session.fresh();
  text += formatv("    {0} = arith.index_cast {1} : {2} to tensor<1xindex>\n",
                  name, slot.name, type);
  session.record("arith.index_cast", slot.type);
  return {name, "tensor<1xindex>"};
}

Value RegionGenerator::scatter(const Feature &wanted, unsigned depth) {
  const int64_t dim = random.below(int64_t(wanted.shape.size()));
  Feature type = wanted;
  type.shape.erase(type.shape.begin() + dim);
  const Slot slot = makeSlot(wanted.shape[dim], depth);
  Value x = generate(type, depth + 1);
  Value rest = random.chance(depth == 0 ? 0.7 : 0.3)
                   ? splat(wanted, 0)
                   : generate(wanted, depth + 1);
  return emit("tensor.scatter",
              formatv("{0} into {1}[{2}] scatter_dims([{3}]) unique : ({4}, "
                      "{5}, {6}) -> {5}",
                      x.name, rest.name, slot.name, dim, tensorType(type),
                      tensorType(wanted), slot.type),
              wanted, std::max(x.size, rest.size));
}
