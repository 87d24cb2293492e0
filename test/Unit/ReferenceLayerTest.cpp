//===- ReferenceLayerTest.cpp - Messages, aggregations, updates -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers computed by hand, on graphs with empty rows, parallel edges and
// self-loops.
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"

#include <cmath>

using namespace clique;
using namespace clique::test;

using Doubles = std::vector<double>;

namespace {
class ReferenceLayer : public ReferenceTest {
protected:
  /// Aggregates h_j with a built-in aggregator.
  Doubles aggregate(const std::string &kind, const ReferenceValue &graph,
                    Doubles h) {
    return run(
        R"(func.func @f(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
      %m = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
        mp.yield %hj : tensor<f32>
      }
      %a = mp.aggregate %g )" +
            kind + R"( %m : (!mp.edges<f32>) -> tensor<?xf32>
      return %a : tensor<?xf32>
    })",
        {graph, vector(std::move(h))});
  }

  /// softmax of edge scores, given as they are, over edge values.
  Doubles softmax(const ReferenceValue &graph, Doubles scores, Doubles values) {
    return run(R"(
    func.func @f(%g: !mp.graph, %s: !mp.edges<f32>, %v: !mp.edges<f32>)
        -> tensor<?xf32> {
      %a = mp.aggregate %g softmax(%s) %v
        : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
      return %a : tensor<?xf32>
    })",
               {graph, vector(std::move(scores)), vector(std::move(values))});
  }
};
} // namespace

// Node 0 receives from 1 twice and 2; node 1 from itself; node 2 from none.
static const ReferenceValue kGraph =
    graph(3, 3, {{0, 1}, {1, 1}, {0, 2}, {0, 1}});

TEST_F(ReferenceLayer, BuiltinAggregators) {
  Doubles h = {100, 2, -1};
  expectNear(aggregate("sum", kGraph, h), {3, 2, 0});
  expectNear(aggregate("mean", kGraph, h), {1, 2, 0});
  expectNear(aggregate("max", kGraph, h), {2, 2, 0});
  expectNear(aggregate("min", kGraph, h), {-1, 2, 0});
  // Population: mean 1, squares 1, 1, 4.
  expectNear(aggregate("std", kGraph, h), {std::sqrt(2.0), 0, 0});
}

TEST_F(ReferenceLayer, MaximumHandsNaNOn) {
  Doubles result = aggregate("max", kGraph, {0, 2, NAN});
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ(result[1], 2);
}

TEST_F(ReferenceLayer, EmptyGraph) {
  EXPECT_EQ(aggregate("mean", graph(0, 0, {}), {}), Doubles{});
  EXPECT_EQ(aggregate("max", graph(2, 2, {}), {1, 2}), (Doubles{0, 0}));
  EXPECT_EQ(aggregate("sum", graph(2, 0, {}), {}), (Doubles{0, 0}));
}

TEST_F(ReferenceLayer, SoftmaxWeighsByScore) {
  // exp(s) = 1, 1, 3, 1 over the values 10, 7, 20, 30 of edges into 0, 1, 0, 0.
  expectNear(softmax(kGraph, {0, 5, std::log(3.0), 0}, {10, 7, 20, 30}),
             {(10 + 60 + 30) / 5.0, 7, 0});
}

TEST_F(ReferenceLayer, SoftmaxDoesNotOverflow) {
  expectNear(softmax(kGraph, {1000, -1000, 1000, 1000}, {1, 7, 2, 3}),
             {2, 7, 0});
}

TEST_F(ReferenceLayer, ScoreOfMinusInfinityTakesTheEdgeOut) {
  expectNear(softmax(kGraph, {0, -kInf, -kInf, 0}, {10, 7, 20, 30}),
             {20, 0, 0});
  // Its weight is 0, and 0 times an infinite value is NaN; but a node that
  // receives nothing gets 0.
  expectNear(softmax(kGraph, {0, -kInf, -kInf, 0}, {10, kInf, kInf, 30}),
             {NAN, 0, 0});
}

TEST_F(ReferenceLayer, SoftmaxPerHead) {
  // Scores per head, values head x channel.
  auto result = run(R"(
    func.func @f(%g: !mp.graph, %s: !mp.edges<2xf32>, %v: !mp.edges<2x2xf32>)
        -> tensor<?x2x2xf32> {
      %a = mp.aggregate %g softmax(%s) %v
        : (!mp.edges<2xf32>, !mp.edges<2x2xf32>) -> tensor<?x2x2xf32>
      return %a : tensor<?x2x2xf32>
    })",
                    {graph(1, 2, {{0, 0}, {0, 1}}),
                     tensor({2, 2}, {0, 0, 0, std::log(3.0)}),
                     tensor({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})});
  expectNear(result, {3, 4, 6, 7});
}

TEST_F(ReferenceLayer, MessageReadsBothEndsAndItsEdge) {
  // dst - src + 10 * edge, in the caller's order of the edges.
  auto result =
      run(R"(
    func.func @f(%g: !mp.graph, %h: tensor<?x1xf32>, %k: tensor<?x1xf32>,
                 %w: !mp.edges<1xf32>) -> !mp.edges<1xf32> {
      %m = mp.message %g dst(%hi = %h : tensor<?x1xf32>)
          src(%kj = %k : tensor<?x1xf32>) edge(%e = %w : !mp.edges<1xf32>)
          -> !mp.edges<1xf32> {
        %d = arith.subf %hi, %kj : tensor<1xf32>
        %c = arith.constant dense<10.0> : tensor<1xf32>
        %p = arith.mulf %e, %c : tensor<1xf32>
        %s = arith.addf %d, %p : tensor<1xf32>
        mp.yield %s : tensor<1xf32>
      }
      return %m : !mp.edges<1xf32>
    })",
          {graph(2, 3, {{1, 2}, {0, 0}, {1, 0}}), tensor({2, 1}, {1, 2}),
           tensor({3, 1}, {0.5, 0, 0.25}), tensor({3, 1}, {1, 2, 3})});
  EXPECT_EQ(result, (Doubles{11.75, 20.5, 31.5}));
}

TEST_F(ReferenceLayer, MessagesFeedMessagesAndAggregations) {
  // Both results of one message, the second through another message.
  auto results = evaluate(R"(
    func.func @f(%g: !mp.graph, %h: tensor<?xf32>)
        -> (tensor<?xf32>, tensor<?xf32>) {
      %a, %b = mp.message %g src(%hj = %h : tensor<?xf32>)
          -> !mp.edges<f32>, !mp.edges<f32> {
        %n = arith.negf %hj : tensor<f32>
        mp.yield %hj, %n : tensor<f32>, tensor<f32>
      }
      %c = mp.message %g edge(%e = %b : !mp.edges<f32>) -> !mp.edges<f32> {
        %d = arith.addf %e, %e : tensor<f32>
        mp.yield %d : tensor<f32>
      }
      %s, %t = mp.aggregate %g sum %a, %c
        : (!mp.edges<f32>, !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xf32>)
      return %s, %t : tensor<?xf32>, tensor<?xf32>
    })",
                          {kGraph, vector({100, 2, -1})});
  ASSERT_EQ(results.size(), 2u) << errors;
  EXPECT_EQ(results[0].data, (Doubles{3, 2, 0}));
  EXPECT_EQ(results[1].data, (Doubles{-6, -4, 0}));
}

TEST_F(ReferenceLayer, EdgeValuesSurviveReverse) {
  // A value made on the graph is summed at the sources.
  auto result = run(R"(
    func.func @f(%g: !mp.graph, %w: !mp.edges<f32>) -> tensor<?xf32> {
      %r = mp.reverse %g : !mp.graph -> !mp.graph
      %a = mp.aggregate %r sum %w : (!mp.edges<f32>) -> tensor<?xf32>
      return %a : tensor<?xf32>
    })",
                    {kGraph, vector({1, 2, 4, 8})});
  EXPECT_EQ(result, (Doubles{0, 11, 4}));
}

TEST_F(ReferenceLayer, CustomMonoidFoldsAndFinalises) {
  // A state of two parts: the product and the count; finalise divides them.
  auto results = evaluate(R"(
    func.func @f(%g: !mp.graph, %w: !mp.edges<f32>, %scale: tensor<f32>)
        -> tensor<?xf32> {
      %p = mp.aggregate %g custom %w : (!mp.edges<f32>) -> tensor<?xf32>
        identity {
          %one = arith.constant dense<1.0> : tensor<f32>
          %zero = arith.constant dense<0.0> : tensor<f32>
          mp.yield %one, %zero : tensor<f32>, tensor<f32>
        }
        lift {
        ^bb0(%x: tensor<f32>):
          %one = arith.constant dense<1.0> : tensor<f32>
          %y = arith.mulf %x, %scale : tensor<f32>
          mp.yield %y, %one : tensor<f32>, tensor<f32>
        }
        combine {
        ^bb0(%a: tensor<f32>, %n: tensor<f32>, %b: tensor<f32>, %k: tensor<f32>):
          %ab = arith.mulf %a, %b : tensor<f32>
          %nk = arith.addf %n, %k : tensor<f32>
          mp.yield %ab, %nk : tensor<f32>, tensor<f32>
        }
        finalise {
        ^bb0(%a: tensor<f32>, %n: tensor<f32>):
          %one = arith.constant dense<1.0> : tensor<f32>
          %m = arith.maximumf %n, %one : tensor<f32>
          %r = arith.divf %a, %m : tensor<f32>
          mp.yield %r : tensor<f32>
        }
      return %p : tensor<?xf32>
    })",
                          {kGraph, vector({1, 2, 3, 4}), scalar(2)});
  ASSERT_EQ(results.size(), 1u) << errors;
  // (2 * 6 * 8) / 3, 4 / 1, identity / 1.
  expectNear(results[0].data, {32, 4, 1});
}

TEST_F(ReferenceLayer, UpdateOfSeveralFeatures) {
  auto results = evaluate(R"(
    func.func @f(%h: tensor<?x2xf32>, %m: tensor<?xf32>, %w: tensor<2x2xf32>)
        -> (tensor<?x2xf32>, tensor<?xf32>) {
      %a, %b = mp.update (%hi = %h : tensor<?x2xf32>, %mi = %m : tensor<?xf32>)
          -> tensor<?x2xf32>, tensor<?xf32> {
        %p = mp.linear %hi, %w : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
        %q = arith.addf %mi, %mi : tensor<f32>
        mp.yield %p, %q : tensor<2xf32>, tensor<f32>
      }
      return %a, %b : tensor<?x2xf32>, tensor<?xf32>
    })",
                          {tensor({2, 2}, {1, 2, 3, 4}), vector({5, 6}),
                           tensor({2, 2}, {1, 10, 100, 1000})});
  ASSERT_EQ(results.size(), 2u) << errors;
  EXPECT_EQ(results[0].data, (Doubles{201, 2010, 403, 4030}));
  EXPECT_EQ(results[1].data, (Doubles{10, 12}));
}

TEST_F(ReferenceLayer, ReadoutPerGraph) {
  auto readout = [&](const std::string &kind) {
    return run("func.func @f(%o: tensor<?xi64>, %h: tensor<?x2xf32>) -> "
               "tensor<?x2xf32> {\n%r = mp.readout %o " +
                   kind +
                   " %h : (tensor<?xi64>, tensor<?x2xf32>) -> tensor<?x2xf32>\n"
                   "return %r : tensor<?x2xf32>\n}",
               {vector({0, 2, 2, 3}), tensor({3, 2}, {1, 8, 3, 2, -5, 6})});
  };
  // The second graph of the batch is empty.
  expectNear(readout("sum"), {4, 10, 0, 0, -5, 6});
  expectNear(readout("mean"), {2, 5, 0, 0, -5, 6});
  expectNear(readout("max"), {3, 8, 0, 0, -5, 6});
  expectNear(readout("min"), {1, 2, 0, 0, -5, 6});
  expectNear(readout("std"), {1, 3, 0, 0, 0, 0});
}

TEST_F(ReferenceLayer, KernelsAndCallsAreEvaluatedInPlace) {
  auto result = run(R"(
    func.func @sum(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
      %o = mp.kernel "sum_0" sparse -> tensor<?xf32> {
        %v = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
          mp.yield %hj : tensor<f32>
        }
        %m = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
        mp.yield %m : tensor<?xf32>
      }
      return %o : tensor<?xf32>
    }
    func.func @f(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
      %a = call @sum(%g, %h) : (!mp.graph, tensor<?xf32>) -> tensor<?xf32>
      %b = call @sum(%g, %a) : (!mp.graph, tensor<?xf32>) -> tensor<?xf32>
      return %b : tensor<?xf32>
    })",
                    {kGraph, vector({100, 2, -1})});
  EXPECT_EQ(result, (Doubles{4, 2, 0}));
}

TEST_F(ReferenceLayer, KernelsAddUpForSources) {
  auto result = run(R"(
    func.func @f(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
      %o:2 = mp.kernel "sum_0" dense -> tensor<?xf32>, tensor<?xf32> {
        %v = mp.message %g dst(%hi = %h : tensor<?xf32>) -> !mp.edges<f32> {
          mp.yield %hi : tensor<f32>
        }
        %m = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
        %s = mp.source_sum %g %v : (!mp.edges<f32>) -> tensor<?xf32>
        mp.yield %m, %s : tensor<?xf32>, tensor<?xf32>
      }
      return %o#1 : tensor<?xf32>
    })",
                    {kGraph, vector({100, 2, -1})});
  // Node 1 gives to 0 twice and to itself, node 2 to 0.
  EXPECT_EQ(result, (Doubles{0, 202, 100}));
}

TEST_F(ReferenceLayer, SameResultForAnyNumberOfThreads) {
  std::string spec = R"(
    func.func @f(%n: index, %h: tensor<?xf32>) -> tensor<?xf32> {
      %g = mp.complete %n
      %s, %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?xf32>)
          src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32> {
        %p = arith.mulf %hi, %hj : tensor<f32>
        %t = math.tanh %hj : tensor<f32>
        mp.yield %p, %t : tensor<f32>, tensor<f32>
      }
      %a = mp.aggregate %g : !mp.graph<complete> softmax(%s) %v
        : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
      return %a : tensor<?xf32>
    })";
  Doubles h;
  for (int k = 0; k < 500; ++k)
    h.push_back(std::sin(k));
  Doubles threaded = run(spec, {scalar(500), vector(h)});
  context.disableMultithreading();
  EXPECT_EQ(run(spec, {scalar(500), vector(h)}), threaded);
  ASSERT_EQ(threaded.size(), 500u);
}

TEST_F(ReferenceLayer, RegionsCallFunctions) {
  // One function twice, which calls another one.
  EXPECT_EQ(run(R"(
    func.func private @square(%x: tensor<f32>) -> tensor<f32> {
      %y = arith.mulf %x, %x : tensor<f32>
      return %y : tensor<f32>
    }
    func.func private @fourth(%x: tensor<f32>) -> tensor<f32> {
      %y = call @square(%x) : (tensor<f32>) -> tensor<f32>
      %z = call @square(%y) : (tensor<f32>) -> tensor<f32>
      return %z : tensor<f32>
    }
    func.func @f(%h: tensor<?xf32>) -> tensor<?xf32> {
      %o = mp.update (%x = %h : tensor<?xf32>) -> tensor<?xf32> {
        %a = func.call @fourth(%x) : (tensor<f32>) -> tensor<f32>
        %b = func.call @square(%x) : (tensor<f32>) -> tensor<f32>
        %c = arith.addf %a, %b : tensor<f32>
        mp.yield %c : tensor<f32>
      }
      return %o : tensor<?xf32>
    })",
                {vector({1, 2, 3})}),
            (std::vector<double>{2, 20, 90}));
}
