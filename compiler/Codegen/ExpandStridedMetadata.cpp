//===- ExpandStridedMetadata.cpp - Views as addresses, sizes and strides --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"

namespace clique {
#define GEN_PASS_DEF_EXPANDSTRIDEDMETADATAPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
struct ExpandStridedMetadata
    : public clique::impl::ExpandStridedMetadataPassBase<
          ExpandStridedMetadata> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    memref::populateExpandStridedMetadataPatterns(patterns);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns),
                                clique::getRewriteConfig());
  }
};
} // namespace
