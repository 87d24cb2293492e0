//===- FeatureCost.cpp - What the ops of a region cost --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rough counts, by op.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

static int64_t countElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

int64_t clique::getFlops(Operation &op) {
  if (op.getNumResults() == 0 || op.hasTrait<OpTrait::ConstantLike>())
    return 0;
  int64_t size = countElements(op.getResult(0));
  return llvm::TypeSwitch<Operation *, int64_t>(&op)
      .Case([&](mp::LinearOp linear) {
        return 2 * linear.getContractedSize() * size;
      })
      .Case([&](mp::DotOp dot) { return 2 * countElements(dot.getLhs()); })
      .Case([&](mp::ReduceOp reduce) { return countElements(reduce.getX()); })
      .Case<mp::BroadcastOp, mp::PositionOp, mp::LookupOp, mp::YieldOp>(
          [](Operation *) { return 0; })
      .Case<mp::ReluOp, mp::LeakyReluOp>([&](Operation *) { return 2 * size; })
      .Case<mp::SigmoidOp, mp::SiluOp, mp::SoftplusOp, mp::GeluOp, mp::EluOp>(
          [&](Operation *) { return kFunctionFlops * size; })
      .Case<mp::LayerNormOp, mp::BatchNormOp>(
          [&](Operation *) { return 8 * size; })
      .Default([&](Operation *op) -> int64_t {
        if (isa<math::AbsFOp, math::FmaOp, math::CopySignOp>(op))
          return size;
        if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
          return kFunctionFlops * size;
        // Concatenations, reshapes and slices move data only.
        if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
          return 0;
        return size;
      });
}

int64_t clique::getBits(Type element) {
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

int64_t clique::getBytes(RankedTensorType feature) {
  return feature.getNumElements() *
         llvm::divideCeil(getBits(feature.getElementType()), 8);
}
