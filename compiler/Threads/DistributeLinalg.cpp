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
static std::optional<SmallVector<unsigned>> getLoops(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    loops.push_back(dim.getPosition());
  }
  return loops;
}

static SmallVector<unsigned> getLoops(linalg::LinalgOp op, OpOperand &operand) {
  return *getLoops(op.getMatchingIndexingMap(&operand));
}

static SmallVector<unsigned> getReductionLoops(linalg::LinalgOp op) {
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
  for (OpOperand &operand : llvm::reverse(op->getOpOperands())) {
    SmallVector<unsigned> loops = getLoops(op, operand);
    if (loops.size() == numLoops)
      return permute(getLayout(getShape(operand.get())), loops);
  }
  return getLayout(ranges);
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
// By loops
//===----------------------------------------------------------------------===//

bool Distribution::isSelectable(Value tensor, ArrayRef<unsigned> loops,
                                ArrayRef<unsigned> reductions,
                                const ThreadLayout &layout) {
  const ThreadValue &value = get(tensor);
  SmallVector<unsigned> reduced, kept;
  for (auto [place, loop] : llvm::enumerate(loops))
    (llvm::is_contained(reductions, loop) ? reduced : kept).push_back(place);
  return hasProducts && value.kind == ThreadValue::Kind::registers &&
         reduced.size() == 1 &&
         value.layout.getThreadMask(reduced.front()) < kLanesPerWarp &&
         value.layout.project(kept) == layout;
}

LogicalResult Distribution::visitByLoops(linalg::LinalgOp op) {
  Location loc = op.getLoc();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions = getReductionLoops(op);
  // The parallel loops have the places of the first result's dimensions.
  OpOperand &first = *op.getDpsInitOperand(0);
  SmallVector<unsigned> parallel = getLoops(op, first);
  const ThreadValue &initial = get(first.get());
  ThreadLayout layout = initial.kind == ThreadValue::Kind::registers
                            ? initial.layout
                            : getLayout(getShape(first.get()));
  int64_t size = layout.getNumRegisters();
  auto getDim = [&](unsigned loop) -> std::optional<unsigned> {
    auto it = llvm::find(parallel, loop);
    if (it == parallel.end())
      return std::nullopt;
    return unsigned(it - parallel.begin());
  };

  // What no reduction touches is read once; the rest lies in memory.
  SmallVector<Value> fixed(op.getNumDpsInputs()), buffers(op.getNumDpsInputs());
  for (OpOperand *operand : op.getDpsInputOperands()) {
    unsigned k = operand->getOperandNumber();
    SmallVector<unsigned> loops = getLoops(op, *operand);
    SmallVector<unsigned> dims;
    for (unsigned loop : loops)
      if (std::optional<unsigned> dim = getDim(loop))
        dims.push_back(*dim);
    if (dims.size() < loops.size()) {
      if (!isSelectable(operand->get(), loops, reductions,
                        layout.project(dims)))
        buffers[k] = getMemory(loc, operand->get());
      continue;
    }
    fixed[k] =
        b.expand(loc, getRegisters(loc, operand->get(), layout.project(dims)),
                 layout, dims);
  }
  SmallVector<Value> states;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    SmallVector<unsigned> dims;
    for (unsigned loop : getLoops(op, init))
      dims.push_back(*getDim(loop));
    states.push_back(
        b.expand(loc, getRegisters(loc, init.get(), layout.project(dims)),
                 layout, dims));
  }

  OpBuilder::InsertionGuard guard(b);
  Operation *outermost = nullptr;
  SmallVector<scf::ForOp> nest;
  DenseMap<unsigned, Value> counters;
  for (unsigned loop : reductions) {
    auto counting = scf::ForOp::create(b, loc, b.constantIndex(loc, 0),
                                       b.constantIndex(loc, ranges[loop]),
                                       b.constantIndex(loc, 1), states);
    if (!outermost)
      outermost = counting;
    counting.getBody()->clear();
    nest.push_back(counting);
    counters[loop] = counting.getInductionVar();
    states.assign(counting.getRegionIterArgs().begin(),
                  counting.getRegionIterArgs().end());
    b.setInsertionPointToStart(counting.getBody());
  }
  SmallVector<Value> args;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    unsigned k = operand->getOperandNumber();
    if (fixed[k]) {
      args.push_back(fixed[k]);
      continue;
    }
    SmallVector<unsigned> dims;
    SmallVector<BufferIndex> indices;
    std::optional<unsigned> reduced;
    Value counter;
    for (auto [place, loop] : llvm::enumerate(getLoops(op, *operand))) {
      if (std::optional<unsigned> dim = getDim(loop)) {
        indices.push_back(BufferIndex(unsigned(dims.size())));
        dims.push_back(*dim);
      } else {
        reduced = place;
        counter = counters[loop];
        indices.push_back(BufferIndex(counter));
      }
    }
    const ThreadValue &value = get(operand->get());
    Value part =
        buffers[k]
            ? b.load(loc, buffers[k], layout.project(dims), indices)
            : b.selectAlong(loc, value.value, value.layout, *reduced, counter);
    Type element = getElement(operand->get());
    if (cast<VectorType>(part.getType()).getElementType() != element)
      part = arith::ExtFOp::create(
          b, loc, cast<VectorType>(part.getType()).clone(element), part);
    args.push_back(b.expand(loc, part, layout, dims));
  }
  llvm::append_range(args, states);
  FailureOr<SmallVector<Value>> next =
      cloneBody(op, args, size, [&](unsigned loop) {
        if (std::optional<unsigned> dim = getDim(loop))
          return b.getCoordinatesWithin(loc, layout, *dim, ranges[loop]);
        return b.splat(loc, counters[loop], size);
      });
  if (failed(next))
    return failure();
  SmallVector<Value> yielded = *next;
  for (scf::ForOp counting : llvm::reverse(nest)) {
    b.setInsertionPointToEnd(counting.getBody());
    scf::YieldOp::create(b, loc, yielded);
    yielded.assign(counting.getResults().begin(), counting.getResults().end());
  }
  for (auto [output, result] : llvm::enumerate(op->getResults())) {
    SmallVector<unsigned> dims;
    for (unsigned loop : getLoops(op, *op.getDpsInitOperand(output)))
      dims.push_back(*getDim(loop));
    setRegisters(result, yielded[output], layout.project(dims));
  }
  return success();
}

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
    if (!getLoops(op.getMatchingIndexingMap(&operand)) ||
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
