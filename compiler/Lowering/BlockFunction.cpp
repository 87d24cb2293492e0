//===- BlockFunction.cpp - The loops of one block of rows -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a block reads, its updates and its stores.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"
#include "compiler/Lowering/NodeSums.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPNodeTypes.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

MemRefType clique::getBufferType(Type featureType) {
  auto edges = dyn_cast<mp::EdgesType>(featureType);
  auto tensor = edges ? mp::getEdgeTensorType(edges)
                      : cast<RankedTensorType>(featureType);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

RowSlice::RowSlice(OpBuilder &builder, ShapedType type, OpFoldResult from,
                   OpFoldResult count)
    : offsets(type.getRank(), builder.getIndexAttr(0)), sizes({count}),
      strides(type.getRank(), builder.getIndexAttr(1)) {
  offsets.front() = from;
  for (int64_t size : type.getShape().drop_front())
    sizes.push_back(builder.getIndexAttr(size));
}

BlockFunction::BlockFunction(const KernelInfo &info, mp::BlockOp block)
    : info(info), block(block), shape(info.kernel.getScheduleAttr()),
      builder(block) {
  numRows = arith::SubIOp::create(builder, getLoc(), getLast(), getFirst());
  for (auto [array, value] : llvm::zip_equal(
           mp::getGraphArrays(*info.kernel.getLowering()), block.getArrays()))
    arrays[array] = value;
  findOrder();
  // What the graph's type says need not be asked for.
  auto graph = info.isNodeKernel()
                   ? mp::MPGraphType()
                   : cast<mp::MPGraphType>(info.kernel.getGraph().getType());
  if (!graph || !graph.isInterval())
    return;
  for (auto [array, value] : {std::pair(GraphArray::areTilesListed, false),
                              std::pair(GraphArray::noSelf, graph.getNoSelf())})
    if (arrays.contains(array))
      arrays[array] = arith::ConstantIntOp::create(builder, getLoc(), value, 1);
}

/// Whether `tensor` has a function's argument whose elements were widened, or
/// a part of it.
static bool isWidened(Value tensor) {
  if (auto copy = tensor.getDefiningOp<linalg::CopyOp>())
    tensor = copy.getInputs().front();
  if (auto part = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = part.getSource();
  auto whole = tensor.getDefiningOp<bufferization::ToTensorOp>();
  auto argument =
      whole ? dyn_cast<BlockArgument>(whole.getBuffer()) : BlockArgument();
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  return function &&
         function.getArgAttr(argument.getArgNumber(), mp::kWidenedFromAttr);
}

Value BlockFunction::getTensor(Value input) const {
  if (auto edges = input.getDefiningOp<mp::ToEdgesOp>())
    return edges.getTensor();
  if (auto half = input.getDefiningOp<arith::TruncFOp>())
    return isWidened(half.getIn()) ? half.getIn() : input;
  // Truth values are computed in bytes of 0 or 1.
  if (auto truth = input.getDefiningOp<arith::TruncIOp>())
    return getElementTypeOrSelf(input).isInteger(1) ? truth.getIn() : input;
  return input;
}

Value BlockFunction::loadEntry(GraphArray array, Value position) {
  return memref::LoadOp::create(builder, getLoc(), getArray(array), position);
}

Value BlockFunction::load(GraphArray array, Value position) {
  return arith::IndexCastOp::create(builder, getLoc(), builder.getIndexType(),
                                    loadEntry(array, position));
}

LogicalResult clique::mapOutside(const KernelInfo &info, Lifter &lifter,
                                 llvm::function_ref<Value(Value)> getTensor) {
  for (Value constant : info.constants)
    if (failed(lifter.liftConstant(*constant.getDefiningOp())))
      return failure();
  for (Value capture : info.captures) {
    auto type = dyn_cast<RankedTensorType>(capture.getType());
    if (!type) {
      lifter.mapScalar(capture, capture);
      continue;
    }
    Lifted tensor = {getTensor(capture),
                     getCanonicalLayout(type.getRank(), false, false)};
    lifter.map(capture, lifter.toCompute(info.kernel->getLoc(), tensor));
  }
  return success();
}

LogicalResult BlockFunction::mapCaptures(Lifter &lifter) {
  return mapOutside(info, lifter,
                    [&](Value capture) { return getTensor(capture); });
}

Value BlockFunction::getOutput(Value yielded) const {
  for (auto [operand, output] :
       llvm::zip_equal(info.kernel.getYield().getValues(), block.getOuts()))
    if (operand == yielded)
      return output;
  return {};
}

/// A value of [dst, feature...], whatever it depends on.
static Lifted toRows(Lifter &lifter, Location loc, const Lifted &value) {
  Layout layout = getCanonicalLayout(value.getFeatureRank(), true, false);
  return value.layout == layout ? value : lifter.spread(loc, value, layout);
}

LogicalResult
BlockFunction::finish(const RowRange &rows,
                      ArrayRef<std::pair<Value, Lifted>> aggregated) {
  Location loc = getLoc();
  Lifter lifter(builder, rows.size, 0, rows.first, {});
  if (failed(mapCaptures(lifter)))
    return failure();
  DenseMap<Value, Lifted> nodes(aggregated.begin(), aggregated.end());
  auto getNodes = [&](Value operand) {
    auto it = nodes.find(operand);
    if (it == nodes.end())
      it = nodes
               .insert({operand, stageRows(lifter, operand, kDstAxis,
                                           rows.first, rows.count)})
               .first;
    return it->second;
  };
  for (mp::UpdateOp update : info.updates) {
    for (auto [arg, operand] :
         llvm::zip_equal(update.getBody().getArguments(), update.getNodes()))
      lifter.map(arg, getNodes(operand));
    FailureOr<SmallVector<Lifted>> results =
        lifter.lift(update.getBody().front());
    if (failed(results))
      return failure();
    for (auto [result, lifted] : llvm::zip_equal(update.getResults(), *results))
      nodes[result] = lifted;
  }

  auto yielded = info.kernel.getYield().getValues();
  for (Value result :
       llvm::SmallSetVector<Value, 4>(yielded.begin(), yielded.end())) {
    if (isa<mp::EdgesType>(result.getType()) || isNodeSum(result) ||
        isSourceSum(result))
      continue;
    if (result.getDefiningOp<mp::AggregateOp>() && !nodes.contains(result))
      continue;
    // A constant update has no axis yet, and a kernel may hand an input
    // through.
    storeRows(lifter, rows, getOutput(result),
              toRows(lifter, loc, nodes.lookup(result)));
  }
  // Behind the stores, as the values lose their rows beyond the block.
  addNodeSums(*this, rows, [&](Value operand) {
    return toRows(lifter, loc, getNodes(operand)).tensor;
  });
  return success();
}

LogicalResult BlockFunction::verifyScratch(ValueRange states) {
  SmallVector<Type> types;
  for (Value state : states)
    types.push_back(getBufferType(
        mp::getNodesType(cast<RankedTensorType>(state.getType()))));
  if (TypeRange(types) == getScratch().getTypes())
    return success();
  return block.emitOpError("has scratch (")
         << getScratch().getTypes() << "): expected (" << types
         << "), the states of its aggregations";
}
