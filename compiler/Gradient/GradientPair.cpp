//===- GradientPair.cpp - A forward and a backward function ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/GradientPair.h"
#include "compiler/Algebra/Passes.h"
#include "compiler/Gradient/FunctionGradient.h"
#include "compiler/Gradient/LoopSteps.h"
#include "compiler/Gradient/Normalise.h"
#include "compiler/Gradient/ReuseKept.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

static func::FuncOp makeForward(func::FuncOp function) {
  OpBuilder b(function);
  b.setInsertionPointAfter(function);
  auto forward = cast<func::FuncOp>(b.clone(*function));
  forward.setName((function.getName() + "_forward").str());
  forward.setPublic();
  return forward;
}

static func::FuncOp makeBackward(func::FuncOp forward,
                                 ArrayRef<int64_t> results,
                                 CotangentTypes cotangents) {
  OpBuilder b(forward);
  b.setInsertionPointAfter(forward);
  SmallVector<Type> types(forward.getArgumentTypes());
  for (int64_t index : results) {
    Type type = forward.getResultTypes()[index];
    types.push_back(cotangents == CotangentTypes::wide ? getGradientType(type)
                                                       : type);
  }
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
  SmallVector<Attribute> attrs(returned.size(), b.getDictionaryAttr({}));
  for (unsigned index = 0; index < numResults; ++index)
    if (DictionaryAttr own = forward.getResultAttrDict(index))
      attrs[index] = own;
  forward.setResAttrsAttr(b.getArrayAttr(attrs));
  return numbers;
}

LogicalResult gradient::cleanUp(func::FuncOp function, RunPipeline run) {
  OpPassManager pm(func::FuncOp::getOperationName());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createHoistInvariantsPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  return run(pm, function);
}

FailureOr<GradientFunctions>
gradient::makeGradient(func::FuncOp function, ArrayRef<unsigned> arguments,
                       CotangentTypes types, RunPipeline run) {
  GradientFunctions made;
  func::FuncOp forward = makeForward(function);
  auto runOnForward = [&](OpPassManager &pm) { return run(pm, forward); };
  if (failed(normalise(forward, runOnForward)))
    return failure();
  KeptValues kept = keepForBackward(forward);
  FailureOr<LoopSteps> loops = prepareLoops(forward, arguments, run);
  if (failed(loops))
    return failure();
  Activity activity(forward, arguments);
  Operation *terminator = forward.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
    if (activity.isActive(value))
      made.results.push_back(index);
  if (made.results.empty()) {
    loops->erase();
    forward.erase();
    return made;
  }
  made.forward = forward;
  made.backward = makeBackward(forward, made.results, types);
  made.arguments.assign(arguments.begin(), arguments.end());
  FunctionGradient gradient(made, activity, kept, *loops, types);
  if (failed(gradient.run()))
    return failure();
  loops->erase();
  // What no gradient needs is not kept.
  if (failed(cleanUp(made.backward, run)))
    return failure();
  made.kept =
      returnKept(forward, eraseUnused(made.backward, function.getNumArguments(),
                                      gradient.getKept()));
  if (failed(cleanUp(forward, run)))
    return failure();
  if (reuseKept(made) && failed(cleanUp(made.backward, run)))
    return failure();
  return made;
}
