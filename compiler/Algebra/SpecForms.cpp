//===- SpecForms.cpp - What a spec writes in several ways -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-rewrite-spec-forms.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/SpecForms.h"
#include "compiler/Algebra/Passes.h"
#include "compiler/Algebra/SliceRanks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

namespace clique {
#define GEN_PASS_DEF_REWRITESPECFORMSPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Null after an error at `op`.
static DenseElementsAttr readResource(Operation *op,
                                      DenseResourceElementsAttr resource) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob) {
    op->emitOpError("has no value; expected '")
        << resource.getRawHandle().getKey()
        << "' in the dialect_resources of the spec";
    return nullptr;
  }
  ShapedType type = resource.getType();
  Type element = type.getElementType();
  if (!element.isIntOrIndexOrFloat()) {
    op->emitOpError("is a resource of type ")
        << type << "; expected elements that are numbers";
    return nullptr;
  }
  const unsigned bits = element.isIndex() ? IndexType::kInternalStorageBitWidth
                                          : element.getIntOrFloatBitWidth();
  const uint64_t size = type.getNumElements() * llvm::divideCeil(bits, 8u);
  ArrayRef<char> data = blob->getData();
  if (data.size() != size) {
    op->emitOpError("has a resource of ") << data.size() << " bytes; expected "
                                          << size << ", the size of " << type;
    return nullptr;
  }
  if (!element.isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, data);
  // A byte each, as in NumPy.
  SmallVector<bool> truths(data.begin(), data.end());
  return DenseElementsAttr::get(type, truths);
}

static LogicalResult makeDense(arith::ConstantOp constant) {
  if (auto resource =
          dyn_cast<DenseResourceElementsAttr>(constant.getValue())) {
    DenseElementsAttr dense = readResource(constant, resource);
    if (!dense)
      return failure();
    constant.setValueAttr(dense);
  } else if (auto sparse = dyn_cast<SparseElementsAttr>(constant.getValue())) {
    SmallVector<Attribute> elements(sparse.getValues<Attribute>());
    constant.setValueAttr(DenseElementsAttr::get(sparse.getType(), elements));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static Type getAsI64(Type type) {
  Type element = IntegerType::get(type.getContext(), 64);
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.clone(element) : element;
}

/// A cast whose result has fewer bits than an index.
static void splitCast(Operation *op) {
  Value index = op->getOperand(0), result = op->getResult(0);
  Type element = getElementTypeOrSelf(result);
  if (element.isIndex() || element.getIntOrFloatBitWidth() >= 64)
    return;
  OpBuilder builder(op);
  Value whole = arith::IndexCastOp::create(builder, op->getLoc(),
                                           getAsI64(index.getType()), index);
  result.replaceAllUsesWith(
      arith::TruncIOp::create(builder, op->getLoc(), result.getType(), whole));
  op->erase();
}

static void raiseInI64(math::IPowIOp op) {
  Type type = op.getType();
  if (!getElementTypeOrSelf(type).isIndex())
    return;
  OpBuilder builder(op);
  auto toI64 = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, op.getLoc(), getAsI64(type),
                                      value);
  };
  Value power = math::IPowIOp::create(builder, op.getLoc(), toI64(op.getLhs()),
                                      toI64(op.getRhs()));
  op.replaceAllUsesWith(
      arith::IndexCastOp::create(builder, op.getLoc(), type, power)
          .getResult());
  op.erase();
}

LogicalResult clique::rewriteSpecForms(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) -> WalkResult {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([](arith::ConstantOp constant) { return makeDense(constant); })
        .Case<arith::IndexCastOp, arith::IndexCastUIOp>([](Operation *cast) {
          splitCast(cast);
          return success();
        })
        .Case([](math::IPowIOp power) {
          raiseInI64(power);
          return success();
        })
        .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp>([](auto slice) {
          keepRank(slice);
          return success();
        })
        .Default(success());
  });
  return failure(result.wasInterrupted());
}

namespace {
struct RewriteSpecFormsPass
    : clique::impl::RewriteSpecFormsPassBase<RewriteSpecFormsPass> {
  void runOnOperation() override {
    if (failed(rewriteSpecForms(getOperation())))
      signalPassFailure();
  }
};
} // namespace
