//===- SplitHeads.cpp - One head of a dense kernel at a time --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/HeadDimension.h"
#include "compiler/Fusion/OutlineUpdates.h"
#include "compiler/Fusion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

namespace clique {
#define GEN_PASS_DEF_SPLITHEADSPASS
#include "compiler/Fusion/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using mp::KernelOp;

namespace {
/// Rewrites the messages and aggregations of a kernel for one head.
class HeadSplitter {
public:
  HeadSplitter(KernelOp kernel, const HeadDimension &dimension)
      : kernel(kernel), dimension(dimension), builder(kernel) {}

  void run();

private:
  std::optional<unsigned> getDim(Value value) const {
    auto it = dimension.dims.find(value);
    if (it == dimension.dims.end())
      return std::nullopt;
    return it->second;
  }
  /// The type of one head's part; `position`: of the dimension in the type.
  static Type dropDim(Type type, unsigned position) {
    if (auto edges = dyn_cast<mp::EdgesType>(type)) {
      SmallVector<int64_t> shape(edges.getShape());
      shape.erase(shape.begin() + position);
      return mp::EdgesType::get(type.getContext(), shape,
                                edges.getElementType());
    }
    RankedTensorType::Builder dropped(cast<RankedTensorType>(type));
    return dropped.dropDim(position);
  }
  void narrow(Value value, unsigned leading = 0) {
    if (std::optional<unsigned> dim = getDim(value))
      value.setType(dropDim(value.getType(), *dim + leading));
  }
  /// The current head's part of a value from outside; `leading`: dimensions
  /// before those of the feature.
  Value slice(Value value, unsigned leading);
  void narrowConstant(arith::ConstantOp constant);
  void narrowMessage(mp::MessageOp message);

  /// Whether a value of the kernel is one head's part of one from outside.
  bool isPart(Value value) {
    auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
    return slice && slice->getParentOp() == kernel;
  }
  /// Kernels have heads before the features of their results: turns results
  /// round that have the dimension elsewhere.
  void leadResults();
  /// Makes the kernel's heads, if it has some already, pairs with those of the
  /// dimension: results have one dimension for both.
  void addHeads();

  KernelOp kernel;
  const HeadDimension &dimension;
  OpBuilder builder;
  /// The index in the dimension that the current head has.
  Value index;
  DenseMap<Value, Value> slices;
};
} // namespace

Value HeadSplitter::slice(Value value, unsigned leading) {
  std::optional<unsigned> dim = getDim(value);
  if (!dim)
    return value;
  Value &part = slices[value];
  if (part)
    return part;
  Location loc = kernel.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  unsigned position = *dim + leading;
  auto partType = cast<RankedTensorType>(dropDim(type, position));
  // What is one head's part already becomes a smaller part of the same whole.
  if (isPart(value)) {
    auto outer = value.getDefiningOp<tensor::ExtractSliceOp>();
    SmallVector<OpFoldResult> offsets = outer.getMixedOffsets(),
                              sizes = outer.getMixedSizes();
    // Dimensions that a head is an index of are dropped, no others.
    llvm::SmallBitVector kept(offsets.size());
    for (auto [dim, offset] : llvm::enumerate(offsets))
      kept[dim] = isa<Attribute>(offset);
    unsigned whole = *std::next(kept.set_bits_begin(), position);
    offsets[whole] = index;
    sizes[whole] = builder.getIndexAttr(1);
    part = tensor::ExtractSliceOp::create(builder, loc, partType,
                                          outer.getSource(), offsets, sizes,
                                          outer.getMixedStrides());
    return part;
  }
  OpBuilder outside(kernel);
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      strides(type.getRank(), builder.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(outside, loc, value);
  offsets[position] = index;
  sizes[position] = builder.getIndexAttr(1);
  part = tensor::ExtractSliceOp::create(builder, loc, partType, value, offsets,
                                        sizes, strides);
  return part;
}

void HeadSplitter::narrowConstant(arith::ConstantOp constant) {
  std::optional<unsigned> dim = getDim(constant);
  if (!dim)
    return;
  if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue())) {
    auto type = cast<ShapedType>(dropDim(constant.getType(), *dim));
    constant.setValueAttr(splat.resizeSplat(type));
    constant.getResult().setType(type);
    return;
  }
  // The heads differ: a weight like any other.
  constant->moveBefore(kernel);
  Value part = slice(constant, 0);
  constant.getResult().replaceUsesWithIf(part, [&](OpOperand &use) {
    return use.getOwner() != part.getDefiningOp();
  });
}

void HeadSplitter::narrowMessage(mp::MessageOp message) {
  Block &body = message.getBody().front();
  for (MutableOperandRange operands :
       {message.getDstMutable(), message.getSrcMutable()})
    for (OpOperand &operand : operands)
      operand.set(slice(operand.get(), 1));
  // What is reduced, or repeated along new dimensions, is known by them for as
  // long as it is whole.
  auto renumber = [&](auto op, Value whole, ArrayRef<int64_t> dims) {
    std::optional<unsigned> own = getDim(whole);
    if (!own)
      return;
    SmallVector<int64_t> others;
    for (int64_t dim : dims)
      if (dim != static_cast<int64_t>(*own))
        others.push_back(dim - (dim > static_cast<int64_t>(*own) ? 1 : 0));
    op.setDims(others);
  };
  message.getBody().walk([&](mp::ReduceOp reduce) {
    renumber(reduce, reduce.getX(), reduce.getDims());
  });
  message.getBody().walk([&](mp::BroadcastOp broadcast) {
    if (std::optional<ArrayRef<int64_t>> dims = broadcast.getDims())
      renumber(broadcast, broadcast.getResult(), SmallVector<int64_t>(*dims));
  });
  message.getBody().walk([&](tensor::ScatterOp scatter) {
    const int64_t dim = scatter.getScatterDims().front();
    std::optional<unsigned> own = getDim(scatter.getResult());
    if (own && static_cast<int64_t>(*own) < dim)
      scatter.setScatterDims({dim - 1});
  });
  // Weights from outside.
  message.getBody().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (kernel.getBody().isAncestor(value.getParentRegion()) &&
          !isPart(value))
        continue;
      auto constant = value.getDefiningOp<arith::ConstantOp>();
      if (constant && isa<SplatElementsAttr>(constant.getValue()) &&
          getDim(value)) {
        OpBuilder inside(op);
        auto own = cast<arith::ConstantOp>(inside.clone(*constant));
        auto type = cast<ShapedType>(dropDim(own.getType(), *getDim(value)));
        own.setValueAttr(
            cast<SplatElementsAttr>(own.getValue()).resizeSplat(type));
        own.getResult().setType(type);
        operand.set(own);
        continue;
      }
      operand.set(slice(value, 0));
    }
  });
  for (BlockArgument arg : body.getArguments())
    narrow(arg);
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      narrowConstant(constant);
      continue;
    }
    for (Value result : op.getResults())
      narrow(result);
    if (auto broadcast = dyn_cast<mp::BroadcastOp>(op))
      if (broadcast.getX().getType() == broadcast.getType()) {
        broadcast.replaceAllUsesWith(broadcast.getX());
        broadcast.erase();
      }
  }
  for (Value result : message.getResults())
    narrow(result);
}

void HeadSplitter::leadResults() {
  Location loc = kernel.getLoc();
  OpBuilder behind(kernel->getContext());
  behind.setInsertionPointAfter(kernel);
  const int64_t first = kernel.getHeads() ? 2 : 1;
  for (auto [result, yielded] :
       llvm::zip_equal(kernel.getResults(), kernel.getYield().getValues())) {
    const int64_t dim = first + getDim(yielded).value_or(0);
    if (dim == first)
      continue;
    auto type = cast<RankedTensorType>(result.getType());
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    std::rotate(order.begin() + first, order.begin() + dim,
                order.begin() + dim + 1);
    auto turned = type.clone(llvm::map_to_vector(
        order, [&](int64_t k) { return type.getDimSize(k); }));
    SmallVector<OpOperand *> uses = llvm::map_to_vector(
        result.getUses(), [](OpOperand &use) { return &use; });
    result.setType(turned);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(behind, loc, result);
    applyPermutationToVector(sizes, invertPermutationVector(order));
    Value empty =
        tensor::EmptyOp::create(behind, loc, sizes, type.getElementType());
    auto back = linalg::TransposeOp::create(behind, loc, result, empty,
                                            invertPermutationVector(order));
    for (OpOperand *use : uses)
      use->set(back->getResult(0));
  }
}

void HeadSplitter::addHeads() {
  Location loc = kernel.getLoc();
  Block &body = kernel.getBody().front();
  std::optional<int64_t> before = kernel.getHeads();
  kernel.setHeads(before.value_or(1) * dimension.size);
  if (!before) {
    index = body.addArgument(builder.getIndexType(), loc);
    builder.setInsertionPointToStart(&body);
    return;
  }
  Value head = kernel.getHead();
  builder.setInsertionPointToStart(&body);
  auto pair = affine::AffineDelinearizeIndexOp::create(
      builder, loc, head, ArrayRef<int64_t>{*before, dimension.size});
  head.replaceAllUsesExcept(pair.getResult(0), pair);
  index = pair.getResult(1);
  // Behind the indices of the dimensions before, which parts of parts use.
  Block::iterator next = builder.getInsertionPoint();
  while (isa<affine::AffineDelinearizeIndexOp>(*next))
    ++next;
  builder.setInsertionPoint(&body, next);

  // [node, heads of before, dimension, ...] as [node, heads, ...].
  OpBuilder behind(kernel->getContext());
  behind.setInsertionPointAfter(kernel);
  for (Value result : kernel.getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<ReassociationIndices> groups;
    for (int64_t k = 0; k < type.getRank(); ++k) {
      if (k == 2)
        groups.back().push_back(k);
      else
        groups.push_back({k});
    }
    SmallVector<int64_t> shape(type.getShape());
    shape[1] = *kernel.getHeads();
    shape.erase(shape.begin() + 2);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : result.getUses())
      uses.push_back(&use);
    result.setType(RankedTensorType::get(shape, type.getElementType()));
    auto apart =
        tensor::ExpandShapeOp::create(behind, loc, type, result, groups);
    for (OpOperand *use : uses)
      use->set(apart);
  }
}

void HeadSplitter::run() {
  leadResults();
  addHeads();
  Block &body = kernel.getBody().front();
  for (auto message : body.getOps<mp::MessageOp>())
    narrowMessage(message);
  for (auto aggregate : body.getOps<mp::AggregateOp>())
    for (Value result : aggregate.getResults())
      narrow(result, /*leading=*/1);
  for (auto part :
       llvm::make_early_inc_range(body.getOps<tensor::ExtractSliceOp>()))
    if (part->use_empty())
      part.erase();
}

namespace {
struct SplitHeadsPass : clique::impl::SplitHeadsPassBase<SplitHeadsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.getLowering() == mp::Lowering::dense && !kernel.getHeads())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      split(kernel);
  }

  static void split(KernelOp kernel) {
    if (!findHeadDimension(kernel))
      return;
    kernel = outlineUpdates(kernel);
    // Several such dimensions are one of as many heads as their product.
    while (std::optional<HeadDimension> dimension = findHeadDimension(kernel))
      HeadSplitter(kernel, *dimension).run();
    remark::passed(
        kernel.getLoc(),
        remark::RemarkOpts::name("mp-split-heads").category("fusion"))
        << ("kernel " + kernel.getSym() + ": its " +
            llvm::Twine(*kernel.getHeads()) + " heads are computed apart")
               .str();
  }
};
} // namespace
