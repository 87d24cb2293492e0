//===- TypedRowLowering.cpp - Sparse rows with weights per edge type ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sum_r W_r (sum_{j: r_ij = r} z_ij) for a block of destinations, whose edges
// come in the order of their types (runtime/TypedEdges.h):
//
//   for each chunk of groups of one type r
//     for each group: s = sum of z_ij           one row of a small matrix
//     y = s W_r                                 one product for all of them
//     for each group: state of its destination += its row of y
//
// A block is long, so that weights that pass the caches do so rarely.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/CarriedTensors.h"
#include "compiler/Lowering/EdgeStream.h"
#include "compiler/Lowering/TypedProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

namespace {
class TypedRowLowering {
public:
  TypedRowLowering(BlockFunction &function, const TypedProduct &product)
      : info(function.getInfo()), product(product), function(function),
        builder(function.getBuilder()), loc(function.getLoc()),
        stream(info, /*hasDst=*/true) {}

  LogicalResult run();

private:
  /// The state of each row of the block without edges, in whole register
  /// blocks.
  FailureOr<Value> emitIdentity();
  /// The states after a chunk.
  FailureOr<Value> emitChunk(Value chunk, Value states);
  /// The sums of the groups from `first` on, [dst, in].
  FailureOr<Lifted> emitSums(Value first, Value count);
  /// The sum of one group, [in].
  FailureOr<Value> emitGroup(Value group);
  /// z_ij of an edge into `row`.
  FailureOr<Lifted> emitEdge(Value row, Value edge,
                             const DenseMap<Value, Lifted> &dst);
  /// The products of the sums with the weights of `type`, [dst, out].
  Value emitProduct(const Lifted &sums, Value type);
  /// The states with the products of the groups from `first` on.
  Value emitScatter(Value products, Value first, Value count, Value states);
  /// Updates and stores of all rows.
  LogicalResult emitResults(ValueRange states);

  using Body = llvm::function_ref<FailureOr<Value>(Value, Value)>;
  /// A loop that carries a tensor.
  FailureOr<Value> emitLoop(Value begin, Value end, Value initial, Body body,
                            int64_t step = 1);
  /// The type that edges are summed in.
  Type getSumType() {
    return getComputeType(
        cast<RankedTensorType>(product.input.getType()).getElementType());
  }
  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value x, Value y) {
    return arith::AddIOp::create(builder, loc, x, y);
  }
  Value subtract(Value x, Value y) {
    return arith::SubIOp::create(builder, loc, x, y);
  }
  Value load(Value array, Value position);
  /// Number `part` of the pair `position` of an array.
  Value loadPart(Value array, Value position, int64_t part);
  /// Row `row` of a tensor, and the tensor with another one.
  Value extractRow(Value tensor, Value row) {
    return clique::extractRow(builder, loc, tensor, row);
  }
  Value insertRow(Value value, Value tensor, Value row) {
    return clique::insertRow(builder, loc, value, tensor, row);
  }
  Lifted sum(Lifter &lifter, const Lifted &value, const Lifted &state);

  const KernelInfo &info;
  TypedProduct product;
  BlockFunction &function;
  OpBuilder &builder;
  Location loc;
  EdgeStream stream;
  /// As runtime/TypedEdges.h has them.
  Value chunks, groups, sources, edgeIds;
};
} // namespace

Value TypedRowLowering::load(Value array, Value position) {
  Value entry = memref::LoadOp::create(builder, loc, array, position);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    entry);
}

Value TypedRowLowering::loadPart(Value array, Value position, int64_t part) {
  Value first = arith::MulIOp::create(builder, loc, position, constantIndex(2));
  return load(array, add(first, constantIndex(part)));
}

FailureOr<Value> TypedRowLowering::emitLoop(Value begin, Value end,
                                            Value initial, Body body,
                                            int64_t step) {
  auto loop = scf::ForOp::create(builder, loc, begin, end, constantIndex(step),
                                 initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  FailureOr<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArg(0));
  if (failed(next))
    return failure();
  scf::YieldOp::create(builder, loc, *next);
  return loop.getResult(0);
}

Lifted TypedRowLowering::sum(Lifter &lifter, const Lifted &value,
                             const Lifted &state) {
  return lifter.generic(
      loc, value, state,
      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        return arith::AddFOp::create(b, loc, args[1], args[0]);
      });
}

FailureOr<Lifted>
TypedRowLowering::emitEdge(Value row, Value edge,
                           const DenseMap<Value, Lifted> &dst) {
  Value source = load(sources, edge);
  Lifter lifter(builder, 0, 0, row, source);
  if (failed(function.mapCaptures(lifter)))
    return failure();
  mp::MessageOp message = product.message;
  for (auto [arg, input] :
       llvm::zip_equal(message.getDstArgs(), message.getDst()))
    lifter.map(arg, dst.lookup(input));
  for (auto [arg, input] :
       llvm::zip_equal(message.getSrcArgs(), message.getSrc()))
    lifter.map(arg, function.stageRow(lifter, input, source));
  if (product.readsEdges) {
    Value id = load(edgeIds, edge);
    lifter.mapEdgeNumber(loc, id);
    for (auto [arg, input] :
         llvm::zip_equal(message.getEdgeArgs(), message.getEdge()))
      lifter.map(arg, function.stageRow(lifter, input, id));
  }
  return lifter.lift(message.getBody().front(), product.input);
}

FailureOr<Value> TypedRowLowering::emitGroup(Value group) {
  Value begin = loadPart(groups, group, 0), row = loadPart(groups, group, 1);
  Value end = loadPart(groups, add(group, constantIndex(1)), 0);
  Lifter lifter(builder, 0, 0, row, {});
  DenseMap<Value, Lifted> dst;
  for (Value input : product.message.getDst())
    dst[input] = function.stageRow(lifter, input, row);
  Lifted zero = lifter.fill(loc, product.getInSize(), getSumType(), {0}, 0.0);
  return emitLoop(begin, end, zero.tensor,
                  [&](Value edge, Value state) -> FailureOr<Value> {
                    FailureOr<Lifted> value = emitEdge(row, edge, dst);
                    if (failed(value))
                      return failure();
                    return sum(lifter, *value, {state, {0}}).tensor;
                  });
}

FailureOr<Lifted> TypedRowLowering::emitSums(Value first, Value count) {
  Lifter lifter(builder, function.getShape().groups, 0, {}, {});
  Lifted sums =
      lifter.fill(loc, product.getInSize(), getSumType(), {kDstAxis, 0}, 0.0);
  FailureOr<Value> filled =
      emitLoop(constantIndex(0), count, sums.tensor,
               [&](Value place, Value carried) -> FailureOr<Value> {
                 FailureOr<Value> row = emitGroup(add(first, place));
                 if (failed(row))
                   return failure();
                 return insertRow(*row, carried, place);
               });
  if (failed(filled))
    return failure();
  return Lifted{*filled, sums.layout};
}

Value TypedRowLowering::emitProduct(const Lifted &sums, Value type) {
  Lifter lifter(builder, function.getShape().groups, 0, {}, {});
  Value weights = extractRow(function.getWeight(product.weights), type);
  Lifted zero =
      lifter.fill(loc, product.getOutSize(), sums.getType().getElementType(),
                  {kDstAxis, 0}, 0.0);
  // Feature dimension 1 is the one that is summed over.
  return lifter
      .generic(loc, {{sums.tensor, {kDstAxis, 1}}, {weights, {1, 0}}}, zero,
               [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                 return multiplyAdd(b, loc, args[0], args[1], args[2]);
               })
      .tensor;
}

Value TypedRowLowering::emitScatter(Value products, Value first, Value count,
                                    Value states) {
  Lifter lifter(builder, 0, 0, {}, {});
  return *emitLoop(constantIndex(0), count, states,
                   [&](Value place, Value carried) -> FailureOr<Value> {
                     Value row =
                         subtract(loadPart(groups, add(first, place), 1),
                                  function.getFirst());
                     Lifted next =
                         sum(lifter, {extractRow(products, place), {0}},
                             {extractRow(carried, row), {0}});
                     return insertRow(next.tensor, carried, row);
                   });
}

FailureOr<Value> TypedRowLowering::emitIdentity() {
  TileShape shape = function.getShape();
  Lifter lifter(builder, shape.tileRows, 0, {}, {});
  FailureOr<SmallVector<Value>> identity = stream.getIdentity(lifter);
  if (failed(identity))
    return failure();
  Value registerBlock = identity->front();
  SmallVector<int64_t> sizes = {shape.rows, product.getOutSize()};
  Value states = tensor::EmptyOp::create(builder, loc, sizes, getSumType());
  return emitLoop(
      constantIndex(0), function.getNumRows(), states,
      [&](Value from, Value carried) -> Value {
        RowSlice slice(builder, cast<ShapedType>(registerBlock.getType()), from,
                       builder.getIndexAttr(shape.tileRows));
        return tensor::InsertSliceOp::create(builder, loc, registerBlock,
                                             carried, slice.offsets,
                                             slice.sizes, slice.strides);
      },
      shape.tileRows);
}

FailureOr<Value> TypedRowLowering::emitChunk(Value chunk, Value states) {
  Value first = loadPart(chunks, chunk, 0), type = loadPart(chunks, chunk, 1);
  Value past = loadPart(chunks, add(chunk, constantIndex(1)), 0);
  Value count = subtract(past, first);
  FailureOr<Lifted> sums = emitSums(first, count);
  if (failed(sums))
    return failure();
  return emitScatter(emitProduct(*sums, type), first, count, states);
}

LogicalResult TypedRowLowering::emitResults(ValueRange states) {
  int64_t registerBlockRows = function.getShape().tileRows;
  auto registerBlocks =
      scf::ForOp::create(builder, loc, constantIndex(0), function.getNumRows(),
                         constantIndex(registerBlockRows));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(registerBlocks.getBody());
  Value from = registerBlocks.getInductionVar();
  Value first = add(function.getFirst(), from);
  Value count = arith::MinSIOp::create(builder, loc,
                                       subtract(function.getNumRows(), from),
                                       constantIndex(registerBlockRows));
  Lifter lifter(builder, registerBlockRows, 0, first, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  SmallVector<Value> parts;
  for (Value state : states) {
    RowSlice slice(builder, cast<ShapedType>(state.getType()), from,
                   builder.getIndexAttr(registerBlockRows));
    parts.push_back(tensor::ExtractSliceOp::create(
        builder, loc, state, slice.offsets, slice.sizes, slice.strides));
  }
  FailureOr<SmallVector<Lifted>> values = stream.finalise(
      lifter, parts, function.emitDegrees(lifter, first, count));
  if (failed(values))
    return failure();
  mp::AggregateOp aggregate = info.aggregates.front();
  std::pair<Value, Lifted> result(aggregate.getResults().front(),
                                  values->front());
  return function.finish({first, count, registerBlockRows}, result);
}

LogicalResult TypedRowLowering::run() {
  ValueRange args = function.getArgs();
  chunks = args[2];
  groups = args[3];
  sources = args[4];
  edgeIds = args[5];

  FailureOr<Value> identity = emitIdentity();
  if (failed(identity))
    return failure();
  FailureOr<Value> states =
      emitLoop(args[0], args[1], *identity, [&](Value chunk, Value states) {
        return emitChunk(chunk, states);
      });
  if (failed(states))
    return failure();
  return emitResults(*states);
}

LogicalResult clique::lowerToTypedRows(BlockFunction &function,
                                       const TypedProduct &product) {
  return TypedRowLowering(function, product).run();
}
