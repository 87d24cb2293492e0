//===- BoolsAsBytes.cpp - Truth values in memory --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "dialect/IR/MPAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {
#define GEN_PASS_DEF_BOOLSASBYTESPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// A tensor, buffer or edge feature of truth values.
static bool holdsBools(Type type) {
  if (auto edges = dyn_cast<mp::EdgesType>(type))
    return edges.getElementType().isInteger(1);
  auto shaped = dyn_cast<ShapedType>(type);
  return isa<TensorType, BaseMemRefType>(type) &&
         shaped.getElementType().isInteger(1);
}

static Type getStored(Type type) {
  if (!holdsBools(type))
    return type;
  Type byte = IntegerType::get(type.getContext(), 8);
  if (auto edges = dyn_cast<mp::EdgesType>(type))
    return mp::EdgesType::get(type.getContext(), edges.getShape(), byte);
  return cast<ShapedType>(type).clone(byte);
}

static void store(Value value) { value.setType(getStored(value.getType())); }

/// A truth value for a byte; what is not 0 is true.
static Value toBool(OpBuilder &b, Location loc, Value byte) {
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 8);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, byte, zero);
}

static Value toByte(OpBuilder &b, Location loc, Value truth) {
  return arith::ExtUIOp::create(b, loc, b.getI8Type(), truth);
}

/// The value becomes a byte, of which its users get the truth value.
static void readAsByte(OpBuilder &b, Value value) {
  value.setType(b.getI8Type());
  Value truth = toBool(b, value.getLoc(), value);
  value.replaceAllUsesExcept(truth, truth.getDefiningOp());
}

namespace {
struct BoolsAsBytes : public clique::impl::BoolsAsBytesPassBase<BoolsAsBytes> {
  void runOnOperation() override {
    generaliseNamed();
    copyResults();
    // First what depends on the types as they are.
    SmallVector<Operation *> reads;
    SmallVector<OpOperand *> writes;
    getOperation()->walk([&](Operation *op) { collect(op, reads, writes); });
    for (OpOperand *write : writes) {
      OpBuilder b(write->getOwner());
      write->set(toByte(b, write->getOwner()->getLoc(), write->get()));
    }
    for (Operation *read : reads) {
      OpBuilder b(read->getContext());
      b.setInsertionPointAfter(read);
      readAsByte(b, read->getResult(0));
    }
    getOperation()->walk([](linalg::GenericOp op) { convertBody(op); });
    SmallVector<linalg::FillOp> fills;
    getOperation()->walk([&](linalg::FillOp op) {
      if (llvm::any_of(op->getOperandTypes(), holdsBools))
        fills.push_back(op);
    });
    getOperation()->walk([](Operation *op) { convertTypes(op); });
    for (linalg::FillOp fill : fills)
      refill(fill);
  }

private:
  /// The regions of named ops follow from their types.
  void generaliseNamed() {
    SmallVector<linalg::LinalgOp> named;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::FillOp>(op) &&
          llvm::any_of(op->getOperandTypes(), holdsBools))
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      [[maybe_unused]] auto generic = linalg::generalizeNamedOp(rewriter, op);
      assert(succeeded(generic) && "a structured op with one region");
    }
  }

  /// What a caller gets is 0 or 1, also of bytes that were handed in and only
  /// moved: structured ops write no others.
  void copyResults() {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPublic() || function.isDeclaration())
        continue;
      Operation *end = function.front().getTerminator();
      OpBuilder b(end);
      for (OpOperand &result : end->getOpOperands()) {
        Operation *made = result.get().getDefiningOp();
        if (holdsBools(result.get().getType()) &&
            !isa_and_present<linalg::LinalgOp, arith::ConstantOp>(made))
          result.set(copyEach(b, end->getLoc(), result.get()));
      }
    }
  }

  static Value copyEach(OpBuilder &b, Location loc, Value bools) {
    if (auto edges = dyn_cast<mp::EdgesType>(bools.getType())) {
      Value rows =
          mp::ToTensorOp::create(b, loc, mp::getEdgeTensorType(edges), bools);
      return mp::ToEdgesOp::create(b, loc, edges, copyEach(b, loc, rows));
    }
    auto type = cast<RankedTensorType>(bools.getType());
    Value empty = tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, bools), b.getI1Type());
    SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    auto copy = linalg::GenericOp::create(
        b, loc, type, bools, empty, maps, loops,
        [](OpBuilder &b, Location loc, ValueRange args) {
          linalg::YieldOp::create(b, loc, args.front());
        });
    return copy.getResult(0);
  }

  /// Single truth values that are read from or written to memory.
  static void collect(Operation *op, SmallVector<Operation *> &reads,
                      SmallVector<OpOperand *> &writes) {
    if (isa<tensor::ExtractOp, memref::LoadOp>(op) &&
        holdsBools(op->getOperand(0).getType()))
      reads.push_back(op);
    bool isWritten = isa<tensor::InsertOp, memref::StoreOp>(op)
                         ? holdsBools(op->getOperand(1).getType())
                     : isa<tensor::FromElementsOp, tensor::SplatOp>(op)
                         ? holdsBools(op->getResult(0).getType())
                     : isa<tensor::YieldOp>(op)
                         ? holdsBools(op->getParentOp()->getResult(0).getType())
                         : false;
    if (!isWritten)
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getType().isInteger(1))
        writes.push_back(&operand);
  }

  /// The region of a fill follows from its types.
  static void refill(linalg::FillOp op) {
    IRRewriter b(op);
    Value byte = toByte(b, op.getLoc(), op.getInputs().front());
    b.replaceOpWithNewOp<linalg::FillOp>(op, byte, op.getOutputs().front());
  }

  static void convertBody(linalg::GenericOp op) {
    Block &body = *op.getBlock();
    OpBuilder b = OpBuilder::atBlockBegin(&body);
    for (OpOperand &operand : op->getOpOperands())
      if (holdsBools(operand.get().getType()))
        readAsByte(b, op.getMatchingBlockArgument(&operand));
    Operation *yield = body.getTerminator();
    b.setInsertionPoint(yield);
    for (auto [operand, result] :
         llvm::zip_equal(yield->getOpOperands(), op.getDpsInits()))
      if (holdsBools(result.getType()))
        operand.set(toByte(b, op.getLoc(), operand.get()));
  }

  static void convertTypes(Operation *op) {
    for (Value result : op->getResults())
      store(result);
    for (Region &region : op->getRegions())
      for (BlockArgument arg : region.getArguments())
        store(arg);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      convertConstant(constant);
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return;
    SmallVector<Type> arguments, results;
    for (Type type : function.getArgumentTypes())
      arguments.push_back(getStored(type));
    for (Type type : function.getResultTypes())
      results.push_back(getStored(type));
    function.setType(function.cloneTypeWith(arguments, results));
  }

  static void convertConstant(arith::ConstantOp op) {
    auto bools = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!bools || !bools.getElementType().isInteger(1))
      return;
    constexpr unsigned bits = 8;
    op.setValueAttr(
        bools.mapValues(IntegerType::get(op.getContext(), bits),
                        [](const APInt &truth) { return truth.zext(bits); }));
  }
};
} // namespace
