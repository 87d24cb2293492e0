//===- CApiTest.cpp - What the compiler's C ABI refuses to verify ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers, arguments and results that do not fit; each is one message.
//
//===----------------------------------------------------------------------===//
#include "compiler/CApi/clique_compiler.h"
#include "gtest/gtest.h"
#include <string>

namespace {
constexpr DLDataType kF32 = {kDLFloat, 32, 1};

/// A tensor over an array of the test's.
template <typename T, int64_t Rows, int64_t Columns>
struct Matrix {
  T values[Rows][Columns];
  int64_t shape[2] = {Rows, Columns};
  DLDataType type = kF32;

  DLTensor get() { return {values, {kDLCPU, 0}, 2, type, shape, nullptr, 0}; }
};

/// Sums, over the edges of a complete graph of two nodes.
class CApiTest : public testing::Test {
protected:
  CApiTest() {
    request.text = spec.data();
    request.size = spec.size();
    request.name = "sum.mlir";
    EXPECT_EQ(clique_graph_complete(2, 0, &graph), CLIQUE_OK);
    values[0].graph = graph;
    values[1].tensor = &in;
  }
  ~CApiTest() override { clique_graph_free(graph); }

  clique_status verify(const char *layer = "sum", int32_t numArgs = 2) {
    clique_buffer messages;
    const DLTensor *results[] = {&out};
    const clique_status status = clique_compile_verify(
        &request, layer, values, numArgs, results, 1, &deviation, &messages);
    said.assign(messages.data, messages.size);
    clique_buffer_free(&messages);
    return status;
  }
  /// It is refused with one line, which has this part.
  void expectRefused(const std::string &part) {
    EXPECT_NE(said.find("error: "), std::string::npos) << said;
    EXPECT_NE(said.find(part), std::string::npos) << said;
  }

  std::string spec = R"(
func.func @sum(%g: !mp.graph, %h: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x2xf32>) -> !mp.edges<2xf32> {
    mp.yield %hj : tensor<2xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %s : tensor<?x2xf32>
})";
  clique_compile_request request = {};
  clique_graph *graph = nullptr;
  Matrix<float, 2, 2> h = {{{1, 2}, {3, 4}}}, s = {{{4, 6}, {4, 6}}};
  DLTensor in = h.get(), out = s.get();
  clique_value values[2];
  clique_deviation deviation = {};
  std::string said;
};
} // namespace

TEST_F(CApiTest, agrees) {
  EXPECT_EQ(verify(), CLIQUE_OK) << said;
  EXPECT_EQ(said, "");
  EXPECT_EQ(deviation.error, 0);
  EXPECT_GT(deviation.tolerance, 0);
  s.values[1][0] = 5;
  EXPECT_EQ(verify(), CLIQUE_OK) << said;
  EXPECT_NEAR(deviation.error, 1.0 / 6, 1e-6);
  EXPECT_EQ(deviation.actual, 5);
  EXPECT_EQ(deviation.expected, 4);
}

TEST_F(CApiTest, layersThatThereAreNot) {
  EXPECT_EQ(verify("mean"), CLIQUE_INVALID_ARGUMENT);
  expectRefused("sum.mlir: error: has no layer 'mean' of 2 arguments and 1 "
                "results");
  EXPECT_EQ(verify("sum", 1), CLIQUE_INVALID_ARGUMENT);
  expectRefused("has no layer 'sum' of 1 arguments and 1 results");
  spec = "no spec";
  request.text = spec.data();
  request.size = spec.size();
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("sum.mlir:1:1: error: ");
  request.cpu = "z80";
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("LLVM knows no such processor");
  request.cpu = nullptr;
  request.f32_products = "half";
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("f32_products 'half': expected exact or tf32");
  request.f32_products = nullptr;
  request.derivative = -1;
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("derivative -1: expected 0, 1 or more");
  request.derivative = 0;
  request.target = "cuda";
  request.gpu_arch = "sm_91";
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("there is no architecture 'sm_91'");
}

TEST_F(CApiTest, argumentsThatTheReferenceCannotTake) {
  int64_t strides[] = {1, 2};
  in.strides = strides;
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("tensor is not contiguous, expected row-major order");
  in = h.get();
  in.dtype = {kDLFloat, 8, 1};
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("tensor has elements of DLPack code 2 with 8 bits");
  in = h.get();
  int64_t shape[] = {1, 2};
  in.shape = shape;
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("sum.mlir:3:8: error: ");
  in = h.get();
  clique_graph *huge = nullptr;
  ASSERT_EQ(clique_graph_complete(1 << 20, 0, &huge), CLIQUE_OK);
  values[0].graph = huge;
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("1099511627776 edges: the reference interpreter lists every "
                "edge");
  clique_graph_free(huge);
}

TEST_F(CApiTest, resultsOfAnotherShape) {
  int64_t shape[] = {1, 2};
  out.shape = shape;
  EXPECT_EQ(verify(), CLIQUE_INVALID_ARGUMENT);
  expectRefused("shape");
}
