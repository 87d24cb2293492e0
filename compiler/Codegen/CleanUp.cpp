//===- CleanUp.cpp - Canonical IR between passes --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CleanUp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

ArrayRef<std::string> clique::getBrokenPatterns() {
  // Writes into a slice, but with the indices of the whole: where the slice
  // drops a dimension there is one index too many.
  static const std::string names[] = {
      "(anonymous namespace)::SwapExtractSliceOfTransferWrite"};
  return names;
}

GreedyRewriteConfig clique::getRewriteConfig() {
  // Of a chain of ops upstream's ten iterations may leave most as they are.
  return GreedyRewriteConfig()
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .setMaxIterations(GreedyRewriteConfig::kNoLimit);
}

void clique::addCanonicalizer(OpPassManager &pm) {
  // From the top, as upstream's pass is without a configuration.
  pm.addPass(createCanonicalizerPass(
      getRewriteConfig().setUseTopDownTraversal(true), getBrokenPatterns()));
}

void clique::addCleanUp(OpPassManager &pm) {
  addCanonicalizer(pm);
  pm.addPass(createCSEPass());
}

void clique::addFunctionCleanUp(OpPassManager &pm) {
  addCleanUp(pm.nest<func::FuncOp>());
}
