//===- EdgeProducts.cpp - Linear maps of what an edge has -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/EdgeProducts.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/WinningFeatures.h"

using namespace mlir;
using namespace clique;

int64_t clique::countEdgeProducts(const KernelInfo &info) {
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
