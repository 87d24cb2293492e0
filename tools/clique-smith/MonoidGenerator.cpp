//===- MonoidGenerator.cpp - Custom aggregators ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/MonoidGenerator.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique::smith;
using llvm::formatv;

namespace {
class MonoidMaker {
public:
  MonoidMaker(Session &session, const RegionGenerator::WeightSource &weights,
              llvm::ArrayRef<Value> values, int64_t maxDegree)
      : session(session), random(session.random), weights(weights),
        values(values), maxDegree(std::max<int64_t>(1, maxDegree)) {}
  Monoid make();

private:
  using Region = RegionGenerator;
  using Values = std::vector<Value>;

  /// Writes `name { ^bb0(...): ... }`; `fill` returns what is yielded.
  Values addRegion(const char *name, Values arguments, int budget,
                   const std::function<Values(Region &, Values &)> &fill);
  Values freshLike(llvm::ArrayRef<Value> like);

  void makeElementwise();
  void makeLogSumExp();
  void makeMoments();
  void makeRotation();
  void makeTopTwo();
  void makeWeightedMean();
  void finalise(const Values &states,
                const std::function<Values(Region &, Values &)> &fill);
  Feature getState() const { return values[0].type; }
  Value broadcastTo(Region &region, const Value &x, const Feature &type);

  Session &session;
  Random &random;
  const RegionGenerator::WeightSource &weights;
  llvm::ArrayRef<Value> values;
  int64_t maxDegree;
  Monoid monoid;
};
} // namespace

std::vector<Value> MonoidMaker::freshLike(llvm::ArrayRef<Value> like) {
  Values result(like.begin(), like.end());
  for (Value &value : result)
    value.name = session.fresh("a");
  return result;
}

std::vector<Value>
MonoidMaker::addRegion(const char *name, Values arguments, int budget,
                       const std::function<Values(Region &, Values &)> &fill) {
  Region region(session, weights, arguments, {/*numPositions=*/0, budget});
  Values yielded = fill(region, arguments);
  std::string header;
  for (const Value &argument : arguments)
    header += (header.empty() ? "  ^bb0(" : ", ") + argument.name + ": " +
              tensorType(argument.type);
  if (!header.empty())
    header += "):\n";
  monoid.regions += formatv("  {0} {{\n{1}{2}    mp.yield {3} : {4}\n  }\n",
                            name, header, region.getText(), joinNames(yielded),
                            joinTypes(yielded, tensorType));
  return yielded;
}

void MonoidMaker::finalise(
    const Values &states,
    const std::function<Values(Region &, Values &)> &fill) {
  Values results = addRegion("finalise", freshLike(states), 2, fill);
  monoid.size = 1;
  for (const Value &result : results) {
    monoid.results.push_back(result.type);
    monoid.size = std::max(monoid.size, result.size);
  }
}

Value MonoidMaker::broadcastTo(Region &region, const Value &x,
                               const Feature &type) {
  return region.emit(
      "mp.broadcast",
      formatv("{0} : {1} to {2}", x.name, tensorType(x.type), tensorType(type)),
      type, x.size);
}

/// Several states, each with an operation of its own; any lift and finaliser.
void MonoidMaker::makeElementwise() {
  enum { sum, max, min, product, numFloatKinds };
  Values states;
  std::vector<unsigned> kinds;
  const unsigned count = random.weighted({6, 3, 1}) + 1;
  for (unsigned k = 0; k < count; ++k) {
    Feature type = random.chance(0.6)
                       ? values[random.below(int64_t(values.size()))].type
                       : Feature{makeShape(random, 64), session.usual};
    kinds.push_back(type.isFloat() ? unsigned(random.below(numFloatKinds))
                                   : unsigned(random.below(6)));
    states.push_back({"", type, 1});
  }
  static constexpr const char *kFloatOps[] = {"arith.addf", "arith.maximumf",
                                              "arith.minimumf", "arith.mulf"};
  static constexpr const char *kIntegerOps[] = {"arith.addi",  "arith.maxsi",
                                                "arith.minsi", "arith.xori",
                                                "arith.andi",  "arith.ori"};
  static constexpr double kFloatIdentities[] = {0, -64, 64, 1};
  static constexpr double kIntegerIdentities[] = {0, -100000, 100000, 0, -1, 0};
  addRegion("identity", {}, 0, [&](Region &region, Values &) {
    Values result;
    for (auto [state, kind] : llvm::zip_equal(states, kinds))
      result.push_back(region.splat(
          state.type, state.type.isFloat() ? kFloatIdentities[kind]
                                           : kIntegerIdentities[kind]));
    return result;
  });
  Values lifted = addRegion(
      "lift", freshLike(values), int(random.between(0, 3)),
      [&](Region &region, Values &) {
        Values result;
        for (auto [state, kind] : llvm::zip_equal(states, kinds)) {
          Value x = region.makeSmall(state.type, 16);
          if (state.type.isFloat() && kind == product) {
            // Near 1, so that products of thousands are moderate.
            Value small = region.binary(
                "arith.mulf", region.unary("math.sin", x, 1),
                region.splat(state.type, maxDegree > 50 ? 0.001 : 0.1), 0.1);
            x = region.binary("arith.addf", small, region.splat(state.type, 1),
                              1.1);
          }
          result.push_back(x);
        }
        return result;
      });
  for (auto [state, kind, value] : llvm::zip_equal(states, kinds, lifted))
    state.size = !state.type.isFloat() ? 1e5
                 : kind == sum         ? value.size * double(maxDegree)
                                       : 64;
  Values left = freshLike(states);
  Values both = left, right = freshLike(states);
  both.insert(both.end(), right.begin(), right.end());
  addRegion("combine", both, 0, [&](Region &region, Values &all) {
    Values result;
    for (unsigned k = 0; k < count; ++k)
      result.push_back(region.binary(states[k].type.isFloat()
                                         ? kFloatOps[kinds[k]]
                                         : kIntegerOps[kinds[k]],
                                     all[k], all[count + k], states[k].size));
    return result;
  });
  finalise(states, [&](Region &region, Values &all) {
    if (random.chance(0.4))
      return Values(all);
    Values result;
    const unsigned number = random.weighted({3, 1}) + 1;
    for (unsigned k = 0; k < number; ++k)
      result.push_back(region.makeSmall(
          random.chance(0.6) ? states[random.below(count)].type
                             : Feature{makeShape(random, 64), session.usual},
          16));
    return result;
  });
}

void MonoidMaker::makeLogSumExp() {
  const Feature type = getState();
  addRegion("identity", {}, 0, [&](Region &region, Values &) {
    return Values{region.splat(type, -32), region.splat(type, 0)};
  });
  addRegion("lift", freshLike(values), 1, [&](Region &region, Values &) {
    Value x = region.makeSmall(type, 4);
    return Values{x, region.splat(type, 1)};
  });
  Values states = {{"", type, 32}, {"", type, double(maxDegree)}};
  Values all = freshLike(states), others = freshLike(states);
  all.insert(all.end(), others.begin(), others.end());
  addRegion("combine", all, 0, [&](Region &region, Values &a) {
    Value top = region.binary("arith.maximumf", a[0], a[2], 32);
    auto scaled = [&](const Value &m, const Value &s) {
      Value d = region.binary("arith.subf", m, top, 32);
      return region.binary("arith.mulf", region.unary("math.exp", d, 1), s,
                           s.size);
    };
    Value x = scaled(a[0], a[1]), y = scaled(a[2], a[3]);
    return Values{top, region.binary("arith.addf", x, y, x.size)};
  });
  finalise(states, [&](Region &region, Values &a) {
    Value e = region.unary("math.exp", a[0], 55);
    Value p = region.binary("arith.mulf", e, a[1], 55 * double(maxDegree));
    return Values{region.unary("math.log1p", p, 15)};
  });
}

/// Count, mean and sum of squared deviations (Chan, Golub, LeVeque 1979).
void MonoidMaker::makeMoments() {
  const Feature type = getState(), scalar = {{}, type.element};
  addRegion("identity", {}, 0, [&](Region &region, Values &) {
    return Values{region.splat(scalar, 0), region.splat(type, 0),
                  region.splat(type, 0)};
  });
  addRegion("lift", freshLike(values), 1, [&](Region &region, Values &) {
    Value x = region.makeSmall(type, 8);
    return Values{region.splat(scalar, 1), x, region.splat(type, 0)};
  });
  Values states = {{"", scalar, double(maxDegree)},
                   {"", type, 8},
                   {"", type, 64 * double(maxDegree)}};
  Values all = freshLike(states), others = freshLike(states);
  all.insert(all.end(), others.begin(), others.end());
  addRegion("combine", all, 0, [&](Region &region, Values &a) {
    Value n = region.binary("arith.addf", a[0], a[3], a[0].size);
    Value least =
        region.binary("arith.maximumf", n, region.splat(scalar, 1), n.size);
    Value share = region.binary("arith.divf", a[3], least, 1);
    Value wide = type.shape.empty() ? share : broadcastTo(region, share, type);
    Value d = region.binary("arith.subf", a[4], a[1], 16);
    Value step = region.binary("arith.mulf", d, wide, 16);
    Value mean = region.binary("arith.addf", a[1], step, 8);
    Value first = type.shape.empty() ? a[0] : broadcastTo(region, a[0], type);
    Value cross = region.binary(
        "arith.mulf", region.binary("arith.mulf", d, step, 64), first, 64);
    Value sum = region.binary("arith.addf", a[2], a[5], a[2].size);
    return Values{n, mean, region.binary("arith.addf", sum, cross, a[2].size)};
  });
  finalise(states, [&](Region &region, Values &a) {
    Value least =
        region.binary("arith.maximumf", a[0], region.splat(scalar, 1), 1);
    Value wide = type.shape.empty() ? least : broadcastTo(region, least, type);
    return Values{region.binary("arith.divf", a[2], wide, 64), a[1]};
  });
}

/// A product of complex numbers of length 1.
void MonoidMaker::makeRotation() {
  const Feature type = getState();
  addRegion("identity", {}, 0, [&](Region &region, Values &) {
    return Values{region.splat(type, 1), region.splat(type, 0)};
  });
  addRegion("lift", freshLike(values), 1, [&](Region &region, Values &) {
    Value x = region.makeSmall(type, 2);
    if (maxDegree > 50)
      x = region.binary("arith.mulf", x, region.splat(type, 0.01), 0.02);
    return Values{region.unary("math.cos", x, 1),
                  region.unary("math.sin", x, 1)};
  });
  Values states = {{"", type, 1}, {"", type, 1}};
  Values all = freshLike(states), others = freshLike(states);
  all.insert(all.end(), others.begin(), others.end());
  addRegion("combine", all, 0, [&](Region &region, Values &a) {
    auto times = [&](unsigned x, unsigned y) {
      return region.binary("arith.mulf", a[x], a[y], 1);
    };
    Value real = region.binary("arith.subf", times(0, 2), times(1, 3), 1);
    return Values{real,
                  region.binary("arith.addf", times(0, 3), times(1, 2), 1)};
  });
  finalise(states, [&](Region &region, Values &a) {
    return random.chance(0.5)
               ? Values(a)
               : Values{region.binary("arith.addf", a[0], a[1], 2)};
  });
}

/// The two largest values.
void MonoidMaker::makeTopTwo() {
  const Feature type = getState();
  addRegion("identity", {}, 0, [&](Region &region, Values &) {
    return Values{region.splat(type, -32), region.splat(type, -32)};
  });
  addRegion("lift", freshLike(values), 1, [&](Region &region, Values &) {
    return Values{region.makeSmall(type, 16), region.splat(type, -32)};
  });
  Values states = {{"", type, 32}, {"", type, 32}};
  Values all = freshLike(states), others = freshLike(states);
  all.insert(all.end(), others.begin(), others.end());
  addRegion("combine", all, 0, [&](Region &region, Values &a) {
    Value first = region.binary("arith.maximumf", a[0], a[2], 32);
    Value low = region.binary("arith.minimumf", a[0], a[2], 32);
    Value next = region.binary("arith.maximumf", a[1], a[3], 32);
    return Values{first, region.binary("arith.maximumf", low, next, 32)};
  });
  finalise(states, [&](Region &region, Values &a) {
    return Values{region.binary("arith.subf", a[0], a[1], 64)};
  });
}

void MonoidMaker::makeWeightedMean() {
  const Feature type = getState(), scalar = {{}, type.element};
  addRegion("identity", {}, 0, [&](Region &region, Values &) {
    return Values{region.splat(type, 0), region.splat(scalar, 0)};
  });
  addRegion("lift", freshLike(values), 2, [&](Region &region, Values &) {
    Value w = region.unary("mp.sigmoid", region.makeSmall(scalar, 4), 1);
    Value x = region.makeSmall(type, 8);
    Value wide = type.shape.empty() ? w : broadcastTo(region, w, type);
    return Values{region.binary("arith.mulf", x, wide, 8), w};
  });
  Values states = {{"", type, 8 * double(maxDegree)},
                   {"", scalar, double(maxDegree)}};
  Values all = freshLike(states), others = freshLike(states);
  all.insert(all.end(), others.begin(), others.end());
  addRegion("combine", all, 0, [&](Region &region, Values &a) {
    return Values{region.binary("arith.addf", a[0], a[2], a[0].size),
                  region.binary("arith.addf", a[1], a[3], a[1].size)};
  });
  finalise(states, [&](Region &region, Values &a) {
    Value more =
        region.binary("arith.addf", a[1], region.splat(scalar, 0.5), a[1].size);
    Value wide = type.shape.empty() ? more : broadcastTo(region, more, type);
    return Values{region.binary("arith.divf", a[0], wide, 8)};
  });
}

Monoid MonoidMaker::make() {
  const bool isFloat = values[0].type.isFloat();
  switch (isFloat ? random.weighted({6, 1, 1, 1, 1, 1}) : 0) {
  case 0:
    makeElementwise();
    break;
  case 1:
    makeLogSumExp();
    break;
  case 2:
    makeMoments();
    break;
  case 3:
    makeRotation();
    break;
  case 4:
    makeTopTwo();
    break;
  default:
    makeWeightedMean();
  }
  return std::move(monoid);
}

Monoid clique::smith::makeMonoid(Session &session,
                                 const RegionGenerator::WeightSource &weights,
                                 llvm::ArrayRef<Value> values,
                                 int64_t maxDegree) {
  return MonoidMaker(session, weights, values, maxDegree).make();
}
