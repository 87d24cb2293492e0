//===- FuseIntoGathers.cpp - Rows are computed as they are gathered -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/RowOfOp.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace clique {
#define GEN_PASS_DEF_FUSEINTOGATHERSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// Loops, each inside the one before, that write rows to tensors: row i in the
/// step of the innermost whose number is i.
class Gather {
public:
  /// The loops of which a value is a result.
  static std::optional<Gather> find(Value result);

  scf::ForOp getOuter() const { return scf::ForOp(loops.front()); }
  /// A row of each of the tensors, in a copy of the innermost loop.
  using MakeRows = llvm::function_ref<SmallVector<Value>(
      OpBuilder &, const IRMapping &, Value number)>;
  /// Copies of the loops that write other rows, to `inits`.
  SmallVector<Value> rebuild(OpBuilder &builder, ValueRange inits,
                             MakeRows makeRows) const;
  Value getRow(unsigned result) const {
    return tensor::InsertSliceOp(inserts[result]).getSource();
  }

private:
  SmallVector<scf::ForOp> loops;
  SmallVector<tensor::InsertSliceOp> inserts;
};
} // namespace

static bool isRead(Operation &op) {
  return isa<memref::LoadOp, tensor::InsertSliceOp>(op) ||
         isMemoryEffectFree(&op);
}

/// Whether an op writes a whole row to its place in what a loop carries.
static bool writesRow(tensor::InsertSliceOp insert, BlockArgument carried,
                      Value number) {
  RankedTensorType row = insert.getSourceType(), all = insert.getDestType();
  return insert.getDest() == carried && carried.hasOneUse() &&
         insert->hasOneUse() && all.hasStaticShape() &&
         row.getShape() == all.getShape().drop_front() &&
         insert.hasUnitStride() &&
         isEqualConstantIntOrValue(insert.getMixedOffsets().front(), number) &&
         llvm::all_of(
             ArrayRef(insert.getMixedOffsets()).drop_front(),
             [](OpFoldResult offset) { return isZeroInteger(offset); });
}

std::optional<Gather> Gather::find(Value result) {
  Gather found;
  auto loop = result.getDefiningOp<scf::ForOp>();
  while (loop) {
    found.loops.push_back(loop);
    scf::ForOp inner;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto nested = dyn_cast<scf::ForOp>(op); nested && !inner)
        inner = nested;
      else if (!isRead(op) || op.getNumRegions() > 0)
        return std::nullopt;
    }
    ValueRange yielded = loop.getYieldedValues();
    if (!inner) {
      for (auto [value, carried] :
           llvm::zip_equal(yielded, loop.getRegionIterArgs())) {
        auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
        if (!insert || !writesRow(insert, carried, loop.getInductionVar()))
          return std::nullopt;
        found.inserts.push_back(insert);
      }
      return found;
    }
    if (ValueRange(inner.getResults()) != yielded ||
        ValueRange(inner.getInitArgs()) !=
            ValueRange(loop.getRegionIterArgs()) ||
        !llvm::all_of(loop.getRegionIterArgs(), [](BlockArgument carried) {
          return carried.hasOneUse();
        }))
      return std::nullopt;
    loop = inner;
  }
  return std::nullopt;
}

SmallVector<Value> Gather::rebuild(OpBuilder &builder, ValueRange inits,
                                   MakeRows makeRows) const {
  OpBuilder::InsertionGuard guard(builder);
  IRMapping mapping;
  SmallVector<scf::ForOp> made;
  SmallVector<Value> carried(inits);
  for (scf::ForOp loop : loops) {
    auto copy = scf::ForOp::create(
        builder, loop.getLoc(), mapping.lookupOrDefault(loop.getLowerBound()),
        mapping.lookupOrDefault(loop.getUpperBound()),
        mapping.lookupOrDefault(loop.getStep()), carried);
    made.push_back(copy);
    mapping.map(loop.getInductionVar(), copy.getInductionVar());
    carried.assign(copy.getRegionIterArgs().begin(),
                   copy.getRegionIterArgs().end());
    builder.setInsertionPointToStart(copy.getBody());
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isa<scf::ForOp, tensor::InsertSliceOp>(op))
        builder.clone(op, mapping);
  }
  Value number = made.back().getInductionVar();
  SmallVector<Value> rows = makeRows(builder, mapping, number);
  for (auto [row, all] : llvm::zip_equal(rows, carried)) {
    RowPlace place(builder, cast<ShapedType>(all.getType()), number);
    all = tensor::InsertSliceOp::create(builder, row.getLoc(), row, all,
                                        place.offsets, place.sizes,
                                        place.strides);
  }
  for (scf::ForOp copy : llvm::reverse(made)) {
    builder.setInsertionPointToEnd(copy.getBody());
    scf::YieldOp::create(builder, copy.getLoc(), carried);
    carried.assign(copy.result_begin(), copy.result_end());
  }
  return carried;
}

namespace {
/// An elementwise op of rows of which some are gathered for it alone.
class Fusion {
public:
  Fusion(linalg::GenericOp op, Gather gather)
      : op(op), gather(std::move(gather)), outer(this->gather.getOuter()) {}

  bool run(int64_t lanes);

private:
  /// Which result of the gather an operand is.
  std::optional<unsigned> getResult(Value operand) const {
    auto result = dyn_cast<OpResult>(operand);
    if (!result || result.getOwner() != outer)
      return std::nullopt;
    return result.getResultNumber();
  }

  linalg::GenericOp op;
  Gather gather;
  scf::ForOp outer;
};
} // namespace

bool Fusion::run(int64_t lanes) {
  if (!canComputeByRow(op, lanes) || outer->getBlock() != op->getBlock())
    return false;
  Value init;
  for (OpOperand *use : op.getDpsInputOperands()) {
    std::optional<unsigned> result = getResult(use->get());
    if (!result)
      continue;
    if (!op.getMatchingIndexingMap(use).isIdentity() || !use->get().hasOneUse())
      return false;
    if (use->get().getType() == op.getResultTypes().front())
      init = outer.getInitArgs()[*result];
  }
  if (!init)
    return false;
  OpBuilder builder(op);
  SmallVector<Value> fused = gather.rebuild(
      builder, init, [&](OpBuilder &b, const IRMapping &mapping, Value number) {
        return SmallVector<Value>{
            computeRow(b, op, number, [&](Value operand) -> Value {
              std::optional<unsigned> result = getResult(operand);
              return result ? mapping.lookupOrDefault(gather.getRow(*result))
                            : Value();
            })};
      });
  op.getResult(0).replaceAllUsesWith(fused.front());
  op.erase();
  // What is left of the gather.
  SmallVector<unsigned> kept;
  SmallVector<Value> inits;
  for (OpResult result : outer->getResults())
    if (!result.use_empty()) {
      kept.push_back(result.getResultNumber());
      inits.push_back(outer.getInitArgs()[result.getResultNumber()]);
    }
  if (!kept.empty()) {
    builder.setInsertionPoint(outer);
    SmallVector<Value> rest = gather.rebuild(
        builder, inits, [&](OpBuilder &, const IRMapping &mapping, Value) {
          return llvm::map_to_vector(kept, [&](unsigned result) {
            return mapping.lookupOrDefault(gather.getRow(result));
          });
        });
    for (auto [result, value] : llvm::zip_equal(kept, rest))
      outer.getResult(result).replaceAllUsesWith(value);
  }
  outer.erase();
  return true;
}

namespace {
struct FuseIntoGathers
    : public clique::impl::FuseIntoGathersPassBase<FuseIntoGathers> {
  void runOnOperation() override {
    const int64_t lanes = mp::getCpu(getOperation()).getVectorBits() / 32;
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      for (Value input : op.getInputs())
        if (std::optional<Gather> gather = Gather::find(input);
            gather && Fusion(op, *gather).run(lanes))
          break;
  }
};
} // namespace
