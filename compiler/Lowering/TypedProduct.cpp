//===- TypedProduct.cpp - Sums of products with weights per type ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/TypedProduct.h"
#include "compiler/Analysis/Tuning.h"

using namespace mlir;
using namespace clique;

/// The aggregation, if it is the only one and a sum of the only message.
static mp::AggregateOp getSum(const KernelInfo &info) {
  if (info.messages.size() != 1 || info.aggregates.size() != 1 ||
      info.kernel.getHeads())
    return {};
  mp::MessageOp message = info.messages.front();
  mp::AggregateOp sum = info.aggregates.front();
  bool isSum = sum.getKind() == mp::AggregatorKind::sum ||
               sum.getKind() == mp::AggregatorKind::mean;
  bool isAll = message.getNumResults() == 1 && message->hasOneUse() &&
               sum.getValues().size() == 1;
  return isSum && isAll ? sum : mp::AggregateOp();
}

std::optional<TypedProduct> TypedProduct::find(const KernelInfo &info) {
  if (!getSum(info))
    return std::nullopt;
  mp::MessageOp message = info.messages.front();
  Block &body = message.getBody().front();
  auto linear =
      body.getTerminator()->getOperand(0).getDefiningOp<mp::LinearOp>();
  auto lookup =
      linear ? linear.getWeights().getDefiningOp<mp::LookupOp>() : nullptr;
  if (!lookup || linear.getBias() || linear.getNumOuterDims() ||
      !lookup->hasOneUse())
    return std::nullopt;

  Value table = lookup.getTable();
  auto index = dyn_cast<BlockArgument>(lookup.getIndex());
  auto type = cast<RankedTensorType>(table.getType());
  ArrayRef<BlockArgument> edgeArgs = message.getEdgeArgs();
  const auto *arg = llvm::find(edgeArgs, index);
  if (!info.captures.contains(table) || arg == edgeArgs.end() ||
      !cast<RankedTensorType>(index.getType()).getElementType().isInteger(32) ||
      type.getRank() != 3 ||
      type.getDimSize(1) * type.getDimSize(2) < tuning::leastTypedProduct)
    return std::nullopt;

  TypedProduct product;
  product.message = message;
  product.input = linear.getX();
  product.weights = table;
  product.types = message.getEdge()[std::distance(edgeArgs.begin(), arg)];
  product.readsEdges =
      edgeArgs.size() > 1 || !index.hasOneUse() || info.usesEdgeNumbers();
  return product;
}

FailureOr<TypedProduct> TypedProduct::get(const KernelInfo &info) {
  if (std::optional<TypedProduct> product = find(info))
    return *product;
  return info.kernel.emitOpError(
      "is scheduled as #mp.typed_blocks, but its messages are no sums of "
      "products with weights by the type of an edge: schedule it as "
      "#mp.row_blocks");
}
