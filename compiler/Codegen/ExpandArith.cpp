//===- ExpandArith.cpp - Arithmetic that LLVM has no ops for --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"

namespace clique {
#define GEN_PASS_DEF_EXPANDARITHPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
struct ExpandArith : public clique::impl::ExpandArithPassBase<ExpandArith> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    arith::populateArithExpandOpsPatterns(patterns);
    // The patterns take nothing that is legal or unknown.
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                        arith::FloorDivSIOp, arith::MaximumFOp,
                        arith::MinimumFOp>();
    // LLVM takes those of f32 and f64 in registers, others by functions.
    target.addDynamicallyLegalOp<arith::MaxNumFOp, arith::MinNumFOp>(
        [](Operation *op) {
          Type type = getElementTypeOrSelf(op->getResult(0).getType());
          return type.isF32() || type.isF64();
        });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
