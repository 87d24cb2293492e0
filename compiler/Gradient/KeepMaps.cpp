//===- KeepMaps.cpp - Results of large linear maps ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value inside an update is computed again when its gradient needs it, a
// result of an update is kept. So a linear map becomes an update of its own
// where to read its result takes less time than to compute it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Gradient/Normalise.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace clique;

/// Of many terms, and seen by nobody outside the update. Half precision would
/// round what is computed again in f32.
static bool isWorthKeeping(mp::LinearOp map) {
  Type element = getElementTypeOrSelf(map.getType());
  return map.getContractedSize() >= tuning::keptTerms &&
         element.getIntOrFloatBitWidth() >= 32 &&
         llvm::none_of(map->getUsers(),
                       [](Operation *user) { return isa<mp::YieldOp>(user); });
}

/// An update before `update` that computes what `map` does there.
static mp::UpdateOp makeUpdate(mp::UpdateOp update, mp::LinearOp map) {
  Block &body = update.getBody().front();
  SetVector<Operation *> steps;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getBlock() == &body; };
  (void)getBackwardSlice(map.getOperation(), &steps, options);
  llvm::SmallSetVector<BlockArgument, 4> inputs;
  for (Operation *step : steps)
    step->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (auto arg = dyn_cast<BlockArgument>(operand))
          if (arg.getOwner() == &body)
            inputs.insert(arg);
    });
  if (inputs.empty())
    return {};
  OpBuilder b(update);
  Location loc = map.getLoc();
  SmallVector<Value> nodes;
  for (BlockArgument input : inputs)
    nodes.push_back(update.getNodes()[input.getArgNumber()]);
  auto feature = cast<RankedTensorType>(map.getType());
  SmallVector<int64_t> shape = {
      cast<RankedTensorType>(update.getResult(0).getType()).getDimSize(0)};
  llvm::append_range(shape, feature.getShape());
  auto own =
      mp::UpdateOp::create(b, loc, nodes, TypeRange(feature.clone(shape)));
  Block &inner = own.getBody().front();
  b.setInsertionPointToEnd(&inner);
  IRMapping mapping;
  for (auto [input, arg] : llvm::zip(inputs, inner.getArguments()))
    mapping.map(input, arg);
  for (Operation *step : steps)
    b.clone(*step, mapping);
  mp::YieldOp::create(b, loc, mapping.lookup(map.getResult()));
  return own;
}

void gradient::keepMaps(func::FuncOp function) {
  SmallVector<mp::UpdateOp> updates(
      function.getBody().front().getOps<mp::UpdateOp>());
  for (mp::UpdateOp update : updates) {
    Block &body = update.getBody().front();
    SmallVector<mp::LinearOp> maps(body.getOps<mp::LinearOp>());
    for (mp::LinearOp map : maps) {
      mp::UpdateOp own =
          isWorthKeeping(map) ? makeUpdate(update, map) : nullptr;
      if (!own)
        continue;
      update.getNodesMutable().append(own.getResult(0));
      Value kept = body.addArgument(map.getType(), map.getLoc());
      map->getResult(0).replaceAllUsesWith(kept);
      map.erase();
    }
  }
}
