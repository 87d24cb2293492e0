//===- ChunkEdgeSums.cpp - Sums over all edges, some at a time ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-chunk-edge-sums.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/BatchGraph.h"
#include "compiler/Algebra/Passes.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/RowSums.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPOps.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace clique {
#define GEN_PASS_DEF_CHUNKEDGESUMSPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// What is only summed
//===----------------------------------------------------------------------===//

/// The message's value whose rows an input has; null if it is anything else.
static OpResult getStored(Value input) {
  Value rows = getSummedRows(input);
  auto stored = rows ? rows.getDefiningOp<mp::ToTensorOp>() : mp::ToTensorOp();
  auto result = stored ? dyn_cast<OpResult>(stored->getOperand(0)) : OpResult();
  return result && isa<mp::MessageOp>(result.getOwner()) ? result : OpResult();
}

namespace {
/// The sums over all edges of values that one message makes.
class EdgeSums {
public:
  EdgeSums(mp::MessageOp message, int64_t bytesAtATime)
      : message(message), loc(message.getLoc()), b(message),
        bytesAtATime(bytesAtATime) {}

  /// Finds them. The message may make other values too.
  bool find();
  void chunk();

private:
  bool isFromMessage(linalg::GenericOp op) const;
  SmallVector<Value> sumChunk(Value first, Value count, ValueRange totals);
  mp::MessageOp cloneMessage(Value part, Value first, Value count,
                             Value numbers);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  mp::MessageOp message;
  Location loc;
  OpBuilder b;
  const int64_t bytesAtATime;
  SmallVector<linalg::GenericOp> sums;
  /// Numbers of the message's results that they read.
  llvm::SetVector<unsigned> stored;
};
} // namespace

bool EdgeSums::isFromMessage(linalg::GenericOp op) const {
  // An index in its body would be that of a chunk's rows.
  return isSumOverRows(op) && !op.hasIndexSemantics() &&
         op->getBlock() == message->getBlock() &&
         llvm::all_of(op.getDpsInputs(), [&](Value input) {
           OpResult result = getStored(input);
           return result && result.getOwner() == message;
         });
}

bool EdgeSums::find() {
  if (message.getGraph().getDefiningOp<mp::RowsOp>())
    return false;
  for (Operation *user : message->getUsers()) {
    auto rows = dyn_cast<mp::ToTensorOp>(user);
    if (!rows)
      continue;
    SmallVector<Operation *> readers(rows->getUsers());
    for (Operation *reader : rows->getUsers())
      if (isa<tensor::CollapseShapeOp>(reader))
        llvm::append_range(readers, reader->getUsers());
    for (Operation *reader : readers)
      if (auto op = dyn_cast<linalg::GenericOp>(reader))
        if (isFromMessage(op) && !llvm::is_contained(sums, op))
          sums.push_back(op);
  }
  // Before the first one all that they use has to be there.
  llvm::sort(sums,
             [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  Operation *first = sums.empty() ? nullptr : sums.front();
  auto isLate = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == first->getBlock() &&
           !op->isBeforeInBlock(first);
  };
  llvm::erase_if(sums, [&](linalg::GenericOp op) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegion(), captured);
    return isLate(op.getDpsInits()[0]) || llvm::any_of(captured, isLate);
  });
  for (linalg::GenericOp op : sums)
    for (Value input : op.getDpsInputs())
      stored.insert(getStored(input).getResultNumber());
  return !sums.empty();
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// The message on a part of its graph, of the values that are summed.
mp::MessageOp EdgeSums::cloneMessage(Value part, Value first, Value count,
                                     Value numbers) {
  SmallVector<Value> dst, edge;
  for (Value nodes : message.getDst()) {
    auto type = cast<RankedTensorType>(nodes.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
        sizes = {count}, strides(type.getRank(), b.getIndexAttr(1));
    offsets[0] = first;
    for (int64_t size : type.getShape().drop_front())
      sizes.push_back(b.getIndexAttr(size));
    dst.push_back(
        tensor::ExtractSliceOp::create(b, loc, nodes, offsets, sizes, strides));
  }
  for (Value values : message.getEdge())
    edge.push_back(
        mp::LookupOp::create(b, loc, values.getType(), values, numbers));
  auto numbered = mp::EdgesType::get(
      RankedTensorType::get({}, getElementTypeOrSelf(numbers.getType())));
  edge.push_back(mp::ToEdgesOp::create(b, loc, numbered, numbers));
  // A number of the graph from that of a row of the part.
  Value offset = tensor::FromElementsOp::create(
      b, loc, RankedTensorType::get({}, b.getI64Type()),
      arith::IndexCastOp::create(b, loc, b.getI64Type(), first).getResult());
  SmallVector<Type> types;
  for (unsigned result : stored)
    types.push_back(message.getResult(result).getType());
  auto clone =
      mp::MessageOp::create(b, loc, part, dst, message.getSrc(), edge, types);
  IRMapping mapping;
  mapping.map(message.getBody().getArguments(),
              clone.getBody().getArguments().drop_back());
  OpBuilder inner = OpBuilder::atBlockEnd(&clone.getBody().front());
  Value number = clone.getEdgeArgs().back();
  // An i64 as a position has it.
  auto convert = [&](Value position, Type type) -> Value {
    if (position.getType() == type)
      return position;
    return arith::TruncIOp::create(inner, loc, type, position);
  };
  for (Operation &op : message.getBody().front().without_terminator()) {
    auto position = dyn_cast<mp::PositionOp>(op);
    if (position && position.getEndpoint() == mp::Endpoint::edge) {
      mapping.map(position.getResult(), convert(number, position.getType()));
      continue;
    }
    inner.clone(op, mapping);
    if (!position || position.getEndpoint() != mp::Endpoint::dst)
      continue;
    Value own = mapping.lookup(position.getResult());
    mapping.map(
        position.getResult(),
        arith::AddIOp::create(inner, loc, own, convert(offset, own.getType()))
            .getResult());
  }
  SmallVector<Value> yielded;
  for (unsigned result : stored)
    yielded.push_back(
        mapping.lookupOrDefault(message.getYield().getValues()[result]));
  mp::YieldOp::create(inner, loc, yielded);
  return clone;
}

SmallVector<Value> EdgeSums::sumChunk(Value first, Value count,
                                      ValueRange totals) {
  auto rows = mp::RowsOp::create(b, loc, message.getGraph(), first, count);
  mp::MessageOp part =
      cloneMessage(rows.getPart(), first, count, rows.getEdges());
  IRMapping mapping;
  for (auto [result, edges] : llvm::zip_equal(stored, part.getResults()))
    mapping.map(message.getResult(result), edges);
  auto cloneOnce = [&](Operation *op) {
    if (!mapping.contains(op->getResult(0)))
      b.clone(*op, mapping);
  };
  SmallVector<Value> next;
  for (auto [sum, total] : llvm::zip_equal(sums, totals)) {
    for (Value input : sum.getDpsInputs()) {
      Operation *op = input.getDefiningOp();
      if (auto flat = dyn_cast<tensor::CollapseShapeOp>(op))
        cloneOnce(flat.getSrc().getDefiningOp());
      cloneOnce(op);
    }
    auto clone = cast<linalg::GenericOp>(b.clone(*sum, mapping));
    clone.getDpsInitsMutable().assign(total);
    next.push_back(clone.getResult(0));
  }
  return next;
}

void EdgeSums::chunk() {
  b.setInsertionPoint(sums.front());
  int64_t bytes = 0;
  for (unsigned result : stored)
    bytes += getBytes(cast<mp::EdgesType>(message.getResult(result).getType())
                          .getFeatureType());
  const int64_t most = std::max<int64_t>(1, bytesAtATime / bytes);
  // As many rows as have so many edges on average, one at least.
  Value zero = index(0), one = index(1);
  Value numRows = mp::NumDstOp::create(b, loc, message.getGraph());
  Value numEdges = mp::NumEdgesOp::create(b, loc, message.getGraph());
  Value someEdges = arith::MaxSIOp::create(b, loc, numEdges, one);
  Value scaled = arith::MulIOp::create(b, loc, numRows, index(most));
  Value mean = arith::DivUIOp::create(b, loc, scaled, someEdges);
  Value step = arith::MaxSIOp::create(b, loc, mean, one);
  SmallVector<Value> inits;
  for (linalg::GenericOp sum : sums)
    inits.push_back(sum.getDpsInits()[0]);
  auto loop = scf::ForOp::create(b, loc, zero, numRows, step, inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value first = loop.getInductionVar();
    Value rest = arith::SubIOp::create(b, loc, numRows, first);
    Value count = arith::MinSIOp::create(b, loc, step, rest);
    scf::YieldOp::create(b, loc,
                         sumChunk(first, count, loop.getRegionIterArgs()));
  }
  for (auto [sum, total] : llvm::zip_equal(sums, loop.getResults())) {
    sum.getResult(0).replaceAllUsesWith(total);
    sum.erase();
  }
  reportRewrite(loc, "values of edges that are only summed are computed for "
                     "some rows at a time");
}

namespace {
struct ChunkEdgeSumsPass
    : clique::impl::ChunkEdgeSumsPassBase<ChunkEdgeSumsPass> {
  using ChunkEdgeSumsPassBase::ChunkEdgeSumsPassBase;

  void runOnOperation() override {
    SmallVector<mp::MessageOp> messages;
    getOperation()->walk([&](mp::MessageOp op) { messages.push_back(op); });
    // Sums that need others of the message have a loop after theirs.
    auto chunk = [&](mp::MessageOp message) {
      EdgeSums sums(message, bytes);
      if (!sums.find())
        return false;
      sums.chunk();
      return true;
    };
    for (mp::MessageOp message : messages)
      while (chunk(message))
        ;
  }
};
} // namespace
