//===- HoistInvariants.cpp - What no step of a loop changes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-hoist-invariants.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/Passes.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace clique {
#define GEN_PASS_DEF_HOISTINVARIANTSPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static bool isDynamic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

/// A size that is no less than 0 whatever the inputs are.
static bool isSize(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<tensor::DimOp, mp::NumDstOp, mp::NumSrcOp,
                         mp::NumEdgesOp, mp::NumRowsOp>(op);
}

/// Whether sizes of tensors agree, since there is one or none that only a run
/// knows.
static bool hasKnownSizes(Operation *op) {
  if (llvm::none_of(op->getOperandTypes(), isDynamic))
    return llvm::none_of(op->getResultTypes(), isDynamic);
  if (isa<mp::UpdateOp>(op) || OpTrait::hasElementwiseMappableTraits(op))
    return llvm::count_if(op->getOperandTypes(), llvm::IsaPred<ShapedType>) ==
               1 &&
           llvm::all_of(op->getResultTypes(), isDynamic);
  return op->hasTrait<mp::FeatureOp>() &&
         llvm::count_if(op->getOperandTypes(), isDynamic) == 1;
}

/// Whether no input makes an error of an op: no size or position of it is
/// checked, here or by the runtime.
static bool neverFails(Operation *op) {
  if (isa<mp::DegreeOp, mp::NumDstOp, mp::NumSrcOp, mp::NumEdgesOp,
          mp::NumRowsOp, mp::ReverseOp, mp::CastOp, mp::EdgeListOp,
          tensor::CollapseShapeOp, tensor::FromElementsOp, linalg::FillOp>(
          op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return dim.getConstantIndex().has_value();
  if (isa<tensor::EmptyOp, tensor::SplatOp>(op))
    return llvm::all_of(op->getOperands(), [](Value value) {
      return !value.getType().isIndex() || isSize(value);
    });
  if (auto structured = dyn_cast<linalg::LinalgOp>(op);
      structured && structured.getBlock()->getOps<tensor::ExtractOp>().empty())
    return hasKnownSizes(op);
  return (OpTrait::hasElementwiseMappableTraits(op) ||
          op->hasTrait<mp::FeatureOp>() ||
          isa<mp::UpdateOp, affine::AffineApplyOp, affine::AffineMinOp,
              affine::AffineMaxOp, tensor::ConcatOp, tensor::ExpandShapeOp>(
              op)) &&
         hasKnownSizes(op);
}

/// Whether the region of a loop is run in any case.
static bool isAlwaysRun(Region &region) {
  if (auto loop = dyn_cast<scf::WhileOp>(region.getParentOp()))
    return &region == &loop.getBefore();
  auto loop = dyn_cast<LoopLikeOpInterface>(region.getParentOp());
  std::optional<APInt> steps = loop.getStaticTripCount();
  return steps && !steps->isZero();
}

/// Ops leave in their order, so that a check is still in front of what it
/// guards: it depends on no more values than that.
static bool mayLeave(Operation *op, Region &region) {
  if (!neverFails(op) && !isAlwaysRun(region))
    return false;
  if (isa<mp::CheckOp>(op))
    return true;
  return !isa<mp::MessageOp>(op) && isMemoryEffectFree(op) &&
         isSpeculatable(op);
}

namespace {
struct HoistInvariantsPass
    : clique::impl::HoistInvariantsPassBase<HoistInvariantsPass> {
  void runOnOperation() override {
    // Inner loops first: what leaves them may leave the outer ones.
    getOperation()->walk([](LoopLikeOpInterface loop) {
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) {
            return loop.isDefinedOutsideOfLoop(value);
          },
          [](Operation *op, Region *region) { return mayLeave(op, *region); },
          [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
    });
  }
};
} // namespace
