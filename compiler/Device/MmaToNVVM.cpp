//===- MmaToNVVM.cpp - Tensor cores on bf16 -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "compiler/Device/MmaFragments.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_CONVERTMMATONVVMPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

SmallVector<Value> clique::packRows(OpBuilder &builder, Location loc,
                                    Value fragment) {
  SmallVector<Value> registers;
  auto type = cast<VectorType>(fragment.getType());
  for (int64_t row = 0; row < type.getDimSize(0); ++row) {
    Value pair = vector::ExtractOp::create(builder, loc, fragment, row);
    registers.push_back(
        LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), pair));
  }
  return registers;
}

static LogicalResult convertMma(nvgpu::MmaSyncOp op,
                                PatternRewriter &rewriter) {
  auto type = cast<VectorType>(op.getMatrixA().getType());
  auto result = cast<VectorType>(op.getType());
  if (!type.getElementType().isBF16())
    return rewriter.notifyMatchFailure(op, "upstream converts all but bf16");
  if (!result.getElementType().isF32())
    return rewriter.notifyMatchFailure(op, "bf16 is summed up in f32 only");
  Location loc = op.getLoc();
  SmallVector<Value> sums;
  for (int64_t row = 0; row < result.getDimSize(0); ++row)
    for (int64_t column = 0; column < result.getDimSize(1); ++column)
      sums.push_back(vector::ExtractOp::create(rewriter, loc, op.getMatrixC(),
                                               ArrayRef<int64_t>{row, column}));
  auto fields = LLVM::LLVMStructType::getLiteral(
      rewriter.getContext(),
      SmallVector<Type>(sums.size(), rewriter.getF32Type()));
  constexpr auto bf16 = NVVM::MMATypes::bf16;
  Value product = NVVM::MmaOp::create(
      rewriter, loc, fields, packRows(rewriter, loc, op.getMatrixA()),
      packRows(rewriter, loc, op.getMatrixB()), sums, op.getMmaShapeAsArray(),
      std::nullopt, std::nullopt, std::array{bf16, bf16},
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  SmallVector<Value> elements;
  for (size_t k = 0; k < sums.size(); ++k)
    elements.push_back(
        LLVM::ExtractValueOp::create(rewriter, loc, product, int64_t(k)));
  rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, result, elements);
  return success();
}

namespace {
struct ConvertMmaToNVVM
    : public clique::impl::ConvertMmaToNVVMPassBase<ConvertMmaToNVVM> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(convertMma);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
