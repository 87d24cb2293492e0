//===- Normalise.cpp - A function in the form that is differentiated ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/Normalise.h"
#include "compiler/Algebra/DecomposeLogSumExp.h"
#include "compiler/Algebra/DecomposeNorms.h"
#include "compiler/Algebra/Passes.h"
#include "compiler/Gradient/KeepForBackward.h"
#include "compiler/Gradient/TensorTypes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

SmallVector<Value>
gradient::cloneBody(OpBuilder &builder, func::FuncOp function,
                    ValueRange operands,
                    llvm::function_ref<void(Operation *)> onClone) {
  IRMapping mapping;
  mapping.map(function.getArguments(), operands);
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator()) {
    Operation *clone = builder.clone(op, mapping);
    if (onClone)
      onClone(clone);
  }
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// Puts the ops of the called function in the place of the call.
static LogicalResult inlineCall(func::CallOp call, unsigned depth) {
  constexpr unsigned deepest = 64;
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock())
    return call.emitOpError("cannot be differentiated: expected a function of "
                            "one block with a body in this module");
  if (depth == deepest)
    return call.emitOpError("cannot be differentiated: calls are too deep; a "
                            "function that calls itself has no derivative");
  OpBuilder b(call);
  SmallVector<func::CallOp> inner;
  SmallVector<Value> results =
      cloneBody(b, callee, call.getOperands(), [&](Operation *clone) {
        clone->walk([&](func::CallOp next) { inner.push_back(next); });
      });
  call.replaceAllUsesWith(results);
  call.erase();
  for (func::CallOp next : inner)
    if (failed(inlineCall(next, depth + 1)))
      return failure();
  return success();
}

/// The operands of an elementwise op that have rows: of a select with one
/// condition for all of them, the other two.
static ValueRange getTensorOperands(Operation &op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  return select && !isa<ShapedType>(select.getCondition().getType())
             ? ValueRange(op.getOperands().drop_front())
             : ValueRange(op.getOperands());
}

/// Whether updates have tensors of this type; of i16 they have none.
static bool isOfUpdates(Type type) {
  return isNodeTensor(type) && !getElementTypeOrSelf(type).isInteger(16);
}

/// Elementwise arithmetic on node tensors as an update of one op: one rule for
/// both, and one kernel.
static void moveIntoUpdates(func::FuncOp function) {
  SmallVector<Operation *> found;
  for (Operation &op : function.getBody().front())
    if (OpTrait::hasElementwiseMappableTraits(&op) && op.getNumResults() == 1 &&
        op.getNumOperands() > 0 &&
        llvm::all_of(getTensorOperands(op).getTypes(), isOfUpdates) &&
        isOfUpdates(op.getResult(0).getType()))
      found.push_back(&op);
  for (Operation *op : found) {
    OpBuilder b(op);
    ValueRange nodes = getTensorOperands(*op);
    auto update =
        mp::UpdateOp::create(b, op->getLoc(), nodes, op->getResultTypes());
    Block &body = update.getBody().front();
    OpBuilder inner = OpBuilder::atBlockEnd(&body);
    IRMapping mapping;
    mapping.map(nodes, body.getArguments());
    Operation *clone = inner.clone(*op, mapping);
    clone->getResult(0).setType(mp::getNodeFeature(op->getResult(0).getType()));
    mp::YieldOp::create(inner, op->getLoc(), clone->getResults());
    op->replaceAllUsesWith(update);
    op->erase();
  }
}

LogicalResult
gradient::normalise(func::FuncOp function,
                    llvm::function_ref<LogicalResult(OpPassManager &)> run) {
  // Regions call functions, too.
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls)
    if (failed(inlineCall(call, 0)))
      return failure();
  OpPassManager first(func::FuncOp::getOperationName());
  first.addPass(createOutlineFeaturesPass());
  first.addPass(createCanonicalizerPass());
  first.addPass(createCSEPass());
  first.addPass(createDecomposeReadoutPass());
  if (failed(run(first)))
    return failure();

  moveIntoUpdates(function);
  RewritePatternSet patterns(function.getContext());
  populateDecomposeNormPatterns(patterns);
  populateDecomposeLogSumExpPatterns(patterns);
  walkAndApplyPatterns(function, std::move(patterns));
  decomposeMonoids(function);

  OpPassManager second(func::FuncOp::getOperationName());
  second.addPass(createDeferLinearPass());
  second.addPass(createHoistEndpointsPass());
  second.addPass(createHoistInvariantsPass());
  second.addPass(createCanonicalizerPass());
  second.addPass(createCSEPass());
  if (failed(run(second)))
    return failure();

  keepMaps(function);
  OpPassManager third(func::FuncOp::getOperationName());
  third.addPass(createCanonicalizerPass());
  third.addPass(createCSEPass());
  return run(third);
}
