//===- OutlineSums.cpp - Sums of whole tensors in blocks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is written in place in public functions (clique-bufferize), so that a
// sum that is computed tile by tile there copies all of its result for each.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace clique {
#define GEN_PASS_DEF_OUTLINESUMSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static MemRefType getBufferType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

static Value toTensor(OpBuilder &b, Location loc, Value buffer,
                      bool isWritable) {
  return bufferization::ToTensorOp::create(
      b, loc, memref::getTensorTypeFromMemRefType(buffer.getType()), buffer,
      /*restrict=*/true, isWritable);
}

/// The rows of a block: all, where they are few or lie along vectors.
static int64_t getBlockRows(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return 1;
  constexpr int64_t least = clique::tuning::leastSumRows,
                    most = clique::tuning::mostSumRows;
  if (shape.size() < 2 || shape.front() <= most)
    return shape.front();
  for (int64_t rows = most; rows >= least; --rows)
    if (shape.front() % rows == 0)
      return rows;
  return most;
}

namespace {
struct OutlineSums : public clique::impl::OutlineSumsPassBase<OutlineSums> {
  using OutlineSumsPassBase::OutlineSumsPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<linalg::LinalgOp> ops;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic())
        function.walk([&](linalg::LinalgOp op) {
          if (isSum(op))
            ops.push_back(op);
        });
    for (auto [index, op] : llvm::enumerate(ops))
      if (failed(outline(op, index, symbols)))
        return signalPassFailure();
  }

private:
  /// Reduced into one tensor of static shape, whose rows a loop of its own
  /// counts, from operands that are all the op takes from outside.
  static bool isSum(linalg::LinalgOp op) {
    if (op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics() ||
        op.getNumDpsInits() != 1 || !isa<TilingInterface>(op.getOperation()))
      return false;
    auto type = cast<RankedTensorType>(op->getResultTypes().front());
    bool takesMore = false;
    op->getRegion(0).walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        takesMore |= operand.getParentRegion() != &op->getRegion(0);
    });
    auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
    return type.hasStaticShape() && !takesMore &&
           llvm::all_of(op->getOperandTypes(), isTensor) &&
           op.getMatchingIndexingMap(op.getDpsInitOperand(0))
               .isProjectedPermutation();
  }

  /// (first row, operands, result): the rows of a block.
  FailureOr<func::FuncOp> makeFunction(linalg::LinalgOp op, StringRef name,
                                       int64_t rows, SymbolTable &symbols) {
    Location loc = op.getLoc();
    OpBuilder b(op->getParentOfType<func::FuncOp>());
    SmallVector<Type> types = {b.getIndexType()};
    for (Value operand : op->getOperands())
      types.push_back(getBufferType(operand));
    types.push_back(getBufferType(op->getResult(0)));
    auto function = func::FuncOp::create(b, loc, name,
                                         b.getFunctionType(types, TypeRange()));
    symbols.insert(function); // Renamed if need be.
    function.setPrivate();
    function->setAttr("clique.sum", b.getUnitAttr());
    b.setInsertionPointToStart(function.addEntryBlock());
    Value first = function.getArgument(0),
          output = function.getArguments().back();
    SmallVector<Value> operands;
    for (Value arg : function.getArguments().drop_front().drop_back())
      operands.push_back(toTensor(b, loc, arg, /*isWritable=*/false));
    Operation *whole = mlir::clone(b, op, op->getResultTypes(), operands);

    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<OpFoldResult> begin(type.getRank(), b.getIndexAttr(0)),
        size = getAsIndexOpFoldResult(b.getContext(), type.getShape()),
        strides(type.getRank(), b.getIndexAttr(1));
    if (type.getRank() > 0) {
      begin.front() = first;
      size.front() = b.getIndexAttr(rows);
    }
    FailureOr<TilingResult> block =
        cast<TilingInterface>(whole).generateResultTileValue(b, 0, begin, size);
    if (failed(block))
      return op.emitOpError("cannot be divided into blocks of its result");
    b.setInsertionPointToEnd(&function.getBody().front());
    Value view =
        memref::SubViewOp::create(b, loc, output, begin, size, strides);
    auto store = bufferization::MaterializeInDestinationOp::create(
        b, loc, Type(), block->tiledValues.front(), view);
    store.setWritable(true);
    func::ReturnOp::create(b, loc);
    whole->erase();
    return function;
  }

  LogicalResult outline(linalg::LinalgOp op, size_t index,
                        SymbolTable &symbols) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    int64_t rows = getBlockRows(type.getShape());
    int64_t all = type.getRank() ? type.getDimSize(0) : 1;
    auto parent = op->getParentOfType<func::FuncOp>();
    std::string name = (parent.getName() + "_sum_" + llvm::Twine(index)).str();
    FailureOr<func::FuncOp> function = makeFunction(op, name, rows, symbols);
    if (failed(function))
      return failure();
    FailureOr<func::FuncOp> rest;
    if (all % rows)
      rest = makeFunction(op, name + "_rest", all % rows, symbols);
    if (all % rows && failed(rest))
      return failure();

    Location loc = op.getLoc();
    OpBuilder b(op);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    SmallVector<Value> args = {Value()};
    for (Value operand : op->getOperands())
      args.push_back(bufferization::ToBufferOp::create(
          b, loc, getBufferType(operand), operand, /*read_only=*/true));
    Value output =
        memref::AllocOp::create(b, loc, getBufferType(op->getResult(0)));
    args.push_back(output);
    auto call = [&](func::FuncOp callee, Value first) {
      args.front() = first;
      func::CallOp::create(b, loc, callee, args);
    };
    if (all / rows > 1) {
      auto loop = scf::ParallelOp::create(b, loc, constant(0),
                                          constant(all / rows), constant(1));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      call(*function,
           arith::MulIOp::create(b, loc, loop.getInductionVars().front(),
                                 constant(rows)));
    } else {
      call(*function, constant(0));
    }
    if (all % rows)
      call(*rest, constant(all - all % rows));
    Value result = toTensor(b, loc, output, /*isWritable=*/true);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return success();
  }
};
} // namespace
