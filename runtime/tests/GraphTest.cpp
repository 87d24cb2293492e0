//===- GraphTest.cpp - The graph container -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction, validation, and the CSR of graphs given by their edges.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <algorithm>
#include <random>

using namespace clique::test;

TEST(Graph, CooIsSortedStablyAndKeepsTheCallersNumbers) {
  Graph graph = makeGraph(3, 4, {{2, 1}, {0, 3}, {2, 0}, {0, 3}, {0, 1}});
  const int64_t *indptr, *ids;
  const int32_t *indices;
  ASSERT_OK(clique_graph_csr(graph.get(), &indptr, &indices, &ids));
  EXPECT_EQ(std::vector<int64_t>(indptr, indptr + 4),
            (std::vector<int64_t>{0, 3, 3, 5}));
  EXPECT_EQ(std::vector<int32_t>(indices, indices + 5),
            (std::vector<int32_t>{1, 3, 3, 0, 1}));
  EXPECT_EQ(std::vector<int64_t>(ids, ids + 5),
            (std::vector<int64_t>{4, 1, 3, 2, 0}));
  EXPECT_FALSE(edgesInOrder(graph.get()));
}

TEST(Graph, SortedEdgesNeedNoPermutation) {
  Graph graph = makeGraph(2, 2, {{0, 0}, {0, 1}, {0, 1}, {1, 0}});
  const int64_t *ids;
  ASSERT_OK(clique_graph_csr(graph.get(), nullptr, nullptr, &ids));
  EXPECT_EQ(ids, nullptr);
  EXPECT_TRUE(edgesInOrder(graph.get()));
  clique::Memref1D<const int64_t> identity;
  _mlir_ciface_clique_rt_edge_ids(&identity, graph.get());
  EXPECT_EQ(identity.size, 6);
  EXPECT_EQ(edgeNumber(identity, 3, 1), 3);
}

TEST(Graph, RandomEdgesComeBack) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    Edges edges;
    for (int k = 0; k < 300; ++k)
      edges.emplace_back(random() % 17, random() % 23);
    EXPECT_EQ(edgesOf(makeGraph(17, 23, edges).get()), edges);
  }
}

TEST(Graph, UnsortedCsrRowsAreSorted) {
  const std::vector<int64_t> indptr = {0, 3, 4};
  const std::vector<int32_t> indices = {2, 0, 2, 1};
  Graph graph = make(clique_graph_from_csr, int64_t(2), int64_t(3),
                     indptr.data(), indices.data());
  EXPECT_EQ(edgesOf(graph.get()), (Edges{{0, 2}, {0, 0}, {0, 2}, {1, 1}}));
}

TEST(Graph, SortedCsrIsTakenAsItIs) {
  const std::vector<int64_t> indptr = {0, 2, 2, 3};
  const std::vector<int32_t> indices = {0, 2, 1};
  Graph graph = make(clique_graph_from_csr, int64_t(3), int64_t(3),
                     indptr.data(), indices.data());
  EXPECT_TRUE(edgesInOrder(graph.get()));
  EXPECT_EQ(edgesOf(graph.get()), (Edges{{0, 0}, {0, 2}, {2, 1}}));
}

TEST(Graph, EmptyGraphsWork) {
  for (auto [numDst, numSrc] :
       {std::pair<int64_t, int64_t>{0, 0}, {0, 3}, {3, 0}, {4, 4}}) {
    Graph graph = makeGraph(numDst, numSrc, {});
    EXPECT_EQ(clique_graph_num_edges(graph.get()), 0);
    EXPECT_TRUE(edgesOf(graph.get()).empty());
    EXPECT_EQ(inspect(graph.get()).num_isolated, numDst);
  }
  Graph csr = make(clique_graph_from_csr, int64_t(0), int64_t(0),
                   static_cast<const int64_t *>(nullptr),
                   static_cast<const int32_t *>(nullptr));
  EXPECT_EQ(clique_graph_num_dst(csr.get()), 0);
}

//===----------------------------------------------------------------------===//
// Bad input
//===----------------------------------------------------------------------===//

static clique_status tryCoo(int64_t numDst, int64_t numSrc,
                            const Edges &edges) {
  std::vector<int32_t> dst, src;
  for (auto [i, j] : edges) {
    dst.push_back(i);
    src.push_back(j);
  }
  clique_graph *graph = nullptr;
  clique_status status = clique_graph_from_coo(
      numDst, numSrc, int64_t(edges.size()), dst.data(), src.data(), &graph);
  EXPECT_EQ(graph, nullptr);
  return status;
}

TEST(Graph, CooIndexOutOfRange) {
  EXPECT_EQ(tryCoo(3, 4, {{0, 0}, {3, 0}}), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("clique_graph_from_coo: dst[1] is 3, expected 0 <= "
                           "destination < 3"));
  EXPECT_EQ(tryCoo(3, 4, {{0, 4}}), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("src[0] is 4, expected 0 <= source < 4"));
  EXPECT_EQ(tryCoo(3, 4, {{0, -1}}), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("src[0] is -1"));
}

TEST(Graph, NodeCountOutOfRange) {
  EXPECT_EQ(tryCoo(-1, 4, {}), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("-1 destinations"));
  EXPECT_EQ(tryCoo(0, int64_t(1) << 31, {}), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("2147483648 sources"));
}

TEST(Graph, EdgeCountOutOfRange) {
  clique_graph *graph = nullptr;
  EXPECT_EQ(clique_graph_from_coo(3, 3, -1, nullptr, nullptr, &graph),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(
      lastErrorHas("clique_graph_from_coo: -1 edges, expected 0 or more"));
}

TEST(Graph, CsrRowPointers) {
  const std::vector<int32_t> indices = {0, 1, 0};
  clique_graph *graph = nullptr;
  const std::vector<int64_t> falls = {0, 2, 1, 3};
  EXPECT_EQ(clique_graph_from_csr(3, 2, falls.data(), indices.data(), &graph),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("indptr[2] = 1 is smaller than indptr[1] = 2"));
  const std::vector<int64_t> late = {1, 2, 3};
  EXPECT_EQ(clique_graph_from_csr(2, 2, late.data(), indices.data(), &graph),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("indptr[0] is 1, expected 0"));
  const std::vector<int64_t> fine = {0, 2, 3};
  EXPECT_EQ(clique_graph_from_csr(2, 1, fine.data(), indices.data(), &graph),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("indices[1] is 1, expected 0 <= source < 1"));
  EXPECT_EQ(clique_graph_from_csr(2, 2, nullptr, indices.data(), &graph),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("'indptr' is NULL"));
  EXPECT_EQ(graph, nullptr);
}

/// Arrays of a caller are used where they lie, and given back once.
TEST(Graph, AdoptedArrays) {
  static int released;
  auto release = [](void *) { ++released; };
  const std::vector<int64_t> indptr = {0, 1, 2};
  const std::vector<int32_t> indices = {0, 1};
  int owner = 0;
  for (void *name :
       {static_cast<void *>(&owner), static_cast<void *>(nullptr)}) {
    released = 0;
    clique_graph *graph = nullptr;
    ASSERT_OK(clique_graph_adopt_csr(2, 2, indptr.data(), indices.data(),
                                     release, name, &graph));
    const int32_t *used = nullptr;
    ASSERT_OK(clique_graph_csr(graph, nullptr, &used, nullptr));
    EXPECT_EQ(used, indices.data());
    EXPECT_EQ(released, 0);
    clique_graph_free(graph);
    EXPECT_EQ(released, 1);
    EXPECT_EQ(clique_graph_adopt_csr(2, 1, indptr.data(), indices.data(),
                                     release, name, &graph),
              CLIQUE_INVALID_ARGUMENT);
    EXPECT_EQ(released, 2);
    EXPECT_EQ(clique_graph_adopt_csr(2, 2, indptr.data(), indices.data(),
                                     release, name, nullptr),
              CLIQUE_INVALID_ARGUMENT);
    EXPECT_EQ(released, 3);
  }
}

TEST(Graph, ImplicitGraphsCheckTheirSizes) {
  clique_graph *graph = nullptr;
  EXPECT_EQ(clique_graph_complete(-1, 0, &graph), CLIQUE_INVALID_ARGUMENT);
  EXPECT_EQ(clique_graph_causal(int64_t(1) << 40, 0, &graph),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_EQ(clique_graph_window(3, -2, 0, &graph), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("half width -2"));
  const std::vector<int64_t> falls = {0, 3, 2};
  EXPECT_EQ(clique_graph_cliques(2, falls.data(), 0, 0, &graph),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("offsets[2] = 2 is smaller than offsets[1] = 3"));
  const std::vector<int64_t> late = {1, 2};
  EXPECT_EQ(clique_graph_cliques(-1, late.data(), 0, 0, &graph),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("-1 parts; expected 0 or more"));
  EXPECT_EQ(clique_graph_cliques(1, late.data(), 0, 0, &graph),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("offsets[0] is 1, expected 0"));
  EXPECT_EQ(clique_graph_complete(3, 0, nullptr), CLIQUE_INVALID_ARGUMENT);
}

TEST(Graph, EdgesThatDoNotFitIntoMemoryAreRefused) {
  Graph graph = make(clique_graph_complete, int64_t(2000000000), 0);
  EXPECT_EQ(clique_graph_num_edges(graph.get()), 4000000000000000000);
  EXPECT_EQ(inspect(graph.get()).max_degree, 2000000000);
  clique_graph *reversed = nullptr;
  EXPECT_OK(clique_graph_reverse(graph.get(), &reversed));
  clique_graph_free(reversed);
  // What failed once is tried again.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const int32_t *indices;
    EXPECT_EQ(clique_graph_csr(graph.get(), nullptr, &indices, nullptr),
              CLIQUE_OUT_OF_MEMORY);
    EXPECT_TRUE(lastErrorHas("4000000000000000000 edges"));
  }
}
