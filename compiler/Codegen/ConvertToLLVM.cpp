//===- ConvertToLLVM.cpp - The rest of the host's code to LLVM ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/X86Vector/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

namespace clique {
#define GEN_PASS_DEF_CONVERTTOLLVMPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// The dialects whose own conversion to LLVM is taken as it is.
static constexpr StringLiteral kWholeDialects[] = {"arith", "cf",  "func",
                                                   "index", "omp", "ub"};

namespace {
/// Upstream's pattern takes a dimension for unknown whose number is converted
/// already, and keeps the sizes in memory.
struct KnownDimension : ConvertOpToLLVMPattern<memref::DimOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::DimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    APInt dimension;
    if (!isa<MemRefType>(op.getSource().getType()) ||
        !matchPattern(adaptor.getIndex(), m_ConstantInt(&dimension)))
      return failure();
    MemRefDescriptor source(adaptor.getSource());
    rewriter.replaceOp(
        op, source.size(rewriter, op.getLoc(), dimension.getZExtValue()));
    return success();
  }
};

struct ConvertToLLVM
    : public clique::impl::ConvertToLLVMPassBase<ConvertToLLVM> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    // Scratch memory comes from the runtime, aligned, which reports when there
    // is none.
    options.allocLowering = LowerToLLVMOptions::AllocLowering::AlignedAlloc;
    options.useGenericFunctions = true;
    LLVMTypeConverter converter(context, options);
    LLVMConversionTarget target(*context);
    RewritePatternSet patterns(context);
    for (StringRef name : kWholeDialects)
      if (Dialect *dialect = context->getLoadedDialect(name))
        cast<ConvertToLLVMPatternInterface>(dialect)
            ->populateConvertToLLVMConversionPatterns(target, converter,
                                                      patterns);
    // What LLVM has no intrinsic for is a function of the library.
    populateMathToLLVMConversionPatterns(
        converter, patterns, /*approximateLog1p=*/true, /*benefit=*/2);
    populateMathToLibmConversionPatterns(patterns);
    vector::populateVectorTransferLoweringPatterns(patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns,
                                           /*reassociateFPReductions=*/true,
                                           /*force32BitVectorIndices=*/true);
    configureX86VectorLegalizeForExportTarget(target);
    populateX86VectorLegalizeForLLVMExportPatterns(converter, patterns);
    SymbolTableCollection symbols;
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns,
                                                   &symbols);
    patterns.add<KnownDimension>(converter, /*benefit=*/2);
    // None of these patterns gives up halfway.
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns), config)))
      return signalPassFailure();
    getOperation()->walk([](LLVM::BrOp branch) { annotateLoop(branch); });
  }

  /// What scf.for says of its loop is a discardable attribute of the branch
  /// that closes it; the translation to LLVM IR reads the op's own.
  static void annotateLoop(LLVM::BrOp branch) {
    constexpr StringLiteral name = "llvm.loop_annotation";
    if (auto annotation =
            branch->getAttrOfType<LLVM::LoopAnnotationAttr>(name)) {
      branch->removeAttr(name);
      branch.setLoopAnnotationAttr(annotation);
    }
  }
};
} // namespace
