//===- GatherEdges.cpp - What the messages of a chunk of edges read -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/GatherEdges.h"
#include "compiler/Lowering/EdgeIds.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

template <typename Self, typename Function>
void GatheredEdges::forEach(Self &self, Function function) {
  for (auto *role : {&self.dst, &self.src, &self.edge})
    for (auto &[input, lifted] : *role)
      function(lifted);
  for (auto *numbers : {&self.rows, &self.sources, &self.edges})
    if (*numbers)
      function(**numbers);
}

SmallVector<Value> GatheredEdges::getTensors() const {
  SmallVector<Value> tensors;
  forEach(*this, [&](const Lifted &part) { tensors.push_back(part.tensor); });
  return tensors;
}

void GatheredEdges::setTensors(ValueRange tensors) {
  forEach(*this, [&](Lifted &part) {
    part.tensor = tensors.front();
    tensors = tensors.drop_front();
  });
}

GatheredEdges EdgeGathering::create() {
  Lifter lifter(builder, function.getShape().chunkEdges, 0, {}, {});
  GatheredEdges gathered;
  auto makeTensor = [&](ArrayRef<int64_t> shape, Type type) {
    return lifter.empty(loc, shape, getComputeType(type),
                        getCanonicalLayout(shape.size(), true, false));
  };
  auto createNodes = [&](ValueRange inputs, auto &role) {
    for (Value input : inputs) {
      auto type = cast<RankedTensorType>(input.getType());
      if (!role.contains(input))
        role[input] =
            makeTensor(type.getShape().drop_front(), type.getElementType());
    }
  };
  for (mp::MessageOp message : function.getInfo().messages) {
    createNodes(message.getDst(), gathered.dst);
    createNodes(message.getSrc(), gathered.src);
    for (Value input : message.getEdge()) {
      auto type = cast<mp::EdgesType>(input.getType());
      if (!gathered.edge.contains(input))
        gathered.edge[input] =
            makeTensor(type.getShape(), type.getElementType());
    }
    for (auto position : message.getBody().getOps<mp::PositionOp>()) {
      auto &numbers =
          position.getEndpoint() == mp::Endpoint::dst   ? gathered.rows
          : position.getEndpoint() == mp::Endpoint::src ? gathered.sources
                                                        : gathered.edges;
      if (!numbers)
        numbers = makeTensor({}, builder.getI64Type());
    }
  }
  return gathered;
}

SmallVector<Value> EdgeGathering::insertEdge(const GatheredEdges &gathered,
                                             const DenseMap<Value, Lifted> &dst,
                                             Value row, Value place,
                                             Value position, Value shift) {
  Lifter lifter(builder, 0, 0, {}, {});
  Value standsAt = add(position, shift);
  Values parts;
  for (auto &[input, chunk] : gathered.dst)
    parts.push_back(dst.lookup(input).tensor);
  Value source;
  if (!gathered.src.empty() || gathered.sources)
    source = function.load(GraphArray::sources, standsAt);
  for (auto &[input, chunk] : gathered.src)
    parts.push_back(function.stageRow(lifter, input, source).tensor);
  Value id;
  if (!gathered.edge.empty() || gathered.edges)
    id = EdgeIds(function).load(row, position);
  for (auto &[input, chunk] : gathered.edge)
    parts.push_back(function.stageRow(lifter, input, id).tensor);
  if (gathered.rows)
    parts.push_back(asNumber(row));
  if (gathered.sources)
    parts.push_back(asNumber(source));
  if (gathered.edges)
    parts.push_back(asNumber(id));
  Values next;
  for (auto [part, tensor] : llvm::zip_equal(parts, gathered.getTensors()))
    next.push_back(insertRow(part, tensor, place));
  return next;
}

void EdgeGathering::clearRest(GatheredEdges &gathered, Value count) {
  Value missing =
      subtract(constantIndex(function.getShape().chunkEdges), count);
  GatheredEdges::forEach(gathered, [&](Lifted &part) {
    RankedTensorType type = part.getType();
    RowSlice rest(builder, type, count, missing);
    Value tail = sliceRows(builder, loc, part.tensor, count, missing);
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    tail = linalg::FillOp::create(builder, loc, zero, tail).getResult(0);
    part.tensor =
        tensor::InsertSliceOp::create(builder, loc, tail, part.tensor,
                                      rest.offsets, rest.sizes, rest.strides);
  });
}

GatheredEdges EdgeGathering::gather(const EdgeRange &chunk) {
  GatheredEdges gathered = create();
  clearRest(gathered, subtract(chunk.past, chunk.begin));
  FailureOr<Values> filled = emitRows(
      chunk, gathered.getTensors(),
      [&](Value row, Value from, Value to, ValueRange carried) {
        Lifter lifter(builder, 0, 0, {}, {});
        DenseMap<Value, Lifted> dst;
        for (auto &[input, part] : gathered.dst)
          dst[input] = function.stageRow(lifter, input, row);
        Value shift = subtract(function.load(GraphArray::rowSources, row),
                               function.load(GraphArray::indptr, row));
        return emitLoop(
            from, to, 1, carried, [&](Value place, ValueRange tensors) {
              GatheredEdges now = gathered;
              now.setTensors(tensors);
              return FailureOr<Values>(insertEdge(
                  now, dst, row, place, add(chunk.begin, place), shift));
            });
      });
  gathered.setTensors(*filled);
  return gathered;
}

Value EdgeGathering::asNumber(Value index) {
  Type type = builder.getI64Type();
  Value number = arith::IndexCastOp::create(builder, loc, type, index);
  return tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, type), number);
}
