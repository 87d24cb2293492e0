//===- ScopeResults.cpp - What leaves the region of an edge ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its values as a message, as sums over destinations, as node tensors, and as
// edges of another graph.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/EdgeScope.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPNodeTypes.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

Value EdgeScope::getOperand(Value value) const {
  auto arg = dyn_cast<BlockArgument>(value);
  return arg && arg.getOwner() == block.get()
             ? inputs[arg.getArgNumber()].operand
             : Value();
}

EdgeScope::Slice EdgeScope::getSlice(Value value) const {
  Slice slice;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    // A weight may be an argument, of the function.
    if (next.getParentBlock() != block.get())
      continue;
    if (auto arg = dyn_cast<BlockArgument>(next)) {
      if (!llvm::is_contained(slice.args, arg))
        slice.args.push_back(arg);
    } else if (slice.ops.insert(next.getDefiningOp())) {
      llvm::append_range(worklist, next.getDefiningOp()->getOperands());
    }
  }
  return slice;
}

void EdgeScope::cloneSlice(const Slice &slice, ValueRange args, Value value,
                           Block &into) {
  OpBuilder body = OpBuilder::atBlockEnd(&into);
  IRMapping mapping;
  for (auto [arg, inner] : llvm::zip(slice.args, args))
    mapping.map(arg, inner);
  for (Operation &op : *block)
    if (slice.ops.contains(&op))
      body.clone(op, mapping);
  mp::YieldOp::create(body, loc, mapping.lookupOrDefault(value));
}

Value EdgeScope::toNodes(Value value) {
  if (Value operand = getOperand(value))
    return operand;
  Slice slice = getSlice(value);
  // A widened input is what another tensor of the function is.
  SmallVector<Value> operands;
  for (BlockArgument arg : slice.args)
    operands.push_back(getOperand(arg));
  if (operands.empty()) {
    // The same for all nodes: any tensor of destinations says how many.
    for (const Input &input : inputs)
      if (input.role == dst && operands.empty())
        operands.push_back(input.operand);
    // The graph may be a reverse: the root's destinations are others.
    if (operands.empty())
      operands.push_back(mp::DegreeOp::create(
          gradient.getBuilder(), loc,
          RankedTensorType::get({ShapedType::kDynamic}, builder.getF32Type()),
          graph));
  }
  OpBuilder &out = gradient.getBuilder();
  auto feature = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = {
      cast<RankedTensorType>(operands[0].getType()).getDimSize(0)};
  llvm::append_range(shape, feature.getShape());
  auto update =
      mp::UpdateOp::create(out, loc, operands, TypeRange(feature.clone(shape)));
  cloneSlice(slice, update.getBody().getArguments(), value,
             update.getBody().front());
  return update.getResult(0);
}

bool EdgeScope::knowsDst(Value value) {
  return getEnds(value) & dst ||
         llvm::any_of(getSlice(value).ops, [](Operation *op) {
           auto position = dyn_cast<mp::PositionOp>(op);
           return position && position.getEndpoint() == mp::Endpoint::dst;
         });
}

Value EdgeScope::toEdgesOf(Value graph, Value value) {
  Slice slice = getSlice(value);
  // A message has its sources first.
  auto getPlace = [&](BlockArgument arg) {
    return std::pair(inputs[arg.getArgNumber()].role, arg.getArgNumber());
  };
  llvm::sort(slice.args, [&](BlockArgument a, BlockArgument b) {
    return getPlace(a) < getPlace(b);
  });
  SmallVector<Value> sources, edges;
  for (BlockArgument arg : slice.args) {
    const Input &input = inputs[arg.getArgNumber()];
    (input.role == src ? sources : edges).push_back(input.operand);
  }
  auto type = mp::EdgesType::get(cast<RankedTensorType>(value.getType()));
  auto message =
      mp::MessageOp::create(gradient.getBuilder(), loc, graph, ValueRange(),
                            sources, edges, TypeRange(type));
  cloneSlice(slice, message.getBody().getArguments(), value,
             message.getBody().front());
  return message.getResult(0);
}

mp::MessageOp EdgeScope::finish(ValueRange values) {
  SmallVector<Value> operands[3];
  for (const Input &input : inputs)
    operands[llvm::Log2_32(input.role)].push_back(input.operand);
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(
        mp::EdgesType::get(cast<RankedTensorType>(value.getType())));
  OpBuilder &out = gradient.getBuilder();
  auto message = mp::MessageOp::create(out, loc, graph, operands[0],
                                       operands[1], operands[2], types);
  unsigned next[3] = {0, unsigned(operands[0].size()),
                      unsigned(operands[0].size() + operands[1].size())};
  for (auto [input, arg] : llvm::zip_equal(inputs, block->getArguments()))
    arg.replaceAllUsesWith(
        message.getBody().getArgument(next[llvm::Log2_32(input.role)]++));
  SmallVector<Value> yielded;
  for (Value value : values) {
    auto arg = dyn_cast<BlockArgument>(value);
    yielded.push_back(value);
    if (!arg || arg.getOwner() != block.get())
      continue;
    // Yielded as it came.
    const Input &input = inputs[arg.getArgNumber()];
    unsigned position = 0;
    for (unsigned k = 0; k < arg.getArgNumber(); ++k)
      position += inputs[k].role == input.role;
    unsigned base = input.role == dst ? 0
                    : input.role == src
                        ? operands[0].size()
                        : operands[0].size() + operands[1].size();
    yielded.back() = message.getBody().getArgument(base + position);
  }
  Block &body = message.getBody().front();
  body.getOperations().splice(body.end(), block->getOperations());
  OpBuilder end = OpBuilder::atBlockEnd(&body);
  mp::YieldOp::create(end, loc, yielded);
  return message;
}

SmallVector<Value> EdgeScope::aggregate(ValueRange values, ValueRange stored) {
  SmallVector<Value> all = llvm::to_vector(
      llvm::concat<Value>(llvm::to_vector(values), llvm::to_vector(stored)));
  mp::MessageOp message = finish(all);
  auto results = ValueRange(message.getResults());
  SmallVector<Value> made;
  SmallVector<Type> types;
  for (Value value : values) {
    types.push_back(mp::getNodesType(cast<RankedTensorType>(value.getType())));
  }
  OpBuilder &out = gradient.getBuilder();
  if (!values.empty()) {
    auto sums = mp::AggregateOp::create(
        out, loc, types, message.getGraph(), mp::AggregatorKind::sum,
        /*score=*/Value(), results.take_front(values.size()));
    llvm::append_range(made, sums.getResults());
  }
  for (Value edges : results.drop_front(values.size()))
    made.push_back(mp::ToTensorOp::create(
        out, loc, mp::getEdgeTensorType(cast<mp::EdgesType>(edges.getType())),
        edges));
  return made;
}

void EdgeResults::finish(EdgeScope &scope) {
  if (summed.empty() && stored.empty())
    return;
  SmallVector<Value> made = scope.aggregate(summed, stored);
  for (Consumer &consume : consumers)
    consume(ArrayRef(made).take_front(summed.size()));
  for (Consumer &consume : storedConsumers)
    consume(ArrayRef(made).drop_front(summed.size()));
}
