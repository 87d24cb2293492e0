//===- IntegerOps.cpp - Ops of integers and conditions --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers come from positions, constants and inputs, never from floats that
// rounding could take across a border.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RegionGenerator.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique::smith;
using llvm::formatv;

Value RegionGenerator::makeInteger(const Feature &wanted, unsigned depth) {
  if (random.chance(0.2))
    return anyShapeOp(wanted, depth);
  if (random.chance(0.15))
    return convert(generate(wanted.with(random.pick(
                                {Element::i32, Element::i64, Element::i1})),
                            depth + 1),
                   wanted.element);
  if (random.chance(0.05)) {
    Value number = makeEighths(wanted.with(session.usual), depth);
    return emit(random.pick({"arith.fptosi", "arith.fptoui"}),
                number.name + " : " + tensorType(number.type) + " to " +
                    tensorType(wanted),
                wanted, number.size);
  }
  Value x = generate(wanted, depth + 1);
  if (random.chance(0.1))
    return makeUnsigned(x, depth);
  if (random.chance(0.1)) {
    const char *op =
        random.pick({"math.absi", "math.ctpop", "math.ctlz", "math.cttz"});
    return unary(op, x, std::max(x.size, 64.0)); // bits of an i64
  }
  if (random.chance(0.25)) {
    // By what is not 0, or by it: then the result is 0.
    Value y = random.chance(0.8) ? splat(wanted, double(random.between(2, 9)))
                                 : generate(wanted, depth + 1);
    return binary(random.pick({"arith.divsi", "arith.remsi", "arith.floordivsi",
                               "arith.ceildivsi"}),
                  x, y, std::max(x.size, y.size));
  }
  if (random.chance(0.1)) {
    Value shift = splat(wanted, double(random.between(0, 3)));
    return random.chance(0.5)
               ? binary("arith.shli", squash(x, 1e5), shift, x.size * 8)
               : binary("arith.shrsi", x, shift, x.size);
  }
  Value y = generate(wanted, depth + 1);
  switch (random.below(8)) {
  case 0:
    return binary("arith.addi", x, y, x.size + y.size);
  case 1:
  case 2:
    return binary("arith.subi", x, y, x.size + y.size);
  case 3:
    x = squash(x, 1e4);
    y = squash(y, 1e4);
    return binary("arith.muli", x, y, x.size * y.size);
  case 4:
    return binary("arith.maxsi", x, y, std::max(x.size, y.size));
  case 5:
    return binary("arith.minsi", x, y, std::max(x.size, y.size));
  case 6:
    return binary(random.pick({"arith.andi", "arith.ori", "arith.xori"}), x, y,
                  2 * std::max(x.size, y.size));
  default: {
    Value condition = generate(wanted.with(Element::i1), depth + 1);
    return emit("arith.select",
                formatv("{0}, {1}, {2} : {3}, {4}", condition.name, x.name,
                        y.name, tensorType(condition.type), tensorType(wanted)),
                wanted, std::max(x.size, y.size));
  }
  }
}

/// Of numbers without a sign: those below 0 are the largest. Of 64 bits they
/// would be more than the reference knows exactly, 2^53.
Value RegionGenerator::makeUnsigned(const Value &x, unsigned depth) {
  const Feature &type = x.type;
  auto exact = [&](const Value &value) {
    return type.element == Element::i64 ? unary("math.absi", value, value.size)
                                        : value;
  };
  auto most = [&](double size) {
    return type.element == Element::i64 ? size : 0x1p32;
  };
  switch (random.below(4)) {
  case 0: {
    Value y = random.chance(0.8) ? splat(type, double(random.between(2, 9)))
                                 : exact(generate(type, depth + 1));
    return binary(
        random.pick({"arith.divui", "arith.remui", "arith.ceildivui"}),
        exact(x), y, most(std::max(x.size, y.size)));
  }
  case 1:
    return binary("arith.shrui", exact(x),
                  splat(type, double(random.between(0, 3))), most(x.size));
  case 2: {
    Value y = generate(type, depth + 1);
    return binary(random.pick({"arith.maxui", "arith.minui"}), x, y,
                  most(std::max(x.size, y.size)));
  }
  default: {
    Value base = squash(x, 100);
    return binary("math.ipowi", base, splat(type, double(random.between(0, 2))),
                  base.size * base.size + 1);
  }
  }
}

Value RegionGenerator::makeCondition(const Feature &wanted, unsigned depth) {
  if (random.chance(0.2)) {
    Value x = generate(wanted, depth + 1), y = generate(wanted, depth + 1);
    return binary(random.pick({"arith.andi", "arith.ori", "arith.xori"}), x, y,
                  1);
  }
  if (random.chance(0.15))
    return anyShapeOp(wanted, depth);
  if (random.chance(0.06)) {
    // All of them are finite: nothing for rounding to change.
    Value x = generate(wanted.with(session.usual), depth + 1);
    return emit(random.pick({"math.isfinite", "math.isnan", "math.isinf"}),
                x.name + " : " + tensorType(x.type), wanted, 1);
  }
  const Feature compared =
      wanted.with(random.pick({Element::i32, Element::i64}));
  Value x = generate(compared, depth + 1), y = generate(compared, depth + 1);
  const char *predicate =
      random.pick({"eq", "ne", "slt", "sle", "sgt", "sge", "ult"});
  return emit("arith.cmpi",
              formatv("{0}, {1}, {2} : {3}", predicate, x.name, y.name,
                      tensorType(compared)),
              wanted, 1);
}
