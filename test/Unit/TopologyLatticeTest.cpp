//===- TopologyLatticeTest.cpp - The order of topologies ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subsumption, joins, meets, reverses and self-loops of all classes with small
// parameters, against the sets of edges of all their graphs of up to six nodes.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPDialect.h"
#include "runtime/tests/EdgeSets.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"
#include <map>
#include <tuple>

using namespace clique;
using mlir::MLIRContext;
using mp::MPGraphType;
using mp::Topology;
using test::EdgeSet;
using test::EdgeSets;

namespace clique::mp {
/// What a failing test prints.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest looks for it.
static void PrintTo(MPGraphType type, std::ostream *os) {
  std::string text;
  llvm::raw_string_ostream(text) << mlir::Type(type);
  *os << text;
}
} // namespace clique::mp

namespace {
constexpr int64_t kMostNodes = 6;

class TopologyLattice : public ::testing::Test {
protected:
  TopologyLattice() {
    context.loadDialect<mp::MPDialect>();
    for (bool noSelf : {false, true}) {
      for (Topology topology : {Topology::complete, Topology::causal,
                                Topology::cliques, Topology::causal_cliques})
        classes.push_back(get(topology, 0, noSelf));
      for (int64_t halfWidth : {0, 1, 2, 3})
        classes.push_back(get(Topology::window, halfWidth, noSelf));
    }
    for (int64_t size : {int64_t(2), int64_t(3), int64_t(4), int64_t(6),
                         int64_t(12), mp::kLargestBlock})
      classes.push_back(get(Topology::blocks, size));
    for (Topology topology :
         {Topology::bipartite, Topology::sparse, Topology::unknown})
      classes.push_back(get(topology));
  }

  MPGraphType get(Topology topology, int64_t param = 0, bool noSelf = false) {
    return MPGraphType::get(&context, topology, param, noSelf);
  }

  /// The graphs of a class with these numbers of nodes.
  const EdgeSets &list(MPGraphType type, int64_t numDst, int64_t numSrc) {
    auto [place, isNew] =
        lists.try_emplace({type.getAsOpaquePointer(), numDst, numSrc});
    if (isNew)
      place->second = test::listGraphs({clique_topology(type.getTopology()),
                                        type.getParam(), type.getNoSelf()},
                                       numDst, numSrc);
    return place->second;
  }

  /// Whether the property holds of the graphs of every size.
  template <typename Fn>
  static bool holdsForSizes(Fn &&property) {
    for (int64_t numDst = 0; numDst <= kMostNodes; ++numDst)
      for (int64_t numSrc = 0; numSrc <= kMostNodes; ++numSrc)
        if (!property(numDst, numSrc))
          return false;
    return true;
  }
  /// Every graph of `a` is one of `b`.
  bool isUnder(MPGraphType a, MPGraphType b) {
    auto [place, isNew] = order.try_emplace({a, b});
    if (isNew)
      place->second = holdsForSizes([&](int64_t numDst, int64_t numSrc) {
        return list(b, numDst, numSrc).contains(list(a, numDst, numSrc));
      });
    return place->second;
  }
  bool isSame(MPGraphType a, MPGraphType b) {
    return isUnder(a, b) && isUnder(b, a);
  }

  MLIRContext context;
  std::vector<MPGraphType> classes;
  std::map<std::tuple<const void *, int64_t, int64_t>, EdgeSets> lists;
  llvm::DenseMap<std::pair<mlir::Type, mlir::Type>, bool> order;
};
} // namespace

// Blocks of six nodes and more are apart on larger graphs alone.
TEST_F(TopologyLattice, SubtypesAreSubsets) {
  auto isLarge = [](MPGraphType type) {
    return type.getTopology() == Topology::blocks &&
           type.getParam() >= kMostNodes;
  };
  for (MPGraphType a : classes)
    for (MPGraphType b : classes) {
      const bool areApart = !isLarge(a) && !isLarge(b);
      if (a.isSubtypeOf(b) || areApart) {
        EXPECT_EQ(a.isSubtypeOf(b), isUnder(a, b))
            << testing::PrintToString(a) << " under "
            << testing::PrintToString(b);
      }
    }
  for (int64_t size : {6, 12, 5}) {
    EXPECT_EQ(
        get(Topology::blocks, 12).isSubtypeOf(get(Topology::blocks, size)),
        12 % size == 0);
    EXPECT_TRUE(get(Topology::blocks, mp::kLargestBlock)
                    .isSubtypeOf(get(Topology::blocks, size)));
  }
}

// Too many to be listed: any graph without parallel edges.
TEST_F(TopologyLattice, BlocksOfOneNode) {
  MPGraphType one = get(Topology::blocks, 1);
  for (MPGraphType type : classes) {
    const bool isAny = type.getTopology() == Topology::sparse ||
                       type.getTopology() == Topology::unknown;
    EXPECT_EQ(type.isSubtypeOf(one), !isAny) << testing::PrintToString(type);
    EXPECT_EQ(one.isSubtypeOf(type), isAny) << testing::PrintToString(type);
    EXPECT_EQ(MPGraphType::join(one, type),
              isAny ? get(Topology::unknown) : one);
  }
}

TEST_F(TopologyLattice, JoinIsTheLeastUpperBound) {
  for (MPGraphType a : classes)
    for (MPGraphType b : classes) {
      const MPGraphType join = MPGraphType::join(a, b);
      EXPECT_TRUE(a.isSubtypeOf(join) && b.isSubtypeOf(join));
      EXPECT_TRUE(isUnder(a, join) && isUnder(b, join));
      for (MPGraphType other : classes)
        if (a.isSubtypeOf(other) && b.isSubtypeOf(other)) {
          EXPECT_TRUE(join.isSubtypeOf(other) && isUnder(join, other))
              << testing::PrintToString(a) << " or "
              << testing::PrintToString(b) << ": "
              << testing::PrintToString(join) << ", but "
              << testing::PrintToString(other);
        }
    }
}

TEST_F(TopologyLattice, MeetIsTheGreatestLowerBound) {
  for (MPGraphType a : classes)
    for (MPGraphType b : classes) {
      const MPGraphType meet = MPGraphType::meet(a, b);
      if (meet) {
        EXPECT_TRUE(meet.isSubtypeOf(a) && meet.isSubtypeOf(b));
        EXPECT_TRUE(isUnder(meet, a) && isUnder(meet, b));
      }
      for (MPGraphType other : classes)
        if (other.isSubtypeOf(a) && other.isSubtypeOf(b)) {
          EXPECT_TRUE(meet && other.isSubtypeOf(meet))
              << testing::PrintToString(a) << " and "
              << testing::PrintToString(b) << ": not "
              << testing::PrintToString(other);
        }
    }
}

TEST_F(TopologyLattice, LawsOfALattice) {
  auto meet = [](MPGraphType a, MPGraphType b) {
    return a && b ? MPGraphType::meet(a, b) : MPGraphType();
  };
  for (MPGraphType a : classes) {
    EXPECT_EQ(MPGraphType::join(a, a), a);
    EXPECT_EQ(MPGraphType::meet(a, a), a);
    for (MPGraphType b : classes) {
      const MPGraphType join = MPGraphType::join(a, b);
      EXPECT_EQ(join, MPGraphType::join(b, a));
      EXPECT_EQ(meet(a, b), meet(b, a));
      // `unknown` is the set that `sparse` is.
      EXPECT_TRUE(isSame(MPGraphType::meet(a, join), a));
      if (MPGraphType both = meet(a, b)) {
        EXPECT_TRUE(isSame(MPGraphType::join(a, both), a));
      }
      for (MPGraphType c : classes) {
        EXPECT_EQ(MPGraphType::join(join, c),
                  MPGraphType::join(a, MPGraphType::join(b, c)));
        EXPECT_EQ(meet(meet(a, b), c), meet(a, meet(b, c)));
      }
    }
  }
}

TEST_F(TopologyLattice, DisagreementIsUnknown) {
  const MPGraphType unknown = get(Topology::unknown);
  EXPECT_EQ(MPGraphType::join(get(Topology::causal), get(Topology::window, 3)),
            unknown);
  EXPECT_EQ(MPGraphType::join(get(Topology::complete),
                              get(Topology::complete, 0, true)),
            unknown);
  EXPECT_EQ(MPGraphType::join(get(Topology::complete), get(Topology::sparse)),
            unknown);
  EXPECT_EQ(MPGraphType::meet(get(Topology::sparse), unknown),
            get(Topology::sparse));
  EXPECT_FALSE(
      MPGraphType::meet(get(Topology::causal), get(Topology::window, 3)));
}

TEST_F(TopologyLattice, ReversesAndSelfLoops) {
  for (MPGraphType type : classes) {
    const MPGraphType reversed = type.getReversed(),
                      looped = type.getWithSelfLoops();
    if (type.getTopology() == Topology::sparse || type.isUnknown())
      continue;
    EXPECT_TRUE(holdsForSizes([&](int64_t numDst, int64_t numSrc) {
      EdgeSets turned, filled;
      for (EdgeSet set : list(type, numDst, numSrc).sets) {
        auto has = [&](int64_t i, int64_t j) {
          return bool((set >> (i * numSrc + j)) & 1);
        };
        turned.sets.insert(test::collectEdges(
            numSrc, numDst, false,
            [&](int64_t i, int64_t j) { return has(j, i); }));
        filled.sets.insert(test::collectEdges(
            numDst, numSrc, false,
            [&](int64_t i, int64_t j) { return i == j || has(i, j); }));
      }
      return list(reversed, numSrc, numDst).contains(turned) &&
             (numDst != numSrc ||
              list(looped, numDst, numSrc).contains(filled));
    })) << testing::PrintToString(type);
  }
}
