//===- Derivatives.td - The derivative of each op -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per op: the cotangent of each operand. x, x2, x3 are the operands, y
// is the result, g its cotangent, op the op. `none` is an operand without
// gradient. Formulas are C++ on the type Term (Term.h).
//
// Where calculus gives several values (a kink) or none that a sum can bear (an
// infinite slope), the rule says which it takes: 0 for the slope of |x|, relu,
// sqrt and cbrt at 0 and of atan2 at (0, 0), and the first of two equal operands
// of a maximum. 1 - x * x would have no digits left next to 1.
//
//===----------------------------------------------------------------------===//
include "llvm/TableGen/SearchableTable.td"

class Derivative<string name, list<string> cotangents> {
  string OpName = name;
  code Rule = "[]([[maybe_unused]] const RuleInputs &in) -> Terms {"
              " [[maybe_unused]] auto [op, x, x2, x3, y, g] = in; return {"
              # !interleave(cotangents, ", ") # "}; }";
}

def DerivativeTable : GenericTable {
  let FilterClass = "Derivative";
  let CppTypeName = "DerivativeRule";
  let Fields = ["OpName", "Rule"];
  string TypeOf_Rule = "code";
}

// arith
def : Derivative<"arith.addf", ["g", "g"]>;
def : Derivative<"arith.subf", ["g", "-g"]>;
def : Derivative<"arith.mulf", ["g * x2", "g * x"]>;
def : Derivative<"arith.divf", ["g / x2", "-(g * y) / x2"]>;
// Not trunc(x / x2): next to a jump the quotient is rounded to the other side.
def : Derivative<"arith.remf", ["g", "-g * roundeven((x - y) / x2)"]>;
def : Derivative<"arith.negf", ["-g"]>;
def : Derivative<"arith.maximumf", ["select(x >= x2, g, 0)", "select(x >= x2, 0, g)"]>;
def : Derivative<"arith.maxnumf", ["select(y == x, g, 0)", "select(y == x, 0, g)"]>;
def : Derivative<"arith.minimumf", ["select(x <= x2, g, 0)", "select(x <= x2, 0, g)"]>;
def : Derivative<"arith.minnumf", ["select(y == x, g, 0)", "select(y == x, 0, g)"]>;
def : Derivative<"arith.select", ["none", "select(x, g, 0)", "select(x, 0, g)"]>;
def : Derivative<"arith.extf", ["convert(g, x)"]>;
def : Derivative<"arith.truncf", ["convert(g, x)"]>;

// math
def : Derivative<"math.absf", ["select(x > 0, g, select(x < 0, -g, 0))"]>;
def : Derivative<"math.acos", ["-g / sqrt((1 - x) * (1 + x))"]>;
def : Derivative<"math.acosh", ["g / sqrt((x - 1) * (x + 1))"]>;
def : Derivative<"math.asin", ["g / sqrt((1 - x) * (1 + x))"]>;
def : Derivative<"math.asinh", ["g / sqrt(x * x + 1)"]>;
def : Derivative<"math.atan", ["g / (1 + x * x)"]>;
def : Derivative<"math.atan2", ["g * angleSlope(x2, x, x2)", "-g * angleSlope(x, x, x2)"]>;
def : Derivative<"math.atanh", ["g / ((1 - x) * (1 + x))"]>;
def : Derivative<"math.cbrt", ["select(y == 0, 0, g / (3 * (y * y)))"]>;
def : Derivative<"math.ceil", ["none"]>;
def : Derivative<"math.clampf", ["select(x < x2, 0, select(x > x3, 0, g))",
                                 "select(x < x2, g, 0)", "select(x > x3, g, 0)"]>;
def : Derivative<"math.copysign", ["g * sign(x) * sign(x2)", "none"]>;
def : Derivative<"math.cos", ["-g * sin(x)"]>;
def : Derivative<"math.cosh", ["g * sinh(x)"]>;
def : Derivative<"math.erf", ["g * (2 / std::sqrt(M_PI)) * exp(-(x * x))"]>;
def : Derivative<"math.erfc", ["-g * (2 / std::sqrt(M_PI)) * exp(-(x * x))"]>;
def : Derivative<"math.exp", ["g * y"]>;
def : Derivative<"math.exp2", ["g * y * M_LN2"]>;
def : Derivative<"math.expm1", ["g * (y + 1)"]>;
def : Derivative<"math.floor", ["none"]>;
def : Derivative<"math.fma", ["g * x2", "g * x", "g"]>;
def : Derivative<"math.fpowi", ["g * powerSlope(x, toFloat(x2, x))", "none"]>;
def : Derivative<"math.log", ["g / x"]>;
def : Derivative<"math.log10", ["g / (x * M_LN10)"]>;
def : Derivative<"math.log1p", ["g / (1 + x)"]>;
def : Derivative<"math.log2", ["g / (x * M_LN2)"]>;
def : Derivative<"math.powf", ["g * powerSlope(x, x2)",
                               "select(x == 0, 0, g * y * log(x))"]>;
def : Derivative<"math.round", ["none"]>;
def : Derivative<"math.roundeven", ["none"]>;
def : Derivative<"math.rsqrt", ["g * y * (y * y) * -0.5"]>;
def : Derivative<"math.sin", ["g * cos(x)"]>;
def : Derivative<"math.sinh", ["g * cosh(x)"]>;
def : Derivative<"math.sqrt", ["select(y == 0, 0, g / (2 * y))"]>;
def : Derivative<"math.tan", ["g * (1 + y * y)"]>;
def : Derivative<"math.tanh", ["g * (1 - y * y)"]>;
def : Derivative<"math.trunc", ["none"]>;

// mp
def : Derivative<"mp.dot", ["spread(g, x) * x2", "spread(g, x) * x"]>;
def : Derivative<"mp.elu", ["select(x > 0, g, g * (y + attribute(op, \"alpha\")))"]>;
def : Derivative<"mp.gelu", ["g * geluSlope(op, x)"]>;
def : Derivative<"mp.leaky_relu", ["select(x > 0, g, g * attribute(op, \"slope\"))"]>;
def : Derivative<"mp.relu", ["select(x > 0, g, 0)"]>;
def : Derivative<"mp.sigmoid", ["g * (y * (1 - y))"]>;
def : Derivative<"mp.silu", ["g * siluSlope(x)"]>;
def : Derivative<"mp.softplus", ["g * sigmoid(x)"]>;
