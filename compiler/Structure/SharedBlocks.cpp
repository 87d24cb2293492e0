//===- SharedBlocks.cpp - Aggregations in blocks of nodes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan: within blocks of nodes as before, over blocks, of which each is
// aggregated once, and so on.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/BatchGraph.h"
#include "compiler/Structure/AggregationParts.h"
#include "compiler/Structure/LinearAttention.h"
#include "compiler/Structure/Sharing.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::AggregatorKind;
using mp::Topology;

constexpr int64_t kBlock = 32;
/// States are larger than what they are made of.
constexpr int64_t kBlockOfStates = 128;
/// Blocks of blocks, of which a million nodes leave a thousand.
constexpr unsigned kLevels = 2;

/// 0, the size of a block, twice that ... and `count`.
static Value makeOffsets(OpBuilder &builder, Location loc, int64_t blockSize,
                         Value count, Value numBlocks) {
  Value size = arith::ConstantIndexOp::create(builder, loc, blockSize);
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
        auto isSome = [&](Value count) {
          return hasSome(b, loc, count, feature);
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

SmallVector<Value> Sharing::sumBlocks(Value offsets, AggregatorKind kind,
                                      SmallVectorImpl<unsigned> &numSums) {
  SmallVector<Value> nodes;
  for (Part &part : parts)
    if (Value summed = part.value.getSummed())
      nodes.push_back(
          computeAtNodes(builder, part.message, summed, mp::Endpoint::src));
  SmallVector<Value> simple, sums;
  if (!nodes.empty())
    simple = readOut(nodes, kind, /*score=*/{}, offsets, /*numExtra=*/0);
  unsigned next = 0;
  for (Part &part : parts) {
    if (part.value.getSummed()) {
      sums.push_back(simple[next++]);
      numSums.push_back(1);
      continue;
    }
    Value count = mp::NumSrcOp::create(builder, loc, op.getGraph());
    Value members = makeMembers(builder, loc, offsets, count);
    SmallVector<Value> states =
        sumStates(builder, members, part.message, part.value);
    numSums.push_back(states.size());
    sums.append(states);
  }
  return sums;
}

SmallVector<Value> Sharing::bringToNodes(ValueRange sums,
                                         ArrayRef<unsigned> numSums,
                                         Value offsets) {
  SmallVector<Value> simple, arrived(parts.size());
  SmallVector<unsigned> owners;
  for (auto [index, part, number] : llvm::enumerate(parts, numSums)) {
    ValueRange own = sums.take_front(number);
    sums = sums.drop_front(number);
    if (part.value.getSummed()) {
      simple.push_back(own.front());
      owners.push_back(index);
      continue;
    }
    Value count = mp::NumSrcOp::create(builder, loc, op.getGraph());
    Value members = makeMembers(builder, loc, offsets, count);
    arrived[index] =
        applyStates(builder, mp::ReverseOp::create(builder, loc, members), own,
                    part.message, part.value);
  }
  if (!simple.empty())
    for (auto [owner, value] : llvm::zip_equal(owners, spread(simple, offsets)))
      arrived[owner] = value;
  return arrived;
}

void Sharing::shareBlocks() {
  const bool isCausal = type.getTopology() == Topology::causal;
  const bool isExtremum = op.getKind() == AggregatorKind::max ||
                          op.getKind() == AggregatorKind::min;
  const AggregatorKind kind = isExtremum ? op.getKind() : AggregatorKind::sum;
  const bool hasStates = llvm::any_of(
      parts, [](const Part &part) { return !part.value.getSummed(); });
  const int64_t size = hasStates ? kBlockOfStates : kBlock;
  Value count = mp::NumDstOp::create(builder, loc, op.getGraph());
  Value numBlocks =
      arith::CeilDivSIOp::create(builder, loc, count, getIndex(size));
  Value offsets = makeOffsets(builder, loc, size, count, numBlocks);
  Value blocks =
      mp::CliquesOp::create(builder, loc, offsets, isCausal, type.getNoSelf());
  // Of blocks, each takes only others.
  Value between =
      isCausal
          ? mp::CausalOp::create(builder, loc, numBlocks, true).getResult()
          : mp::CompleteOp::create(builder, loc, numBlocks, true).getResult();

  SmallVector<Value> within = aggregateWithin(blocks, kind);
  SmallVector<unsigned> numSums;
  SmallVector<Value> sums = sumBlocks(offsets, kind, numSums);
  auto before = aggregateNodes(builder, loc, between, kind, {}, sums);
  Value numBefore, numWithin;
  if (isExtremum || usesDestinations())
    numBefore = spread(countEdges(between), offsets).front();
  if (isExtremum && type.getNoSelf())
    numWithin = countEdges(blocks);
  SmallVector<Value> arrived =
      bringToNodes(before.getResults(), numSums, offsets);
  for (auto [part, own, other] : llvm::zip_equal(parts, within, arrived))
    part.result.replaceAllUsesWith(
        isExtremum
            ? joinExtrema(own, other, numBefore, numWithin)
            : applyDestination(part, other, own, getDegree(part), numBefore));
  report("one within blocks of nodes, and one of the blocks");
  if (level + 1 < kLevels)
    Sharing(before, level + 1).run();
}
