//===- EdgeProducts.cpp - Linear maps of what an edge has -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeProducts.h"

using namespace mlir;
using namespace clique;

/// What is computed from the arguments of a message, and the arguments.
static DenseSet<Value> getEdgeValues(Block &body) {
  DenseSet<Value> values;
  values.insert_range(body.getArguments());
  for (Operation &op : body)
    if (isa<mp::PositionOp>(op) ||
        llvm::any_of(op.getOperands(),
                     [&](Value operand) { return values.contains(operand); }))
      values.insert_range(op.getResults());
  return values;
}

int64_t clique::countEdgeProducts(const KernelInfo &info) {
  int64_t count = 0;
  for (mp::MessageOp message : info.messages) {
    Block &body = message.getBody().front();
    DenseSet<Value> values = getEdgeValues(body);
    for (mp::LinearOp linear : body.getOps<mp::LinearOp>()) {
      auto type = cast<RankedTensorType>(linear.getResult().getType());
      // A product with one column has nothing to share.
      bool isProduct = values.contains(linear.getX()) &&
                       !values.contains(linear.getWeights()) &&
                       cast<RankedTensorType>(linear.getWeights().getType())
                               .getNumElements() > linear.getContractedSize();
      if (isProduct)
        count += linear.getContractedSize() * type.getNumElements();
    }
  }
  return count;
}
