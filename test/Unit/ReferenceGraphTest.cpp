//===- ReferenceGraphTest.cpp - Graphs of the reference interpreter -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"

using namespace clique;
using namespace clique::test;

using Doubles = std::vector<double>;

namespace {
class ReferenceGraphTest : public ReferenceTest {
protected:
  /// The edges (dst, src) of the graph `%g` that `make` defines, by number.
  Doubles getEdges(const std::string &make, const std::string &type,
                   const std::string &parameters = "",
                   const std::vector<ReferenceValue> &arguments = {}) {
    return run("func.func @f(" + parameters + ") -> !mp.edges<2xi64> {\n" +
                   make + "\n%e = mp.message %g : " + type +
                   R"( -> !mp.edges<2xi64> {
      %i = mp.position dst : tensor<i64>
      %j = mp.position src : tensor<i64>
      %i1 = mp.broadcast %i : tensor<i64> to tensor<1xi64>
      %j1 = mp.broadcast %j : tensor<i64> to tensor<1xi64>
      %r = tensor.concat dim(0) %i1, %j1 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
      mp.yield %r : tensor<2xi64>
    }
    return %e : !mp.edges<2xi64>
  })",
               arguments);
  }
};
} // namespace

TEST_F(ReferenceGraphTest, ImplicitGraphsAreNumberedByDestination) {
  std::string n = "%n = arith.constant 3 : index\n";
  EXPECT_EQ(getEdges(n + "%g = mp.complete %n no_self",
                     "!mp.graph<complete, no_self>"),
            (Doubles{0, 1, 0, 2, 1, 0, 1, 2, 2, 0, 2, 1}));
  EXPECT_EQ(getEdges(n + "%g = mp.causal %n", "!mp.graph<causal>"),
            (Doubles{0, 0, 1, 0, 1, 1, 2, 0, 2, 1, 2, 2}));
  EXPECT_EQ(getEdges(n + "%g = mp.window %n, 1", "!mp.graph<window, 1>"),
            (Doubles{0, 0, 0, 1, 1, 0, 1, 1, 1, 2, 2, 1, 2, 2}));
  EXPECT_EQ(getEdges(n + "%m = arith.constant 1 : index\n"
                         "%g = mp.bipartite %n, %m",
                     "!mp.graph<bipartite>"),
            (Doubles{0, 0, 1, 0, 2, 0}));
}

TEST_F(ReferenceGraphTest, CliquesMayBeEmpty) {
  auto cliques = [&](const std::string &flags, const std::string &type) {
    return getEdges("%g = mp.cliques %o " + flags + " : tensor<?xi64> -> " +
                        type,
                    type, "%o: tensor<?xi64>", {vector({0, 2, 2, 3})});
  };
  EXPECT_EQ(cliques("", "!mp.graph<cliques>"),
            (Doubles{0, 0, 0, 1, 1, 0, 1, 1, 2, 2}));
  EXPECT_EQ(cliques("causal", "!mp.graph<causal_cliques>"),
            (Doubles{0, 0, 1, 0, 1, 1, 2, 2}));
  EXPECT_EQ(cliques("no_self", "!mp.graph<cliques, no_self>"),
            (Doubles{0, 1, 1, 0}));
}

TEST_F(ReferenceGraphTest, EdgeListsKeepTheirOrder) {
  EXPECT_EQ(getEdges("%g = mp.edge_list dense<[[1, 0], [0, 2], [1, 0]]> : "
                     "tensor<3x2xi32>, 2, 3 : !mp.graph",
                     "!mp.graph"),
            (Doubles{1, 0, 0, 2, 1, 0}));
  EXPECT_EQ(getEdges("%n = arith.constant 3 : index\n"
                     "%g = mp.csr %p, %c, %n : tensor<?xi64>, tensor<?xi32> "
                     "-> !mp.graph",
                     "!mp.graph", "%p: tensor<?xi64>, %c: tensor<?xi32>",
                     {vector({0, 2, 2, 3}), vector({2, 0, 1})}),
            (Doubles{0, 2, 0, 0, 2, 1}));
  EXPECT_EQ(getEdges("%n = arith.constant 3 : index\n"
                     "%g = mp.coo %d, %s, %n, %n : tensor<?xi32>, "
                     "tensor<?xi32> -> !mp.graph",
                     "!mp.graph", "%d: tensor<?xi32>, %s: tensor<?xi32>",
                     {vector({2, 0}), vector({1, 1})}),
            (Doubles{2, 1, 0, 1}));
}

TEST_F(ReferenceGraphTest, ReverseKeepsTheNumbers) {
  EXPECT_EQ(getEdges("%g = mp.reverse %h : !mp.graph -> !mp.graph", "!mp.graph",
                     "%h: !mp.graph", {graph(2, 3, {{1, 2}, {0, 1}})}),
            (Doubles{2, 1, 1, 0}));
}

TEST_F(ReferenceGraphTest, SelfLoopsComeLastByNode) {
  EXPECT_EQ(getEdges("%g = mp.self_loops %h : !mp.graph -> !mp.graph",
                     "!mp.graph", "%h: !mp.graph",
                     {graph(3, 3, {{1, 1}, {0, 1}})}),
            (Doubles{1, 1, 0, 1, 0, 0, 2, 2}));
}

TEST_F(ReferenceGraphTest, SizesAndDegrees) {
  auto results = evaluate(
      R"(func.func @f(%g: !mp.graph) -> (index, index, index, tensor<?xf32>) {
    %d = mp.num_dst %g : !mp.graph
    %s = mp.num_src %g : !mp.graph
    %e = mp.num_edges %g : !mp.graph
    %k = mp.degree %g : !mp.graph -> tensor<?xf32>
    return %d, %s, %e, %k : index, index, index, tensor<?xf32>
  })",
      {graph(3, 2, {{2, 0}, {0, 1}, {2, 0}})});
  ASSERT_EQ(results.size(), 4u) << errors;
  EXPECT_EQ(results[0].data, Doubles{3});
  EXPECT_EQ(results[1].data, Doubles{2});
  EXPECT_EQ(results[2].data, Doubles{3});
  EXPECT_EQ(results[3].data, (Doubles{1, 0, 2}));
}

TEST_F(ReferenceGraphTest, CastKeepsTheGraph) {
  EXPECT_EQ(run(R"(func.func @f(%n: index) -> index {
    %g = mp.causal %n
    %c = mp.cast %g : !mp.graph<causal> to !mp.graph
    %e = mp.num_edges %c : !mp.graph
    return %e : index
  })",
                {scalar(3)}),
            Doubles{6});
}

TEST(ReferenceGraph, FromRuntimeKeepsTheCallersNumbers) {
  std::vector<int32_t> dst = {2, 0, 2, 0}, src = {1, 1, 0, 0};
  clique_graph *runtimeGraph;
  ASSERT_EQ(
      clique_graph_from_coo(3, 2, 4, dst.data(), src.data(), &runtimeGraph),
      CLIQUE_OK);
  ReferenceGraph graph =
      llvm::cantFail(ReferenceGraph::fromRuntime(runtimeGraph));
  clique_graph_free(runtimeGraph);
  EXPECT_EQ(graph.getNumDst(), 3);
  EXPECT_EQ(graph.getNumSrc(), 2);
  ASSERT_EQ(graph.getNumEdges(), 4);
  for (int64_t edge = 0; edge < 4; ++edge) {
    EXPECT_EQ(graph.getDst(edge), dst[edge]);
    EXPECT_EQ(graph.getSrc(edge), src[edge]);
  }
  EXPECT_EQ(graph.getDegree(1), 0);
  EXPECT_EQ(graph.getIncoming(0, 1), 3);
  EXPECT_EQ(graph.getIncoming(2, 0), 0);
}

TEST(ReferenceGraph, TooManyEdgesAreRefused) {
  auto graph = ReferenceGraph::complete(1 << 20, /*noSelf=*/false);
  ASSERT_FALSE(static_cast<bool>(graph));
  EXPECT_NE(llvm::toString(graph.takeError()).find("more than 2^30 edges"),
            std::string::npos);
}

TEST_F(ReferenceGraphTest, LevelsAndTheirRows) {
  // 3 from 1 and 2, 1 from 2; 0 alone. Levels: 0 2 | 1 | 3.
  const std::string make = "%g, %n, %p, %o = mp.levels %whole : !mp.graph";
  const auto whole = graph(4, 4, {{3, 2}, {3, 1}, {1, 2}});
  EXPECT_EQ(getEdges(make, "!mp.graph", "%whole: !mp.graph", {whole}),
            (Doubles{3, 1, 3, 2, 2, 1}));
  auto getList = [&](const std::string &name, const std::string &type) {
    return run("func.func @f(%whole: !mp.graph) -> tensor<?x" + type + "> {\n" +
                   make + "\nreturn %" + name + " : tensor<?x" + type + ">\n}",
               {whole});
  };
  EXPECT_EQ(getList("n", "i32"), (Doubles{0, 2, 1, 3}));
  EXPECT_EQ(getList("p", "i32"), (Doubles{0, 2, 1, 3}));
  EXPECT_EQ(getList("o", "i64"), (Doubles{0, 2, 3, 4}));
  // By source, parallel edges by their numbers.
  const std::string rows =
      "%f = arith.constant 1 : index\n%c = arith.constant 2 : index\n"
      "%g, %numbers = mp.rows %whole, %f, %c : !mp.graph";
  const auto parallel = graph(4, 4, {{2, 3}, {3, 0}, {1, 1}, {2, 3}, {2, 0}});
  EXPECT_EQ(getEdges(rows, "!mp.graph", "%whole: !mp.graph", {parallel}),
            (Doubles{0, 1, 1, 0, 1, 3, 1, 3}));
  EXPECT_EQ(run("func.func @f(%whole: !mp.graph) -> tensor<?xi64> {\n" + rows +
                    "\nreturn %numbers : tensor<?xi64>\n}",
                {parallel}),
            (Doubles{2, 4, 0, 3}));
}

TEST_F(ReferenceGraphTest, GroupsByKeyAndDestination) {
  const std::string make = "%n = arith.constant 3 : index\n%g, %rows, %keys = "
                           "mp.group_edges %whole by "
                           "%t into %n : !mp.graph, !mp.edges<i32>";
  const std::string given = "%whole: !mp.graph, %t: !mp.edges<i32>";
  const auto whole = graph(4, 4, {{3, 2}, {0, 1}, {3, 0}, {3, 2}, {1, 1}});
  // Keys outside count as the nearest ones.
  const auto types = vector({2, 0, 7, 0, -1});
  // Of key 0 those into 0, 1 and 3, of key 2 that into 3, of two edges.
  EXPECT_EQ(getEdges(make, "!mp.graph<sparse>", given, {whole, types}),
            (Doubles{3, 2, 0, 1, 3, 0, 2, 2, 1, 1}));
  auto getList = [&](const std::string &name) {
    return run("func.func @f(" + given + ") -> tensor<?xi32> {\n" + make +
                   "\nreturn %" + name + " : tensor<?xi32>\n}",
               {whole, types});
  };
  EXPECT_EQ(getList("rows"), (Doubles{0, 1, 3, 3}));
  EXPECT_EQ(getList("keys"), (Doubles{0, 0, 0, 2}));
}
