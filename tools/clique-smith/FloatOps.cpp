//===- FloatOps.cpp - Elementwise ops of floats ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of them with operands for which it is smooth and moderate.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RegionGenerator.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique::smith;
using llvm::formatv;

Value RegionGenerator::elementwiseUnary(const Feature &wanted, unsigned depth) {
  Value x = generate(wanted, depth + 1);
  switch (random.below(7)) {
  case 0:
    return unary("math.tanh", x, 1);
  case 1:
    return unary("arith.negf", x, x.size);
  case 2:
    return unary("math.absf", x, x.size);
  case 3:
    return unary("math.erf", x, 1);
  case 4:
    return unary("math.sin", x, 1);
  case 5:
    return unary("math.cos", x, 1);
  default:
    return unary("math.atan", x, 1.6);
  }
}

Value RegionGenerator::functionOfTame(const Feature &wanted, unsigned depth) {
  Value x = squash(generate(wanted, depth + 1), 2);
  switch (random.below(6)) {
  case 0:
    return unary("math.exp", x, std::exp(x.size));
  case 1:
    return unary("math.exp2", x, std::exp2(x.size));
  case 2: {
    const int64_t exponent = random.between(0, 4);
    Value power = splat(wanted.with(random.pick({Element::i32, Element::i64})),
                        double(exponent));
    return emit("math.fpowi",
                formatv("{0}, {1} : {2}, {3}", x.name, power.name,
                        tensorType(wanted), tensorType(power.type)),
                wanted, std::pow(x.size, double(exponent)));
  }
  default:
    break;
  }
  // 1 + x^2 is above 0 by far.
  Value square = binary("arith.mulf", x, x, x.size * x.size);
  if (random.chance(0.2))
    return unary("math.log1p", square, std::log(1 + square.size));
  Value y = binary("arith.addf", square, splat(wanted, 1), square.size + 1);
  switch (random.below(3)) {
  case 0:
    return unary("math.sqrt", y, std::sqrt(y.size));
  case 1:
    return unary("math.rsqrt", y, 1);
  default:
    return unary("math.log", y, std::log(y.size));
  }
}

/// Functions that few layers use.
Value RegionGenerator::rareFunction(const Feature &wanted, unsigned depth) {
  Value x = squash(generate(wanted, depth + 1), 1);
  const unsigned choice = unsigned(random.below(15));
  static constexpr const char *kOfSmall[] = {"math.sinh",  "math.cosh",
                                             "math.expm1", "math.asinh",
                                             "math.tan",   "math.erfc"};
  if (choice < 6)
    return unary(kOfSmall[choice], x, 2);
  // Inside (-3/4, 3/4), where these functions are smooth.
  if (choice < 9) {
    Value half = binary("arith.mulf", unary("math.tanh", x, 1),
                        splat(wanted, 0.75), 0.75);
    return unary(choice == 6   ? "math.asin"
                 : choice == 7 ? "math.acos"
                               : "math.atanh",
                 half, 2.5);
  }
  Value above = binary("arith.addf", unary("math.absf", x, x.size),
                       splat(wanted, 1.5), x.size + 1.5);
  switch (choice) {
  case 9:
    return unary("math.acosh", above, 2);
  case 10:
    return unary("math.log2", above, 2);
  case 11:
    return unary("math.log10", above, 1);
  case 12:
    return unary("math.cbrt", above, 2);
  case 13:
    return binary("math.atan2", x, above, 1.6);
  default: {
    Value power = squash(generate(wanted, depth + 1), 1.5);
    return binary("math.powf", above, power, std::pow(above.size, 1.5));
  }
  }
}

Value RegionGenerator::elementwiseBinary(const Feature &wanted,
                                         unsigned depth) {
  Value x = generate(wanted, depth + 1);
  Value y = generate(wanted, depth + 1);
  switch (random.weighted({4, 2, 4, 1, 1, 0.5, 0.5})) {
  case 0:
    return binary("arith.addf", x, y, x.size + y.size);
  case 1:
    return binary("arith.subf", x, y, x.size + y.size);
  case 2:
    return binary("arith.mulf", x, y, x.size * y.size);
  case 3:
    return binary("arith.maximumf", x, y, std::max(x.size, y.size));
  case 4:
    return binary("arith.minimumf", x, y, std::max(x.size, y.size));
  case 5:
    return binary("arith.maxnumf", x, y, std::max(x.size, y.size));
  default:
    return binary("arith.minnumf", x, y, std::max(x.size, y.size));
  }
}

/// An odd number of eighths, exact in all types: none of the functions of it
/// has a border there.
Value RegionGenerator::makeEighths(const Feature &wanted, unsigned depth) {
  Value whole = squash(generate(wanted.with(Element::i32), depth + 1), 60);
  Value number = emit("arith.sitofp",
                      whole.name + " : " + tensorType(whole.type) + " to " +
                          tensorType(wanted),
                      wanted, whole.size);
  Value quarters =
      binary("arith.mulf", number, splat(wanted, 0.25), number.size / 4);
  return binary("arith.addf", quarters, splat(wanted, 0.125),
                quarters.size + 1);
}

Value RegionGenerator::stepFunction(const Feature &wanted, unsigned depth) {
  Value x = makeEighths(wanted, depth);
  switch (random.below(8)) {
  case 0:
    return unary("math.floor", x, x.size);
  case 1:
    return unary("math.ceil", x, x.size);
  case 2:
    return unary("math.round", x, x.size);
  case 3:
    return unary("math.roundeven", x, x.size);
  case 4:
    return unary("math.trunc", x, x.size);
  case 5:
    return binary("arith.remf", x, splat(wanted, 0.75), 0.75);
  default: {
    Value y = generate(wanted, depth + 1);
    return binary("math.copysign", y, x, y.size);
  }
  }
}

Value RegionGenerator::division(const Feature &wanted, unsigned depth) {
  Value x = generate(wanted, depth + 1);
  Value y = squash(generate(wanted, depth + 1), 4);
  Value away = random.chance(0.5) ? unary("math.absf", y, y.size)
                                  : binary("arith.mulf", y, y, y.size * y.size);
  Value above =
      binary("arith.addf", away, splat(wanted, 1.25), away.size + 1.25);
  return binary("arith.divf", x, above, x.size);
}

Value RegionGenerator::ternary(const Feature &wanted, unsigned depth) {
  Value x = generate(wanted, depth + 1);
  if (random.chance(0.4)) {
    Value low = splat(wanted, -0.75), high = splat(wanted, 0.5);
    return emit("math.clampf",
                formatv("{0} to [{1}, {2}] : {3}", x.name, low.name, high.name,
                        tensorType(wanted)),
                wanted, 1);
  }
  Value y = generate(wanted, depth + 1), z = generate(wanted, depth + 1);
  return emit("math.fma",
              formatv("{0}, {1}, {2} : {3}", x.name, y.name, z.name,
                      tensorType(wanted)),
              wanted, x.size * y.size + z.size);
}

Value RegionGenerator::select(const Feature &wanted, unsigned depth) {
  Value condition, x, y;
  if (random.chance(0.5)) {
    // Equal where the switch is: the larger one, or a bent line.
    x = generate(wanted, depth + 1);
    y = random.chance(0.5)
            ? binary("arith.mulf", x, splat(wanted, 0.25), x.size / 4)
            : generate(wanted, depth + 1);
    condition = emit("arith.cmpf",
                     formatv("{0}, {1}, {2} : {3}",
                             random.pick({"ogt", "oge", "olt", "ugt"}), x.name,
                             y.name, tensorType(wanted)),
                     wanted.with(Element::i1), 1);
  } else {
    condition = generate(wanted.with(Element::i1), depth + 1);
    x = generate(wanted, depth + 1);
    y = generate(wanted, depth + 1);
  }
  return emit("arith.select",
              formatv("{0}, {1}, {2} : {3}, {4}", condition.name, x.name,
                      y.name, tensorType(condition.type), tensorType(wanted)),
              wanted, std::max(x.size, y.size));
}

Value RegionGenerator::activation(const Feature &wanted, unsigned depth) {
  Value x = generate(wanted, depth + 1);
  const std::string type = " : " + tensorType(wanted);
  switch (random.below(9)) {
  case 0:
  case 1:
    return unary("mp.relu", x, x.size);
  case 2:
    return unary("mp.sigmoid", x, 1);
  case 3:
    return unary("mp.silu", x, x.size);
  case 4:
    return unary("mp.softplus", x, x.size + 1);
  case 5:
    return emit("mp.leaky_relu", x.name + " slope 0.2" + type, wanted, x.size);
  case 6:
    return emit("mp.elu",
                x.name + (random.chance(0.5) ? " alpha 0.7" : "") + type,
                wanted, x.size);
  case 7:
    return unary("mp.gelu", x, x.size);
  default:
    return emit("mp.gelu", x.name + " tanh" + type, wanted, x.size);
  }
}

Value RegionGenerator::conversion(const Feature &wanted, unsigned depth) {
  Element other = random.chance(0.4)
                      ? random.pick({Element::i32, Element::i64, Element::i1})
                      : random.pick({Element::f32, Element::f64, Element::f16,
                                     Element::bf16});
  return convert(generate(wanted.with(other), depth + 1), wanted.element);
}
