//===- TopologyLattice.cpp - How the classes of graphs are ordered --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class stands for a set of graphs: a <= b where every graph of a is one of
// b.
//
//                       unknown, sparse: any graph
//       /           |             |              |            \          .
//   blocks N     cliques    causal_cliques    window w    complete - i
//      |        /   |    \       /    \                 (under cliques - i)
//   bipartite  /    |   window 0     causal
//       \     /     |   (node i receives from i alone)
//       complete ---'
//
// Blocks of N are under those of each divisor of N. Classes without self-loops
// (- i) have the same order among themselves and are apart from the others, but
// for `window 0 no_self`, the graph without edges, which is of blocks of any
// size. Blocks of 1 are all graphs without parallel edges; no join makes them.
// `unknown` and `sparse` are the same set: that a graph is `sparse` asks for
// rows.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPDialect.h"

#include <numeric>

using namespace mlir;
using namespace clique::mp;

bool clique::mp::mayLackSelfLoops(Topology topology) {
  switch (topology) {
  case Topology::complete:
  case Topology::causal:
  case Topology::window:
  case Topology::cliques:
  case Topology::causal_cliques:
    return true;
  default:
    return false;
  }
}

bool MPGraphType::isInterval() const {
  return mayLackSelfLoops(getTopology()) ||
         getTopology() == Topology::bipartite;
}

/// N where the graph is of whole blocks of N: 1 where it has no parallel edges,
/// 0 where it may.
static int64_t getBlockSize(MPGraphType type) {
  switch (type.getTopology()) {
  case Topology::blocks:
    return type.getParam();
  case Topology::complete:
    return type.getNoSelf() ? 1 : kLargestBlock;
  case Topology::bipartite:
    return kLargestBlock;
  case Topology::window:
    return type.getNoSelf() && type.getParam() == 0 ? kLargestBlock : 1;
  case Topology::unknown:
  case Topology::sparse:
    return 0;
  default:
    return 1;
  }
}

/// Blocks that no graph exceeds are whole blocks of any size.
static bool isMultiple(int64_t size, int64_t divisor) {
  return size == kLargestBlock || size % divisor == 0;
}

static int64_t getCommonDivisor(int64_t a, int64_t b) {
  if (a == kLargestBlock || b == kLargestBlock)
    return std::min(a, b);
  return std::gcd(a, b);
}

static int64_t getCommonMultiple(int64_t a, int64_t b) {
  const int64_t multiple = a / std::gcd(a, b) * b;
  return isMultiple(a, b) ? a : std::min(multiple, kLargestBlock);
}

bool MPGraphType::isSubtypeOf(MPGraphType other) const {
  if (*this == other)
    return true;
  const Topology topology = getTopology();
  const bool isSameBut = getNoSelf() == other.getNoSelf();
  const bool isSingletons = topology == Topology::window && getParam() == 0;
  switch (other.getTopology()) {
  case Topology::unknown:
  case Topology::sparse:
    return true;
  case Topology::bipartite:
    return topology == Topology::complete && isSameBut;
  case Topology::cliques:
    return (topology == Topology::complete || isSingletons) && isSameBut;
  case Topology::causal_cliques:
    return (topology == Topology::causal || isSingletons) && isSameBut;
  case Topology::blocks:
    return getBlockSize(*this) != 0 &&
           isMultiple(getBlockSize(*this), other.getParam());
  case Topology::complete:
  case Topology::causal:
  case Topology::window:
    return false;
  }
  llvm_unreachable("unknown topology");
}

/// Of the candidates that are above both classes the one that all others are
/// above; with the order turned round, the largest that is under both.
static MPGraphType
findLeast(ArrayRef<MPGraphType> candidates, MPGraphType a, MPGraphType b,
          llvm::function_ref<bool(MPGraphType, MPGraphType)> isAbove) {
  MPGraphType least;
  for (MPGraphType type : candidates)
    if (isAbove(type, a) && isAbove(type, b) &&
        (!least || isAbove(least, type)))
      least = type;
  return least;
}

MPGraphType MPGraphType::join(MPGraphType a, MPGraphType b) {
  if (a == b)
    return a;
  MLIRContext *context = a.getContext();
  auto get = [&](Topology topology, int64_t param = 0, bool noSelf = false) {
    return MPGraphType::get(context, topology, param, noSelf);
  };
  auto isAny = [](MPGraphType type) {
    return type.isUnknown() || type.getTopology() == Topology::sparse;
  };
  // Not all of them are said to be better as rows.
  MPGraphType any = get(Topology::unknown);
  if (isAny(a) || isAny(b))
    return any;
  SmallVector<MPGraphType> candidates = {a, b};
  for (Topology topology : {Topology::cliques, Topology::causal_cliques})
    candidates.push_back(get(topology, 0, a.getNoSelf()));
  // That there are no parallel edges, blocks of one node, is worth no tiles.
  const int64_t size = getCommonDivisor(getBlockSize(a), getBlockSize(b));
  if (size > 1)
    candidates.push_back(get(Topology::blocks, size));
  candidates.push_back(any);
  return findLeast(candidates, a, b, [](MPGraphType type, MPGraphType than) {
    return than.isSubtypeOf(type);
  });
}

MPGraphType MPGraphType::meet(MPGraphType a, MPGraphType b) {
  if (a == b || b.isUnknown())
    return a;
  if (a.isUnknown())
    return b;
  MLIRContext *context = a.getContext();
  SmallVector<MPGraphType> candidates = {
      a, b, MPGraphType::get(context, Topology::complete, 0, false),
      MPGraphType::get(context, Topology::window, 0, false),
      MPGraphType::get(context, Topology::window, 0, true)};
  if (a.getTopology() == Topology::blocks &&
      b.getTopology() == Topology::blocks)
    candidates.push_back(
        MPGraphType::get(context, Topology::blocks,
                         getCommonMultiple(a.getParam(), b.getParam()), false));
  return findLeast(candidates, a, b, [](MPGraphType type, MPGraphType than) {
    return type.isSubtypeOf(than);
  });
}

MPGraphType MPGraphType::getReversed() const {
  switch (getTopology()) {
  case Topology::complete:
  case Topology::bipartite:
  case Topology::window:
  case Topology::cliques:
  case Topology::sparse:
    return *this;
  default:
    return MPGraphType::get(getContext());
  }
}

MPGraphType MPGraphType::getWithSelfLoops() const {
  if (getTopology() == Topology::sparse)
    return *this;
  if (!mayLackSelfLoops(getTopology()))
    return MPGraphType::get(getContext());
  return MPGraphType::get(getContext(), getTopology(), getParam(),
                          /*noSelf=*/false);
}

MPGraphType MPGraphType::getByLevel() const {
  return getTopology() == Topology::sparse ? *this
                                           : MPGraphType::get(getContext());
}

MPGraphType MPGraphType::getRows() const {
  if (getTopology() == Topology::sparse)
    return *this;
  const bool isWhole = getTopology() == Topology::bipartite ||
                       (getTopology() == Topology::complete && !getNoSelf());
  return MPGraphType::get(getContext(),
                          isWhole ? Topology::bipartite : Topology::unknown,
                          /*param=*/0, /*noSelf=*/false);
}
