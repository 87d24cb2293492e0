//===- WinningFeatures.cpp - What an edge has of what it won --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/WinningFeatures.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace clique;

static bool isEdgeNumber(Value value) {
  if (auto spread = value.getDefiningOp<mp::BroadcastOp>())
    value = spread.getX();
  auto position = value.getDefiningOp<mp::PositionOp>();
  return position && position.getEndpoint() == mp::Endpoint::edge;
}

std::optional<WinningFeature> clique::getWinningFeature(Value x) {
  auto select = x.getDefiningOp<arith::SelectOp>();
  if (!select || !isa<RankedTensorType>(select.getCondition().getType()) ||
      !matchPattern(select.getFalseValue(), m_AnyZeroFloat()))
    return std::nullopt;
  auto wins = select.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!wins || wins.getPredicate() != arith::CmpIPredicate::eq ||
      isEdgeNumber(wins.getLhs()) == isEdgeNumber(wins.getRhs()))
    return std::nullopt;
  return WinningFeature{wins, select.getTrueValue()};
}

bool clique::isMapOfWinners(mp::LinearOp linear) {
  return linear.getNumOuterDims() == 0 && linear.getNumContractedDims() == 1 &&
         getWinningFeature(linear.getX());
}
