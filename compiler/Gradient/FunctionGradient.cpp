//===- FunctionGradient.cpp - The backward function as it grows -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for forward values, and the sums of cotangents. The ops are
// visited in VisitOps.cpp.
//
//===----------------------------------------------------------------------===//
#include "compiler/Gradient/FunctionGradient.h"
#include "compiler/Gradient/EdgeScope.h"
#include "compiler/Gradient/TensorTypes.h"
#include "compiler/Gradient/Term.h"
#include "dialect/IR/MPAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using namespace clique::gradient;

FunctionGradient::FunctionGradient(const GradientFunctions &functions,
                                   const Activity &activity,
                                   const KeptValues &keptValues,
                                   const LoopSteps &loops, CotangentTypes types)
    : forward(functions.forward), backward(functions.backward),
      arguments(functions.arguments), results(functions.results),
      activity(activity), keptValues(keptValues), loops(loops), types(types),
      builder(OpBuilder::atBlockEnd(&backward.getBody().front())) {
  for (auto [before, after] :
       llvm::zip(forward.getArguments(), backward.getArguments()))
    primals[before] = after;
  ReverseSweep::Environment environment =
      makeEnvironment([this](Value value) { return getWidePrimal(value); });
  environment.sum = [this](Value a, Value b) { return sum(a, b); };
  sweep = std::make_unique<ReverseSweep>(builder, forward.getBody().front(),
                                         std::move(environment));
}

ReverseSweep::Environment
FunctionGradient::makeEnvironment(std::function<Value(Value)> primal) {
  ReverseSweep::Environment environment;
  environment.primal = std::move(primal);
  environment.isActive = [this](Value value) { return isActive(value); };
  environment.transpose = [this](Value value, ArrayRef<int64_t> dims) {
    return getTransposed(value, dims);
  };
  return environment;
}

//===----------------------------------------------------------------------===//
// Forward values
//===----------------------------------------------------------------------===//

/// Whether all its tensors have static shapes.
static bool isStatic(Operation *op) {
  auto hasStaticShape = [](Type type) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    return !shaped || shaped.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), hasStaticShape) &&
         llvm::all_of(op->getResultTypes(), hasStaticShape);
}

/// Cheap, or nothing that a function could hand out.
bool FunctionGradient::isRecomputed(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa<mp::MessageOp, mp::AggregateOp>(op))
    return false;
  if (isa<LoopLikeOpInterface>(op))
    return isa<mp::EdgesType>(value.getType());
  Type type = value.getType();
  if (isa<mp::UpdateOp>(op)) {
    Type element = getElementTypeOrSelf(type);
    return element.isIndex() || element.isInteger(1);
  }
  if (isa<mp::MPDialect>(op->getDialect()) || isStatic(op))
    return true;
  if (!isa<RankedTensorType>(type))
    return !isa<FloatType>(type);
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ExtractSliceOp, tensor::EmptyOp, tensor::GenerateOp,
             tensor::SplatOp, linalg::FillOp>(op);
}

Value FunctionGradient::recompute(Value value) {
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  auto bring = [&](Value operand) {
    if (operand.getParentBlock() != &forward.getBody().front())
      return;
    bool isMessage = operand.getDefiningOp<mp::MessageOp>() &&
                     isa<mp::EdgesType>(operand.getType());
    mapping.map(operand, isMessage && isa<mp::ToTensorOp, mp::ScanOp>(op)
                             ? storeEdges(operand)
                             : getPrimal(operand));
  };
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      bring(operand);
  });
  Operation *clone = builder.clone(*op, mapping);
  for (auto [before, after] : llvm::zip(op->getResults(), clone->getResults()))
    primals[before] = after;
  return primals[value];
}

Value FunctionGradient::getPrimal(Value value) {
  auto it = primals.find(value);
  if (it != primals.end())
    return it->second;
  if (isRecomputed(value))
    return recompute(value);
  unsigned position = forward.getNumArguments() + kept.size();
  kept.insert(value);
  Value arg = backward.getBody().front().insertArgument(
      position, value.getType(), value.getLoc());
  primals[value] = arg;
  return arg;
}

Value FunctionGradient::getWidePrimal(Value value) {
  Value primal = getPrimal(value);
  Value &wide = widePrimals[value];
  if (!wide)
    wide = widen(builder, primal);
  return wide;
}

Value FunctionGradient::storeEdges(Value value) {
  auto it = primals.find(value);
  if (it != primals.end())
    return it->second;
  auto message = value.getDefiningOp<mp::MessageOp>();
  if (!message)
    return getPrimal(value);
  for (Value edges : message.getEdge())
    storeEdges(edges);
  return recompute(value);
}

Value FunctionGradient::getTransposed(Value value, ArrayRef<int64_t> dims) {
  Attribute key = builder.getDenseI64ArrayAttr(dims);
  Value primal = getWidePrimal(value);
  Value &result = transposed[{value, key}];
  if (!result)
    result = transpose(builder, primal, dims);
  return result;
}

Value FunctionGradient::getGraph(Value graph, bool reversed) {
  Value primal = getPrimal(graph);
  if (!reversed)
    return primal;
  Value &result = turned[graph];
  if (!result)
    result = mp::ReverseOp::create(builder, graph.getLoc(), primal);
  return result;
}

Value FunctionGradient::getDegrees(Value graph, Type element) {
  Value primal = getPrimal(graph);
  Value &degrees = degreesOf[{graph, element}];
  if (!degrees)
    degrees = mp::DegreeOp::create(
        builder, graph.getLoc(),
        RankedTensorType::get({ShapedType::kDynamic}, element), primal);
  return degrees;
}

//===----------------------------------------------------------------------===//
// Cotangents
//===----------------------------------------------------------------------===//

Value FunctionGradient::makeUpdate(Location loc, ValueRange nodes,
                                   NodeBody body) {
  // The type of the result follows from what the region yields.
  auto untyped = mp::UpdateOp::create(builder, loc, nodes, TypeRange());
  Block &block = untyped.getBody().front();
  OpBuilder inner = OpBuilder::atBlockEnd(&block);
  SmallVector<Value> args;
  for (Value arg : block.getArguments())
    args.push_back(widen(inner, arg));
  Value value = body(inner, loc, args);
  mp::YieldOp::create(inner, loc, value);
  auto feature = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = {
      cast<RankedTensorType>(nodes[0].getType()).getDimSize(0)};
  llvm::append_range(shape, feature.getShape());
  auto update = mp::UpdateOp::create(builder, loc, nodes,
                                     TypeRange(feature.clone(shape)));
  update.getBody().takeBody(untyped.getBody());
  untyped.erase();
  return update.getResult(0);
}

/// A slice, if all else is 0.
static tensor::InsertSliceOp getOnlySlice(Value value) {
  auto slice = value.getDefiningOp<tensor::InsertSliceOp>();
  if (!slice)
    return nullptr;
  auto fill = slice.getDest().getDefiningOp<linalg::FillOp>();
  Value dest = fill ? fill.value() : slice.getDest();
  return matchPattern(dest, m_AnyZeroFloat()) ? slice : nullptr;
}

Value FunctionGradient::addToSlice(tensor::InsertSliceOp slice, Value whole) {
  Location loc = slice.getLoc();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes(),
                            strides = slice.getMixedStrides();
  Value part = tensor::ExtractSliceOp::create(
      builder, loc, slice.getSourceType(), whole, offsets, sizes, strides);
  return tensor::InsertSliceOp::create(builder, loc,
                                       sum(part, slice.getSource()), whole,
                                       offsets, sizes, strides);
}

Value FunctionGradient::sum(Value a, Value b) {
  Location loc = b.getLoc();
  if (tensor::InsertSliceOp slice = getOnlySlice(b))
    return addToSlice(slice, a);
  if (tensor::InsertSliceOp slice = getOnlySlice(a))
    return addToSlice(slice, b);
  auto add = [](OpBuilder &builder, Location loc, ValueRange args) -> Value {
    return arith::AddFOp::create(builder, loc, args[0], args[1]);
  };
  assert(!isa<mp::EdgesType>(a.getType()) &&
         "edge values have their cotangents on the edge");
  if (isNodeTensor(a.getType()))
    return makeUpdate(loc, {a, b}, add);
  return add(builder, loc, {a, b});
}

void FunctionGradient::addCotangent(Value value, Value cotangent) {
  if (!isActive(value))
    return;
  Location loc = cotangent.getLoc();
  Type wanted = getGradientType(value.getType());
  auto given = dyn_cast<RankedTensorType>(cotangent.getType());
  if (given && isa<FloatType>(wanted))
    cotangent =
        tensor::ExtractOp::create(builder, loc, cotangent, ValueRange());
  else if (given && given != wanted)
    cotangent = tensor::CastOp::create(builder, loc, wanted, cotangent);
  sweep->add(value, cotangent);
}

Value FunctionGradient::makeZeros(Location loc, RankedTensorType type,
                                  Value like) {
  if (type.hasStaticShape())
    return arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  Value zero = arith::ConstantOp::create(
      builder, loc,
      cast<TypedAttr>(builder.getZeroAttr(type.getElementType())));
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

/// In the type of the argument or result.
static Value round(OpBuilder &builder, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::TruncFOp::create(builder, value.getLoc(), type, value);
}

LogicalResult FunctionGradient::run() {
  // Cotangents of results.
  Operation *terminator = forward.getBody().front().getTerminator();
  unsigned first = forward.getNumArguments();
  SmallVector<BlockArgument> given(backward.getArguments().drop_front(first));
  for (auto [k, result] : llvm::enumerate(results)) {
    Value value = terminator->getOperand(result);
    Value cotangent = given[k];
    if (isa<mp::EdgesType>(cotangent.getType())) {
      edgeCotangents[value].push_back(cotangent);
      continue;
    }
    if (isNodeTensor(cotangent.getType()) &&
        getGradientType(cotangent.getType()) != cotangent.getType())
      cotangent = makeUpdate(
          value.getLoc(), cotangent,
          [](OpBuilder &, Location, ValueRange args) { return args[0]; });
    addCotangent(value, widen(builder, cotangent));
  }
  for (Operation &op :
       llvm::reverse(forward.getBody().front().without_terminator()))
    if (failed(visit(&op)))
      return failure();
  return finish();
}

LogicalResult FunctionGradient::finish() {
  SmallVector<Value> gradients;
  SmallVector<Type> returned;
  for (int64_t index : arguments) {
    BlockArgument arg = forward.getArgument(index);
    Type type = getReturnedType(arg.getType());
    returned.push_back(type);
    if (isa<mp::EdgesType>(type)) {
      FailureOr<Value> gradient = makeEdgeGradient(arg);
      if (failed(gradient))
        return failure();
      gradients.push_back(*gradient);
      continue;
    }
    Value gradient = getCotangent(arg);
    if (!gradient && isa<FloatType>(type))
      gradient = arith::ConstantOp::create(builder, arg.getLoc(),
                                           builder.getFloatAttr(type, 0));
    else if (!gradient)
      gradient =
          makeZeros(arg.getLoc(), cast<RankedTensorType>(type), getPrimal(arg));
    else if (isNodeTensor(type) && gradient.getType() != type)
      gradient = makeRounded(gradient, cast<RankedTensorType>(type));
    gradients.push_back(round(builder, gradient, type));
  }
  func::ReturnOp::create(builder, forward.getLoc(), gradients);
  backward.setFunctionType(builder.getFunctionType(
      backward.getBody().front().getArgumentTypes(), returned));
  return success();
}

Value FunctionGradient::makeRounded(Value nodes, RankedTensorType type) {
  if (getElementTypeOrSelf(nodes.getType()) == type.getElementType())
    return nodes;
  return makeUpdate(nodes.getLoc(), nodes,
                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                      return arith::TruncFOp::create(
                          b, loc, mp::getNodeFeature(type), args[0]);
                    });
}

/// The cotangent of edge values that are on no graph: the sum of those of the
/// results that are the values themselves, row by row.
Value FunctionGradient::makeRowsGradient(Value values) {
  Location loc = values.getLoc();
  auto edges = cast<mp::EdgesType>(values.getType());
  auto listRows = [&](Value value) -> Value {
    auto type = mp::getEdgeTensorType(cast<mp::EdgesType>(value.getType()));
    return mp::ToTensorOp::create(builder, loc, type, value);
  };
  ArrayRef<Value> given = getEdgeCotangents(values);
  Value rows;
  if (given.empty()) {
    Value like = listRows(getPrimal(values));
    rows = makeZeros(
        loc, cast<RankedTensorType>(getGradientType(like.getType())), like);
  }
  for (Value cotangent : given) {
    Value own = widen(builder, listRows(cotangent));
    rows = rows ? arith::AddFOp::create(builder, loc, rows, own) : own;
  }
  auto returned = cast<mp::EdgesType>(getReturnedType(edges));
  auto type =
      RankedTensorType::get(cast<RankedTensorType>(rows.getType()).getShape(),
                            returned.getElementType());
  return mp::ToEdgesOp::create(builder, loc, returned,
                               round(builder, rows, type));
}

/// The cotangent of edge values that no message computes: what all that use
/// them say, on the graph of the first of them; where none does, row by row.
FailureOr<Value> FunctionGradient::makeEdgeGradient(Value values) {
  Value graph;
  for (Operation *user : values.getUsers())
    if (isa<mp::MessageOp, mp::AggregateOp, mp::ScanOp>(user) && !graph &&
        user->getBlock() == values.getParentBlock())
      graph = user->getOperand(0);
  if (!graph)
    return makeRowsGradient(values);
  EdgeScope scope(*this, values.getLoc(), graph, /*reversed=*/false);
  FailureOr<Value> cotangent = scope.getCotangent(values);
  if (failed(cotangent))
    return failure();
  RankedTensorType feature =
      cast<mp::EdgesType>(getReturnedType(values.getType())).getFeatureType();
  Value value = *cotangent;
  if (!value)
    value = arith::ConstantOp::create(
        scope.getBuilder(), values.getLoc(),
        cast<TypedAttr>(builder.getZeroAttr(feature)));
  return scope.finish(round(scope.getBuilder(), value, feature)).getResult(0);
}
