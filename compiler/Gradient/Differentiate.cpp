//===- Differentiate.cpp - Forward and backward functions -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments and results have gradients, and the signatures of what is
// made.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/FunctionGradient.h"
#include "compiler/Gradient/GradientFunctions.h"
#include "compiler/Gradient/Normalise.h"
#include "compiler/Gradient/Passes.h"
#include "dialect/IR/MPArguments.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/Passes.h"
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
  func::FuncOp makeForward(func::FuncOp function);
  func::FuncOp makeBackward(func::FuncOp forward, ArrayRef<unsigned> results);
  void nameBackward(func::FuncOp forward, func::FuncOp backward,
                    ArrayRef<unsigned> arguments, ArrayRef<unsigned> results,
                    ArrayRef<int64_t> kept);
  void makeJoined(func::FuncOp function, func::FuncOp forward,
                  func::FuncOp backward, ArrayRef<unsigned> results);
  LogicalResult cleanUp(func::FuncOp function);
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

func::FuncOp DifferentiatePass::makeForward(func::FuncOp function) {
  OpBuilder b(function);
  b.setInsertionPointAfter(function);
  auto forward = cast<func::FuncOp>(b.clone(*function));
  forward.setName((function.getName() + "_forward").str());
  forward.setPublic();
  // Kept values follow the results, which keep their names.
  SmallVector<std::string> names;
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    names.push_back(nameOfResult(function, index));
  for (auto [index, name] : llvm::enumerate(names))
    forward.setResultAttr(index, kNameAttr, b.getStringAttr(name));
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    forward.setArgAttr(index, kNameAttr,
                       b.getStringAttr(nameOfArgument(function, index)));
  return forward;
}

func::FuncOp DifferentiatePass::makeBackward(func::FuncOp forward,
                                             ArrayRef<unsigned> results) {
  OpBuilder b(forward);
  b.setInsertionPointAfter(forward);
  SmallVector<Type> types(forward.getArgumentTypes());
  for (unsigned index : results)
    types.push_back(forward.getResultTypes()[index]);
  StringRef name = forward.getName();
  name.consume_back("_forward");
  auto backward =
      func::FuncOp::create(b, forward.getLoc(), (name + "_backward").str(),
                           b.getFunctionType(types, {}));
  Block *body = backward.addEntryBlock();
  for (auto [before, after] :
       llvm::zip(forward.getArguments(), body->getArguments()))
    after.setLoc(before.getLoc());
  return backward;
}

void DifferentiatePass::nameBackward(func::FuncOp forward,
                                     func::FuncOp backward,
                                     ArrayRef<unsigned> arguments,
                                     ArrayRef<unsigned> results,
                                     ArrayRef<int64_t> kept) {
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
  unsigned next = numArguments;
  for (int64_t index : kept)
    setName(next++, names.choose(nameOfResult(forward, index)));
  for (unsigned index : results)
    setName(next++, names.choose("grad_" + nameOfResult(forward, index)));
  for (auto [position, index] : llvm::enumerate(arguments))
    backward.setResultAttr(
        position, kNameAttr,
        b.getStringAttr("grad_" + nameOfArgument(forward, index)));
  auto toArray = [&](auto range) {
    SmallVector<int64_t> numbers(range.begin(), range.end());
    return b.getDenseI64ArrayAttr(numbers);
  };
  backward->setAttr(kKeptAttr, toArray(kept));
  backward->setAttr(kArgumentsAttr, toArray(arguments));
  backward->setAttr(kResultsAttr, toArray(results));
}

/// Erases the arguments from `first` on that stand for kept values and that
/// nothing uses; the values that are left.
static SmallVector<Value> eraseUnused(func::FuncOp backward, unsigned first,
                                      ArrayRef<Value> kept) {
  SmallVector<Value> used;
  llvm::BitVector unused(backward.getNumArguments());
  for (auto [k, value] : llvm::enumerate(kept)) {
    if (backward.getArgument(first + k).use_empty())
      unused.set(first + k);
    else
      used.push_back(value);
  }
  (void)backward.eraseArguments(unused);
  return used;
}

/// Appends the kept values to the results, but for those that are results
/// already; their numbers.
static SmallVector<int64_t> returnKept(func::FuncOp forward,
                                       ArrayRef<Value> kept) {
  Operation *terminator = forward.getBody().front().getTerminator();
  SmallVector<Value> returned(terminator->getOperands());
  Builder b(forward.getContext());
  SmallVector<int64_t> numbers;
  unsigned numResults = returned.size();
  for (Value value : kept) {
    auto it = llvm::find(returned, value);
    numbers.push_back(std::distance(returned.begin(), it));
    if (it == returned.end())
      returned.push_back(value);
  }
  terminator->setOperands(returned);
  forward.setFunctionType(b.getFunctionType(forward.getArgumentTypes(),
                                            ValueRange(returned).getTypes()));
  SmallVector<Attribute> attrs;
  for (unsigned index = 0; index < numResults; ++index)
    attrs.push_back(forward.getResultAttrDict(index));
  Names names;
  for (unsigned index = 0; index < numResults; ++index)
    names.take(nameOfResult(forward, index));
  for (unsigned index = numResults; index < returned.size(); ++index) {
    std::string name =
        names.choose("kept" + std::to_string(index - numResults));
    attrs.push_back(
        b.getDictionaryAttr(b.getNamedAttr(kNameAttr, b.getStringAttr(name))));
  }
  for (Attribute &attr : attrs)
    if (!attr)
      attr = b.getDictionaryAttr({});
  forward.setResAttrsAttr(b.getArrayAttr(attrs));
  return numbers;
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

void DifferentiatePass::makeJoined(func::FuncOp function, func::FuncOp forward,
                                   func::FuncOp backward,
                                   ArrayRef<unsigned> results) {
  OpBuilder b(backward);
  b.setInsertionPointAfter(backward);
  Location loc = function.getLoc();
  unsigned numArguments = function.getNumArguments();
  SmallVector<Type> types(function.getArgumentTypes());
  for (unsigned index : results)
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
  for (int64_t index :
       backward->getAttrOfType<DenseI64ArrayAttr>(kKeptAttr).asArrayRef())
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

LogicalResult DifferentiatePass::cleanUp(func::FuncOp function) {
  OpPassManager pm(func::FuncOp::getOperationName());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  return runPipeline(pm, function);
}

LogicalResult DifferentiatePass::differentiate(func::FuncOp function) {
  FailureOr<SmallVector<unsigned>> selected = selectArguments(function);
  if (failed(selected))
    return failure();
  func::FuncOp forward = makeForward(function);
  auto run = [&](OpPassManager &pm) { return runPipeline(pm, forward); };
  if (failed(normalise(forward, run)))
    return failure();
  KeptValues kept = keepForBackward(forward);
  Activity activity(forward, *selected);
  SmallVector<unsigned> results;
  Operation *terminator = forward.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
    if (activity.isActive(value))
      results.push_back(index);
  if (results.empty()) {
    forward.erase();
    return success();
  }
  func::FuncOp backward = makeBackward(forward, results);
  FunctionGradient gradient(forward, kept, backward, *selected, results);
  if (failed(gradient.run()))
    return failure();
  // What no gradient needs is not kept.
  if (failed(cleanUp(backward)))
    return failure();
  SmallVector<int64_t> numbers =
      returnKept(forward, eraseUnused(backward, function.getNumArguments(),
                                      gradient.getKept()));
  nameBackward(forward, backward, *selected, results, numbers);
  if (failed(cleanUp(forward)))
    return failure();
  openUnread(function, forward);
  openUnread(function, backward);
  if (joined)
    makeJoined(function, forward, backward, results);
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
