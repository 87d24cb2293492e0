//===- ReferenceErrorTest.cpp - What the interpreter refuses --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"

using namespace clique;
using namespace clique::test;

namespace {
class ReferenceError : public ReferenceTest {
protected:
  /// A spec that makes a graph with `make`.
  void expectGraphError(const std::string &make, const std::string &parameters,
                        const std::vector<ReferenceValue> &arguments,
                        llvm::StringRef part) {
    expectError("func.func @f(" + parameters + ") {\n" + make + "\nreturn\n}",
                arguments, part);
  }
};
} // namespace

TEST_F(ReferenceError, BadGraphs) {
  std::string n = "%n = arith.constant 2 : index\n";
  std::string csr = n + "%g = mp.csr %p, %i, %n : tensor<?xi64>, tensor<?xi32> "
                        "-> !mp.graph";
  std::string lists = "%p: tensor<?xi64>, %i: tensor<?xi32>";
  expectGraphError(csr, lists, {vector({0, 2, 1}), vector({0, 1})},
                   "row pointers[2] = 1 is smaller than row pointers[1] = 2: "
                   "they must not fall");
  expectGraphError(csr, lists, {vector({1, 2}), vector({0, 1})},
                   "row pointers[0] is 1: expected 0");
  expectGraphError(csr, lists, {vector({0, 3}), vector({0, 1})},
                   "the last row pointer is 3, but there are 2 indices");
  expectGraphError(csr, lists, {vector({}), vector({})},
                   "row pointers are empty: expected one more than there are "
                   "parts, the first 0");
  expectGraphError(csr, lists, {vector({0, 1}), vector({2})},
                   "edge 0 has source 2: expected 0 <= source < 2");
  expectGraphError(csr, lists, {vector({0, 1}), vector({-1})},
                   "edge 0 has source -1");

  std::string coo = n + "%g = mp.coo %d, %s, %n, %n : tensor<?xi32>, "
                        "tensor<?xi32> -> !mp.graph";
  lists = "%d: tensor<?xi32>, %s: tensor<?xi32>";
  expectGraphError(
      coo, lists, {vector({0}), vector({0, 1})},
      "1 destinations, but 2 sources: expected one of each per edge");
  expectGraphError(coo, lists, {vector({0, 5}), vector({0, 1})},
                   "edge 1 has destination 5");

  expectGraphError("%g = mp.cliques %o : tensor<?xi64> -> !mp.graph<cliques>",
                   "%o: tensor<?xi64>", {vector({0, 3, 2})},
                   "offsets[2] = 2 is smaller than offsets[1] = 3");
  expectGraphError("%g = mp.complete %n", "%n: index", {scalar(-1)},
                   "-1 destinations: expected 0 to 2^31 - 1");
  expectGraphError("%g = mp.complete %n", "%n: index", {scalar(1 << 20)},
                   "more than 2^30 edges");
  expectGraphError("%l = mp.self_loops %g : !mp.graph -> !mp.graph",
                   "%g: !mp.graph", {graph(2, 3, {})},
                   "2 destinations, but 3 sources: self-loops need the same "
                   "number of both");
}

TEST_F(ReferenceError, PartsThatAreNone) {
  const std::string levels = "%l, %n, %p, %o = mp.levels %g : !mp.graph";
  expectGraphError(levels, "%g: !mp.graph", {graph(2, 3, {})},
                   "2 destinations, but 3 sources: levels need the same number "
                   "of both");
  expectGraphError(levels, "%g: !mp.graph",
                   {graph(3, 3, {{1, 0}, {2, 1}, {1, 2}})},
                   "the graph has a cycle: levels are those of an acyclic "
                   "graph");
  const std::string groups = "%p, %r, %k = mp.group_edges %g by %t into %n : "
                             "!mp.graph, !mp.edges<i32>";
  const std::string keys = "%g: !mp.graph, %t: !mp.edges<i32>, %n: index";
  expectGraphError(groups, keys,
                   {graph(2, 2, {{1, 0}}), vector({1, 2}), scalar(3)},
                   "2 keys, but the graph has 1 edges: expected one for each");
  expectGraphError(groups, keys,
                   {graph(2, 2, {{1, 0}}), vector({1}), scalar(0)},
                   "keys from 0 to -1: expected 1 key or more");
  const std::string rows = "%r, %e = mp.rows %g, %f, %n : !mp.graph";
  const std::string given = "%g: !mp.graph, %f: index, %n: index";
  for (auto [first, count] :
       {std::pair{-1, 1}, std::pair{0, -1}, std::pair{2, 2}, std::pair{4, 0}})
    expectGraphError(
        rows, given, {graph(3, 3, {{1, 0}}), scalar(first), scalar(count)},
        std::to_string(count) + " rows from " + std::to_string(first) +
            " on, but the graph has 3 destinations: expected a "
            "part of them");
  expectGraphError("%r = mp.lookup %x[%i] : tensor<?xf32>, tensor<?xi32> -> "
                   "tensor<?xf32>",
                   "%x: tensor<?xf32>, %i: tensor<?xi32>",
                   {vector({}), vector({0})},
                   "has a table without rows: expected 1 or more");
  expectGraphError("%r = mp.lookup %x[%i] : !mp.edges<f32>, tensor<?xi32> -> "
                   "!mp.edges<f32>",
                   "%x: !mp.edges<f32>, %i: tensor<?xi32>",
                   {vector({}), vector({0})},
                   "has an edge feature without edges to look up: expected 1 "
                   "or more");
}

TEST_F(ReferenceError, GraphsOfTheRuntimeAreListed) {
  clique_graph *graph = nullptr;
  ASSERT_EQ(clique_graph_complete(1 << 20, /*no_self=*/0, &graph), CLIQUE_OK);
  auto copy = ReferenceGraph::fromRuntime(graph);
  ASSERT_FALSE(static_cast<bool>(copy));
  EXPECT_EQ(llvm::toString(copy.takeError()),
            "1099511627776 edges: the reference interpreter lists every edge, "
            "use a graph of at most 2^30");
  clique_graph_free(graph);
}

TEST_F(ReferenceError, RowsDoNotFitTheGraph) {
  auto message = [](const std::string &role) {
    return "func.func @f(%g: !mp.graph, %h: tensor<?xf32>) -> !mp.edges<f32> "
           "{\n%m = mp.message %g " +
           role +
           "(%a = %h : tensor<?xf32>) -> !mp.edges<f32> {\nmp.yield %a : "
           "tensor<f32>\n}\nreturn %m : !mp.edges<f32>\n}";
  };
  expectError(message("dst"), {graph(2, 3, {}), vector({1, 2, 3})},
              "dst operand with 3 rows, but the graph has 2 destinations");
  expectError(message("src"), {graph(2, 3, {}), vector({1, 2})},
              "src operand with 2 rows, but the graph has 3 sources");
}

TEST_F(ReferenceError, EdgesDoNotFitTheGraph) {
  expectError(R"(
    func.func @f(%g: !mp.graph, %w: !mp.edges<f32>) -> tensor<?xf32> {
      %a = mp.aggregate %g sum %w : (!mp.edges<f32>) -> tensor<?xf32>
      return %a : tensor<?xf32>
    })",
              {graph(2, 2, {{0, 1}}), vector({1, 2})},
              "has values of 2 edges, but its graph has 1");
  // The edges of a graph are not those of the graph with self-loops.
  expectError(R"(
    func.func @f(%g: !mp.graph, %w: !mp.edges<f32>) -> !mp.edges<f32> {
      %l = mp.self_loops %g : !mp.graph -> !mp.graph
      %m = mp.message %l edge(%e = %w : !mp.edges<f32>) -> !mp.edges<f32> {
        mp.yield %e : tensor<f32>
      }
      return %m : !mp.edges<f32>
    })",
              {graph(2, 2, {{0, 1}}), vector({1})},
              "has values of 1 edges, but its graph has 3");
}

TEST_F(ReferenceError, UpdateOfDifferentLengths) {
  expectError(R"(
    func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %o = mp.update (%x = %a : tensor<?xf32>, %y = %b : tensor<?xf32>) -> tensor<?xf32> {
        mp.yield %x : tensor<f32>
      }
      return %o : tensor<?xf32>
    })",
              {vector({1, 2}), vector({1})}, "operands with 2 and 1 rows");
}

TEST_F(ReferenceError, ReadoutOffsets) {
  std::string spec = R"(
    func.func @f(%o: tensor<?xi64>, %h: tensor<?xf32>) -> tensor<?xf32> {
      %r = mp.readout %o sum %h : (tensor<?xi64>, tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    })";
  expectError(spec, {vector({0, 1}), vector({1, 2})},
              "offsets that end at 1, but there are 2 nodes");
  expectError(spec, {vector({1, 2}), vector({1, 2})}, "offsets[0] is 1");
}

TEST_F(ReferenceError, Arguments) {
  std::string spec = "func.func @f(%g: !mp.graph, %w: !mp.edges<2xf32>, %h: "
                     "tensor<?x3xf32>) {\nreturn\n}";
  ReferenceValue g = graph(1, 1, {}), w = tensor({0, 2}, {}),
                 h = tensor({1, 3}, {1, 2, 3});
  EXPECT_TRUE(evaluate(spec, {g, w, h}).empty());
  EXPECT_EQ(errors, "");
  expectError(spec, {g, w}, "takes 3 arguments, but 2 were handed in");
  expectError(spec, {h, w, h},
              "argument #0 has type '!mp.graph', but a tensor");
  expectError(spec, {g, w, g}, "but a graph was handed in");
  expectError(spec, {g, h, h},
              "argument #1 of type '!mp.edges<2xf32>' has shape 1x3: expected "
              "the number of edges, then the feature's shape");
  expectError(spec, {g, w, tensor({1, 2}, {1, 2})},
              "has shape 1x2 at run time: hand in inputs that fit the type");
}

TEST_F(ReferenceError, RecursionEnds) {
  expectError("func.func @f() {\ncall @f() : () -> ()\nreturn\n}", {},
              "does not support recursion");
  // In a region too.
  expectError(R"(
    func.func private @g(%x: tensor<f32>) -> tensor<f32> {
      %y = call @g(%x) : (tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }
    func.func @f(%h: tensor<?xf32>) -> tensor<?xf32> {
      %o = mp.update (%x = %h : tensor<?xf32>) -> tensor<?xf32> {
        %y = func.call @g(%x) : (tensor<f32>) -> tensor<f32>
        mp.yield %y : tensor<f32>
      }
      return %o : tensor<?xf32>
    })",
              {vector({1})}, "does not support recursion");
}

TEST_F(ReferenceError, NotSupported) {
  const char *text = "is not supported by the reference interpreter";
  expectError("func.func @f(%a: f32) {\n%b = arith.bitcast %a : f32 to "
              "i32\nreturn\n}",
              {scalar(1)}, text);
  expectError("func.func @f() {\n%b = arith.constant dense<1.0> : "
              "vector<2xf32>\nreturn\n}",
              {}, text);
  // Inside a region too, and before any edge is evaluated.
  expectError(R"(
    func.func @f(%h: tensor<?xf32>) -> tensor<?xf32> {
      %o = mp.update (%x = %h : tensor<?xf32>) -> tensor<?xf32> {
        %b = arith.scaling_truncf %x, %x
            : tensor<f32>, tensor<f32> to tensor<f8E5M2>
        mp.yield %x : tensor<f32>
      }
      return %o : tensor<?xf32>
    })",
              {vector({})}, text);
  expectError("func.func private @g()\nfunc.func @f() {\ncall @g() : () -> "
              "()\nreturn\n}",
              {},
              "is a declaration or has several blocks, which is not supported "
              "by the reference interpreter");
  expectError("func.func @f(%g: !mp.graph) -> !mp.graph {\nreturn %g : "
              "!mp.graph\n}",
              {graph(1, 1, {})},
              "result #0 is a graph, which the reference interpreter does not "
              "hand out: return tensors or edge features");
}

TEST_F(ReferenceError, Loops) {
  std::string loop =
      "func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %s: index)"
      " -> tensor<?xf32> {\n"
      "  %r = scf.for %k = %n to %s step %n iter_args(%x = %a)"
      " -> (tensor<?xf32>) {\n"
      "    scf.yield %b : tensor<?xf32>\n  }\n"
      "  return %r : tensor<?xf32>\n}";
  expectError(loop, {vector({1, 2}), vector({1}), scalar(1), scalar(3)},
              "a value that a loop carries has 1 rows after a step and had 2 "
              "before: expected as many");
  expectError(loop, {vector({1}), vector({1}), scalar(0), scalar(3)},
              "has a step of 0: expected at least 1");
}

TEST_F(ReferenceError, Parts) {
  std::string types = "(tensor<?xi64>, tensor<?xf32>";
  expectError("func.func @f(%o: tensor<?xi64>, %s: tensor<?xf32>, %x: "
              "tensor<?xf32>) -> tensor<?xf32> {\n"
              "  %r = mp.readout %o softmax(%s) %x : " +
                  types +
                  ", tensor<?xf32>) -> tensor<?xf32>\n"
                  "  return %r : tensor<?xf32>\n}",
              {vector({0, 2}), vector({1}), vector({1, 2})},
              "has 1 scores for 2 nodes: expected one for each");
  expectError("func.func @f(%o: tensor<?xi64>, %u: tensor<?xf32>, %n: index)"
              " -> tensor<?xf32> {\n  %r = mp.spread %o %u to %n : " +
                  types +
                  ") -> tensor<?xf32>\n"
                  "  return %r : tensor<?xf32>\n}",
              {vector({0, 2}), vector({1, 2}), scalar(2)},
              "has 2 values for 1 parts: expected one for each");
  expectError("func.func @f(%n: index) -> tensor<?xi32> {\n"
              "  %r = mp.node_numbers %n : tensor<?xi32>\n"
              "  return %r : tensor<?xi32>\n}",
              {scalar(-1)}, "is of -1 nodes: expected 0 to 2147483647");
  expectError("func.func @f(%o: tensor<?xi64>, %n: index) -> tensor<?xi64> {\n"
              "  %r = mp.part_numbers %o to %n : tensor<?xi64> -> tensor<?xi64>"
              "\n  return %r : tensor<?xi64>\n}",
              {vector({0, 2}), scalar(3)},
              "has offsets that end at 2, but there are 3 nodes");
}

TEST_F(ReferenceError, Checks) {
  const char *spec =
      "func.func @f(%g: !mp.graph, %e: !mp.edges<2xf32>, %n: index) -> index {"
      "\n  %m = mp.num_rows %e : !mp.edges<2xf32>\n"
      "  mp.check %m in %n to %n, \"rows of e\"\n"
      "  return %m : index\n}";
  ReferenceTensor rows;
  rows.shape = {1, 2};
  rows.data = {1, 2};
  const auto edges = std::make_shared<const ReferenceTensor>(rows);
  const ReferenceValue one = graph(2, 2, {{0, 1}});
  EXPECT_EQ(run(spec, {one, edges, scalar(1)}), std::vector<double>{1});
  expectError(spec, {one, edges, scalar(3)}, "rows of e: 1, expected 3 to 3");
}
