//===- ConvertMPToRuntime.cpp - Graphs to calls of the runtime ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass: types, the ops that only hand them on, and what must not be left.
//
//===----------------------------------------------------------------------===//
#include "compiler/Conversion/MPToRuntime/ConversionPasses.h"
#include "compiler/Conversion/MPToRuntime/MPToRuntime.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {
#define GEN_PASS_DEF_CONVERTMPTORUNTIMEPASS
#include "compiler/Conversion/MPToRuntime/ConversionPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// A graph is a pointer, an edge feature a tensor with a row per edge.
class MPTypeConverter : public TypeConverter {
public:
  MPTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](mp::MPGraphType type) -> Type {
      return LLVM::LLVMPointerType::get(type.getContext());
    });
    addConversion(
        [](mp::EdgesType type) -> Type { return mp::getEdgeTensorType(type); });
    addSourceMaterialization(cast);
    addTargetMaterialization(cast);
  }

private:
  static Value cast(OpBuilder &builder, Type type, ValueRange inputs,
                    Location loc) {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  }
};

struct ConvertSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCondition(),
                                                 adaptor.getTrueValue(),
                                                 adaptor.getFalseValue());
    return success();
  }
};

/// A cast between a type and what it converts to, as releaseGraphs makes them.
struct FoldCast : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getNumOperands() != 1 || op.getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not one value to one value");
    Value input = adaptor.getInputs().front();
    if (getTypeConverter()->convertType(op.getResultTypes().front()) !=
        input.getType())
      return rewriter.notifyMatchFailure(op, "between unrelated types");
    rewriter.replaceOp(op, input);
    return success();
  }
};

struct ConvertMPToRuntime
    : public clique::impl::ConvertMPToRuntimePassBase<ConvertMPToRuntime> {
  using ConvertMPToRuntimePassBase::ConvertMPToRuntimePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    RuntimeCalls runtime(module);
    if (failed(verifyResults(module)) ||
        failed(releaseGraphs(module, runtime)) ||
        failed(convert(module, runtime)) || failed(verifyNothingLeft(module)))
      signalPassFailure();
  }

private:
  static LogicalResult verifyResults(ModuleOp module);
  static LogicalResult verifyNothingLeft(ModuleOp module);
  static LogicalResult convert(ModuleOp module, const RuntimeCalls &runtime);
};
} // namespace

LogicalResult ConvertMPToRuntime::verifyResults(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      if (isa<mp::MPGraphType>(type))
        return function.emitError()
               << "function '" << function.getName() << "': result " << index
               << " is a graph, which cannot be handed out: return its CSR "
                  "arrays, or build the graph in the caller";
  }
  return success();
}

LogicalResult ConvertMPToRuntime::convert(ModuleOp module,
                                          const RuntimeCalls &runtime) {
  MPTypeConverter converter;
  RewritePatternSet patterns(module.getContext());
  ConversionTarget target(*module.getContext());
  populateGraphOpConversion(converter, runtime, patterns, target);
  populateAccessOpConversion(converter, runtime, patterns, target);

  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                     target);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  patterns.add<ConvertSelect, FoldCast>(converter, module.getContext());

  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType());
  });
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp, arith::SelectOp,
                               UnrealizedConversionCastOp>(
      [&](Operation *op) { return converter.isLegal(op); });
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });

  // A fold may put one graph in the place of another, which would then be
  // released twice.
  ConversionConfig config;
  config.foldingMode = DialectConversionFoldingMode::Never;
  return applyPartialConversion(module, target, std::move(patterns), config);
}

/// How to get rid of `op` before this pass.
static StringRef getRemedy(Operation *op) {
  if (isa<mp::KernelOp>(op))
    return "run mp-schedule-kernels, clique-stage-blocks and "
           "clique-stage-tensors first";
  if (isa<mp::BlockOp>(op))
    return "run clique-stage-tensors first";
  if (isa<mp::ReadoutOp, mp::SpreadOp, mp::EdgeSoftmaxOp, mp::NodeNumbersOp,
          mp::PartNumbersOp>(op))
    return "run mp-decompose-readout first";
  if (isa<mp::MessageOp, mp::AggregateOp, mp::ScanOp, mp::UpdateOp>(op))
    return "run mp-fuse and the stages up to clique-stage-tensors first";
  return "it belongs in the region of an mp.message, mp.aggregate or mp.update";
}

LogicalResult ConvertMPToRuntime::verifyNothingLeft(ModuleOp module) {
  auto isOurs = [](Type type) {
    return isa<mp::MPGraphType, mp::EdgesType>(type);
  };
  bool left = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Products of pairs and of warpgroups are arithmetic of the machine.
    if (isa<mp::PairOp, mp::DotPairsOp, mp::WarpgroupProductOp>(op))
      return WalkResult::advance();
    if (isa_and_nonnull<mp::MPDialect>(op->getDialect())) {
      op->emitOpError("has no counterpart in the runtime: ") << getRemedy(op);
      left = true;
      return WalkResult::skip();
    }
    // Casts stay behind only where an op that is reported needs them.
    if (!isa<UnrealizedConversionCastOp>(op) &&
        llvm::any_of(op->getOperandTypes(), isOurs)) {
      op->emitOpError("uses a graph or an edge feature as a whole, which only "
                      "ops of the mp dialect can");
      left = true;
    }
    return WalkResult::advance();
  });
  return failure(left);
}
