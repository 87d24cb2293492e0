//===- ElementWork.cpp - What an op of a message executes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ElementWork.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

ElementWork clique::getElementWork(Operation &op) {
  return llvm::TypeSwitch<Operation *, ElementWork>(&op)
      .Case<mp::ReluOp>([](Operation *) { return ElementWork{1}; })
      .Case<mp::LeakyReluOp>([](Operation *) { return ElementWork{2}; })
      .Case<mp::SigmoidOp, mp::SiluOp>(
          [](Operation *) { return ElementWork{2, 1, 1}; })
      .Case<mp::SoftplusOp>([](Operation *) { return ElementWork{3, 0, 2}; })
      .Case<mp::GeluOp>([](Operation *) { return ElementWork{6, 1, 1}; })
      .Case<mp::EluOp>([](Operation *) { return ElementWork{3, 0, 1}; })
      .Case<mp::LayerNormOp>([](Operation *) { return ElementWork{6, 1, 0}; })
      .Case<mp::BatchNormOp>([](Operation *) { return ElementWork{2}; })
      .Case<mp::BroadcastOp, mp::PositionOp, mp::LookupOp, mp::YieldOp>(
          [](Operation *) { return ElementWork{}; })
      .Case<arith::DivFOp, arith::RemFOp, math::SqrtOp, math::RsqrtOp>(
          [](Operation *) { return ElementWork{0, 1, 0}; })
      .Case<math::AbsFOp, math::FmaOp, math::CopySignOp>(
          [](Operation *) { return ElementWork{1}; })
      .Case<math::TanhOp>([](Operation *) { return ElementWork{2, 1, 1}; })
      .Default([](Operation *op) {
        if (op->hasTrait<OpTrait::ConstantLike>() ||
            isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
          return ElementWork{};
        if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
          return ElementWork{0, 0, 1};
        return ElementWork{1};
      });
}

RankedTensorType clique::getFeature(Type type) {
  if (auto edges = dyn_cast<mp::EdgesType>(type))
    return edges.getFeatureType();
  return dyn_cast<RankedTensorType>(type);
}

double clique::getSize(Type type) {
  RankedTensorType feature = getFeature(type);
  return feature ? double(feature.getNumElements()) : 1;
}

/// The innermost dimension, and how many of it there are. Unit dimensions at
/// the end are dropped before there are vectors.
static std::pair<int64_t, int64_t> getRows(RankedTensorType feature) {
  ArrayRef<int64_t> shape = feature.getShape();
  while (shape.size() > 1 && shape.back() == 1)
    shape = shape.drop_back();
  const int64_t inner = shape.empty() ? 1 : shape.back();
  return {inner, feature.getNumElements() / std::max<int64_t>(inner, 1)};
}

/// Several heads of few features lie in one register (clique-flatten-vectors).
static bool areJoined(int64_t inner, int64_t lanes) {
  return inner > 0 && inner < lanes && lanes % inner == 0;
}

double clique::getVectors(Type type, int64_t lanes) {
  RankedTensorType feature = getFeature(type);
  if (!feature)
    return 1;
  const auto [inner, rows] = getRows(feature);
  return areJoined(inner, lanes)
             ? double(llvm::divideCeil(feature.getNumElements(), lanes))
             : double(rows) * double(llvm::divideCeil(inner, lanes));
}

double clique::countRests(Type type, int64_t lanes) {
  RankedTensorType feature = getFeature(type);
  if (!feature)
    return 0;
  const auto [inner, rows] = getRows(feature);
  return inner % lanes == 0 || areJoined(inner, lanes) ? 0 : double(rows);
}
