//===- GatherModel.cpp - What a gather takes in an order of nodes ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the sources of the rows one after the other, as a layer does, and
// counts what is not in caches that evict the least recently used.
//
//===----------------------------------------------------------------------===//
#include "runtime/Caches.h"
#include "runtime/Interruption.h"
#include "runtime/NodeOrder.h"

#include <algorithm>

using namespace clique;

// A source's row of so many bytes takes, in nanoseconds of one core,
//
//   kEdge + lines * (kLine + kNear * near + kFar * far) + kPage * pages * walks
//
// where near, far and walks are the shares of rows that are not in the second
// cache, not in the last one, and on pages without an entry in the table of
// translations (TLB). Fitted to the sums of rows of 64, 256 and 1024 bytes on
// seven graphs in four orders each, one core of a Zen 4 server (inside a
// virtual machine, where walks are long): the ratio of an order to the given
// one is met within a fifth for most. Rows are prefetched, so that a near miss
// costs far less than its latency.

constexpr double kEdge = 0.4;
constexpr double kLine = 0.6;
constexpr double kNear = 0.9;
constexpr double kFar = 8.5;
constexpr double kPage = 7;

constexpr int64_t kLineBytes = 64;
constexpr int64_t kPageBytes = 4096;
/// Second-level tables of current server cores have 1536 to 3072 entries.
constexpr int64_t kPageEntries = 2048;

/// At most about so many edges are looked at, in stretches of this length.
constexpr int64_t kSampledEdges = int64_t(1) << 23;
constexpr int64_t kStretch = int64_t(1) << 20;

namespace {
/// A cache of `capacity` blocks that evicts the least recently used one.
class LruCache {
public:
  LruCache(int64_t numBlocks, int64_t capacity)
      : end(int32_t(numBlocks)), free(capacity), after(numBlocks + 1, kAbsent),
        before(numBlocks + 1, kAbsent) {
    link(end, end);
  }

  /// Whether the block was there; it is from now on.
  bool touch(int32_t block) {
    const bool hit = after[block] != kAbsent;
    if (hit)
      link(before[block], after[block]);
    else if (free > 0)
      --free;
    else
      evict();
    const int32_t first = after[end];
    link(end, block);
    link(block, first);
    return hit;
  }

private:
  static constexpr int32_t kAbsent = -1;

  void link(int32_t a, int32_t b) {
    after[a] = b;
    before[b] = a;
  }
  void evict() {
    const int32_t last = before[end];
    link(before[last], end);
    after[last] = kAbsent;
  }

  const int32_t end; ///< before the first and after the last block
  int64_t free;
  NodeList after, before;
};

/// One level of the memory: a cache of so many bytes in such blocks.
struct Level {
  int64_t blockBytes;
  int64_t cacheBytes;
  double cost; ///< of a block that is not there
};
} // namespace

/// The share of the sources whose row is not in the cache.
static double countMisses(const clique_graph &graph, const NodeList &order,
                          const NodeList &newOfOld, int64_t nodesPerBlock,
                          int64_t capacity) {
  const ArrayView<int64_t> rows = graph.indptr();
  const ArrayView<int32_t> sources = graph.indices();
  const int64_t period =
      std::max(kStretch, graph.numEdges / (kSampledEdges / kStretch));
  LruCache cache(graph.numSrc / nodesPerBlock + 1, capacity);
  int64_t edges = 0, looked = 0, misses = 0;
  LoopInterruption interruption;
  for (int32_t node : order) {
    if (edges % period < kStretch) {
      interruption.check(size_t(rows[node + 1] - rows[node]));
      looked += rows[node + 1] - rows[node];
      for (int64_t k = rows[node]; k < rows[node + 1]; ++k)
        misses += !cache.touch(int32_t(newOfOld[sources[k]] / nodesPerBlock));
    }
    edges += rows[node + 1] - rows[node];
  }
  return looked ? double(misses) / double(looked) : 0;
}

double clique::estimateGather(const clique_graph &graph, const NodeList &order,
                              int64_t bytesPerNode) {
  const NodeList newOfOld = invertOrder(order);
  const CacheSizes caches = cacheSizes();
  const Level levels[] = {{kLineBytes, caches.second, kNear},
                          {kLineBytes, caches.last, kFar},
                          {kPageBytes, kPageEntries * kPageBytes, kPage}};
  auto blocksPerRow = [&](int64_t blockBytes) {
    const int64_t blocks = (bytesPerNode + blockBytes - 1) / blockBytes;
    return double(blocks);
  };
  double time = kEdge + kLine * blocksPerRow(kLineBytes);
  for (const Level &level : levels) {
    const int64_t capacity =
        level.cacheBytes / std::max(level.blockBytes, bytesPerNode);
    const double missed =
        countMisses(graph, order, newOfOld,
                    std::max<int64_t>(1, level.blockBytes / bytesPerNode),
                    std::max<int64_t>(1, capacity));
    time += level.cost * blocksPerRow(level.blockBytes) * missed;
  }
  return time;
}
