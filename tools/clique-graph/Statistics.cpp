//===- Statistics.cpp - What there is to count in a graph -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts that do not need each other, side by side.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-graph/Statistics.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"

#include <numeric>

using namespace llvm;
using namespace clique;

//===----------------------------------------------------------------------===//
// Degrees
//===----------------------------------------------------------------------===//

static std::vector<int64_t> getInDegrees(const Adjacency &rows) {
  std::vector<int64_t> degrees;
  degrees.reserve(rows.getNumDst());
  for (int64_t i = 0; i < rows.getNumDst(); ++i)
    degrees.push_back(rows.getInDegree(i));
  return degrees;
}

static std::vector<int64_t> getOutDegrees(const Adjacency &rows) {
  std::vector<int64_t> degrees(rows.getNumSrc() + 1, 0);
  if (!rows.hasIntervals()) {
    for (int64_t i = 0; i < rows.getNumDst(); ++i)
      for (int32_t j : rows.getSources(i))
        ++degrees[j];
    degrees.pop_back();
    return degrees;
  }
  // By how much more rows hold a source than the one before it.
  for (int64_t i = 0; i < rows.getNumDst(); ++i) {
    auto [begin, end] = rows.getInterval(i);
    ++degrees[begin];
    --degrees[end];
  }
  std::partial_sum(degrees.begin(), degrees.end(), degrees.begin());
  degrees.pop_back();
  if (rows.getInfo().no_self)
    for (int64_t &degree : degrees)
      --degree;
  return degrees;
}

static Degrees summarise(std::vector<int64_t> degrees) {
  Degrees result;
  if (degrees.empty())
    return result;
  result.mean =
      double(std::accumulate(degrees.begin(), degrees.end(), int64_t(0))) /
      double(degrees.size());
  for (int64_t degree : degrees) {
    // Bin b > 0 begins at 2^(b - 1).
    const size_t bin = degree == 0 ? 0 : Log2_64(degree) + 1;
    for (size_t b = result.bins.size(); b <= bin; ++b)
      result.bins.push_back({b == 0 ? 0 : int64_t(1) << (b - 1),
                             b == 0 ? 0 : (int64_t(1) << b) - 1, 0});
    ++result.bins[bin].nodes;
  }
  auto middle = degrees.begin() + int64_t(degrees.size() / 2);
  std::nth_element(degrees.begin(), middle, degrees.end());
  result.median = double(*middle);
  if (degrees.size() % 2 == 0)
    result.median =
        (result.median + double(*std::max_element(degrees.begin(), middle))) /
        2;
  result.min = *std::min_element(degrees.begin(), degrees.end());
  result.max = *std::max_element(degrees.begin(), degrees.end());
  return result;
}

static void countDegrees(const Adjacency &rows, GraphStatistics &result) {
  std::vector<int64_t> in = getInDegrees(rows), out = getOutDegrees(rows);
  if (result.isSquare)
    for (auto [a, b] : zip_equal(in, out))
      result.numIsolated += a == 0 && b == 0;
  else
    result.numIsolated = llvm::count(in, 0) + llvm::count(out, 0);
  result.in = summarise(std::move(in));
  result.out = summarise(std::move(out));
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

static void joinIntervals(const Adjacency &rows, unsigned firstSource,
                          IntEqClasses &classes) {
  // The furthest that an interval reaches that begins at or before a source.
  std::vector<int64_t> reach(rows.getNumSrc(), 0);
  for (int64_t i = 0; i < rows.getNumDst(); ++i) {
    if (rows.getInDegree(i) == 0)
      continue;
    auto [begin, end] = rows.getInterval(i);
    reach[begin] = std::max(reach[begin], end);
    classes.join(unsigned(i), firstSource + unsigned(begin));
  }
  int64_t furthest = 0;
  for (int64_t j = 0; j + 1 < rows.getNumSrc(); ++j) {
    furthest = std::max(furthest, reach[j]);
    if (j + 1 < furthest)
      classes.join(firstSource + unsigned(j), firstSource + unsigned(j) + 1);
  }
}

static void countComponents(const Adjacency &rows, GraphStatistics &result) {
  const auto numDst = unsigned(rows.getNumDst());
  // Sources that are other nodes are numbered behind the destinations.
  const unsigned firstSource = result.isSquare ? 0 : numDst;
  const unsigned numNodes = firstSource + unsigned(rows.getNumSrc());
  IntEqClasses classes(numNodes);
  if (rows.hasIntervals())
    joinIntervals(rows, firstSource, classes);
  else
    for (unsigned i = 0; i < numDst; ++i)
      for (int32_t j : rows.getSources(i))
        classes.join(i, firstSource + unsigned(j));
  classes.compress();
  std::vector<int64_t> sizes(classes.getNumClasses(), 0);
  for (unsigned node = 0; node < numNodes; ++node)
    ++sizes[classes[node]];
  result.numComponents = int64_t(sizes.size());
  if (!sizes.empty())
    result.largestComponent = *std::max_element(sizes.begin(), sizes.end());
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// Of a graph whose class says it.
static void countPairsOfClass(GraphStatistics &result) {
  const clique_graph_info &info = result.info;
  if (!result.isSquare)
    return;
  result.numSelfLoops = info.no_self ? 0 : info.num_dst;
  const bool isCausal = info.topology == CLIQUE_TOPOLOGY_CAUSAL ||
                        info.topology == CLIQUE_TOPOLOGY_CAUSAL_CLIQUES;
  result.numReciprocal = isCausal ? result.numSelfLoops : info.num_edges;
}

static void countPairs(const Adjacency &rows, GraphStatistics &result) {
  if (rows.hasIntervals())
    return countPairsOfClass(result);
  // Row i is behind all rows before it, so the reverse of i <- j is the first
  // entry of row j that no row before i asked for.
  std::vector<int64_t> asked(result.isSquare ? rows.getNumDst() : 0, 0);
  for (int64_t i = 0; i < rows.getNumDst(); ++i) {
    int32_t last = -1;
    for (int32_t j : rows.getSources(i)) {
      result.numParallel += j == std::exchange(last, j);
      if (!result.isSquare)
        continue;
      result.numSelfLoops += j == i;
      ArrayRef<int32_t> reverse = rows.getSources(j);
      int64_t &next = asked[j];
      while (next < int64_t(reverse.size()) && reverse[next] < i)
        ++next;
      if (next < int64_t(reverse.size()) && reverse[next] == i) {
        ++result.numReciprocal;
        ++next;
      }
    }
  }
}

static void countBlocks(const Adjacency &rows, GraphStatistics &result) {
  BlockFill &blocks = result.blocks;
  const int64_t numDst = rows.getNumDst(), numSrc = rows.getNumSrc();
  blocks.all = int64_t(divideCeil(numDst, BlockFill::size) *
                       divideCeil(numSrc, BlockFill::size));
  double pairs = 0, area = 0;
  rows.visitBlocks(BlockFill::size, [&](const BlockRun &run) {
    const int64_t row = run.row * BlockFill::size;
    const int64_t column = run.begin * BlockFill::size;
    const int64_t size = std::min(BlockFill::size, numDst - row) *
                         std::min(BlockFill::size, numSrc - column);
    const int64_t count = run.end - run.begin;
    blocks.occupied += count;
    blocks.full += run.pairs == size ? count : 0;
    pairs += double(run.pairs) * double(count);
    area += double(size) * double(count);
  });
  blocks.fill = area > 0 ? pairs / area : 0;
  if (numDst && numSrc)
    result.density = pairs / (double(numDst) * double(numSrc));
}

GraphStatistics clique::computeStatistics(const Adjacency &rows) {
  GraphStatistics result;
  result.info = rows.getInfo();
  result.isSquare = rows.isSquare();
  // Each writes its own members.
  parallel::TaskGroup tasks;
  for (auto count : {countDegrees, countComponents, countPairs, countBlocks})
    tasks.spawn([&rows, &result, count] { count(rows, result); });
  return result;
}
