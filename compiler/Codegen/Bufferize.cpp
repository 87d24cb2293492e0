//===- Bufferize.cpp - One-shot bufferization -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/RegisterTiles.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace clique {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

static LogicalResult copyByLoops(OpBuilder &builder, Location loc, Value from,
                                 Value to) {
  linalg::CopyOp::create(builder, loc, from, to);
  return success();
}

/// Copies a buffer. A small one goes through registers, where what was written
/// to it before is still found; a larger one becomes loops.
static LogicalResult copy(OpBuilder &builder, Location loc, Value from,
                          Value to) {
  auto type = cast<MemRefType>(from.getType());
  if (!type.hasStaticShape() || type.getRank() == 0 ||
      type.getNumElements() > clique::tuning::vectorCopyElements)
    return copyByLoops(builder, loc, from, to);
  // There are no vectors of nothing.
  if (type.getNumElements() == 0)
    return success();
  const int64_t bits = clique::getBits(type.getElementType());
  const int64_t lanes = std::max<int64_t>(
      1, clique::mp::getCpu(builder.getInsertionBlock()->getParentOp())
                 .getVectorBits() /
             bits);
  SmallVector<int64_t> shape(type.getShape());
  Value padding = ub::PoisonOp::create(builder, loc, type.getElementType());
  SmallVector<Value> position(type.getRank(),
                              arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<bool> inBounds(type.getRank(), true);
  const int64_t size = shape.back();
  int64_t column = 0;
  for (int64_t part :
       clique::getVectors(size, lanes, type.getNumElements() != size)) {
    shape.back() = part;
    position.back() = arith::ConstantIndexOp::create(builder, loc, column);
    auto vector = VectorType::get(shape, type.getElementType());
    Value elements = vector::TransferReadOp::create(
        builder, loc, vector, from, position, padding, inBounds);
    vector::TransferWriteOp::create(builder, loc, elements, to, position,
                                    inBounds);
    column += part;
  }
  return success();
}

/// Upstream takes functions in an order that depends on their addresses, and
/// numbers constants as it meets them. Numbered by where they are used first,
/// they are the same each time that a spec is compiled.
static void numberConstants(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::MapVector<memref::GlobalOp, SmallVector<memref::GetGlobalOp>> uses;
  module.walk([&](memref::GetGlobalOp use) {
    if (auto global = symbols.lookup<memref::GlobalOp>(use.getName()))
      uses[global].push_back(use);
  });
  Operation *last = nullptr;
  unsigned number = 0;
  for (auto &[global, users] : uses) {
    auto getName = [&] { return "__constant_" + std::to_string(number); };
    // A layer may have the name.
    while (isa_and_present<func::FuncOp>(symbols.lookup(getName())))
      ++number;
    global.setSymName(getName());
    ++number;
    for (memref::GetGlobalOp use : users)
      use.setName(global.getSymName());
    if (last)
      global->moveAfter(last);
    last = global;
  }
}

namespace {
struct Bufferize : public clique::impl::BufferizePassBase<Bufferize> {
  using BufferizePassBase::BufferizePassBase;

  void runOnOperation() override {
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    // A custom monoid may compute its next state anywhere.
    options.allowReturnAllocsFromLoops = true;
    options.setFunctionBoundaryTypeConversion(
        bufferization::LayoutMapOption::IdentityLayoutMap);
    if (copySmallInVectors)
      options.memCpyFn = copy;
    else
      options.memCpyFn = copyByLoops;
    // Public functions lend buffers to parallel loops, where the analysis does
    // not follow them: nothing is written in place there. What is left in them
    // beside kernels is little.
    SmallVector<std::string> lenders;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic())
        lenders.push_back(function.getName().str());
    options.noAnalysisFuncFilter = lenders;
    bufferization::BufferizationState state;
    if (failed(bufferization::runOneShotModuleBufferize(getOperation(), options,
                                                        state)))
      return signalPassFailure();
    numberConstants(getOperation());
  }
};
} // namespace
