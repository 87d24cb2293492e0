//===- EdgeGroupsTest.cpp - The edges of one key into one destination -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/InvokeUtil.h"

#include <fstream>
#include <map>
#include <random>
#include <sys/resource.h>
#include <unistd.h>

using namespace clique::test;

static std::vector<int32_t> copy(void (*get)(clique::Memref1D<const int32_t> *,
                                             const clique_graph *),
                                 const clique_graph *graph) {
  clique::Memref1D<const int32_t> array;
  get(&array, graph);
  return {array.aligned, array.aligned + array.size};
}

static std::vector<int32_t> rowsOf(const clique_graph *g) {
  return copy(_mlir_ciface_clique_rt_group_rows, g);
}
static std::vector<int32_t> keysOf(const clique_graph *g) {
  return copy(_mlir_ciface_clique_rt_group_keys, g);
}
static clique_graph *group(const clique_graph *g, std::vector<int32_t> keys,
                           int64_t numKeys) {
  clique::Memref1D<const int32_t> array = {keys.data(), keys.data(), 0,
                                           int64_t(keys.size()), 1};
  return _mlir_ciface_clique_rt_group_edges(g, &array, numKeys);
}

TEST(EdgeGroups, ByKeyThenDestination) {
  Graph graph = makeGraph(4, 4, {{3, 2}, {0, 1}, {3, 0}, {3, 2}, {1, 1}});
  EXPECT_OK(invoke([&] {
    // Keys outside count as the nearest ones.
    clique_graph *groups = group(graph.get(), {2, 0, 7, 0, -1}, 3);
    EXPECT_EQ(rowsOf(groups), (std::vector<int32_t>{0, 1, 3, 3}));
    EXPECT_EQ(keysOf(groups), (std::vector<int32_t>{0, 0, 0, 2}));
    // Edges keep their numbers and their sources.
    EXPECT_EQ(edgesOf(groups), (Edges{{3, 2}, {0, 1}, {3, 0}, {2, 2}, {1, 1}}));
    EXPECT_EQ(clique_rt_num_src(groups), 4);
    clique_rt_release(groups);
  }));
}

TEST(EdgeGroups, AreKeptUntilThereAreOtherKeys) {
  Graph graph = makeGraph(2, 2, {{0, 1}, {1, 0}});
  EXPECT_OK(invoke([&] {
    clique_graph *first = group(graph.get(), {1, 0}, 2);
    EXPECT_EQ(group(graph.get(), {1, 0}, 2), first);
    EXPECT_NE(group(graph.get(), {1, 0}, 3), first);
    EXPECT_EQ(group(graph.get(), {1, 0}, 2), first);
    clique_graph *second = group(graph.get(), {0, 0}, 2);
    EXPECT_NE(second, first);
    // The invocation still uses those that the graph no longer keeps.
    EXPECT_EQ(keysOf(first), (std::vector<int32_t>{0, 1}));
    EXPECT_EQ(rowsOf(first), (std::vector<int32_t>{1, 0}));
    EXPECT_EQ(keysOf(second), (std::vector<int32_t>{0, 0}));
  }));
}

/// Of this process, in physical memory.
static int64_t residentBytes() {
  int64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// The most that it has been, in KiB.
static int64_t mostResident() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// A loop whose steps have keys of their own needs memory for one step.
TEST(EdgeGroups, AreLetGoWhenTheyAreReleased) {
  if (__asan_init)
    GTEST_SKIP() << "the sanitizer keeps what is freed";
  constexpr int32_t count = 100000;
  Edges edges;
  for (int32_t k = 0; k < count; ++k)
    edges.emplace_back(k, 0);
  Graph graph = makeGraph(count, 1, edges);
  int64_t before = 0, after = 0;
  EXPECT_OK(invoke([&] {
    std::vector<int32_t> keys(count, 0);
    for (int32_t step = 0; step < 100; ++step) {
      keys[0] = step;
      clique_graph *groups = group(graph.get(), keys, count);
      EXPECT_EQ(keysOf(groups).back(), step);
      clique_rt_release(groups);
      if (step == 10)
        before = residentBytes();
    }
    after = residentBytes();
  }));
  EXPECT_LT(after - before, int64_t(32) << 20);
}

// Two of the same are one graph, to be released twice.
TEST(EdgeGroups, StayUntilTheLastRelease) {
  Graph graph = makeGraph(2, 2, {{0, 1}, {1, 0}});
  EXPECT_OK(invoke([&] {
    clique_graph *first = group(graph.get(), {1, 0}, 2);
    EXPECT_EQ(group(graph.get(), {1, 0}, 2), first);
    clique_rt_release(first);
    EXPECT_NE(group(graph.get(), {0, 0}, 2), first);
    EXPECT_EQ(keysOf(first), (std::vector<int32_t>{0, 1}));
    clique_rt_release(first);
  }));
}

// The memory is that of the edges.
TEST(EdgeGroups, OfKeysThatAreFarApart) {
  Graph graph = makeGraph(2, 2, {{0, 1}, {1, 0}, {1, 1}, {0, 0}});
  const int64_t before = mostResident();
  EXPECT_OK(invoke([&] {
    clique_graph *groups =
        group(graph.get(), {300000000, 5, 300000000, 299999999}, INT64_MAX);
    EXPECT_EQ(keysOf(groups),
              (std::vector<int32_t>{5, 299999999, 300000000, 300000000}));
    EXPECT_EQ(rowsOf(groups), (std::vector<int32_t>{1, 0, 0, 1}));
    EXPECT_LT(mostResident() - before, 256 << 10);
  }));
}

TEST(EdgeGroups, OfAGraphThatTheLayerMade) {
  EXPECT_OK(invoke([] {
    clique_graph *complete = clique_rt_complete(2, false);
    clique_graph *groups = group(complete, {1, 1, 0, 1}, 2);
    clique_rt_release(complete);
    EXPECT_EQ(keysOf(groups), (std::vector<int32_t>{0, 1, 1}));
    EXPECT_EQ(rowsOf(groups), (std::vector<int32_t>{1, 0, 1}));
    clique_rt_release(groups);
  }));
}

TEST(EdgeGroups, OfNoEdgesAndOfOneKeyOfVeryMany) {
  Graph empty = makeGraph(3, 3, {}), one = makeGraph(1, 1, {{0, 0}});
  EXPECT_OK(invoke([&] {
    EXPECT_TRUE(rowsOf(group(empty.get(), {}, 5)).empty());
    EXPECT_EQ(keysOf(group(one.get(), {9}, INT64_MAX)),
              (std::vector<int32_t>{9}));
  }));
}

/// As a map sorts them.
TEST(EdgeGroups, OfARandomGraph) {
  std::mt19937 random(3);
  std::vector<int32_t> keys;
  Edges edges;
  std::map<std::pair<int32_t, int32_t>, int32_t> expected;
  for (int k = 0; k < 2000; ++k) {
    edges.push_back({int32_t(random() % 50), int32_t(random() % 40)});
    keys.push_back(int32_t(random() % 7));
    expected[{keys.back(), edges.back().first}] = 0;
  }
  std::vector<int32_t> rows, keysOfGroups;
  for (auto &[pair, number] : expected) {
    number = int32_t(rows.size());
    keysOfGroups.push_back(pair.first);
    rows.push_back(pair.second);
  }
  Graph graph = makeGraph(50, 40, edges);
  EXPECT_OK(invoke([&] {
    clique_graph *groups = group(graph.get(), keys, 7);
    EXPECT_EQ(rowsOf(groups), rows);
    EXPECT_EQ(keysOf(groups), keysOfGroups);
    for (size_t k = 0; k < edges.size(); ++k)
      edges[k].first = expected[{keys[k], edges[k].first}];
    EXPECT_EQ(edgesOf(groups), edges);
  }));
}

/// The groups of the last numbers of keys are kept; others are made again.
TEST(EdgeGroups, OfManyNumbersOfKeys) {
  Graph graph = makeGraph(2, 2, {{0, 1}, {1, 0}, {0, 0}});
  for (int64_t numKeys : {2, 3, 4, 5, 6, 7, 2, 7, 3})
    EXPECT_OK(invoke([&] {
      // Both stay until the call ends.
      clique_graph *first = group(graph.get(), {1, 0, 0}, numKeys);
      clique_graph *second = group(graph.get(), {0, 0, 1}, numKeys);
      EXPECT_EQ(keysOf(first), (std::vector<int32_t>{0, 0, 1}));
      EXPECT_EQ(rowsOf(first), (std::vector<int32_t>{0, 1, 0}));
      EXPECT_EQ(keysOf(second), (std::vector<int32_t>{0, 0, 1}));
      EXPECT_EQ(rowsOf(second), (std::vector<int32_t>{0, 1, 0}));
    }));
}

TEST(EdgeGroups, BadKeysFail) {
  Graph graph = makeGraph(2, 2, {{0, 1}, {1, 0}});
  expectFailure([&] { group(graph.get(), {1}, 2); },
                "mp.group_edges: 1 keys, but the graph has 2 edges; expected "
                "one for each");
  expectFailure([&] { group(graph.get(), {1, 0}, 0); },
                "mp.group_edges: keys from 0 to -1; expected 1 key or more");
}
