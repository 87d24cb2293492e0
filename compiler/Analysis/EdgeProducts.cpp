//===- EdgeProducts.cpp - Linear maps of what an edge has -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/EdgeProducts.h"
#include "compiler/Analysis/ElementWork.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Analysis/WinningFeatures.h"

using namespace mlir;
using namespace clique;

/// Multiply-adds of an edge with weights.
static int64_t countEdgeProducts(const KernelInfo &info) {
  int64_t count = 0;
  for (mp::MessageOp message : info.messages) {
    Block &body = message.getBody().front();
    EndpointDependence ends(message);
    for (mp::LinearOp linear : body.getOps<mp::LinearOp>()) {
      auto type = cast<RankedTensorType>(linear.getResult().getType());
      // A product with one column has nothing to share.
      bool isProduct = ends.get(linear.getX()) != Ends::none &&
                       ends.get(linear.getWeights()) == Ends::none &&
                       !isMapOfWinners(linear) &&
                       cast<RankedTensorType>(linear.getWeights().getType())
                               .getNumElements() > linear.getContractedSize();
      if (isProduct)
        count += linear.getContractedSize() * type.getNumElements();
    }
  }
  return count;
}

/// Whether edges have exponentials and the like of their own.
static bool hasFunctions(const KernelInfo &info) {
  return llvm::any_of(info.messages, [](mp::MessageOp message) {
    Block &body = message.getBody().front();
    const EndpointDependence ends(message);
    return llvm::any_of(body.without_terminator(), [&](Operation &op) {
      return op.getNumResults() > 0 &&
             ends.get(op.getResult(0)) != Ends::none &&
             getElementWork(op).functions > 0;
    });
  });
}

bool clique::isWorthChunks(const KernelInfo &info) {
  const bool hasMonoid = llvm::any_of(info.aggregates, [](mp::AggregateOp op) {
    return op.getKind() == mp::AggregatorKind::custom;
  });
  return countEdgeProducts(info) >= (hasMonoid ? tuning::leastMonoidProduct
                                     : hasFunctions(info)
                                         ? tuning::leastProductOfFunctions
                                         : tuning::leastEdgeProduct);
}
