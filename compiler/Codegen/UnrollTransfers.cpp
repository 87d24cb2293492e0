//===- UnrollTransfers.cpp - Transfers of vectors row by row --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"

namespace clique {
#define GEN_PASS_DEF_UNROLLTRANSFERSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
struct UnrollTransfers
    : public clique::impl::UnrollTransfersPassBase<UnrollTransfers> {
  void runOnOperation() override {
    RewritePatternSet permutations(&getContext());
    vector::populateVectorTransferPermutationMapLoweringPatterns(permutations);
    apply(std::move(permutations));
    RewritePatternSet rows(&getContext());
    populateVectorToSCFConversionPatterns(
        rows, VectorTransferToSCFOptions().enableFullUnroll());
    apply(std::move(rows));
  }

  void apply(RewritePatternSet patterns) {
    (void)applyPatternsGreedily(getOperation(), std::move(patterns),
                                clique::getRewriteConfig());
  }
};
} // namespace
