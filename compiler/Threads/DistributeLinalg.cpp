//===- DistributeLinalg.cpp - Elementwise ops, reductions, products -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linalg op is computed in one of two ways. Where the points of its iteration
// space fit into registers, each thread computes those that it holds, and
// threads combine what they reduce. Where they do not (products of matrices),
// each thread computes its elements of the result in loops over what is
// reduced, and reads the operands from memory.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Threads/Distribution.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;

LogicalResult Distribution::visitFill(linalg::FillOp op) {
  // Missing rows are filled where they are put back.
  Value result = op->getResult(0);
  if (cast<RankedTensorType>(result.getType()).hasStaticShape())
    set(result, {ThreadValue::Kind::splat, op.getInputs().front()});
  return success();
}

//===----------------------------------------------------------------------===//
// Iteration spaces
//===----------------------------------------------------------------------===//

/// The loops that an operand's dimensions are, in order; nothing if its map is
/// more than a choice of loops.
static std::optional<SmallVector<unsigned>> findLoops(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    loops.push_back(dim.getPosition());
  }
  return loops;
}

SmallVector<unsigned> clique::getLoops(linalg::LinalgOp op,
                                       OpOperand &operand) {
  return *findLoops(op.getMatchingIndexingMap(&operand));
}

SmallVector<unsigned> clique::getReductionLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return loops;
}

namespace {
/// How a body reduces: its result is `combine(out, ...)` with this op.
struct Combiner {
  Operation *op = nullptr;
  TypedAttr neutral;
};
} // namespace

/// The combiner of an output; none if the body is of another form.
static Combiner getCombiner(linalg::LinalgOp op, unsigned output) {
  Block &body = *op.getBlock();
  Value out = body.getArgument(op.getNumDpsInputs() + output);
  Operation *last = body.getTerminator()->getOperand(output).getDefiningOp();
  if (!last || last->getBlock() != &body || !out.hasOneUse() ||
      *out.getUsers().begin() != last || last->getNumOperands() != 2)
    return {};
  if (!isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp,
           arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
           arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
           arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(last))
    return {};
  std::optional<TypedAttr> neutral = arith::getNeutralElement(last);
  if (!neutral)
    return {};
  // x + 0 is not x where x is -0: not even a folder takes it away.
  if (isa<arith::AddFOp>(last))
    neutral = Builder(last).getFloatAttr(
        neutral->getType(),
        APFloat::getZero(
            cast<FloatType>(neutral->getType()).getFloatSemantics(),
            /*Negative=*/true));
  return {last, *neutral};
}

ThreadLayout Distribution::getIterationLayout(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  unsigned numLoops = ranges.size();
  /// The layout of the loops from that of a tensor with all of them.
  auto permute = [&](const ThreadLayout &layout, ArrayRef<unsigned> loops) {
    SmallVector<unsigned> order(numLoops);
    for (auto [dim, loop] : llvm::enumerate(loops))
      order[loop] = dim;
    return layout.project(order);
  };
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<unsigned> loops = getLoops(op, operand);
    const ThreadValue &value = get(operand.get());
    if (loops.size() == numLoops && value.kind == ThreadValue::Kind::registers)
      return permute(value.layout, loops);
  }
  SmallVector<TileAxes::Class> classes = axes.getLoopClasses(op);
  for (OpOperand &operand : llvm::reverse(op->getOpOperands())) {
    SmallVector<unsigned> loops = getLoops(op, operand);
    if (loops.size() != numLoops)
      continue;
    auto own = llvm::map_to_vector(
        loops, [&](unsigned loop) { return classes[loop]; });
    return permute(getLayout(getShape(operand.get()), own), loops);
  }
  return getLayout(ranges, classes);
}

bool Distribution::isByLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions = getReductionLoops(op);
  if (reductions.empty())
    return false;
  for (unsigned output = 0; output < op.getNumDpsInits(); ++output)
    if (!getCombiner(op, output).op)
      return true;
  // Neither operand alone spans what is computed, or it would be too much.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t points = 1;
  for (int64_t range : ranges)
    points *= int64_t(llvm::PowerOf2Ceil(range));
  return points > tuning::gpuThreadPoints * b.getNumThreads() ||
         llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
           return getLoops(op, *operand).size() == ranges.size();
         });
}

bool clique::isExtension(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      !llvm::all_of(generic.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block &body = *generic.getBody();
  auto extension =
      body.getTerminator()->getOperand(0).getDefiningOp<arith::ExtFOp>();
  return extension && extension.getIn() == body.getArgument(0);
}

bool Distribution::isReadByLoops(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    if (isExtension(user))
      return isReadByLoops(user->getResult(0));
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            tensor::ExtractSliceOp, linalg::TransposeOp>(user))
      return isReadByLoops(user->getResult(0));
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && isByLoops(op);
  });
}

//===----------------------------------------------------------------------===//
// In registers
//===----------------------------------------------------------------------===//

LogicalResult Distribution::visitElements(linalg::LinalgOp op) {
  Location loc = op.getLoc();
  ThreadLayout layout = getIterationLayout(op);
  int64_t size = layout.getNumRegisters();
  SmallVector<unsigned> reductions = getReductionLoops(op);
  SmallVector<Value> args;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<unsigned> loops = getLoops(op, operand);
    Type element = getElement(operand.get());
    if (op.isDpsInit(&operand) && !reductions.empty()) {
      unsigned output = operand.getOperandNumber() - op.getNumDpsInputs();
      Value neutral =
          arith::ConstantOp::create(b, loc, getCombiner(op, output).neutral);
      args.push_back(b.splat(loc, neutral, size));
      continue;
    }
    if (!op.payloadUsesValueFromOperand(&operand)) {
      Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
      args.push_back(b.splat(loc, zero, size));
      continue;
    }
    Value part = getRegisters(loc, operand.get(), layout.project(loops));
    args.push_back(b.expand(loc, part, layout, loops));
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  FailureOr<SmallVector<Value>> results =
      cloneBody(op, args, size, [&](unsigned loop) {
        return b.getCoordinatesWithin(loc, layout, loop, ranges[loop]);
      });
  if (failed(results))
    return failure();
  for (auto [output, result] : llvm::enumerate(*results)) {
    OpOperand &init = *op.getDpsInitOperand(output);
    SmallVector<unsigned> loops = getLoops(op, init);
    Value value = result;
    if (!reductions.empty()) {
      Combiner combiner = getCombiner(op, output);
      auto combine = [&](Value lhs, Value rhs) -> Value {
        return createLike(b, combiner.op, {lhs, rhs}, lhs.getType())
            ->getResult(0);
      };
      unsigned mask = 0;
      SmallVector<int> registers;
      for (unsigned loop : reductions) {
        mask |= layout.getThreadMask(loop);
        llvm::append_range(registers, layout.getRegisterBits(loop));
        if (ranges[loop] == layout.getPaddedSize(loop))
          continue;
        // Padding counts nothing.
        Value extent = b.splat(loc, b.constantIndex(loc, ranges[loop]), size);
        Value isThere =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                  b.getCoordinates(loc, layout, loop), extent);
        Value neutral = arith::ConstantOp::create(b, loc, combiner.neutral);
        value = arith::SelectOp::create(b, loc, isThere, value,
                                        b.splat(loc, neutral, size));
      }
      value = b.combineRegisters(loc, value, registers, combine);
      value = b.combineThreads(loc, value, mask, combine);
      // In the order of the result's registers, which leaving out keeps.
      ThreadLayout kept = layout.project(loops);
      value = combine(getRegisters(loc, init.get(), kept), value);
    }
    setRegisters(op->getResult(output), value, layout.project(loops));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Any of them
//===----------------------------------------------------------------------===//

LogicalResult Distribution::visitLinalg(linalg::LinalgOp op) {
  Location loc = op.getLoc();
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op.getOperation())) {
    Value buffer = getMemory(loc, transpose.getInput());
    auto map = AffineMap::getPermutationMap(transpose.getPermutation(),
                                            b.getContext());
    setMemory(op->getResult(0), memref::TransposeOp::create(
                                    b, loc, buffer, AffineMapAttr::get(map)));
    return success();
  }
  for (OpOperand &operand : op->getOpOperands())
    if (!findLoops(op.getMatchingIndexingMap(&operand)) ||
        !cast<RankedTensorType>(operand.get().getType()).hasStaticShape())
      return op->emitOpError("cannot be spread over threads: an operand has a "
                             "dynamic shape, or is indexed by more than loops");
  // Memory is extended where it is read.
  if (isExtension(op) &&
      get(op->getOperand(0)).kind == ThreadValue::Kind::memory) {
    set(op->getResult(0), get(op->getOperand(0)));
    return success();
  }
  if (isOnTensorCores(op))
    return visitProduct(op);
  return isByLoops(op) ? visitByLoops(op) : visitElements(op);
}
