//===- OuterProducts.cpp - Sums of outer products of edges ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/OuterProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace clique;

int64_t OuterProduct::getSize() const {
  int64_t size = 1;
  for (const Factor &factor : factors)
    size *= cast<RankedTensorType>(factor.value.getType()).getNumElements();
  return size;
}

/// The product that an edge value is.
static std::optional<OuterProduct> getOuterProduct(Value edges) {
  auto message = edges.getDefiningOp<mp::MessageOp>();
  if (!message)
    return std::nullopt;
  OuterProduct product;
  product.region = &message.getBody().front();
  auto multiply = product.region->getTerminator()
                      ->getOperand(cast<OpResult>(edges).getResultNumber())
                      .getDefiningOp<arith::MulFOp>();
  if (!multiply || multiply->getBlock() != product.region)
    return std::nullopt;
  auto type = cast<RankedTensorType>(multiply.getType());
  SmallVector<bool> isTaken(type.getRank(), false);
  for (auto [factor, operand] :
       llvm::zip_equal(product.factors, multiply->getOperands())) {
    auto spread = operand.getDefiningOp<mp::BroadcastOp>();
    if (!spread || spread->getBlock() != product.region)
      return std::nullopt;
    factor = {spread.getX(), spread.getKeptDims()};
    for (int64_t dim : factor.dims) {
      // What both have, as heads, is no sum over edges alone.
      if (isTaken[dim])
        return std::nullopt;
      isTaken[dim] = true;
    }
  }
  if (llvm::is_contained(isTaken, false) || product.factors[0].dims.empty() ||
      product.factors[1].dims.empty())
    return std::nullopt;
  return product;
}

SmallVector<OuterProduct> clique::findOuterProducts(const KernelInfo &info) {
  SmallVector<OuterProduct> products;
  unsigned state = 0;
  for (mp::AggregateOp aggregate : info.aggregates) {
    if (aggregate.getKind() != mp::AggregatorKind::sum &&
        aggregate.getKind() != mp::AggregatorKind::mean)
      return {};
    for (Value value : aggregate.getValues()) {
      if (std::optional<OuterProduct> product = getOuterProduct(value)) {
        product->state = state;
        products.push_back(*product);
      }
      ++state;
    }
  }
  return products;
}
