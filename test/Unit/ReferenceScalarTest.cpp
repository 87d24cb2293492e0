//===- ReferenceScalarTest.cpp - arith and math ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op on scalars, against numbers computed here; elementwise on tensors.
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace clique;
using namespace clique::test;

using Doubles = std::vector<double>;

namespace {
/// `%r = op : types` with the operands %a, %b, %c of `type` gives `expected`.
struct Case {
  const char *op;
  Doubles operands;
  double expected;
};

class ReferenceScalar : public ReferenceTest {
protected:
  void check(const std::string &type, const std::string &resultType,
             const std::vector<Case> &cases, const std::string &suffix = "") {
    for (const Case &test : cases) {
      SCOPED_TRACE(test.op);
      llvm::SmallVector<std::string> names, parameters;
      std::vector<ReferenceValue> arguments;
      for (auto [index, operand] : llvm::enumerate(test.operands)) {
        names.push_back(llvm::formatv("%arg{0}", index));
        parameters.push_back(llvm::formatv("%arg{0}: {1}", index, type));
        arguments.push_back(scalar(operand));
      }
      // The predicate of `arith.cmpf olt` is followed by a comma.
      bool hasPredicate = llvm::StringRef(test.op).contains(' ');
      std::string spec = llvm::formatv("func.func @f({0}) -> {1} {{ %r = "
                                       "{2}{3} {4} : {5}{6} return %r : {1} }",
                                       llvm::join(parameters, ", "), resultType,
                                       test.op, hasPredicate ? "," : "",
                                       llvm::join(names, ", "), type, suffix);
      expectNear(run(spec, arguments), {test.expected});
    }
  }
};
} // namespace

TEST_F(ReferenceScalar, FloatArithmetic) {
  check("f32", "f32",
        {{"arith.addf", {1.5, 2}, 3.5},
         {"arith.subf", {1.5, 2}, -0.5},
         {"arith.mulf", {1.5, 2}, 3},
         {"arith.divf", {1, 0}, kInf},
         {"arith.remf", {-7.5, 2}, -1.5},
         {"arith.negf", {1.5}, -1.5},
         {"arith.maximumf", {1, 2}, 2},
         {"arith.maximumf", {1, NAN}, NAN},
         {"arith.maximumf", {NAN, 1}, NAN},
         {"arith.minimumf", {1, 2}, 1},
         {"arith.minimumf", {1, NAN}, NAN},
         {"arith.maxnumf", {1, NAN}, 1},
         {"arith.minnumf", {NAN, 1}, 1},
         {"math.fma", {2, 3, 4}, 10},
         {"math.copysign", {2, -1}, -2},
         {"math.atan2", {1, -1}, std::atan2(1, -1)},
         {"math.powf", {2, 0.5}, std::sqrt(2.0)}});
}

TEST_F(ReferenceScalar, NothingIsRoundedToTheElementType) {
  check("f32", "f32", {{"arith.addf", {1, 1e-12}, 1 + 1e-12}});
  check("f32", "bf16", {{"arith.truncf", {1.2345}, 1.2345}}, " to bf16");
  check("bf16", "f32", {{"arith.extf", {1.2345}, 1.2345}}, " to f32");
}

TEST_F(ReferenceScalar, FloatFunctions) {
  double x = 0.3;
  check("f32", "f32",
        {{"math.absf", {-x}, x},
         {"math.acos", {x}, std::acos(x)},
         {"math.acosh", {1 + x}, std::acosh(1 + x)},
         {"math.asin", {x}, std::asin(x)},
         {"math.asinh", {x}, std::asinh(x)},
         {"math.atan", {x}, std::atan(x)},
         {"math.atanh", {x}, std::atanh(x)},
         {"math.cbrt", {27}, 3},
         {"math.ceil", {x}, 1},
         {"math.cos", {x}, std::cos(x)},
         {"math.cosh", {x}, std::cosh(x)},
         {"math.erf", {x}, std::erf(x)},
         {"math.erfc", {x}, 1 - std::erf(x)},
         {"math.exp", {x}, std::exp(x)},
         {"math.exp2", {3}, 8},
         {"math.expm1", {x}, std::exp(x) - 1},
         {"math.floor", {-x}, -1},
         {"math.log", {x}, std::log(x)},
         {"math.log10", {1000}, 3},
         {"math.log1p", {x}, std::log(1 + x)},
         {"math.log2", {8}, 3},
         {"math.round", {2.5}, 3},
         {"math.roundeven", {2.5}, 2},
         {"math.rsqrt", {4}, 0.5},
         {"math.sin", {x}, std::sin(x)},
         {"math.sinh", {x}, std::sinh(x)},
         {"math.sqrt", {9}, 3},
         {"math.tan", {x}, std::tan(x)},
         {"math.tanh", {x}, std::tanh(x)},
         {"math.trunc", {-2.7}, -2}});
  check("f32", "i1",
        {{"math.isfinite", {kInf}, 0},
         {"math.isinf", {-kInf}, 1},
         {"math.isnan", {NAN}, 1},
         {"math.isnormal", {0}, 0}});
}

TEST_F(ReferenceScalar, FloatComparisons) {
  check("f32", "i1",
        {{"arith.cmpf olt", {1, 2}, 1},
         {"arith.cmpf olt", {1, NAN}, 0},
         {"arith.cmpf ult", {1, NAN}, 1},
         {"arith.cmpf oge", {2, 2}, 1},
         {"arith.cmpf one", {2, 2}, 0},
         {"arith.cmpf une", {NAN, NAN}, 1},
         {"arith.cmpf ueq", {NAN, 1}, 1},
         {"arith.cmpf ord", {NAN, 1}, 0},
         {"arith.cmpf uno", {NAN, 1}, 1}});
}

TEST_F(ReferenceScalar, IntegerArithmeticWraps) {
  check("i32", "i32",
        {{"arith.addi", {2147483647, 1}, -2147483648.0},
         {"arith.subi", {3, 5}, -2},
         {"arith.muli", {65536, 65536}, 0},
         {"arith.divsi", {-7, 2}, -3},
         {"arith.divui", {-1, 2}, 2147483647},
         {"arith.ceildivsi", {-7, 2}, -3},
         {"arith.ceildivui", {7, 2}, 4},
         {"arith.floordivsi", {-7, 2}, -4},
         {"arith.remsi", {-7, 2}, -1},
         {"arith.remui", {7, 4}, 3},
         {"arith.andi", {12, 10}, 8},
         {"arith.ori", {12, 10}, 14},
         {"arith.xori", {12, 10}, 6},
         {"arith.shli", {3, 4}, 48},
         {"arith.shrsi", {-8, 1}, -4},
         {"arith.shrui", {-8, 1}, 2147483644},
         {"arith.maxsi", {-1, 2}, 2},
         {"arith.maxui", {-1, 2}, -1},
         {"arith.minsi", {-1, 2}, -1},
         {"arith.minui", {-1, 2}, 2},
         {"math.absi", {-3}, 3},
         {"math.ipowi", {-3, 3}, -27},
         {"math.ipowi", {-1, -3}, -1},
         {"math.ipowi", {2, -1}, 0},
         {"math.ipowi", {0, -1}, 0},
         {"math.ctlz", {1}, 31},
         {"math.cttz", {8}, 3},
         {"math.ctpop", {255}, 8}});
}

TEST_F(ReferenceScalar, DivisionByZeroIsZero) {
  for (const char *op :
       {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui",
        "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi"})
    check("i32", "i32", {{op, {7, 0}, 0}});
  check("i32", "i32", {{"arith.divsi", {-2147483648.0, -1}, -2147483648.0}});
}

TEST_F(ReferenceScalar, IntegerComparisons) {
  check("i32", "i1",
        {{"arith.cmpi eq", {3, 3}, 1},
         {"arith.cmpi slt", {-1, 2}, 1},
         {"arith.cmpi ult", {-1, 2}, 0},
         {"arith.cmpi sge", {2, 3}, 0}});
}

TEST_F(ReferenceScalar, Conversions) {
  check("i1", "i32", {{"arith.extsi", {1}, -1}}, " to i32");
  check("i1", "i32", {{"arith.extui", {1}, 1}}, " to i32");
  check("i32", "i64", {{"arith.extui", {-1}, 4294967295.0}}, " to i64");
  check("i64", "i32", {{"arith.trunci", {4294967298.0}, 2}}, " to i32");
  check("i32", "index", {{"arith.index_cast", {-2}, -2}}, " to index");
  check("i32", "f32", {{"arith.sitofp", {-2}, -2}}, " to f32");
  check("i32", "f32", {{"arith.uitofp", {-1}, 4294967295.0}}, " to f32");
  check("f32", "i32",
        {{"arith.fptosi", {-2.7}, -2},
         {"arith.fptosi", {3e9}, 2147483647},
         {"arith.fptosi", {-INFINITY}, -2147483648.0},
         {"arith.fptosi", {NAN}, 0},
         {"arith.fptoui", {3e9}, -1294967296.0},
         {"arith.fptoui", {1e10}, -1},
         {"arith.fptoui", {-2}, 0}},
        " to i32");
}

TEST_F(ReferenceScalar, SelectOfElementsAndOfWholeTensors) {
  std::string parameters = "%a: tensor<2xf32>, %b: tensor<2xf32>";
  std::vector<ReferenceValue> arguments = {vector({1, 2}), vector({3, 4})};
  EXPECT_EQ(run("func.func @f(" + parameters + R"() -> tensor<2xf32> {
      %c = arith.constant dense<[true, false]> : tensor<2xi1>
      %r = arith.select %c, %a, %b : tensor<2xi1>, tensor<2xf32>
      return %r : tensor<2xf32>
    })",
                arguments),
            (Doubles{1, 4}));
  EXPECT_EQ(run("func.func @f(" + parameters + R"() -> tensor<2xf32> {
      %c = arith.constant false
      %r = arith.select %c, %a, %b : tensor<2xf32>
      return %r : tensor<2xf32>
    })",
                arguments),
            (Doubles{3, 4}));
}

TEST_F(ReferenceScalar, TwoResults) {
  auto results = evaluate(R"(func.func @f(%a: f32) -> (f32, f32) {
    %s, %c = math.sincos %a : f32
    return %s, %c : f32, f32
  })",
                          {scalar(0.3)});
  ASSERT_EQ(results.size(), 2u) << errors;
  expectNear(results[0].data, {std::sin(0.3)});
  expectNear(results[1].data, {std::cos(0.3)});
}

TEST_F(ReferenceScalar, Constants) {
  auto results = evaluate(R"(
    func.func @f() -> (tensor<2xf32>, tensor<3xi64>, tensor<2xbf16>, i1) {
      %a = arith.constant dense<0xFF800000> : tensor<2xf32>
      %b = arith.constant dense<[-1, 0, 5]> : tensor<3xi64>
      %c = arith.constant dense<[0.1, 1.0]> : tensor<2xbf16>
      %d = arith.constant true
      return %a, %b, %c, %d : tensor<2xf32>, tensor<3xi64>, tensor<2xbf16>, i1
    })");
  ASSERT_EQ(results.size(), 4u) << errors;
  EXPECT_EQ(results[0].data, (Doubles{-kInf, -kInf}));
  EXPECT_EQ(results[1].data, (Doubles{-1, 0, 5}));
  EXPECT_EQ(results[2].data, (Doubles{0.10009765625, 1}));
  EXPECT_EQ(results[3].data, Doubles{1});
}
