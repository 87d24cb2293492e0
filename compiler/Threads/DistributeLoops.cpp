//===- DistributeLoops.cpp - Reductions in loops of each thread -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the points of a linalg op do not fit into registers, each thread
// computes its elements of the result in loops over what is reduced.
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/Distribution.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;

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

/// The dimension of the first result that a loop is; none if it reduces.
static std::optional<unsigned> getResultDim(linalg::LinalgOp op,
                                            unsigned loop) {
  SmallVector<unsigned> parallel = getLoops(op, *op.getDpsInitOperand(0));
  auto *it = llvm::find(parallel, loop);
  if (it == parallel.end())
    return std::nullopt;
  return unsigned(it - parallel.begin());
}

namespace {
/// Loops over what an op reduces; states go through all of them.
struct LoopNest {
  SmallVector<scf::ForOp> loops;
  DenseMap<unsigned, Value> counters;
  SmallVector<Value> states;
};
} // namespace

/// Leaves the builder in the innermost one.
static LoopNest openLoops(OpBuilder &b, Location loc, linalg::LinalgOp op,
                          ArrayRef<Value> states) {
  LoopNest nest;
  nest.states.assign(states.begin(), states.end());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto index = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(b, loc, number);
  };
  for (unsigned loop : getReductionLoops(op)) {
    auto counting = scf::ForOp::create(b, loc, index(0), index(ranges[loop]),
                                       index(1), nest.states);
    counting.getBody()->clear();
    nest.loops.push_back(counting);
    nest.counters[loop] = counting.getInductionVar();
    nest.states.assign(counting.getRegionIterArgs().begin(),
                       counting.getRegionIterArgs().end());
    b.setInsertionPointToStart(counting.getBody());
  }
  return nest;
}

Value Distribution::readStep(linalg::LinalgOp op, OpOperand &operand,
                             Value buffer,
                             const DenseMap<unsigned, Value> &counters,
                             const ThreadLayout &layout) {
  Location loc = op.getLoc();
  SmallVector<unsigned> dims;
  SmallVector<BufferIndex> indices;
  std::optional<unsigned> reduced;
  Value counter;
  for (auto [place, loop] : llvm::enumerate(getLoops(op, operand))) {
    if (std::optional<unsigned> dim = getResultDim(op, loop)) {
      indices.push_back(BufferIndex(unsigned(dims.size())));
      dims.push_back(*dim);
    } else {
      reduced = place;
      counter = counters.lookup(loop);
      indices.push_back(BufferIndex(counter));
    }
  }
  const ThreadValue &value = get(operand.get());
  Value part =
      buffer ? b.load(loc, buffer, layout.project(dims), indices)
             : b.selectAlong(loc, value.value, value.layout, *reduced, counter);
  Type element = getElement(operand.get());
  if (cast<VectorType>(part.getType()).getElementType() != element)
    part = arith::ExtFOp::create(
        b, loc, cast<VectorType>(part.getType()).clone(element), part);
  return b.expand(loc, part, layout, dims);
}

LogicalResult Distribution::visitByLoops(linalg::LinalgOp op) {
  Location loc = op.getLoc();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions = getReductionLoops(op);
  OpOperand &first = *op.getDpsInitOperand(0);
  const ThreadValue &initial = get(first.get());
  ThreadLayout layout = initial.kind == ThreadValue::Kind::registers
                            ? initial.layout
                            : getLayout(op->getResult(0));
  int64_t size = layout.getNumRegisters();
  auto getDim = [&](unsigned loop) { return getResultDim(op, loop); };

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
  LoopNest nest = openLoops(b, loc, op, states);
  SmallVector<Value> args;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    unsigned k = operand->getOperandNumber();
    if (fixed[k]) {
      args.push_back(fixed[k]);
      continue;
    }
    args.push_back(readStep(op, *operand, buffers[k], nest.counters, layout));
  }
  llvm::append_range(args, nest.states);
  FailureOr<SmallVector<Value>> next =
      cloneBody(op, args, size, [&](unsigned loop) {
        if (std::optional<unsigned> dim = getDim(loop))
          return b.getCoordinatesWithin(loc, layout, *dim, ranges[loop]);
        return b.splat(loc, nest.counters.lookup(loop), size);
      });
  if (failed(next))
    return failure();
  SmallVector<Value> yielded = *next;
  for (scf::ForOp counting : llvm::reverse(nest.loops)) {
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
