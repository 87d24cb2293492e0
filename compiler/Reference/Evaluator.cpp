//===- Evaluator.cpp - The ops of a function ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values, calls and ops on whole tensors. Graphs are in GraphOps.cpp; messages,
// aggregations and updates in LayerOps.cpp.
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Evaluator.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace clique;
using namespace clique::reference;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const TensorPtr &Evaluator::getTensor(Value value) const {
  return *std::get_if<TensorPtr>(&bindings.find(value)->second);
}
const GraphPtr &Evaluator::getGraph(Value value) const {
  return *std::get_if<GraphPtr>(&bindings.find(value)->second);
}
const EdgeValues &Evaluator::getEdges(Value value) const {
  return *std::get_if<EdgeValues>(&bindings.find(value)->second);
}

Shape Evaluator::getShape(Value value) const {
  // Values of a region that is being compiled are not bound, but static.
  auto known = bindings.find(value);
  if (known == bindings.end())
    return getStaticShape(value.getType());
  const TensorPtr &tensor = *std::get_if<TensorPtr>(&known->second);
  return Shape(tensor->shape.begin(), tensor->shape.end());
}

std::optional<int64_t> Evaluator::getIndex(Value value) const {
  return toInteger(getTensor(value)->data[0]);
}

std::vector<int64_t> Evaluator::getIntegers(Value value) const {
  std::vector<int64_t> integers;
  for (double number : getTensor(value)->data)
    integers.push_back(toInteger(number));
  return integers;
}

LogicalResult Evaluator::define(Value value, Binding binding) {
  if (auto *tensor = std::get_if<TensorPtr>(&binding)) {
    Shape shape = getStaticShape(value.getType());
    bool fits = shape.size() == (*tensor)->shape.size();
    for (size_t dim = 0; fits && dim < shape.size(); ++dim)
      fits = ShapedType::isDynamic(shape[dim]) ||
             shape[dim] == (*tensor)->shape[dim];
    if (!fits)
      return emitError(value.getLoc())
             << "value of type " << value.getType() << " has shape "
             << describeShape((*tensor)->shape)
             << " at run time: hand in inputs that fit the type";
  }
  bindings[value] = std::move(binding);
  return success();
}

LogicalResult Evaluator::defineTensor(Value value, ReferenceTensor tensor) {
  if (auto rounding = getStorageRounding(precision, value.getType()))
    for (auto [k, element] : llvm::enumerate(tensor.data))
      element = (*rounding)(element, int64_t(k));
  return define(value,
                std::make_shared<const ReferenceTensor>(std::move(tensor)));
}

LogicalResult Evaluator::defineIndex(Value value, int64_t index) {
  return defineTensor(value, {{}, {static_cast<double>(index)}});
}

FailureOr<BoundProgram> Evaluator::bind(Block &block) {
  FailureOr<Program> program = Program::compile(block, precision);
  if (failed(program))
    return failure();
  BoundProgram bound;
  bound.program = std::move(*program);
  for (auto [capture, slot] : bound.program.captures)
    bound.captures.push_back(getTensor(capture));
  return bound;
}

//===----------------------------------------------------------------------===//
// Functions and kernels
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Binding>> Evaluator::call(Block &block,
                                                ArrayRef<Binding> arguments) {
  for (auto [value, argument] :
       llvm::zip_equal(block.getArguments(), arguments))
    if (failed(define(value, argument)))
      return failure();
  if (failed(evaluateBlock(block)))
    return failure();
  SmallVector<Binding> results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(bindings.find(result)->second);
  return results;
}

LogicalResult Evaluator::evaluate(func::CallOp op) {
  FailureOr<Block *> body = getCalledBlock(op, depth);
  if (failed(body))
    return failure();
  SmallVector<Binding> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(bindings.find(operand)->second);
  FailureOr<SmallVector<Binding>> results =
      Evaluator(precision, depth + 1).call(**body, arguments);
  if (failed(results))
    return failure();
  for (auto [value, result] : llvm::zip_equal(op.getResults(), *results))
    if (failed(define(value, result)))
      return failure();
  return success();
}

LogicalResult Evaluator::evaluate(mp::KernelOp op) {
  if (failed(evaluateBlock(op.getBody().front())))
    return failure();
  for (auto [value, result] :
       llvm::zip_equal(op.getResults(), op.getYield().getOperands())) {
    Binding binding = bindings.find(result)->second;
    // A sum over nodes, which are one part here.
    if (result.getDefiningOp<linalg::LinalgOp>()) {
      ReferenceTensor part = *getTensor(result);
      part.shape.insert(part.shape.begin(), 1);
      binding = std::make_shared<const ReferenceTensor>(std::move(part));
    }
    if (failed(define(value, std::move(binding))))
      return failure();
  }
  return success();
}

LogicalResult Evaluator::evaluateBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(evaluate(&op)))
      return failure();
  return success();
}

LogicalResult Evaluator::evaluate(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<func::CallOp, mp::KernelOp, mp::MessageOp, mp::AggregateOp,
            mp::SourceSumOp, mp::ScanOp, mp::UpdateOp, mp::ReadoutOp,
            mp::SpreadOp, mp::EdgeSoftmaxOp, scf::ForOp, scf::WhileOp>(
          [&](auto op) { return evaluate(op); })
      .Default([&](Operation *op) { return evaluateGraphOp(op); });
}

//===----------------------------------------------------------------------===//
// Whole tensors
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::evaluateTensorOp(Operation *op) {
  FailureOr<Kernel> kernel = makeKernel(op, *this);
  if (failed(kernel))
    return failure();
  SmallVector<const double *> inputs;
  for (Value input : kernel->inputs)
    inputs.push_back(getTensor(input)->data.data());
  SmallVector<ReferenceTensor> tensors;
  for (const Shape &shape : kernel->resultShapes) {
    ReferenceTensor &tensor = tensors.emplace_back();
    tensor.shape.assign(shape.begin(), shape.end());
    tensor.data.resize(getNumElements(shape));
  }
  SmallVector<double *> results;
  for (ReferenceTensor &tensor : tensors)
    results.push_back(tensor.data.data());
  kernel->run(inputs.data(), results.data());
  for (auto [value, tensor] : llvm::zip_equal(op->getResults(), tensors))
    if (failed(defineTensor(value, std::move(tensor))))
      return failure();
  return success();
}
