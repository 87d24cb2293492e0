//===- SplitDeallocations.cpp - One buffer after the other ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace clique {
#define GEN_PASS_DEF_SPLITDEALLOCATIONSPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// Each buffer by itself, unless it is one that was freed before.
static void split(bufferization::DeallocOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> addresses, conditions, owned(op.getRetained().size());
  for (Value buffer : op.getMemrefs())
    addresses.push_back(
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer));
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  for (auto [k, buffer] : llvm::enumerate(op.getMemrefs())) {
    Value condition = op.getConditions()[k];
    for (size_t before = 0; before < k; ++before) {
      Value isSame = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           addresses[k], addresses[before]);
      Value isFreed = arith::AndIOp::create(b, loc, isSame, conditions[before]);
      condition = arith::AndIOp::create(
          b, loc, condition, arith::XOrIOp::create(b, loc, isFreed, yes));
    }
    conditions.push_back(condition);
    auto one = bufferization::DeallocOp::create(
        b, loc, op.getResultTypes(), buffer, condition, op.getRetained());
    for (auto [all, own] : llvm::zip_equal(owned, one.getUpdatedConditions()))
      all = all ? arith::OrIOp::create(b, loc, all, own).getResult() : own;
  }
  op.replaceAllUsesWith(owned);
  op.erase();
}

namespace {
struct SplitDeallocations
    : public clique::impl::SplitDeallocationsPassBase<SplitDeallocations> {
  void runOnOperation() override {
    SmallVector<bufferization::DeallocOp> ops;
    getOperation().walk([&](bufferization::DeallocOp op) {
      if (op.getMemrefs().size() > 1)
        ops.push_back(op);
    });
    llvm::for_each(ops, split);
  }
};
} // namespace
