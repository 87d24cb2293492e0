//===- EdgeMessages.cpp - The messages of a chunk of edges ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeMessages.h"
#include "compiler/Lowering/BlockFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

FailureOr<EdgeMessages::EdgeValues>
EdgeMessages::compute(GatheredEdges &gathered) {
  Lifter lifter(builder, function.getShape().chunkEdges, 0, {}, {});
  if (failed(function.mapCaptures(lifter)))
    return failure();
  if (gathered.rows)
    lifter.mapNumbers(mp::Endpoint::dst, *gathered.rows);
  if (gathered.sources)
    lifter.mapNumbers(mp::Endpoint::src, *gathered.sources);
  if (gathered.edges)
    lifter.mapNumbers(mp::Endpoint::edge, *gathered.edges);
  auto bind = [](const llvm::MapVector<Value, Lifted> &role) {
    return [&role](BlockArgument, Value input) { return role.lookup(input); };
  };
  FailureOr<EdgeValues> values = stream.computeMessages(
      lifter, bind(gathered.dst), bind(gathered.src), bind(gathered.edge));
  if (failed(values))
    return failure();
  for (mp::MessageOp message : info.messages)
    for (Value result : message.getResults())
      if (Value scalar = getRepeated(result)) {
        FailureOr<Lifted> lifted =
            lifter.lift(message.getBody().front(), scalar);
        if (failed(lifted))
          return failure();
        (*values)[result] = *lifted;
      }
  return values;
}

Value EdgeMessages::getRepeated(Value result) {
  auto message = result.getDefiningOp<mp::MessageOp>();
  unsigned number = cast<OpResult>(result).getResultNumber();
  auto repeat =
      message.getYield().getValues()[number].getDefiningOp<mp::BroadcastOp>();
  if (!repeat || repeat->getBlock() != &message.getBody().front() ||
      cast<RankedTensorType>(repeat.getX().getType()).getRank() > 0 ||
      stream.getAhead().contains(result))
    return {};
  return repeat.getX();
}

Lifted EdgeMessages::getPlace(const Lifted &value, Value place) {
  if (!value.has(kDstAxis))
    return value;
  return {extractRow(value.tensor, place),
          getCanonicalLayout(value.getFeatureRank(), false, false)};
}

EdgeMessages::EdgeValues
EdgeMessages::getOwn(Lifter &lifter, const EdgeValues &values, Value place) {
  EdgeValues results;
  for (mp::MessageOp message : info.messages)
    for (Value result : message.getResults()) {
      Lifted own = getPlace(values.lookup(result), place);
      ArrayRef<int64_t> shape =
          cast<mp::EdgesType>(result.getType()).getShape();
      if (own.getFeatureRank() != shape.size())
        own = lifter.spread(loc, own, shape,
                            getCanonicalLayout(shape.size(), false, false));
      results[result] = own;
    }
  return results;
}

EdgeMessages::EdgeValues EdgeMessages::takeAhead(Lifter &lifter,
                                                 const EdgeValues &values,
                                                 Value from, Value count) {
  EdgeValues ahead;
  for (Value value : stream.getAhead()) {
    const Lifted &scores = values.at(value);
    SmallVector<int64_t> shape = Lifter::getFeatureShape(scores);
    Layout layout = {kSrcAxis};
    for (size_t k = 0; k < shape.size(); ++k)
      layout.push_back(static_cast<int>(k));
    Lifted taken =
        lifter.empty(loc, shape, scores.getType().getElementType(), layout);
    // A row may have no edge in this chunk.
    Value some = arith::MaxSIOp::create(builder, loc, count, constantIndex(1));
    taken = stream.prepareAhead(lifter, value, taken, some);
    FailureOr<Values> filled =
        emitLoop(constantIndex(0), count, 1, taken.tensor,
                 [&](Value k, ValueRange carried) -> FailureOr<Values> {
                   Value score = getPlace(scores, add(from, k)).tensor;
                   return Values{insertRow(score, carried.front(), k)};
                 });
    ahead[value] = {filled->front(), layout};
  }
  return ahead;
}
