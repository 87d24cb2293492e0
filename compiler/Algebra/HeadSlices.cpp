//===- HeadSlices.cpp - Values without some of their heads ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/HeadSlices.h"
#include "compiler/Analysis/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

/// An operand, and where it has the heads.
using HeadOperand = std::pair<unsigned, HeadDim>;

static int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

std::optional<HeadDim>
clique::collapseHeads(RankedTensorType expanded,
                      ArrayRef<ReassociationIndices> groups, HeadDim head) {
  for (auto [k, group] : llvm::enumerate(groups)) {
    if (group.front() != head.dim)
      continue;
    int64_t block = head.block;
    for (int64_t dim : ArrayRef(group).drop_front())
      block *= expanded.getDimSize(dim);
    return HeadDim{int64_t(k), block};
  }
  return std::nullopt;
}

/// Where a group's leading dimension has the heads of the collapsed one.
static std::optional<HeadDim> expandHeads(RankedTensorType expanded,
                                          ArrayRef<ReassociationIndices> groups,
                                          HeadDim head) {
  ArrayRef<int64_t> group = groups[head.dim];
  int64_t rest = 1;
  for (int64_t dim : group.drop_front())
    rest *= expanded.getDimSize(dim);
  if (head.block % rest != 0)
    return std::nullopt;
  return HeadDim{group.front(), head.block / rest};
}

//===----------------------------------------------------------------------===//
// Ops whose results have heads where their operands have them
//===----------------------------------------------------------------------===//

static SmallVector<HeadOperand> getLinearOperands(mp::LinearOp linear,
                                                  HeadDim head) {
  const int64_t outer = linear.getNumOuterDims();
  if (head.dim < outer)
    return {{0, head}};
  const int64_t dim = head.dim - outer;
  SmallVector<HeadOperand> found = {
      {1, {linear.getNumContractedDims() + dim, head.block}}};
  if (linear.getBias())
    found.push_back({2, {dim, head.block}});
  return found;
}

/// All operands have the shape of the result.
static bool isOfEqualShapes(Operation *op) {
  auto shape = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? type.getShape() : ArrayRef<int64_t>();
  };
  return isElementwise(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return shape(operand) == shape(op->getResult(0));
         });
}

/// The operands of which parts make the part of the result; nothing for an op
/// that mixes heads.
static std::optional<SmallVector<HeadOperand>> getOperands(Operation *op,
                                                           HeadDim head) {
  using Found = std::optional<SmallVector<HeadOperand>>;
  auto first = [](std::optional<HeadDim> dim) -> Found {
    return dim ? Found({{0, *dim}}) : std::nullopt;
  };
  auto all = [&]() -> Found {
    SmallVector<HeadOperand> found;
    for (unsigned k = 0; k < op->getNumOperands(); ++k)
      found.push_back({k, head});
    return found;
  };
  return TypeSwitch<Operation *, Found>(op)
      .Case(
          [&](mp::LinearOp linear) { return getLinearOperands(linear, head); })
      .Case([&](mp::DotOp) { return all(); })
      .Case([&](mp::ReduceOp reduce) -> Found {
        int64_t dim = 0;
        for (int64_t left = head.dim;; ++dim)
          if (!llvm::is_contained(reduce.getDims(), dim) && left-- == 0)
            return first(HeadDim{dim, head.block});
      })
      .Case([&](mp::BroadcastOp broadcast) -> Found {
        for (auto [dim, place] : llvm::enumerate(broadcast.getKeptDims()))
          if (place == head.dim)
            return first(HeadDim{int64_t(dim), head.block});
        return SmallVector<HeadOperand>();
      })
      .Case([&](mp::LookupOp) {
        return first(HeadDim{head.dim + 1, head.block});
      })
      .Case([&](mp::LayerNormOp norm) {
        return head.dim + 1 < getRank(norm.getX()) ? first(head) : std::nullopt;
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        return first(expandHeads(collapse.getSrcType(),
                                 collapse.getReassociationIndices(), head));
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return first(collapseHeads(expand.getResultType(),
                                   expand.getReassociationIndices(), head));
      })
      .Case([&](tensor::ExtractSliceOp part) {
        const bool isWhole =
            part.getType().getRank() == part.getSourceType().getRank() &&
            part.getType().getDimSize(head.dim) ==
                part.getSourceType().getDimSize(head.dim);
        return isWhole ? first(head) : std::nullopt;
      })
      .Case([&](tensor::ConcatOp concat) {
        return int64_t(concat.getDim()) == head.dim ? std::nullopt : all();
      })
      .Default([&](Operation *op) {
        return isOfEqualShapes(op) ? all() : std::nullopt;
      });
}

/// The op on parts of its operands.
static Value makePart(Operation *op, ValueRange operands, Type type) {
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return tensor::ExpandShapeOp::create(b, op->getLoc(), type,
                                         operands.front(),
                                         expand.getReassociationIndices());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return tensor::ExtractSliceOp::create(
        b, op->getLoc(), operands.front(), slice.getMixedOffsets(),
        getAsIndexOpFoldResult(b.getContext(),
                               cast<ShapedType>(type).getShape()),
        slice.getMixedStrides());
  Operation *part = b.clone(*op);
  part->setOperands(operands);
  part->getResult(0).setType(type);
  return part->getResult(0);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

SmallVector<HeadSlices::Run> HeadSlices::getRuns() const {
  SmallVector<Run> runs;
  for (unsigned head = 0; head < kept.size(); ++head) {
    if (runs.empty() || runs.back().isKept != kept[head])
      runs.push_back({head, 0, kept[head]});
    ++runs.back().count;
  }
  return runs;
}

Type HeadSlices::narrow(Type type, HeadDim head) const {
  auto edges = dyn_cast<mp::EdgesType>(type);
  SmallVector<int64_t> shape(edges ? edges.getShape()
                                   : cast<ShapedType>(type).getShape());
  shape[head.dim] = int64_t(kept.count()) * head.block;
  if (edges)
    return mp::EdgesType::get(type.getContext(), shape, edges.getElementType());
  return cast<ShapedType>(type).clone(shape);
}

Value HeadSlices::cut(Value value, HeadDim head) {
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value),
                            offsets(sizes.size(), b.getIndexAttr(0)),
                            strides(sizes.size(), b.getIndexAttr(1));
  SmallVector<Value> parts;
  for (const Run &run : getRuns()) {
    if (!run.isKept)
      continue;
    offsets[head.dim] = b.getIndexAttr(run.first * head.block);
    sizes[head.dim] = b.getIndexAttr(run.count * head.block);
    parts.push_back(
        tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes, strides));
  }
  if (parts.size() == 1)
    return parts.front();
  return tensor::ConcatOp::create(b, loc, head.dim, parts);
}

Value HeadSlices::restore(OpBuilder &b, Value part, HeadDim head) {
  Location loc = part.getLoc();
  auto type = cast<RankedTensorType>(part.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, part),
                            offsets(sizes.size(), b.getIndexAttr(0)),
                            strides(sizes.size(), b.getIndexAttr(1));
  SmallVector<Value> parts;
  int64_t next = 0;
  for (const Run &run : getRuns()) {
    const int64_t size = run.count * head.block;
    if (!run.isKept) {
      SmallVector<int64_t> shape(type.getShape());
      shape[head.dim] = size;
      parts.push_back(
          arith::ConstantOp::create(b, loc, b.getZeroAttr(type.clone(shape))));
      continue;
    }
    offsets[head.dim] = b.getIndexAttr(next);
    sizes[head.dim] = b.getIndexAttr(size);
    parts.push_back(
        tensor::ExtractSliceOp::create(b, loc, part, offsets, sizes, strides));
    next += size;
  }
  return tensor::ConcatOp::create(b, loc, head.dim, parts);
}

Value HeadSlices::slice(Value value, HeadDim head) {
  auto key = std::tuple(value.getAsOpaquePointer(), head.dim, head.block);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  Value part = compute(value, head);
  return known[key] = part ? part : cut(value, head);
}

/// Whether an op at function level computes the value for messages alone, so
/// that nothing is computed twice where they take a part.
static bool isForMessages(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<mp::FeatureOp>() &&
         llvm::all_of(value.getUsers(), llvm::IsaPred<mp::MessageOp>);
}

Value HeadSlices::compute(Value value, HeadDim head) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return sliceArgument(cast<BlockArgument>(value), head);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat)
      return {};
    OpBuilder b(op);
    return arith::ConstantOp::create(
        b, op->getLoc(),
        splat.resizeSplat(cast<ShapedType>(narrow(value.getType(), head))));
  }
  if (!isa<mp::MPDialect>(op->getParentOp()->getDialect()) &&
      !isForMessages(value))
    return {};
  auto parts = getOperands(op, head);
  if (!parts)
    return {};
  SmallVector<Value> operands(op->getOperands());
  for (auto [k, dim] : *parts)
    operands[k] = slice(operands[k], dim);
  return makePart(op, operands, narrow(value.getType(), head));
}

/// A node feature that a message gets, as a further operand.
Value HeadSlices::sliceArgument(BlockArgument arg, HeadDim head) {
  auto message = dyn_cast<mp::MessageOp>(arg.getOwner()->getParentOp());
  if (!message)
    return {};
  const unsigned numDst = message.getDst().size(),
                 numNodes = numDst + message.getSrc().size();
  const unsigned index = arg.getArgNumber();
  if (index >= numNodes || !isForMessages(message->getOperand(index + 1)))
    return {};
  Value part =
      slice(message->getOperand(index + 1), {head.dim + 1, head.block});
  const bool isDst = index < numDst;
  (isDst ? message.getDstMutable() : message.getSrcMutable()).append(part);
  return message.getBody().front().insertArgument(
      isDst ? numDst : numNodes, mp::getNodeFeature(part.getType()),
      arg.getLoc());
}

ValueRange HeadSlices::slice(mp::MessageOp message,
                             ArrayRef<unsigned> results) {
  OpBuilder b(message->getContext());
  b.setInsertionPointAfter(message);
  auto whole = cast<mp::MessageOp>(b.clone(*message));
  Operation *yield = whole.getBody().front().getTerminator();
  SmallVector<Value> parts;
  SmallVector<Type> types;
  for (unsigned result : results) {
    parts.push_back(slice(yield->getOperand(result), {0}));
    types.push_back(narrow(message.getResult(result).getType(), {0}));
  }
  yield->setOperands(parts);
  b.setInsertionPointAfter(whole);
  auto part = mp::MessageOp::create(b, message.getLoc(), whole.getGraph(),
                                    whole.getDst(), whole.getSrc(),
                                    whole.getEdge(), types);
  part.getBody().takeBody(whole.getBody());
  whole.erase();
  return part.getResults();
}
