//===- SeparateValues.cpp - What is summed apart from what is compared ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/SummedFeatures.h"
#include "compiler/Fusion/Passes.h"
#include "dialect/IR/MPOps.h"
#include "mlir/IR/Remarks.h"

namespace clique {
#define GEN_PASS_DEF_SEPARATEVALUESPASS
#include "compiler/Fusion/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
struct SeparateValuesPass
    : clique::impl::SeparateValuesPassBase<SeparateValuesPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](mp::KernelOp kernel) {
      if (kernel.getLowering() != mp::Lowering::dense)
        return;
      unsigned count = 0;
      for (auto message : kernel.getBody().getOps<mp::MessageOp>())
        count += separate(message);
      if (count)
        remark::passed(
            kernel.getLoc(),
            remark::RemarkOpts::name("mp-separate-values").category("fusion"))
            << ("kernel " + kernel.getSym() + ": " + llvm::Twine(count) +
                " source features are laid out once to be multiplied with "
                "destinations, and once to be summed")
                   .str();
    });
  }

  /// Gives each argument with uses of both kinds a second one for its sums;
  /// returns how many.
  static unsigned separate(mp::MessageOp message) {
    Block &body = message.getBody().front();
    unsigned count = 0, firstSource = message.getDst().size(),
             numSources = message.getSrc().size();
    for (unsigned k = 0; k < numSources; ++k) {
      BlockArgument arg = body.getArgument(firstSource + k);
      SmallVector<OpOperand *> sums;
      for (OpOperand &use : arg.getUses())
        if (isAggregatedAsItLies(use))
          sums.push_back(&use);
      if (sums.empty() || llvm::hasNItems(arg.getUses(), sums.size()))
        continue;
      Value source = message.getSrc()[k];
      message.getSrcMutable().append(source);
      BlockArgument own = body.insertArgument(
          firstSource + numSources + count++, arg.getType(), arg.getLoc());
      for (OpOperand *use : sums)
        use->set(own);
    }
    return count;
  }
};
} // namespace
