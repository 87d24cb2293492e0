//===- Log1pToLibm.cpp - Functions that are exact near 0 ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace clique {
#define GEN_PASS_DEF_LOG1PTOLIBMPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
struct Log1pToLibm : public clique::impl::Log1pToLibmPassBase<Log1pToLibm> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    // The patterns take nothing that is legal or unknown.
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addDynamicallyLegalOp<math::Log1pOp, math::ExpM1Op>(
        [](Operation *op) {
          return isa<TensorType>(op->getResult(0).getType());
        });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
