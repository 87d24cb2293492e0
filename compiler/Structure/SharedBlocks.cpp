//===- SharedBlocks.cpp - Aggregations in blocks of nodes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan: within blocks of nodes as before, over blocks, of which each is
// aggregated once, and so on.
//
//===----------------------------------------------------------------------===//
#include "compiler/Structure/AggregationParts.h"
#include "compiler/Structure/Sharing.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::AggregatorKind;
using mp::Topology;

constexpr int64_t kBlock = 32;
/// Blocks of blocks, of which a million nodes leave a thousand.
constexpr unsigned kLevels = 2;

/// 0, 32, 64 ... and `count`.
static Value makeOffsets(OpBuilder &builder, Location loc, Value count,
                         Value numBlocks) {
  Value size = arith::ConstantIndexOp::create(builder, loc, kBlock);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value length = arith::AddIOp::create(builder, loc, numBlocks, one);
  auto type = RankedTensorType::get(ShapedType::kDynamic, builder.getI64Type());
  return tensor::GenerateOp::create(
      builder, loc, type, length,
      [&](OpBuilder &b, Location loc, ValueRange position) {
        Value start = arith::MulIOp::create(b, loc, position.front(), size);
        Value end = arith::MinSIOp::create(b, loc, start, count);
        tensor::YieldOp::create(
            b, loc,
            arith::IndexCastOp::create(b, loc, b.getI64Type(), end)
                .getResult());
      });
}

SmallVector<Value> Sharing::aggregateWithin(Value blocks, AggregatorKind kind) {
  DenseMap<Operation *, mp::MessageOp> clones;
  SmallVector<Value> values;
  SmallVector<Type> types;
  for (auto [index, edges] : llvm::enumerate(op.getValues())) {
    if (llvm::none_of(
            parts, [&, result = Value(op->getResult(index))](const Part &part) {
              return part.result == result;
            }))
      continue;
    auto original = edges.getDefiningOp<mp::MessageOp>();
    mp::MessageOp &clone = clones[original];
    if (!clone) {
      clone = cast<mp::MessageOp>(builder.clone(*original));
      clone.getGraphMutable().assign(blocks);
    }
    values.push_back(clone.getResult(cast<OpResult>(edges).getResultNumber()));
    types.push_back(op->getResult(index).getType());
  }
  auto sums = AggregateOp::create(builder, loc, types, blocks, kind,
                                  /*score=*/Value(), values);
  return SmallVector<Value>(sums.getResults());
}

Value Sharing::joinExtrema(Value within, Value before, Value numBefore,
                           Value numWithin) {
  RankedTensorType feature = mp::getNodeFeature(within.getType());
  SmallVector<Value> nodes = {within, before, numBefore};
  if (numWithin)
    nodes.push_back(numWithin);
  const bool isMax = op.getKind() == AggregatorKind::max;
  return makeUpdate(
      builder, loc, nodes, feature,
      [&](OpBuilder &b, ValueRange args) -> Value {
        auto isSome = [&](Value count) -> Value {
          Value zero = arith::ConstantOp::create(
              b, loc, b.getZeroAttr(getFeature(count)));
          Value some = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                             count, zero);
          if (feature.getRank() == 0)
            return some;
          return mp::BroadcastOp::create(b, loc, feature.clone(b.getI1Type()),
                                         some, /*trailing=*/false);
        };
        Value both = isMax ? arith::MaximumFOp::create(b, loc, args[0], args[1])
                                 .getResult()
                           : arith::MinimumFOp::create(b, loc, args[0], args[1])
                                 .getResult();
        Value result =
            arith::SelectOp::create(b, loc, isSome(args[2]), both, args[0]);
        if (!numWithin)
          return result;
        return arith::SelectOp::create(b, loc, isSome(args[3]), result,
                                       args[1]);
      });
}

void Sharing::shareBlocks() {
  const bool isCausal = type.getTopology() == Topology::causal;
  const bool isExtremum = op.getKind() == AggregatorKind::max ||
                          op.getKind() == AggregatorKind::min;
  const AggregatorKind kind = isExtremum ? op.getKind() : AggregatorKind::sum;
  Value count = mp::NumDstOp::create(builder, loc, op.getGraph());
  Value numBlocks =
      arith::CeilDivSIOp::create(builder, loc, count, getIndex(kBlock));
  Value offsets = makeOffsets(builder, loc, count, numBlocks);
  Value blocks =
      mp::CliquesOp::create(builder, loc, offsets, isCausal, type.getNoSelf());
  // Of blocks, each takes only others.
  Value between =
      isCausal
          ? mp::CausalOp::create(builder, loc, numBlocks, true).getResult()
          : mp::CompleteOp::create(builder, loc, numBlocks, true).getResult();

  SmallVector<Value> within = aggregateWithin(blocks, kind);
  SmallVector<Value> sums;
  for (Part &part : parts) {
    Value nodes = computeAtNodes(builder, part.message, part.value.getSummed(),
                                 mp::Endpoint::src);
    sums.push_back(mp::ReadoutOp::create(
        builder, loc, getNodes(mp::getNodeFeature(nodes.getType())), offsets,
        kind, /*score=*/Value(), nodes));
  }
  auto before = aggregateNodes(builder, loc, between, kind, {}, sums);
  SmallVector<Value> parcels(before.getResults());
  Type counts =
      RankedTensorType::get(ShapedType::kDynamic, builder.getF32Type());
  if (isExtremum)
    parcels.push_back(mp::DegreeOp::create(builder, loc, counts, between));
  SmallVector<Value> arrived = spread(parcels, offsets);

  for (auto [index, part] : llvm::enumerate(parts)) {
    Value result;
    if (isExtremum) {
      Value numWithin;
      if (type.getNoSelf())
        numWithin = mp::DegreeOp::create(builder, loc, counts, blocks);
      result =
          joinExtrema(within[index], arrived[index], arrived.back(), numWithin);
    } else {
      Value degree;
      if (op.getKind() == AggregatorKind::mean) {
        Type element = getElementTypeOrSelf(part.result.getType());
        degree = mp::DegreeOp::create(
            builder, loc, RankedTensorType::get(ShapedType::kDynamic, element),
            op.getGraph());
      }
      result = applyDestination(part, arrived[index], within[index], degree);
    }
    part.result.replaceAllUsesWith(result);
  }
  report("one within blocks of nodes, and one of the blocks");
  if (level + 1 < kLevels)
    Sharing(before, level + 1).run();
}
