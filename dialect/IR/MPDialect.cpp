//===- MPDialect.cpp - The message-passing dialect ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the dialect's types, attributes and ops.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPDialect.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPGroups.h"
#include "dialect/IR/MPReadout.h"
#include "dialect/IR/MPScores.h"
#include "dialect/IR/MPSizes.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique::mp;

#include "dialect/IR/MPDialect.cpp.inc"
#include "dialect/IR/MPEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/IR/MPAttrs.cpp.inc"

namespace {
/// A function of layer ops may be inlined anywhere: all but mp.choose_dense are
/// pure, and nothing of them refers to its function.
struct MPInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void MPDialect::initialize() {
  addInterfaces<MPInlinerInterface>();
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/IR/MPAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/IR/MPOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/IR/MPSizeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/IR/MPAccessOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/IR/MPGroupOps.cpp.inc"
      >();
  attachSizeInterfaces(*getContext());
}

static LogicalResult verifyScoreReference(Operation *op, NamedAttribute attr) {
  auto aggregate = dyn_cast<AggregateOp>(op);
  auto number = dyn_cast<FloatAttr>(attr.getValue());
  if (!aggregate || !aggregate.getScore() || !number ||
      !number.getType().isF64() || !number.getValue().isFinite())
    return op->emitOpError()
           << kScoreReferenceAttr << " is a finite f64 of a softmax";
  return success();
}

LogicalResult clique::mp::verifyReadout(Operation *op, NamedAttribute attr) {
  if (!isa<CSROp>(op) || !isa<UnitAttr>(attr.getValue()))
    return op->emitOpError("has '")
           << kReadoutAttr << "', which an mp.csr has or has not";
  return success();
}

LogicalResult MPDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attr) {
  if (attr.getName() == kTargetAttr)
    return verifyTarget(op, attr);
  if (attr.getName() == kScoreReferenceAttr)
    return verifyScoreReference(op, attr);
  if (attr.getName() == kReadoutAttr)
    return verifyReadout(op, attr);
  return verifyThreads(op, attr);
}

LogicalResult MPDialect::verifyRegionArgAttribute(Operation *op,
                                                  unsigned /*region*/,
                                                  unsigned argument,
                                                  NamedAttribute attr) {
  return verifyArgument(
      op, cast<FunctionOpInterface>(op).getArgumentTypes()[argument], attr);
}

Operation *MPDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
