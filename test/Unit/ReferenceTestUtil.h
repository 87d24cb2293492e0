//===- ReferenceTestUtil.h - Specs in strings -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses a spec, evaluates its last function with the reference interpreter and
// gives the results, or the text of the errors.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TEST_UNIT_REFERENCETESTUTIL_H
#define CLIQUE_TEST_UNIT_REFERENCETESTUTIL_H

#include "compiler/Reference/Interpreter.h"
#include "dialect/IR/MPDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"
#include <limits>

namespace clique::test {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline ReferenceValue tensor(std::vector<int64_t> shape,
                             std::vector<double> data) {
  return std::make_shared<const ReferenceTensor>(
      ReferenceTensor{std::move(shape), std::move(data)});
}
inline ReferenceValue vector(std::vector<double> data) {
  int64_t size = data.size();
  return tensor({size}, std::move(data));
}
inline ReferenceValue scalar(double value) { return tensor({}, {value}); }

/// Edge k goes from edges[k].second to edges[k].first.
inline ReferenceValue
graph(int64_t numDst, int64_t numSrc,
      const std::vector<std::pair<int32_t, int32_t>> &edges) {
  std::vector<int32_t> dst, src;
  for (auto [i, j] : edges) {
    dst.push_back(i);
    src.push_back(j);
  }
  return std::make_shared<const ReferenceGraph>(
      llvm::cantFail(ReferenceGraph::coo(numDst, numSrc, dst, src)));
}

class ReferenceTest : public ::testing::Test {
protected:
  ReferenceTest() {
    context.loadDialect<mp::MPDialect, mlir::arith::ArithDialect,
                        mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                        mlir::math::MathDialect, mlir::scf::SCFDialect,
                        mlir::tensor::TensorDialect>();
  }

  /// The results of the spec's last function; empty after an error.
  mlir::SmallVector<ReferenceTensor>
  evaluate(llvm::StringRef spec,
           const std::vector<ReferenceValue> &arguments = {}) {
    errors.clear();
    mlir::ScopedDiagnosticHandler handler(&context,
                                          [&](mlir::Diagnostic &diagnostic) {
                                            errors += diagnostic.str() + "\n";
                                          });
    auto module = mlir::parseSourceString<mlir::ModuleOp>(spec, &context);
    if (!module) {
      ADD_FAILURE() << "the spec does not parse: " << errors;
      return {};
    }
    mlir::func::FuncOp last;
    for (auto function : module->getOps<mlir::func::FuncOp>())
      last = function;
    auto results = evaluateReference(last, arguments, precision);
    if (mlir::failed(results))
      return {};
    return std::move(*results);
  }

  /// The only result's elements.
  std::vector<double> run(llvm::StringRef spec,
                          const std::vector<ReferenceValue> &arguments = {}) {
    auto results = evaluate(spec, arguments);
    EXPECT_EQ(errors, "");
    if (results.size() != 1)
      return {};
    return results[0].data;
  }

  /// Expects an error that holds `part`, and no result.
  void expectError(llvm::StringRef spec,
                   const std::vector<ReferenceValue> &arguments,
                   llvm::StringRef part) {
    EXPECT_TRUE(evaluate(spec, arguments).empty());
    EXPECT_TRUE(llvm::StringRef(errors).contains(part))
        << "'" << part.str() << "' is not in '" << errors << "'";
  }

  mlir::MLIRContext context;
  /// None: the oracle.
  ReferencePrecision precision;
  std::string errors;
};

/// Element by element, to rounding of doubles; NaN equals NaN.
inline void expectNear(const std::vector<double> &actual,
                       const std::vector<double> &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    if (std::isnan(expected[i]))
      EXPECT_TRUE(std::isnan(actual[i])) << "element " << i;
    else if (std::isinf(expected[i]))
      EXPECT_EQ(actual[i], expected[i]) << "element " << i;
    else
      EXPECT_NEAR(actual[i], expected[i], 1e-12) << "element " << i;
  }
}

} // namespace clique::test

#endif // CLIQUE_TEST_UNIT_REFERENCETESTUTIL_H
