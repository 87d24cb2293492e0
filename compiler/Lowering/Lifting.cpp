//===- Lifting.cpp - From one edge to a tile of edges ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts, the generic builder and the elementwise core of lifting. The feature
// ops of the dialect are in LiftFeatureOps.cpp.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/Lifting.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

Type clique::getComputeType(Type elementType) {
  if (elementType.isBF16() || elementType.isF16())
    return Float32Type::get(elementType.getContext());
  if (elementType.isInteger(1))
    return IntegerType::get(elementType.getContext(), 8);
  return elementType;
}

Layout clique::getCanonicalLayout(unsigned featureRank, bool hasDst,
                                  bool hasSrc) {
  Layout layout;
  if (hasDst && !hasSrc)
    layout.push_back(kDstAxis);
  for (unsigned k = 0; k < featureRank; ++k)
    layout.push_back(k);
  if (hasDst && hasSrc)
    layout.push_back(kDstAxis);
  if (hasSrc)
    layout.push_back(kSrcAxis);
  return layout;
}

SmallVector<int64_t> Lifter::getFeatureShape(const Lifted &value) {
  SmallVector<int64_t> shape(value.getFeatureRank());
  for (auto [axis, size] :
       llvm::zip_equal(value.layout, value.getType().getShape()))
    if (axis >= 0)
      shape[axis] = size;
  return shape;
}

Lifted Lifter::empty(Location loc, ArrayRef<int64_t> shape, Type elementType,
                     const Layout &layout) {
  SmallVector<int64_t> sizes;
  for (int axis : layout)
    sizes.push_back(axis >= 0 ? shape[axis] : getSize(axis));
  return {tensor::EmptyOp::create(builder, loc, sizes, elementType), layout};
}

static Value createScalar(OpBuilder &builder, Location loc, Type type,
                          double value) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(floatType, value));
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, static_cast<int64_t>(value)));
}

Lifted Lifter::fill(Location loc, ArrayRef<int64_t> shape, Type elementType,
                    const Layout &layout, double value) {
  Lifted init = empty(loc, shape, elementType, layout);
  Value scalar = createScalar(builder, loc, elementType, value);
  init.tensor =
      linalg::FillOp::create(builder, loc, scalar, init.tensor).getResult(0);
  return init;
}

Lifted Lifter::generic(Location loc, ArrayRef<Lifted> ins, const Lifted &init,
                       Body body) {
  // Loops: the output's dimensions in order, then the reduced ones.
  llvm::MapVector<int, unsigned> loops;
  for (int axis : init.layout)
    loops.insert({axis, loops.size()});
  unsigned numParallel = loops.size();
  for (const Lifted &in : ins)
    for (int axis : in.layout)
      loops.insert({axis, loops.size()});

  auto getMap = [&](const Layout &layout) {
    SmallVector<AffineExpr> exprs;
    for (int axis : layout)
      exprs.push_back(builder.getAffineDimExpr(loops.lookup(axis)));
    return AffineMap::get(loops.size(), 0, exprs, builder.getContext());
  };
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  for (const Lifted &in : ins) {
    maps.push_back(getMap(in.layout));
    inputs.push_back(in.tensor);
  }
  maps.push_back(getMap(init.layout));
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), numParallel, utils::IteratorType::parallel);

  auto op = linalg::GenericOp::create(
      builder, loc, init.getType(), inputs, init.tensor, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, body(b, loc, args));
      });
  return {op.getResult(0), init.layout};
}

Layout Lifter::getLayout(unsigned featureRank, ArrayRef<Lifted> operands) {
  auto any = [&](Axis axis) {
    return llvm::any_of(operands,
                        [&](const Lifted &value) { return value.has(axis); });
  };
  return getCanonicalLayout(featureRank, any(kDstAxis), any(kSrcAxis));
}

Lifted Lifter::spread(Location loc, Lifted value, ArrayRef<int64_t> shape,
                      const Layout &layout) {
  if (llvm::any_of(value.layout,
                   [&](int axis) { return !llvm::is_contained(layout, axis); }))
    llvm::report_fatal_error("a value is spread over fewer axes than it has");
  return generic(
      loc, value, empty(loc, shape, value.getType().getElementType(), layout),
      [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

Lifted Lifter::elementwise(Location loc, ArrayRef<int64_t> shape,
                           Type elementType, ArrayRef<Lifted> ins, Body body) {
  Lifted init = empty(loc, shape, elementType, getLayout(shape.size(), ins));
  return generic(loc, ins, init,
                 [&](OpBuilder &b, Location loc, ValueRange args) {
                   return body(b, loc, args.drop_back());
                 });
}

/// Storage type -> type of computation, for one scalar.
static Value convertScalar(OpBuilder &b, Location loc, Value scalar) {
  Type type = getComputeType(scalar.getType());
  if (type == scalar.getType())
    return scalar;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, loc, type, scalar);
  return arith::ExtUIOp::create(b, loc, type, scalar);
}

Value clique::multiplyAdd(OpBuilder &b, Location loc, Value x, Value y,
                          Value z) {
  auto contract = arith::FastMathFlags::contract;
  Value product = arith::MulFOp::create(b, loc, x, y, contract);
  return arith::AddFOp::create(b, loc, z, product, contract);
}

Lifted Lifter::toCanonicalLayout(Location loc, Lifted value) {
  Layout layout = getCanonicalLayout(value.getFeatureRank(),
                                     value.has(kDstAxis), value.has(kSrcAxis));
  if (layout == value.layout)
    return value;
  // A named op: it is data movement, not to be fused into its users.
  SmallVector<int64_t> permutation;
  for (int axis : layout)
    permutation.push_back(
        std::distance(value.layout.begin(), llvm::find(value.layout, axis)));
  Lifted init = empty(loc, getFeatureShape(value),
                      value.getType().getElementType(), layout);
  return {linalg::TransposeOp::create(builder, loc, value.tensor, init.tensor,
                                      permutation)
              ->getResult(0),
          layout};
}

Lifted Lifter::toCompute(Location loc, Lifted value) {
  Type storage = value.getType().getElementType();
  Type type = getComputeType(storage);
  if (type == storage)
    return value;
  Lifted init = empty(loc, getFeatureShape(value), type, value.layout);
  return generic(loc, value, init,
                 [&](OpBuilder &b, Location loc, ValueRange args) {
                   return convertScalar(b, loc, args[0]);
                 });
}

FailureOr<Lifted> Lifter::get(Operation &user, Value value) {
  auto it = lifts.find(value);
  if (it == lifts.end())
    return user.emitError("operand of type ")
           << value.getType() << " cannot be used in a kernel";
  return it->second;
}

FailureOr<SmallVector<Lifted>> Lifter::lift(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(liftOp(op)))
      return failure();
  SmallVector<Lifted> results;
  for (Value operand : block.getTerminator()->getOperands()) {
    FailureOr<Lifted> lifted = get(*block.getTerminator(), operand);
    if (failed(lifted))
      return failure();
    results.push_back(*lifted);
  }
  return results;
}

FailureOr<Lifted> Lifter::lift(Block &block, Value value) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return op->getBlock() == &block; };
  if (failed(getBackwardSlice(value, &slice, options)))
    return failure();
  for (Operation &op : block.without_terminator())
    if (slice.contains(&op) && failed(liftOp(op)))
      return failure();
  return get(*block.getTerminator(), value);
}

LogicalResult Lifter::liftOp(Operation &op) {
  if (llvm::any_of(op.getResults(),
                   [&](Value result) { return replaced.contains(result); }))
    return success();
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<arith::ConstantOp>([&](auto) { return liftConstant(op); })
      .Case<mp::LinearOp>([&](auto) { return liftLinear(op); })
      .Case<mp::DotOp>([&](auto) { return liftDot(op); })
      .Case<mp::ReduceOp>([&](auto) { return liftReduce(op); })
      .Case<mp::BroadcastOp>([&](auto) { return liftBroadcast(op); })
      .Case<mp::PositionOp>([&](auto) { return liftPosition(op); })
      .Case<mp::LookupOp>([&](auto) { return liftLookup(op); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto) { return liftReshape(op); })
      .Case<tensor::ConcatOp>([&](auto) { return liftConcat(op); })
      .Case<tensor::ExtractSliceOp>([&](auto) { return liftExtractSlice(op); })
      .Case<tensor::ScatterOp>([&](auto) { return liftScatter(op); })
      .Default([&](Operation *) { return liftElementwise(op); });
}

void Lifter::mapEdgeNumber(Location loc, Value number) {
  Type type = builder.getI64Type();
  Value converted = arith::IndexCastOp::create(builder, loc, type, number);
  mapNumbers(mp::Endpoint::edge,
             {tensor::FromElementsOp::create(
                  builder, loc, RankedTensorType::get({}, type), converted),
              {}});
}

LogicalResult Lifter::liftConstant(Operation &op) {
  auto constant = cast<arith::ConstantOp>(op);
  Location loc = op.getLoc();
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements) {
    scalars[constant] = builder.clone(op)->getResult(0);
    return success();
  }
  Type storage = elements.getElementType();
  Type type = getComputeType(storage);
  if (type != storage) {
    if (auto floatType = dyn_cast<FloatType>(type))
      elements = elements.mapValues(type, [&](const APFloat &value) {
        bool lossless;
        APFloat converted = value;
        converted.convert(floatType.getFloatSemantics(),
                          APFloat::rmNearestTiesToEven, &lossless);
        return converted.bitcastToAPInt();
      });
    else
      elements = elements.mapValues(
          type, [&](const APInt &value) { return value.zext(8); });
  }
  lifts[constant] = {
      arith::ConstantOp::create(builder, loc, elements),
      getCanonicalLayout(elements.getType().getRank(), false, false)};
  return success();
}

/// The scalar of a splat constant, to be used in place of its tensor.
static Value getSplatScalar(OpBuilder &b, Location loc, const Lifted &value) {
  auto constant = value.tensor.getDefiningOp<arith::ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                        : SplatElementsAttr();
  if (!splat)
    return {};
  return arith::ConstantOp::create(b, loc, splat.getSplatValue<TypedAttr>());
}

/// Builds `op` on scalars of the type of computation.
static Value cloneOnScalars(OpBuilder &b, Location loc, Operation &op,
                            SmallVector<Value> args) {
  Type storage = getElementTypeOrSelf(op.getResult(0).getType());
  // Truth values live in memory as i8.
  for (auto [arg, operand] : llvm::zip_equal(args, op.getOperands()))
    if (getElementTypeOrSelf(operand.getType()).isInteger(1) &&
        arg.getType().isInteger(8))
      arg = arith::TruncIOp::create(b, loc, b.getI1Type(), arg);
  Type type = storage.isInteger(1) ? storage : getComputeType(storage);
  Operation *scalar = Operation::create(
      loc, op.getName(), type, args, op.getDiscardableAttrDictionary(),
      op.getPropertiesStorage(), BlockRange(), /*numRegions=*/0);
  b.insert(scalar);
  // A sum over edges that takes the product in rounds both once.
  if (auto product = dyn_cast<arith::MulFOp>(scalar))
    product.setFastmath(product.getFastmath() | arith::FastMathFlags::contract);
  return convertScalar(b, loc, scalar->getResult(0));
}

LogicalResult Lifter::liftElementwise(Operation &op) {
  if (!op.hasTrait<OpTrait::Elementwise>() || op.getNumResults() != 1)
    return op.emitError("cannot be lowered in a message, an update or a "
                        "monoid: inline what is called (-inline), and use "
                        "arith and math ops, the feature ops of mp, or "
                        "tensor.collapse_shape, expand_shape, extract_slice "
                        "and concat");
  Location loc = op.getLoc();
  auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  if (!type) {
    // A scalar op on scalars from outside.
    IRMapping mapping;
    for (Value operand : op.getOperands())
      mapping.map(operand, scalars.lookup(operand));
    scalars[op.getResult(0)] = builder.clone(op, mapping)->getResult(0);
    return success();
  }

  // Half precision is computed in f32: between the two nothing is converted.
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    FailureOr<Lifted> from = get(op, op.getOperand(0));
    if (failed(from))
      return failure();
    if (from->getType().getElementType() ==
        getComputeType(type.getElementType())) {
      lifts[op.getResult(0)] = *from;
      return success();
    }
  }

  // Inputs of the generic, and for each operand where its scalar comes from.
  SmallVector<Lifted> ins;
  SmallVector<std::optional<unsigned>> inputIndex;
  SmallVector<Value> direct;
  for (Value operand : op.getOperands()) {
    Value scalar = scalars.lookup(operand);
    if (!scalar) {
      FailureOr<Lifted> lifted = get(op, operand);
      if (failed(lifted))
        return failure();
      scalar = getSplatScalar(builder, loc, *lifted);
      if (!scalar) {
        inputIndex.push_back(ins.size());
        direct.push_back({});
        ins.push_back(*lifted);
        continue;
      }
    }
    inputIndex.push_back(std::nullopt);
    direct.push_back(scalar);
  }
  lifts[op.getResult(0)] = elementwise(
      loc, type.getShape(), getComputeType(type.getElementType()), ins,
      [&](OpBuilder &b, Location loc, ValueRange inputs) {
        SmallVector<Value> args;
        for (auto [index, scalar] : llvm::zip_equal(inputIndex, direct))
          args.push_back(index ? inputs[*index] : scalar);
        return cloneOnScalars(b, loc, op, args);
      });
  return success();
}
