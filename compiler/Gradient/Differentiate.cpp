//===- Differentiate.cpp - Forward and backward functions -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments and results have gradients, and the signatures of what is
// made.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/Activity.h"
#include "compiler/Gradient/GradientPair.h"
#include "compiler/Gradient/Passes.h"
#include "dialect/IR/MPArguments.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

namespace clique {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "compiler/Gradient/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

static constexpr StringLiteral kNameAttr = "mp.name";

/// The names by which tools call the arguments.
static std::string nameOfArgument(func::FuncOp function, unsigned index) {
  if (auto name = function.getArgAttrOfType<StringAttr>(index, kNameAttr))
    return name.str();
  return "arg" + std::to_string(index);
}

static std::string nameOfResult(func::FuncOp function, unsigned index) {
  if (auto name = function.getResultAttrOfType<StringAttr>(index, kNameAttr))
    return name.str();
  return function.getNumResults() == 1 ? "out" : "out" + std::to_string(index);
}

namespace {
/// Names that are not taken yet.
class Names {
public:
  void take(StringRef name) { taken.insert(name); }
  std::string choose(std::string name) {
    while (!taken.insert(name).second)
      name += "_";
    return name;
  }

private:
  llvm::StringSet<> taken;
};

struct DifferentiatePass
    : clique::impl::DifferentiatePassBase<DifferentiatePass> {
  using DifferentiatePassBase::DifferentiatePassBase;

  void runOnOperation() override;

private:
  LogicalResult differentiate(func::FuncOp function);
  FailureOr<SmallVector<unsigned>> selectArguments(func::FuncOp function);
  LogicalResult freeNames(func::FuncOp function);
  void nameForward(func::FuncOp function, func::FuncOp forward);
  void nameBackward(const GradientFunctions &made);
  void makeJoined(func::FuncOp function, const GradientFunctions &made);
};
} // namespace

FailureOr<SmallVector<unsigned>>
DifferentiatePass::selectArguments(func::FuncOp function) {
  SmallVector<unsigned> selected;
  SmallVector<std::string> names;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isDifferentiable(type)) {
      selected.push_back(index);
      names.push_back(nameOfArgument(function, index));
    }
  if (arguments.empty())
    return selected;
  SmallVector<unsigned> wanted;
  for (const std::string &text : arguments) {
    unsigned number;
    auto it = llvm::find(names, text);
    if (it != names.end())
      wanted.push_back(selected[std::distance(names.begin(), it)]);
    else if (!StringRef(text).getAsInteger(10, number) &&
             llvm::is_contained(selected, number))
      wanted.push_back(number);
    else
      return function.emitError("has no argument of floats '")
             << text
             << "' to differentiate by; there is: " << llvm::join(names, ", ");
  }
  llvm::sort(wanted);
  wanted.erase(llvm::unique(wanted), wanted.end());
  return wanted;
}

/// No other function has a name of what is made of this one then.
LogicalResult DifferentiatePass::freeNames(func::FuncOp function) {
  SymbolTable symbols(getOperation());
  SmallVector<StringRef> parts = {"_forward", "_backward"};
  if (joined)
    parts.push_back("_gradient");
  for (StringRef part : parts) {
    Operation *other = symbols.lookup((function.getName() + part).str());
    if (!other)
      continue;
    if (SymbolTable::getSymbolVisibility(other) !=
        SymbolTable::Visibility::Private)
      return other->emitError("has the name of a function that "
                              "mp-differentiate makes of '")
             << function.getName() << "': give one of the two another name";
    if (failed(symbols.renameToUnique(other, {})))
      return failure();
  }
  return success();
}

void DifferentiatePass::nameForward(func::FuncOp function,
                                    func::FuncOp forward) {
  Builder b(&getContext());
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    forward.setArgAttr(index, kNameAttr,
                       b.getStringAttr(nameOfArgument(function, index)));
  // Kept values follow the results, which keep their names.
  Names names;
  unsigned numResults = function.getNumResults();
  for (unsigned index = 0; index < forward.getNumResults(); ++index) {
    std::string name = index < numResults
                           ? nameOfResult(function, index)
                           : "kept" + std::to_string(index - numResults);
    if (index < numResults)
      names.take(name);
    else
      name = names.choose(name);
    forward.setResultAttr(index, kNameAttr, b.getStringAttr(name));
  }
}

void DifferentiatePass::nameBackward(const GradientFunctions &made) {
  func::FuncOp forward = made.forward, backward = made.backward;
  Builder b(&getContext());
  Names names;
  unsigned numArguments = forward.getNumArguments();
  auto setName = [&](unsigned index, const std::string &name) {
    backward.setArgAttr(index, kNameAttr, b.getStringAttr(name));
  };
  for (unsigned index = 0; index < numArguments; ++index) {
    setName(index, nameOfArgument(forward, index));
    names.take(nameOfArgument(forward, index));
  }
  // A name says what an argument is: no cotangent has that of a result, as that
  // of X would where another result is grad_X, and names do not hang on which
  // results are kept or have a cotangent. Python's Gradient counts on it.
  SmallVector<std::string> keptNames, cotangentNames;
  for (unsigned index = 0; index < forward.getNumResults(); ++index)
    keptNames.push_back(names.choose(nameOfResult(forward, index)));
  for (unsigned index = 0; index < forward.getNumResults(); ++index)
    cotangentNames.push_back(
        names.choose("grad_" + nameOfResult(forward, index)));
  unsigned next = numArguments;
  for (int64_t index : made.kept) {
    backward.setArgAttr(next, mp::kDonatableAttr, b.getUnitAttr());
    setName(next++, keptNames[index]);
  }
  for (int64_t index : made.results)
    setName(next++, cotangentNames[index]);
  for (auto [position, index] : llvm::enumerate(made.arguments))
    backward.setResultAttr(
        position, kNameAttr,
        b.getStringAttr("grad_" + nameOfArgument(forward, index)));
  backward->setAttr(kKeptAttr, b.getDenseI64ArrayAttr(made.kept));
  backward->setAttr(kArgumentsAttr, b.getDenseI64ArrayAttr(made.arguments));
  backward->setAttr(kResultsAttr, b.getDenseI64ArrayAttr(made.results));
}

/// Says of edge features that the function reads and a part of its gradient
/// does not that they need not be of the graph that the part has.
static void openUnread(func::FuncOp function, func::FuncOp part) {
  for (auto [argument, own] :
       llvm::zip(function.getArguments(), part.getArguments()))
    if (isa<mp::EdgesType>(own.getType()) && own.use_empty() &&
        !argument.use_empty())
      part.setArgAttr(own.getArgNumber(), mp::kAnyGraphAttr,
                      UnitAttr::get(part.getContext()));
}

void DifferentiatePass::makeJoined(func::FuncOp function,
                                   const GradientFunctions &made) {
  func::FuncOp forward = made.forward, backward = made.backward;
  OpBuilder b(backward);
  b.setInsertionPointAfter(backward);
  Location loc = function.getLoc();
  unsigned numArguments = function.getNumArguments();
  SmallVector<Type> types(function.getArgumentTypes());
  for (int64_t index : made.results)
    types.push_back(function.getResultTypes()[index]);
  auto joined =
      func::FuncOp::create(b, loc, (function.getName() + "_gradient").str(),
                           b.getFunctionType(types, backward.getResultTypes()));
  Block *body = joined.addEntryBlock();
  b.setInsertionPointToEnd(body);
  ValueRange args = body->getArguments();
  auto first =
      func::CallOp::create(b, loc, forward, args.take_front(numArguments));
  SmallVector<Value> operands(args.take_front(numArguments));
  for (int64_t index : made.kept)
    operands.push_back(first.getResult(index));
  llvm::append_range(operands, args.drop_front(numArguments));
  auto second = func::CallOp::create(b, loc, backward, operands);
  func::ReturnOp::create(b, loc, second.getResults());
  unsigned numKept = operands.size() - types.size();
  for (unsigned index = 0; index < types.size(); ++index)
    joined.setArgAttr(
        index, kNameAttr,
        backward.getArgAttr(index < numArguments ? index : index + numKept,
                            kNameAttr));
  for (unsigned index = 0; index < joined.getNumResults(); ++index)
    joined.setResultAttr(index, kNameAttr,
                         backward.getResultAttr(index, kNameAttr));
}

LogicalResult DifferentiatePass::differentiate(func::FuncOp function) {
  FailureOr<SmallVector<unsigned>> selected = selectArguments(function);
  if (failed(selected) || failed(freeNames(function)))
    return failure();
  auto run = [&](OpPassManager &pm, func::FuncOp part) {
    return runPipeline(pm, part);
  };
  FailureOr<GradientFunctions> made =
      makeGradient(function, *selected, CotangentTypes::asGiven, run);
  if (failed(made))
    return failure();
  if (!made->backward)
    return success();
  nameForward(function, made->forward);
  nameBackward(*made);
  openUnread(function, made->forward);
  openUnread(function, made->backward);
  if (joined)
    makeJoined(function, *made);
  return success();
}

void DifferentiatePass::runOnOperation() {
  SmallVector<func::FuncOp> wanted;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (functions.empty() ? function.isPublic() && !function.isExternal()
                          : llvm::is_contained(functions, function.getName()))
      wanted.push_back(function);
  for (const std::string &name : functions)
    if (llvm::none_of(wanted, [&](func::FuncOp function) {
          return function.getName() == name;
        })) {
      getOperation().emitError("has no function '")
          << name << "' to differentiate";
      return signalPassFailure();
    }
  for (func::FuncOp function : wanted)
    if (failed(differentiate(function)))
      return signalPassFailure();
}

std::optional<GradientFunctions> clique::findGradient(ModuleOp module,
                                                      StringRef name) {
  GradientFunctions found;
  found.forward = module.lookupSymbol<func::FuncOp>((name + "_forward").str());
  found.backward =
      module.lookupSymbol<func::FuncOp>((name + "_backward").str());
  if (!found.forward || !found.backward || !found.backward->hasAttr(kKeptAttr))
    return std::nullopt;
  auto read = [&](StringRef attr, SmallVector<int64_t> &numbers) {
    numbers.assign(
        found.backward->getAttrOfType<DenseI64ArrayAttr>(attr).asArrayRef());
  };
  read(kKeptAttr, found.kept);
  read(kArgumentsAttr, found.arguments);
  read(kResultsAttr, found.results);
  return found;
}
