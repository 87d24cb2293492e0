//===- ShareAggregations.cpp - What many destinations sum, summed once ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-share-aggregations.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/AggregationParts.h"
#include "compiler/Structure/Passes.h"
#include "compiler/Structure/Sharing.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {
#define GEN_PASS_DEF_SHAREAGGREGATIONSPASS
#include "compiler/Structure/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
struct ShareAggregationsPass
    : clique::impl::ShareAggregationsPassBase<ShareAggregationsPass> {
  void runOnOperation() override {
    auto share = [](mp::AggregateOp op) {
      return Sharing(op, /*level=*/0).run();
    };
    if (!rewriteAggregations(getOperation(), share))
      markAllAnalysesPreserved();
  }
};
} // namespace
