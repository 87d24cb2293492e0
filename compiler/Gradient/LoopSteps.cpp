//===- LoopSteps.cpp - Loops that are run backwards -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/LoopSteps.h"
#include "compiler/Gradient/Activity.h"
#include "compiler/Gradient/LevelRows.h"
#include "compiler/Gradient/Normalise.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

void LoopSteps::erase() {
  for (auto &[loop, step] : steps)
    for (func::FuncOp function : {step.gradient, step.rows})
      if (function)
        function.erase();
  steps.clear();
}

//===----------------------------------------------------------------------===//
// A step as a function
//===----------------------------------------------------------------------===//

namespace {
/// Makes a function of a loop's body.
class StepOutliner {
public:
  explicit StepOutliner(scf::ForOp loop) : loop(loop) {
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop.getRegion(), used);
    for (Value value : used)
      capture(value);
  }

  /// The function of these values of the body.
  func::FuncOp outline(StringRef suffix, ValueRange results);
  ArrayRef<Value> getCaptured() const { return captured.getArrayRef(); }

private:
  void capture(Value value);

  scf::ForOp loop;
  llvm::SetVector<Value> captured;
  /// Those that the function has, too, each behind its operands.
  llvm::SetVector<Operation *> sunk;
};
} // namespace

/// The values of a message would be stored for each edge; what a graph is a
/// view of is seen in one function.
static bool isSunk(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<mp::MessageOp, mp::CastOp, mp::ReverseOp>(op);
}

void StepOutliner::capture(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isSunk(op)) {
    captured.insert(value);
    return;
  }
  if (sunk.contains(op))
    return;
  for (Value operand : op->getOperands())
    capture(operand);
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value inner : used)
    capture(inner);
  sunk.insert(op);
}

func::FuncOp StepOutliner::outline(StringRef suffix, ValueRange results) {
  auto parent = loop->getParentOfType<func::FuncOp>();
  OpBuilder b(parent);
  Block &body = *loop.getBody();
  SmallVector<Type> types(body.getArgumentTypes());
  llvm::append_range(types, ValueRange(captured.getArrayRef()).getTypes());
  auto function =
      func::FuncOp::create(b, loop.getLoc(), (parent.getName() + suffix).str(),
                           b.getFunctionType(types, results.getTypes()));
  SymbolTable(parent->getParentOfType<ModuleOp>()).insert(function);
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  SmallVector<Value> before(body.getArguments());
  llvm::append_range(before, captured);
  IRMapping mapping;
  for (auto [value, arg] : llvm::zip_equal(before, entry->getArguments())) {
    arg.setLoc(value.getLoc());
    mapping.map(value, arg);
  }
  b.setInsertionPointToEnd(entry);
  for (Operation *op : sunk)
    b.clone(*op, mapping);
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  func::ReturnOp::create(b, loop.getLoc(),
                         llvm::map_to_vector(results, [&](Value value) {
                           return mapping.lookupOrDefault(value);
                         }));
  return function;
}

/// One function that does the step again and then its backward one.
static func::FuncOp joinStep(func::FuncOp step, const GradientFunctions &made) {
  OpBuilder b(step);
  SmallVector<Type> types(step.getArgumentTypes());
  for (int64_t result : made.results)
    types.push_back(getGradientType(step.getResultTypes()[result]));
  auto joined = func::FuncOp::create(
      b, step.getLoc(), (step.getName() + "_again").str(),
      b.getFunctionType(types, func::FuncOp(made.backward).getResultTypes()));
  joined.setPrivate();
  Block *body = joined.addEntryBlock();
  for (auto [before, after] :
       llvm::zip(step.getArguments(), body->getArguments()))
    after.setLoc(before.getLoc());
  b.setInsertionPointToEnd(body);
  ValueRange args = body->getArguments();
  unsigned numArguments = step.getNumArguments();
  SmallVector<Value> forward =
      cloneBody(b, made.forward, args.take_front(numArguments));
  SmallVector<Value> operands(args.take_front(numArguments));
  for (int64_t kept : made.kept)
    operands.push_back(forward[kept]);
  llvm::append_range(operands, args.drop_front(numArguments));
  func::ReturnOp::create(b, step.getLoc(),
                         cloneBody(b, made.backward, operands));
  return joined;
}

/// Whether the gradient reads a value that is carried, and not its shape alone.
static bool isRead(const LoopStep &step, unsigned carried) {
  if (!step.gradient)
    return false;
  func::FuncOp gradient = step.gradient;
  return !llvm::all_of(gradient.getArgument(1 + carried).getUsers(),
                       llvm::IsaPred<tensor::DimOp>);
}

/// Finds what is restored.
static LogicalResult findRestored(scf::ForOp loop, StepOutliner &outliner,
                                  LoopStep &step, RunPipeline run) {
  SmallVector<Value> bounds;
  for (unsigned carried = 0; carried < loop.getNumResults(); ++carried) {
    tensor::InsertSliceOp insertion = findLevelRows(loop, carried);
    if (!insertion || !isRead(step, carried))
      continue;
    step.restored.push_back(carried);
    bounds.push_back(cast<Value>(insertion.getMixedOffsets()[0]));
    bounds.push_back(cast<Value>(insertion.getMixedSizes()[0]));
  }
  if (bounds.empty())
    return success();
  step.rows = outliner.outline("_rows", bounds);
  return cleanUp(step.rows, run);
}

static FailureOr<LoopStep> makeStep(scf::ForOp loop, const Activity &activity,
                                    RunPipeline run) {
  StepOutliner outliner(loop);
  LoopStep step;
  step.captured.assign(outliner.getCaptured().begin(),
                       outliner.getCaptured().end());
  SmallVector<unsigned> arguments;
  for (auto [index, arg] : llvm::enumerate(loop.getBody()->getArguments()))
    if (activity.isActive(arg))
      arguments.push_back(index);
  for (auto [index, value] : llvm::enumerate(step.captured))
    if (activity.isActive(value))
      arguments.push_back(loop.getBody()->getNumArguments() + index);
  func::FuncOp function = outliner.outline("_step", loop.getYieldedValues());
  FailureOr<GradientFunctions> made =
      makeGradient(function, arguments, CotangentTypes::wide, run);
  if (failed(made))
    return failure();
  step.arguments.assign(arguments.begin(), arguments.end());
  if (made->backward) {
    step.results = made->results;
    step.gradient = joinStep(function, *made);
    made->forward.erase();
    made->backward.erase();
  }
  function.erase();
  if (step.gradient && failed(cleanUp(step.gradient, run)))
    return failure();
  if (failed(findRestored(loop, outliner, step, run)))
    return failure();
  return step;
}

//===----------------------------------------------------------------------===//
// What the forward loop stores
//===----------------------------------------------------------------------===//

/// max(ceil((upper - lower) / step), 0)
static Value countSteps(OpBuilder &b, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value length =
      arith::SubIOp::create(b, loc, loop.getUpperBound(), loop.getLowerBound());
  Value steps = arith::CeilDivSIOp::create(b, loc, length, loop.getStep());
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  return arith::MaxSIOp::create(b, loc, steps, none);
}

namespace {
/// The values of each step, one behind the other.
struct Stack {
  /// A row, and the tensor of all of them before the loop.
  SmallVector<OpFoldResult> row;
  Value empty;
};
} // namespace

static Stack makeStack(OpBuilder &b, Location loc, Value numSteps,
                       Value carried) {
  Stack stack;
  if (isa<RankedTensorType>(carried.getType()))
    stack.row = tensor::getMixedSizes(b, loc, carried);
  SmallVector<OpFoldResult> sizes = {numSteps};
  llvm::append_range(sizes, stack.row);
  Type element = getElementTypeOrSelf(carried.getType());
  // Functions hand out no tensors of indices.
  if (element.isIndex() && !isa<RankedTensorType>(carried.getType()))
    element = b.getI64Type();
  stack.empty = tensor::EmptyOp::create(b, loc, sizes, element);
  return stack;
}

static Value store(OpBuilder &b, Location loc, const Stack &stack, Value into,
                   Value number, Value carried) {
  if (!isa<RankedTensorType>(carried.getType())) {
    Type element = getElementTypeOrSelf(into.getType());
    if (carried.getType() != element)
      carried = arith::IndexCastOp::create(b, loc, element, carried);
    return tensor::InsertOp::create(b, loc, carried, into, number);
  }
  SmallVector<OpFoldResult> offsets(stack.row.size() + 1, b.getIndexAttr(0)),
      sizes(1, b.getIndexAttr(1)), strides(offsets.size(), b.getIndexAttr(1));
  offsets[0] = number;
  llvm::append_range(sizes, stack.row);
  return tensor::InsertSliceOp::create(b, loc, carried, into, offsets, sizes,
                                       strides);
}

/// Lets the loop store what the gradient of a step reads; the loop that there
/// is then.
static scf::ForOp storeCarried(scf::ForOp loop, LoopStep &step) {
  IRRewriter b(loop);
  Location loc = loop.getLoc();
  step.numSteps = countSteps(b, loop);
  SmallVector<Stack> stacks;
  SmallVector<unsigned> stored;
  SmallVector<Value> empty;
  for (auto [index, init] : llvm::enumerate(loop.getInitArgs()))
    if (isRead(step, index) && !llvm::is_contained(step.restored, index)) {
      stored.push_back(index);
      stacks.push_back(makeStack(b, loc, step.numSteps, init));
      empty.push_back(stacks.back().empty);
    }
  auto storeAll = [&](OpBuilder &inner, Location,
                      ArrayRef<BlockArgument> args) {
    OpBuilder::InsertionGuard guard(inner);
    Block *body = args[0].getOwner();
    inner.setInsertionPointToStart(body);
    Value offset = arith::SubIOp::create(inner, loc, body->getArgument(0),
                                         loop.getLowerBound());
    Value number = arith::DivSIOp::create(inner, loc, offset, loop.getStep());
    SmallVector<Value> next;
    for (auto [index, stack, arg] : llvm::zip_equal(stored, stacks, args))
      next.push_back(
          store(inner, loc, stack, arg, number, body->getArgument(1 + index)));
    return next;
  };
  const unsigned numCarried = loop.getNumResults();
  step.stacks.assign(numCarried, Value());
  if (!stored.empty())
    loop = cast<scf::ForOp>(
        *loop.replaceWithAdditionalYields(b, empty, false, storeAll));
  for (auto [position, index] : llvm::enumerate(stored))
    step.stacks[index] = loop.getResult(numCarried + position);
  return loop;
}

//===----------------------------------------------------------------------===//
// All loops
//===----------------------------------------------------------------------===//

static LogicalResult checkCount(scf::ForOp loop) {
  if (loop.getInductionVar().getType().isIndex() && !loop.getUnsignedCmp())
    return success();
  return loop.emitOpError(
      "has no derivative: mp-differentiate knows loops that "
      "count in signed numbers of type index");
}

/// Rows of edges are as many as there are edges: too many to be kept.
static LogicalResult checkCarried(scf::ForOp loop, const Activity &activity) {
  for (Value result : loop.getResults())
    if (isa<mp::EdgesType>(result.getType()) && activity.isActive(result))
      return loop.emitOpError(
          "has no derivative by the edge features that it carries: nothing is "
          "kept per edge; carry node features, and compute those of edges from "
          "them in each step");
  return success();
}

static LogicalResult checkRead(scf::ForOp loop, const LoopStep &step) {
  for (auto [index, type] : llvm::enumerate(loop.getResultTypes()))
    if (!isa<RankedTensorType>(type) && !type.isIntOrIndexOrFloat() &&
        isRead(step, index))
      return loop.emitOpError("has no derivative: its gradient needs what it "
                              "carries into each step, and a value of type ")
             << type
             << " is not kept; carry node features, and make graphs and edge "
                "features of them in each step";
  return success();
}

FailureOr<LoopSteps> gradient::prepareLoops(func::FuncOp forward,
                                            ArrayRef<unsigned> arguments,
                                            RunPipeline run) {
  LoopSteps steps;
  SmallVector<scf::ForOp> loops(forward.getBody().front().getOps<scf::ForOp>());
  for (scf::ForOp loop : loops) {
    // Anew for each: what the one before it stores is a result of it.
    Activity activity(forward, arguments);
    if (llvm::none_of(loop.getResults(),
                      [&](Value result) { return activity.isActive(result); }))
      continue;
    if (failed(checkCount(loop)) || failed(checkCarried(loop, activity)))
      return failure();
    FailureOr<LoopStep> step = makeStep(loop, activity, run);
    if (failed(step) || failed(checkRead(loop, *step)))
      return failure();
    scf::ForOp stored = storeCarried(loop, *step);
    steps.add(stored, std::move(*step));
  }
  return steps;
}
