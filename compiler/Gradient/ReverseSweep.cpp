//===- ReverseSweep.cpp - Cotangents of straight-line code ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks up the rule of each op in the table of Derivatives.td; what is no
// formula is in StructuralRules.cpp.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/ReverseSweep.h"
#include "compiler/Gradient/TensorTypes.h"
#include "compiler/Gradient/Term.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

namespace {
struct RuleInputs {
  Operation *op;
  Term x, x2, x3, y, g;
};
using Terms = SmallVector<Term, 3>;
struct DerivativeRule {
  const char *name;
  Terms (*rule)(const RuleInputs &);
};
} // namespace

static const Term none;

#define GET_DerivativeTable_IMPL
#include "compiler/Gradient/Derivatives.inc"
#undef GET_DerivativeTable_IMPL

static const DerivativeRule *findRule(StringRef name) {
  static const llvm::StringMap<const DerivativeRule *> rules = [] {
    llvm::StringMap<const DerivativeRule *> map;
    for (const DerivativeRule &rule : DerivativeTable)
      map[rule.name] = &rule;
    return map;
  }();
  return rules.lookup(name);
}

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

Type gradient::getGradientType(Type type) {
  auto edges = dyn_cast<mp::EdgesType>(type);
  Type element = edges ? edges.getElementType() : getElementTypeOrSelf(type);
  if (!element.isBF16() && !element.isF16())
    return type;
  Type wide = Float32Type::get(type.getContext());
  if (edges)
    return mp::EdgesType::get(edges.getContext(), edges.getShape(), wide);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(wide);
  return wide;
}

Value gradient::widen(OpBuilder &builder, Value value) {
  Type type = getGradientType(value.getType());
  if (type == value.getType())
    return value;
  return arith::ExtFOp::create(builder, value.getLoc(), type, value);
}

void gradient::cloneWidened(OpBuilder &builder, Operation *op,
                            llvm::function_ref<Value(Value)> primal,
                            llvm::function_ref<void(Value, Value)> define) {
  assert(!isa<arith::ConstantOp>(op) && "canonicalised: those are outside");
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand, primal(operand));
  // Conversions to and from half precision fall away.
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    Value operand = mapping.lookup(op->getOperand(0));
    if (operand.getType() == getGradientType(op->getResult(0).getType()))
      return define(op->getResult(0), operand);
  }
  Operation *clone = builder.clone(*op, mapping);
  for (auto [before, after] :
       llvm::zip(op->getResults(), clone->getResults())) {
    after.setType(getGradientType(after.getType()));
    define(before, after);
  }
}

Value gradient::transpose(OpBuilder &builder, Value tensor,
                          ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  Value empty = tensor::EmptyOp::create(builder, tensor.getLoc(), shape,
                                        type.getElementType());
  return linalg::TransposeOp::create(builder, tensor.getLoc(), tensor, empty,
                                     permutation)
      ->getResult(0);
}

Value gradient::outerProduct(OpBuilder &b, Location loc, Value x, Value y,
                             int64_t numSummed) {
  SmallVector<int64_t> shape(getTensor(x).getShape());
  const int64_t own = getTensor(x).getRank();
  llvm::append_range(shape, getTensor(y).getShape().drop_front(numSummed));
  RankedTensorType type = getTensor(x).clone(shape);
  auto makeRange = [](int64_t first, int64_t last) {
    return llvm::to_vector(llvm::seq<int64_t>(first, last));
  };
  auto spread = [&](Value value, ArrayRef<int64_t> newDims) -> Value {
    if (value.getType() == type)
      return value;
    return mp::BroadcastOp::create(b, loc, type, value, newDims);
  };
  Value left = spread(x, makeRange(own, type.getRank()));
  Value right = spread(y, makeRange(numSummed, own));
  Value product = arith::MulFOp::create(b, loc, left, right);
  if (numSummed == 0)
    return product;
  return mp::ReduceOp::create(
      b, loc, type.clone(type.getShape().drop_front(numSummed)),
      mp::ReductionKind::sum, product, makeRange(0, numSummed));
}

//===----------------------------------------------------------------------===//
// The sweep
//===----------------------------------------------------------------------===//

void ReverseSweep::add(Value value, Value cotangent) {
  if (!isActive(value))
    return;
  if (isOutside(value)) {
    terms.push_back({value, Value(), Value(), cotangent});
    return;
  }
  Value &sum = cotangents[value];
  if (!sum)
    sum = cotangent;
  else if (environment.sum)
    sum = environment.sum(sum, cotangent);
  else
    sum = arith::AddFOp::create(builder, cotangent.getLoc(), sum, cotangent);
}

Value ReverseSweep::keepZeros(Value x, Value adjoint) {
  // All of the adjoint, as a number.
  Location loc = adjoint.getLoc();
  Term g(builder, loc, adjoint);
  Term size = g.with(math::AbsFOp::create(builder, loc, adjoint));
  auto type = cast<RankedTensorType>(adjoint.getType());
  if (type.getRank() > 0)
    size = g.with(mp::ReduceOp::create(
        builder, loc, type.clone(ArrayRef<int64_t>()), mp::ReductionKind::max,
        size.getValue(), llvm::to_vector(llvm::seq<int64_t>(type.getRank()))));
  return gradient::keepZeros(size, Term(builder, loc, x)).getValue();
}

bool ReverseSweep::visitByTable(Operation *op, Value g) {
  const DerivativeRule *rule = findRule(op->getName().getStringRef());
  if (!rule)
    return false;
  auto term = [&](Value value) { return Term(builder, op->getLoc(), value); };
  RuleInputs in;
  in.op = op;
  in.g = term(g);
  Term *inputs[] = {&in.x, &in.x2, &in.x3};
  for (auto [input, operand] : llvm::zip(inputs, op->getOperands()))
    *input = term(primal(operand));
  in.y = term(primal(op->getResult(0)));
  const bool keepsZeros =
      environment.keepsZeros ? !hasFiniteSlopes(op) : keptZeros.isNeeded(op);
  for (auto [operand, cotangent] :
       llvm::zip_equal(op->getOperands(), rule->rule(in)))
    if (cotangent && isActive(operand))
      add(operand,
          (keepsZeros ? gradient::keepZeros(in.g, cotangent) : cotangent)
              .getValue());
  return true;
}

LogicalResult ReverseSweep::visit(Operation *op) {
  if (op->getNumResults() != 1) {
    if (llvm::any_of(op->getResults(),
                     [&](Value result) { return get(result); }))
      return op->emitOpError(
          "has no derivative: mp-differentiate knows no rule "
          "for it");
    return success();
  }
  Value g = get(op->getResult(0));
  // A region may use what has a gradient.
  if (!g || (op->getNumRegions() == 0 &&
             llvm::none_of(op->getOperands(),
                           [&](Value operand) { return isActive(operand); })))
    return success();
  return visitByTable(op, g) ? success() : visitStructural(op, g);
}

LogicalResult ReverseSweep::run() {
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (failed(visit(&op)))
      return failure();
  return success();
}
