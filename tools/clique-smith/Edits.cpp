//===- Edits.cpp - Ways to make a spec smaller ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Edits.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace clique;
using namespace clique::smith;

//===----------------------------------------------------------------------===//
// What nothing uses
//===----------------------------------------------------------------------===//

/// The op again, without result `k`, which nothing uses.
static Operation *dropResult(Operation *op, unsigned k) {
  OpBuilder builder(op);
  SmallVector<Type> types(op->getResultTypes());
  types.erase(types.begin() + k);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(types);
  state.addAttributes(op->getAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (unsigned region = 0; region < op->getNumRegions(); ++region)
    state.addRegion();
  Operation *smaller = builder.create(state);
  for (auto [to, from] :
       llvm::zip_equal(smaller->getRegions(), op->getRegions()))
    to.takeBody(from);
  for (unsigned old = 0, next = 0; old < op->getNumResults(); ++old)
    if (old != k)
      op->getResult(old).replaceAllUsesWith(smaller->getResult(next++));
  op->erase();
  return smaller;
}

/// Whether an aggregation without result `k` is one: a value goes with its
/// result, but not where there are more results, of which the last may go.
static bool canDrop(mp::AggregateOp op, unsigned k) {
  const unsigned more = op.getNumResults() - op.getValues().size();
  return op.getKind() == mp::AggregatorKind::custom || more == 0 ||
         (more == 1 && k == op.getNumResults() - 1);
}

static bool dropUnusedResult(Operation *op) {
  if (!isa<mp::MessageOp, mp::UpdateOp, mp::AggregateOp>(op) ||
      op->getNumResults() < 2)
    return false;
  auto aggregate = dyn_cast<mp::AggregateOp>(op);
  for (unsigned k = 0; k < op->getNumResults(); ++k) {
    if (!op->getResult(k).use_empty() || (aggregate && !canDrop(aggregate, k)))
      continue;
    Operation *smaller = dropResult(op, k);
    if (!aggregate) {
      smaller->getRegion(0).front().getTerminator()->eraseOperand(k);
    } else {
      auto again = cast<mp::AggregateOp>(smaller);
      if (again.getKind() == mp::AggregatorKind::custom)
        again.getFinalise().front().getTerminator()->eraseOperand(k);
      else if (k < again.getValues().size())
        again.getValuesMutable().erase(k);
    }
    return true;
  }
  return false;
}

static bool dropUnusedOperand(Operation *op) {
  auto drop = [&](MutableOperandRange range, Block &body, unsigned first) {
    for (unsigned k = 0; k < range.size(); ++k)
      if (body.getArgument(first + k).use_empty()) {
        body.eraseArgument(first + k);
        range.erase(k);
        return true;
      }
    return false;
  };
  if (auto message = dyn_cast<mp::MessageOp>(op)) {
    Block &body = message.getBody().front();
    const unsigned numDst = message.getDst().size();
    return drop(message.getDstMutable(), body, 0) ||
           drop(message.getSrcMutable(), body, numDst) ||
           drop(message.getEdgeMutable(), body,
                numDst + message.getSrc().size());
  }
  if (auto update = dyn_cast<mp::UpdateOp>(op))
    return update.getNodes().size() > 1 &&
           drop(update.getNodesMutable(), update.getBody().front(), 0);
  return false;
}

static bool cleanOnce(ModuleOp module) {
  bool changed = false;
  module.walk<WalkOrder::PostOrder>([&](Operation *op) {
    if (isa<ModuleOp, func::FuncOp>(op))
      return;
    if (op->use_empty() && !op->hasTrait<OpTrait::IsTerminator>() &&
        (isMemoryEffectFree(op) || isa<func::CallOp>(op))) {
      op->erase();
      changed = true;
    }
  });
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (dropUnusedResult(op) || dropUnusedOperand(op))
      return true;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (function.isPrivate()) {
      if (SymbolTable::symbolKnownUseEmpty(function, module)) {
        function.erase();
        changed = true;
      }
      continue;
    }
    for (unsigned k = function.getNumArguments(); k-- > 0;)
      if (function.getArgument(k).use_empty() &&
          succeeded(function.eraseArgument(k)))
        changed = true;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Replacements
//===----------------------------------------------------------------------===//

/// A constant of the type, made before the op; null if there is none.
static Value makeConstant(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      op->hasTrait<OpTrait::ConstantLike>())
    return nullptr;
  OpBuilder builder(op);
  Type element = tensor.getElementType();
  if (isa<FloatType>(element))
    return arith::ConstantOp::create(
        builder, op->getLoc(),
        DenseElementsAttr::get(tensor, builder.getFloatAttr(element, 0.5)));
  if (isa<IntegerType>(element))
    return arith::ConstantOp::create(
        builder, op->getLoc(),
        DenseElementsAttr::get(tensor, builder.getIntegerAttr(element, 1)));
  return nullptr;
}

/// What could stand for a result of an op, in rounds: what takes most away
/// comes first for all ops.
enum Round { argument, operand, before, kNumRounds };

static SmallVector<Value> findReplacements(Operation *op, Value result,
                                           unsigned round) {
  SmallVector<Value> found;
  auto add = [&](Value value) {
    if (value.getType() == result.getType() &&
        !llvm::is_contained(found, value))
      found.push_back(value);
  };
  if (round == Round::argument)
    for (Value value : op->getBlock()->getArguments())
      add(value);
  if (round == Round::operand)
    for (Value value : op->getOperands())
      add(value);
  if (round == Round::before && op->getNumRegions() == 0)
    for (Operation *other = op->getPrevNode(); other && found.size() < 2;
         other = other->getPrevNode())
      for (Value value : other->getResults())
        add(value);
  return found;
}

static bool dropReturnValue(func::FuncOp function, unsigned k) {
  Operation *terminator = function.getBody().front().getTerminator();
  if (terminator->getNumOperands() < 2)
    return false;
  terminator->eraseOperand(k);
  return succeeded(function.eraseResult(k));
}

/// Makes the edit, or counts it.
static bool countDown(unsigned &number) { return number-- == 0; }

/// Whether the op is in a part of a monoid on which its laws rest.
static bool isOfMonoid(Operation *op) {
  auto aggregate = op->getParentOfType<mp::AggregateOp>();
  return aggregate &&
         (aggregate.getCombine().isAncestor(op->getParentRegion()) ||
          aggregate.getIdentity().isAncestor(op->getParentRegion()));
}

static EditResult applyOne(ModuleOp module, unsigned number,
                           bool keepsMonoids) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate())
      continue;
    for (unsigned k = 0; k < function.getNumResults(); ++k)
      if (countDown(number))
        return dropReturnValue(function, k) ? EditResult::changed
                                            : EditResult::none;
  }
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (!isa<ModuleOp, func::FuncOp>(op) && op->getNumResults() &&
        !(keepsMonoids && isOfMonoid(op)))
      ops.push_back(op);
  });
  for (unsigned round = 0; round < kNumRounds; ++round)
    for (Operation *op : llvm::reverse(ops))
      for (Value result : op->getResults()) {
        for (Value replacement : findReplacements(op, result, round))
          if (countDown(number)) {
            result.replaceAllUsesWith(replacement);
            return EditResult::changed;
          }
        if (round != Round::argument || !countDown(number))
          continue;
        Value constant = makeConstant(op, result.getType());
        if (!constant)
          return EditResult::none;
        result.replaceAllUsesWith(constant);
        return EditResult::changed;
      }
  return EditResult::unknown;
}

EditResult clique::smith::editModule(ModuleOp module, unsigned number,
                                     bool keepsMonoids) {
  const EditResult result = applyOne(module, number, keepsMonoids);
  if (result != EditResult::changed)
    return result;
  while (cleanOnce(module))
    ;
  return succeeded(verify(module)) ? result : EditResult::none;
}

std::string clique::smith::printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  // Without the braces of the module.
  for (Operation &op : module.getBody()->getOperations()) {
    op.print(out);
    out << "\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Calls back for each whole number that may be a size: [first, last).
static void forEachSize(StringRef text,
                        llvm::function_ref<void(size_t, size_t)> callback) {
  for (size_t first = 0; first < text.size();) {
    if (!llvm::isDigit(text[first])) {
      ++first;
      continue;
    }
    size_t last = first;
    while (last < text.size() && llvm::isDigit(text[last]))
      ++last;
    const char before = first ? text[first - 1] : ' ';
    const char after = last < text.size() ? text[last] : ' ';
    // 9x4xf32, [9, 4]; but not %9, f32, 0.5, @f_1.
    const bool starts =
        before == '<' || before == '[' || before == ' ' ||
        (before == 'x' && first > 1 &&
         (llvm::isDigit(text[first - 2]) || text[first - 2] == '?'));
    if (starts && (after == 'x' || after == ',' || after == ']'))
      callback(first, last);
    first = last;
  }
}

std::set<int64_t, std::greater<>>
clique::smith::findSizes(const std::string &text) {
  std::set<int64_t, std::greater<>> sizes;
  forEachSize(text, [&](size_t first, size_t last) {
    int64_t size = 0;
    if (!StringRef(text).slice(first, last).getAsInteger(10, size) &&
        size > 1 && text[last] == 'x')
      sizes.insert(size);
  });
  return sizes;
}

std::string clique::smith::replaceSize(const std::string &text, int64_t from,
                                       int64_t to) {
  std::string result, wanted = std::to_string(from);
  size_t done = 0;
  forEachSize(text, [&](size_t first, size_t last) {
    if (StringRef(text).slice(first, last) != wanted)
      return;
    result += text.substr(done, first - done) + std::to_string(to);
    done = last;
  });
  return result + text.substr(done);
}
