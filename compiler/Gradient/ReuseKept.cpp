//===- ReuseKept.cpp - Kept values in place of their computation ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of an update computes its region again. A result of the update
// that a message wants too is kept for that one: what makes it in the region is
// found by comparing both, op by op.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/ReuseKept.h"
#include "compiler/Analysis/Tuning.h"
#include "dialect/IR/MPOps.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

namespace {
/// Compares values of the forward function with values of the backward one.
class Correspondence {
public:
  explicit Correspondence(const GradientFunctions &functions)
      : forward(getBody(functions.forward)),
        backward(getBody(functions.backward)) {
    unsigned first = forward.getNumArguments();
    Operation *returned = forward.getTerminator();
    for (auto [position, number] : llvm::enumerate(functions.kept))
      kept[returned->getOperand(number)] =
          backward.getArgument(first + position);
  }

  /// The argument that stands for a forward value; null if none does.
  Value getKept(Value before) const { return kept.lookup(before); }

  bool isSame(Value before, Value after) {
    // What many ops read is compared once.
    auto it = compared.find({before, after});
    if (it != compared.end())
      return it->second;
    bool same = compare(before, after);
    compared[{before, after}] = same;
    return same;
  }

private:
  bool compare(Value before, Value after) {
    if (before.getType() != after.getType())
      return false;
    if (auto arg = dyn_cast<BlockArgument>(before))
      return isSameArgument(arg, after);
    if (kept.lookup(before) == after)
      return true;
    auto result = dyn_cast<OpResult>(after);
    Operation *op = before.getDefiningOp();
    return result && op->getNumRegions() == 0 &&
           cast<OpResult>(before).getResultNumber() ==
               result.getResultNumber() &&
           OperationEquivalence::isEquivalentTo(
               op, result.getOwner(),
               [&](Value a, Value b) { return success(isSame(a, b)); }, nullptr,
               OperationEquivalence::IgnoreLocations);
  }

  /// Those of functions by their numbers, those of updates by what is passed.
  bool isSameArgument(BlockArgument before, Value after) {
    auto arg = dyn_cast<BlockArgument>(after);
    if (!arg)
      return false;
    if (before.getOwner() == &forward)
      return arg.getOwner() == &backward &&
             arg.getArgNumber() == before.getArgNumber();
    auto own = dyn_cast<mp::UpdateOp>(before.getOwner()->getParentOp());
    auto other = dyn_cast<mp::UpdateOp>(arg.getOwner()->getParentOp());
    return own && other &&
           isSame(own.getNodes()[before.getArgNumber()],
                  other.getNodes()[arg.getArgNumber()]);
  }

  static Block &getBody(func::FuncOp function) {
    return function.getBody().front();
  }

  Block &forward, &backward;
  llvm::DenseMap<Value, Value> kept;
  llvm::DenseMap<std::pair<Value, Value>, bool> compared;
};
} // namespace

/// Whether computing a value takes longer than reading it.
static bool isDear(Value value) {
  Block *body = value.getParentBlock();
  llvm::SetVector<Operation *> steps;
  if (Operation *op = value.getDefiningOp())
    steps.insert(op);
  for (size_t k = 0; k < steps.size(); ++k) {
    if (auto map = dyn_cast<mp::LinearOp>(steps[k]))
      if (map.getContractedSize() >= tuning::reusedTerms)
        return true;
    for (Value operand : steps[k]->getOperands())
      if (Operation *op = operand.getDefiningOp())
        if (op->getBlock() == body)
          steps.insert(op);
  }
  return false;
}

bool gradient::reuseKept(const GradientFunctions &functions) {
  func::FuncOp forward = functions.forward, backward = functions.backward;
  Correspondence same(functions);
  struct Reused {
    Value made, kept;
  };
  SmallVector<Reused> candidates;
  for (mp::UpdateOp update : forward.getBody().front().getOps<mp::UpdateOp>())
    for (auto [result, made] :
         llvm::zip_equal(update.getResults(), update.getYield().getOperands()))
      if (Value kept = same.getKept(result); kept && isDear(made))
        candidates.push_back({made, kept});
  bool changed = false;
  backward.walk([&](mp::UpdateOp update) {
    Block &body = update.getBody().front();
    for (const Reused &candidate : candidates)
      for (Operation &op : body.without_terminator())
        for (Value result : op.getResults())
          if (!result.use_empty() && same.isSame(candidate.made, result)) {
            update.getNodesMutable().append(candidate.kept);
            result.replaceAllUsesWith(
                body.addArgument(result.getType(), result.getLoc()));
            changed = true;
          }
  });
  return changed;
}
