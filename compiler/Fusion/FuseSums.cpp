//===- FuseSums.cpp - What is only summed over nodes is not stored --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-fuse-sums. A gradient of weights is a sum over nodes of what an
// update makes of each: as part of the update's kernel it takes the rows of a
// block while they are in the cache.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/RowSums.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Fusion/Passes.h"
#include "dialect/IR/MPNodeTypes.h"
#include "dialect/IR/MPOps.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace clique {
#define GEN_PASS_DEF_FUSESUMSPASS
#include "compiler/Fusion/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using linalg::GenericOp;
using mp::KernelOp;

/// Whether kernels can take it, whichever they are.
static bool isSmallSum(GenericOp op) {
  if (!isSumOverRows(op) || !hasZeroTerms(op))
    return false;
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  auto isFloat = [](Value value) {
    return getElementTypeOrSelf(value.getType()).isF32();
  };
  return type.hasStaticShape() &&
         type.getNumElements() <= tuning::mostNodeSum &&
         isFloat(op.getResult(0)) &&
         llvm::all_of(op.getDpsInputs(), [&](Value input) {
           return isFloat(input) && getSummedRows(input);
         });
}

/// The kernel that makes these nodes by an update or an aggregation, if it may
/// still get other ops.
static KernelOp getMaker(Value nodes) {
  auto kernel = nodes.getDefiningOp<KernelOp>();
  if (!kernel || kernel.getLowering() || kernel.getHeads())
    return {};
  Value made =
      kernel.getYield().getValues()[cast<OpResult>(nodes).getResultNumber()];
  return isa_and_present<mp::UpdateOp, mp::AggregateOp>(made.getDefiningOp())
             ? kernel
             : KernelOp();
}

namespace {
/// The sums over the nodes of a kernel.
class KernelSums {
public:
  explicit KernelSums(KernelOp kernel) : kernel(kernel), loc(kernel.getLoc()) {}

  /// Finds those that have a result of the kernel which is stored for nothing
  /// else.
  bool find();
  /// Moves them into it.
  void fuse();

private:
  bool isAtHand(Value nodes) const;
  bool isOwn(Operation *op) const;
  bool isOnlySummed(Value nodes) const;
  SmallVector<Value> cloneSums();

  KernelOp kernel;
  Location loc;
  SmallVector<GenericOp> sums;
};
} // namespace

/// Whether the kernel makes these nodes, or has them before.
bool KernelSums::isAtHand(Value nodes) const {
  if (getMaker(nodes) == kernel)
    return true;
  Operation *maker = nodes.getDefiningOp();
  return !maker || maker->getBlock() != kernel->getBlock() ||
         maker->isBeforeInBlock(kernel);
}

bool KernelSums::isOwn(Operation *op) const {
  auto sum = dyn_cast<GenericOp>(op);
  return sum && sum->getBlock() == kernel->getBlock() && isSmallSum(sum) &&
         llvm::all_of(sum.getDpsInputs(), [&](Value input) {
           return isAtHand(getSummedRows(input));
         });
}

bool KernelSums::isOnlySummed(Value nodes) const {
  return llvm::all_of(nodes.getUsers(), [&](Operation *user) {
    if (isa<tensor::CollapseShapeOp>(user))
      return llvm::all_of(user->getUsers(),
                          [&](Operation *reader) { return isOwn(reader); });
    return isOwn(user);
  });
}

bool KernelSums::find() {
  llvm::SetVector<GenericOp> found;
  for (OpResult result : kernel->getResults()) {
    if (getMaker(result) != kernel || !isOnlySummed(result))
      continue;
    for (Operation *user : result.getUsers()) {
      if (auto sum = dyn_cast<GenericOp>(user))
        found.insert(sum);
      for (Operation *reader : user->getUsers())
        if (isa<tensor::CollapseShapeOp>(user))
          found.insert(cast<GenericOp>(reader));
    }
  }
  sums = found.takeVector();
  llvm::sort(sums,
             [](GenericOp a, GenericOp b) { return a->isBeforeInBlock(b); });
  return !sums.empty();
}

/// Clones the sums behind the kernel's other ops; returns the clones.
SmallVector<Value> KernelSums::cloneSums() {
  OpBuilder before(kernel), b(kernel.getYield());
  IRMapping mapping;
  mapping.map(kernel.getResults(), kernel.getYield().getValues());
  SmallVector<Value> clones;
  for (GenericOp sum : sums) {
    for (Value input : sum.getDpsInputs())
      if (auto flat = input.getDefiningOp<tensor::CollapseShapeOp>())
        if (!mapping.contains(input))
          b.clone(*flat, mapping);
    auto clone = cast<GenericOp>(b.clone(*sum, mapping));
    // What the whole is added to comes to the sum of the parts.
    auto type = cast<RankedTensorType>(clone.getResult(0).getType());
    Value zero =
        arith::ConstantOp::create(before, loc, before.getZeroAttr(type));
    clone.getDpsInitsMutable().assign(zero);
    clones.push_back(clone.getResult(0));
  }
  return clones;
}

/// The sum of those of all parts, in place of `sum`.
static void joinParts(GenericOp sum, Value parts) {
  OpBuilder b(sum);
  auto join = linalg::ReduceOp::create(
      b, sum.getLoc(), parts, sum.getDpsInits(), /*dimensions=*/0,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value total = arith::AddFOp::create(b, loc, args[1], args[0]);
        linalg::YieldOp::create(b, loc, total);
      });
  sum.getResult(0).replaceAllUsesWith(join->getResult(0));
}

void KernelSums::fuse() {
  SmallVector<Value> yielded, parts = cloneSums();
  SmallVector<OpResult> kept;
  for (auto [result, value] :
       llvm::zip_equal(kernel.getResults(), kernel.getYield().getValues()))
    if (!isOnlySummed(result) || result.use_empty()) {
      kept.push_back(result);
      yielded.push_back(value);
    }
  SmallVector<Type> types(ValueRange(yielded).getTypes());
  for (Value part : parts) {
    types.push_back(mp::getNodesType(cast<RankedTensorType>(part.getType())));
    yielded.push_back(part);
  }
  OpBuilder b(kernel);
  auto fused =
      KernelOp::create(b, loc, types, kernel.getSym(), mp::LoweringAttr(),
                       /*heads=*/IntegerAttr(), /*schedule=*/Attribute());
  kernel.getYield().getValuesMutable().assign(yielded);
  fused.getBody().takeBody(kernel.getBody());
  for (auto [before, after] : llvm::zip(kept, fused.getResults()))
    before.replaceAllUsesWith(after);
  for (auto [sum, part] :
       llvm::zip_equal(sums, fused.getResults().take_back(sums.size())))
    joinParts(sum, part);
  remark::passed(loc,
                 remark::RemarkOpts::name("mp-fuse-sums").category("fusion"))
      << ("kernel " + fused.getSym() + ": sums over its nodes: " +
          llvm::Twine(sums.size()) + ", not stored for them: " +
          llvm::Twine(kernel.getNumResults() - kept.size()))
             .str();
  for (GenericOp sum : sums)
    sum.erase();
  for (Operation *user : llvm::make_early_inc_range(kernel->getUsers()))
    user->erase(); // Reshapes for them.
  kernel.erase();
}

namespace {
struct FuseSumsPass : clique::impl::FuseSumsPassBase<FuseSumsPass> {
  void runOnOperation() override {
    // A GPU's threads have no place for the sums of a part.
    if (mp::getGpu(getOperation()))
      return;
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      if (KernelSums sums(kernel); sums.find())
        sums.fuse();
  }
};
} // namespace
