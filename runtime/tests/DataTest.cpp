//===- DataTest.cpp - Real graphs ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of published data sets, under CLIQUE_DATA; skipped where it is
// missing.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

using namespace clique::test;

/// A whole number of meta.json, which lists each key once on its own line.
static int64_t metaNumber(const std::string &meta, const std::string &key) {
  const size_t found = meta.find("\n \"" + key + "\":");
  EXPECT_NE(found, std::string::npos) << key;
  return std::stoll(meta.substr(meta.find(':', found) + 1));
}

class Data : public ::testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(Sets, Data,
                         ::testing::Values("cora", "citeseer", "pubmed",
                                           "ogbn_arxiv", "ego_twitter",
                                           "imdb_binary", "mutag", "road_ny",
                                           "fb15k_237"),
                         [](const auto &info) { return info.param; });

TEST_P(Data, CountsAgreeWithTheDescription) {
  const std::string folder = dataFolder() + "/" + GetParam();
  std::ifstream stream(folder + "/meta.json");
  if (!stream)
    GTEST_SKIP() << folder << " is missing; set CLIQUE_DATA";
  const std::string meta(std::istreambuf_iterator<char>(stream), {});
  std::string path = folder + "/graph.mtx";
  if (!std::filesystem::exists(path))
    path += ".gz";
  Graph graph = make(clique_graph_read, path.c_str());
  ASSERT_NE(graph, nullptr);
  const clique_graph_info info = inspect(graph.get());
  EXPECT_EQ(info.num_dst, metaNumber(meta, "nodes"));
  EXPECT_EQ(info.num_src, metaNumber(meta, "nodes"));
  EXPECT_EQ(info.num_edges, metaNumber(meta, "edges"));
  EXPECT_EQ(info.max_degree, metaNumber(meta, "max_in_degree"));
  EXPECT_EQ(info.topology, CLIQUE_TOPOLOGY_SPARSE);
  EXPECT_TRUE(edgesInOrder(graph.get()));
}

TEST(DataArrays, FeaturesOfPubmed) {
  const std::string path = dataFolder() + "/pubmed/features.npy.gz";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << path << " is missing; set CLIQUE_DATA";
  DLManagedTensor *tensor = nullptr;
  ASSERT_OK(clique_npy_read(path.c_str(), 0, &tensor));
  Tensor features(tensor);
  ASSERT_EQ(features->dl_tensor.ndim, 2);
  EXPECT_EQ(features->dl_tensor.shape[0], 19717);
  EXPECT_EQ(features->dl_tensor.shape[1], 500);
}
