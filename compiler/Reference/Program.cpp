//===- Program.cpp - A region, ready to run many times --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Program.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace clique;
using namespace clique::reference;
using namespace mlir;

namespace {
/// What of an edge a value follows from, as a set.
enum Ends : unsigned { kDstEnd = 1, kSrcEnd = 2, kEdgeItself = 4 };

bool isDynamic(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && !tensor.hasStaticShape();
}

/// Inside a region all shapes are static, but for those of captures, and only
/// constants are known.
class RegionInfo : public ValueInfo {
public:
  RegionInfo(const ReferencePrecision &precision, const ValueInfo *outside)
      : precision(precision), outside(outside) {}

  Shape getShape(Value value) const override {
    return isDynamic(value) ? outside->getShape(value)
                            : getStaticShape(value.getType());
  }
  std::optional<int64_t> getIndex(Value value) const override {
    APInt constant;
    if (!matchPattern(value, m_ConstantInt(&constant)))
      return std::nullopt;
    return constant.getSExtValue();
  }
  const ReferencePrecision &getPrecision() const override { return precision; }

private:
  const ReferencePrecision &precision;
  const ValueInfo *outside;
};
} // namespace

namespace clique::reference {
/// Turns a block into a program.
class Compiler {
public:
  Compiler(Block &block, const ReferencePrecision &precision,
           const ValueInfo *outside)
      : block(block), info(precision, outside), knowsOutside(outside),
        message(dyn_cast<mp::MessageOp>(block.getParentOp())) {}

  FailureOr<Program> compile() {
    for (Value argument : block.getArguments())
      varying.insert(newSlot(argument));
    if (message) {
      const size_t numDst = message.getDst().size();
      const size_t numNodes = numDst + message.getSrc().size();
      for (auto [slot, end] : llvm::enumerate(ends))
        end = slot < numDst ? kDstEnd : slot < numNodes ? kSrcEnd : kEdgeItself;
    }
    for (Operation &op : block.without_terminator())
      if (failed(add(&op)))
        return failure();
    for (Value result : block.getTerminator()->getOperands()) {
      program.results.push_back(getSlot(result));
      program.resultSizes.push_back(
          getNumElements(getStaticShape(result.getType())));
    }
    return std::move(program);
  }

private:
  LogicalResult add(Operation *op);
  LogicalResult addConstant(Operation *op);
  LogicalResult addCall(func::CallOp op);
  bool mayBeStored(OpResult value, unsigned slot) const;

  unsigned newSlot(Value value) {
    ends.resize(std::max<size_t>(ends.size(), program.numSlots + 1));
    return slots[value] = program.numSlots++;
  }
  /// A value that the block does not define is a capture.
  unsigned getSlot(Value value) {
    auto known = slots.find(value);
    if (known != slots.end())
      return known->second;
    unsigned slot = newSlot(value);
    program.captures.emplace_back(value, slot);
    return slot;
  }

  Block &block;
  RegionInfo info;
  bool knowsOutside;     ///< the shapes of captures
  mp::MessageOp message; ///< null for another region
  /// Of each slot what it follows from; values from outside from none.
  SmallVector<unsigned> ends;
  /// Slots that are others in each run.
  DenseSet<unsigned> varying;
  unsigned callDepth = 0;
  Program program;
  DenseMap<Value, unsigned> slots;
};
} // namespace clique::reference

LogicalResult Compiler::addConstant(Operation *op) {
  FailureOr<ReferenceTensor> tensor = getConstant(op);
  if (failed(tensor))
    return failure();
  program.constants.push_back(
      {newSlot(op->getResult(0)),
       std::make_shared<const ReferenceTensor>(std::move(*tensor))});
  return success();
}

FailureOr<Block *> clique::reference::getSingleBlock(func::FuncOp function) {
  if (llvm::hasSingleElement(function.getBody()))
    return &function.getBody().front();
  return function.emitOpError(
      "is a declaration or has several blocks, which is not supported by the "
      "reference interpreter");
}

FailureOr<Block *> clique::reference::getCalledBlock(func::CallOp call,
                                                     unsigned depth) {
  if (depth == kMaxCallDepth)
    return call.emitOpError("is nested ")
           << kMaxCallDepth
           << " calls deep: the reference interpreter does not support "
              "recursion";
  return getSingleBlock(SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr()));
}

/// The steps of the function that is called, in place of the call.
LogicalResult Compiler::addCall(func::CallOp op) {
  FailureOr<Block *> body = getCalledBlock(op, callDepth);
  if (failed(body))
    return failure();
  for (auto [argument, operand] :
       llvm::zip_equal((*body)->getArguments(), op.getOperands()))
    slots[argument] = getSlot(operand);
  ++callDepth;
  for (Operation &inner : (*body)->without_terminator())
    if (failed(add(&inner)))
      return failure();
  --callDepth;
  for (auto [result, value] : llvm::zip_equal(
           op.getResults(), (*body)->getTerminator()->getOperands()))
    slots[result] = getSlot(value);
  return success();
}

static unsigned getEnd(mp::Endpoint endpoint) {
  switch (endpoint) {
  case mp::Endpoint::dst:
    return kDstEnd;
  case mp::Endpoint::src:
    return kSrcEnd;
  case mp::Endpoint::edge:
    return kEdgeItself;
  }
  llvm_unreachable("unknown endpoint");
}

bool Compiler::mayBeStored(OpResult value, unsigned slot) const {
  return ends[slot] == 0 || ends[slot] == kDstEnd || ends[slot] == kSrcEnd ||
         isa<mp::LinearOp>(value.getOwner()) ||
         llvm::any_of(value.getUsers(), llvm::IsaPred<mp::YieldOp>);
}

LogicalResult Compiler::add(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return addCall(call);
  if (isa<mp::PositionOp, linalg::IndexOp>(op)) {
    program.givens.emplace_back(op, newSlot(op->getResult(0)));
    varying.insert(program.givens.back().second);
    if (auto position = dyn_cast<mp::PositionOp>(op))
      ends.back() = getEnd(position.getEndpoint());
    return success();
  }
  if (op->hasTrait<OpTrait::ConstantLike>())
    return addConstant(op);
  auto isUnknown = [&](Value value) {
    bool isCapture =
        callDepth == 0 && value.getParentRegion() != block.getParent();
    return isDynamic(value) && (!isCapture || !knowsOutside);
  };
  if (llvm::any_of(op->getOperands(), isUnknown) ||
      llvm::any_of(op->getResults(), isDynamic))
    return op->emitOpError("has a tensor of dynamic shape inside a region, "
                           "which is not supported by the reference "
                           "interpreter");
  FailureOr<Kernel> kernel = makeKernel(op, info);
  if (failed(kernel))
    return failure();
  Program::Step step;
  unsigned from = 0;
  for (Value input : kernel->inputs) {
    step.inputs.push_back(getSlot(input));
    from |= ends[step.inputs.back()];
  }
  for (auto [result, shape] :
       llvm::zip_equal(op->getResults(), kernel->resultShapes)) {
    step.results.push_back(newSlot(result));
    ends.back() = from;
    program.locals.push_back({step.results.back(), getNumElements(shape)});
    auto rounding = getStorageRounding(info.getPrecision(), result.getType());
    if (rounding && message && mayBeStored(result, step.results.back()))
      roundResult(*kernel, result.getResultNumber(), *rounding);
  }
  step.run = std::move(kernel->run);
  program.maxOperands =
      std::max({program.maxOperands, step.inputs.size(), step.results.size()});
  const bool varies = llvm::any_of(
      step.inputs, [&](unsigned slot) { return varying.contains(slot); });
  if (varies)
    varying.insert_range(step.results);
  (varies ? program.steps : program.invariantSteps).push_back(std::move(step));
  return success();
}

FailureOr<Program> Program::compile(Block &block,
                                    const ReferencePrecision &precision,
                                    const ValueInfo *outside) {
  return Compiler(block, precision, outside).compile();
}

Frame::Frame(const Program &program)
    : program(&program), slots(program.numSlots), writable(program.numSlots),
      inputs(program.maxOperands), outputs(program.maxOperands) {
  for (const Program::Constant &constant : program.constants)
    slots[constant.slot] = constant.tensor->data.data();
  buffers.reserve(program.locals.size());
  for (const Program::Local &local : program.locals) {
    buffers.emplace_back(local.size);
    slots[local.slot] = writable[local.slot] = buffers.back().data();
  }
}

void Frame::setCaptures(const double *const *values) {
  for (auto [i, capture] : llvm::enumerate(program->captures))
    slots[capture.second] = values[i];
  isPrepared = false;
}

void Frame::run() {
  if (!isPrepared) {
    // Compiled code has one such value, too, or equal ones.
    RoundingPlace everywhere(-1);
    run(program->invariantSteps);
    isPrepared = true;
  }
  run(program->steps);
}

void Frame::run(ArrayRef<Program::Step> steps) {
  for (const Program::Step &step : steps) {
    for (size_t i = 0; i < step.inputs.size(); ++i)
      inputs[i] = slots[step.inputs[i]];
    for (size_t i = 0; i < step.results.size(); ++i)
      outputs[i] = writable[step.results[i]];
    step.run(inputs.data(), outputs.data());
  }
}
