//===- MPRegions.cpp - What the regions of layer ops hold -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematics of one edge or node: the ops that every lowering knows, on
// static tensors.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPOps.h"
#include "dialect/IR/MPScatter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique::mp;

static bool isStaticFeature(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape();
  return type.isIntOrIndexOrFloat();
}

/// The value is computed from an argument of the region, or from where in the
/// graph the region runs. (What a function's arguments stand for is known where
/// it is called.)
static bool dependsOnEdge(Value value, Region &region) {
  if (!region.isAncestor(value.getParentRegion()))
    return false;
  Operation *op = value.getDefiningOp();
  if (!op)
    return isa<MPDialect>(region.getParentOp()->getDialect());
  return isa<PositionOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOnEdge(operand, region);
         });
}

/// Why an op that is pure and on static tensors is refused nevertheless; empty
/// if it is not.
static StringRef getObjection(Operation *op, Region &region) {
  auto isScalar = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank() == 0;
  };
  constexpr StringLiteral unknown =
      "has no place in a region: write elementwise ops of arith and math, the "
      "feature ops of mp, tensor.collapse_shape, expand_shape, extract_slice, "
      "scatter or concat";
  // A region has no numbers but those from outside: tensor.extract is refused.
  return TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::ConstantOp, tensor::ConcatOp, tensor::SplatOp,
            tensor::FromElementsOp>([](auto) { return ""; })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>([&](auto reshape) {
        return isScalar(reshape.getSrc()) || isScalar(reshape.getResult())
                   ? "reshapes to or from a scalar: use mp.broadcast or "
                     "mp.reduce"
                   : "";
      })
      .Case([](tensor::ExtractSliceOp slice) {
        return ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
                       ShapedType::isDynamicShape(slice.getStaticStrides())
                   ? "takes a slice at an offset or with a stride that is not "
                     "constant: use mp.lookup"
                   : "";
      })
      .Case([&](LookupOp lookup) {
        return dependsOnEdge(lookup.getTable(), region)
                   ? "looks up a table that differs from node to node: use a "
                     "table from outside the region"
                   : "";
      })
      .Case([](tensor::ScatterOp scatter) {
        return isOneSlice(scatter) ? "" : kManySlices;
      })
      .Case([](math::SincosOp) {
        return "has two results: write math.sin and math.cos";
      })
      .Case([](arith::BitcastOp) {
        return "takes the bits of a number, which is computed in another type "
               "than it is stored in: use math.absf, math.copysign or "
               "comparisons";
      })
      .Case([](tensor::ExtractOp) {
        return "takes a single element out of a tensor: take a slice with "
               "tensor.extract_slice, or a row with mp.lookup";
      })
      .Default([&](Operation *op) -> StringRef {
        // Of mp only feature ops make tensors out of tensors, and updates,
        // which are of whole tensors of nodes.
        const bool isKnown = op->getNumRegions() == 0 &&
                             (isa_and_present<MPDialect>(op->getDialect()) ||
                              (op->hasTrait<OpTrait::Elementwise>() &&
                               op->getNumResults() == 1));
        return isKnown ? "" : unknown;
      });
}

/// Emits an error for an op that a region of `op` may not hold.
static LogicalResult verifyInside(Operation *inner, Operation *op,
                                  Region &region, StringRef constraint) {
  // What a function computes of static tensors is looked at where it is
  // inlined.
  const bool isCall = isa<CallOpInterface>(inner);
  if (!isCall && !isMemoryEffectFree(inner))
    return inner->emitOpError("has side effects: the regions of '")
           << op->getName() << "' hold pure mathematics only (" << constraint
           << ")";
  for (Type type : inner->getResultTypes()) {
    if (!isStaticFeature(type))
      return inner->emitOpError("has a result of type ")
             << type << ": the regions of '" << op->getName()
             << "' work on static tensors (" << constraint << ")";
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && llvm::is_contained(tensor.getShape(), 0))
      return inner->emitOpError("has a result of type ")
             << type << ", which has no elements: the regions of '"
             << op->getName() << "' compute at least one (" << constraint
             << ")";
    if (tensor && !hasAtMost(tensor.getShape(), kMaxFeatureElements))
      return inner->emitOpError("has a result of type ")
             << type << ": what is computed for one edge or node has at most "
             << kMaxFeatureElements << " elements (" << constraint << ")";
  }
  for (Value operand : inner->getOperands())
    if (!region.isAncestor(operand.getParentRegion()) &&
        !isStaticFeature(operand.getType()))
      return inner->emitOpError("uses a value of type ")
             << operand.getType()
             << " from outside: use weights of static shape, or hand node and "
                "edge features in as operands ("
             << constraint << ")";
  if (isCall || inner->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (StringRef objection = getObjection(inner, region); !objection.empty())
    return inner->emitOpError(objection)
           << " (" << constraint << " of '" << op->getName() << "')";
  return success();
}

LogicalResult clique::mp::verifyFeatureRegion(Operation *op, Region &region,
                                              StringRef constraint) {
  // Ops inside other ops are the business of those, which are refused first.
  for (Operation &inner : region.front())
    if (failed(verifyInside(&inner, op, region, constraint)))
      return failure();
  return success();
}
