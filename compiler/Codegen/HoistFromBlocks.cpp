//===- HoistFromBlocks.cpp - What all blocks compute alike ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The motion of loop-invariant code out of the functions of blocks: their loops
// are the parallel ones around their calls.
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/BlockOperands.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace clique {
#define GEN_PASS_DEF_HOISTFROMBLOCKSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// The outermost parallel loop around a call; null if there is none.
static scf::ParallelOp getBlockLoop(Operation *op) {
  scf::ParallelOp loop;
  for (auto parent = op->getParentOfType<scf::ParallelOp>(); parent;
       parent = parent->getParentOfType<scf::ParallelOp>())
    loop = parent;
  return loop;
}

/// The tensor behind an operand of a call that is the same for all blocks; null
/// if it is not.
static Value getInvariant(func::CallOp call, unsigned operand) {
  auto buffer =
      call.getOperand(operand).getDefiningOp<bufferization::ToBufferOp>();
  if (!buffer || !buffer.getReadOnly() ||
      getBlockLoop(call)->isAncestor(buffer))
    return {};
  auto type = cast<MemRefType>(buffer.getType());
  bool isWhole =
      type.getLayout().isIdentity() &&
      memref::getTensorTypeFromMemRefType(type) == buffer.getTensor().getType();
  return isWhole ? buffer.getTensor() : Value();
}

/// Erases those that nobody reads any more, and what only they read.
static void eraseDead(llvm::SetVector<Operation *> ops) {
  while (!ops.empty()) {
    Operation *op = ops.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        ops.insert(source);
    op->erase();
  }
}

/// Whether a slice is there whatever sizes a run has.
static bool isWithin(tensor::ExtractSliceOp slice) {
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  for (auto [offset, size, stride, most] :
       llvm::zip_equal(slice.getStaticOffsets(), slice.getStaticSizes(),
                       slice.getStaticStrides(), shape))
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
        ShapedType::isDynamic(stride) || ShapedType::isDynamic(most) ||
        offset + (size - 1) * stride >= most)
      return false;
  return true;
}

/// Whether `value` can be computed before `loop`, also if that has no step:
/// what reads a place that only a run knows stays behind the check of it.
static bool canLeave(Value value, LoopLikeOpInterface loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (linalgOp ? takesMore(linalgOp) || !isPure(op)
               : !isView(op) && !isa_and_present<arith::ConstantOp>(op))
    return false;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      slice && !isWithin(slice))
    return false;
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return canLeave(operand, loop); });
}

/// Computes `value` before `loop`, where `b` is.
static Value computeBefore(Value value, LoopLikeOpInterface loop, OpBuilder &b,
                           IRMapping &map) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  if (Value known = map.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    map.map(operand, computeBefore(operand, loop, b, map));
  b.clone(*op, map);
  return map.lookup(value);
}

namespace {
/// A function of blocks, and all of its calls.
class BlockInvariants {
public:
  BlockInvariants(func::FuncOp function, ArrayRef<func::CallOp> calls)
      : function(function), calls(calls) {}

  void hoist() {
    findArguments();
    for (Operation &op : function.front())
      if (isInvariant(&op))
        invariant.insert(&op);
    SmallVector<Operation *> roots;
    for (Operation *op : invariant)
      if (isWorthIt(op))
        roots.push_back(op);
    if (roots.empty())
      return;
    for (Operation *root : roots)
      hoist(root);
    eraseUnused();
  }

private:
  /// Tensors of static shape which all calls give from outside of their loop.
  void findArguments() {
    for (BlockArgument argument : function.getArguments()) {
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (type && type.hasStaticShape() &&
          llvm::all_of(calls, [&](func::CallOp call) {
            return !!getInvariant(call, argument.getArgNumber());
          }))
        arguments.insert(argument);
    }
  }

  bool isInvariant(Operation *op) {
    if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op))
      return arguments.contains(tensor.getBuffer()) && !tensor.getWritable();
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp ? !linalgOp.hasPureTensorSemantics() ||
                       linalgOp.getNumReductionLoops() > 0
                 : !isView(op) && !isa<arith::ConstantOp>(op))
      return false;
    if (op->getNumResults() != 1)
      return false;
    if (auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
        type && !type.hasStaticShape())
      return false;
    // Regions of linalg ops may take scalars from outside.
    bool takesMore = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *source = operand.getDefiningOp();
        takesMore |=
            source ? !op->isAncestor(source) && !invariant.contains(source)
                   : operand.getParentBlock() == &function.front();
      }
    });
    return !takesMore;
  }

  /// What `op` and the ops that it needs take of the function's arguments.
  int64_t collect(Operation *op, llvm::SetVector<Operation *> &needed) const {
    if (needed.contains(op))
      return 0;
    int64_t elements = 0;
    if (isa<bufferization::ToTensorOp>(op))
      elements = cast<ShapedType>(op->getResult(0).getType()).getNumElements();
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && !op->isAncestor(source))
          elements += collect(source, needed);
    });
    needed.insert(op);
    return elements;
  }

  /// Computed of arguments, read by what is not hoisted, and no larger than
  /// what it is computed of: what is only repeated is read more cheaply there.
  bool isWorthIt(Operation *op) const {
    if (!isa<linalg::LinalgOp>(op) ||
        llvm::all_of(op->getUsers(),
                     [&](Operation *user) { return invariant.contains(user); }))
      return false;
    for (OpOperand &use : op->getUses())
      if (auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
          user && user.isDpsInit(&use))
        return false;
    llvm::SetVector<Operation *> needed;
    const int64_t elements = collect(op, needed);
    auto type = cast<ShapedType>(op->getResult(0).getType());
    return elements > 0 && type.getRank() > 1 &&
           type.getNumElements() <= elements;
  }

  void hoist(Operation *root) {
    llvm::SetVector<Operation *> needed;
    collect(root, needed);
    Value result = root->getResult(0);
    auto type = cast<RankedTensorType>(result.getType());
    auto bufferType = MemRefType::get(type.getShape(), type.getElementType());
    // Calls in one loop share it.
    llvm::SmallDenseMap<Operation *, Value> made;
    for (func::CallOp call : calls) {
      scf::ParallelOp loop = getBlockLoop(call);
      Value &buffer = made[loop];
      if (!buffer)
        buffer = emit(call, loop, needed.getArrayRef(), bufferType);
      call->insertOperands(call->getNumOperands(), buffer);
    }
    Location loc = root->getLoc();
    unsigned position = function.getNumArguments();
    if (failed(function.insertArgument(position, bufferType, {}, loc)))
      llvm_unreachable("a block function takes any argument");
    OpBuilder b(root);
    result.replaceAllUsesWith(bufferization::ToTensorOp::create(
        b, loc, type, function.getArgument(position), /*restrict=*/true));
  }

  /// The outermost loop of the steps of a layer around `blocks` that what
  /// `needed` takes does not change in; the loop over blocks if there is none.
  static LoopLikeOpInterface getLoop(func::CallOp call, scf::ParallelOp blocks,
                                     ArrayRef<Operation *> needed) {
    LoopLikeOpInterface outermost = blocks;
    for (auto loop = blocks->getParentOfType<LoopLikeOpInterface>(); loop;
         loop = loop->getParentOfType<LoopLikeOpInterface>()) {
      for (Operation *op : needed)
        if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op);
            tensor && !canLeave(getTensor(call, tensor), loop))
          return outermost;
      outermost = loop;
    }
    return outermost;
  }

  static Value getTensor(func::CallOp call, bufferization::ToTensorOp tensor) {
    return getInvariant(call,
                        cast<BlockArgument>(tensor.getBuffer()).getArgNumber());
  }

  /// Computes what `needed` ends with before the loops where it is the same.
  static Value emit(func::CallOp call, scf::ParallelOp blocks,
                    ArrayRef<Operation *> needed, MemRefType type) {
    LoopLikeOpInterface loop = getLoop(call, blocks, needed);
    OpBuilder b(loop);
    IRMapping map, outside;
    for (Operation *op : needed) {
      if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op))
        map.map(tensor.getResult(),
                computeBefore(getTensor(call, tensor), loop, b, outside));
      else
        b.clone(*op, map);
    }
    return bufferization::ToBufferOp::create(
        b, call.getLoc(), type, map.lookup(needed.back()->getResult(0)),
        /*read_only=*/true);
  }

  /// Ops of what was hoisted, and arguments that they alone took.
  void eraseUnused() {
    for (Operation *op : llvm::reverse(invariant))
      if (op->use_empty())
        op->erase();
    llvm::BitVector unused(function.getNumArguments());
    for (BlockArgument argument : function.getArguments())
      if (arguments.contains(argument) && argument.use_empty())
        unused.set(argument.getArgNumber());
    for (func::CallOp call : calls) {
      llvm::SetVector<Operation *> operands;
      for (unsigned k : unused.set_bits())
        operands.insert(call.getOperand(k).getDefiningOp());
      call->eraseOperands(unused);
      eraseDead(std::move(operands));
    }
    if (failed(function.eraseArguments(unused)))
      llvm_unreachable("nothing uses them");
  }

  func::FuncOp function;
  ArrayRef<func::CallOp> calls;
  llvm::SmallDenseSet<Value> arguments;
  llvm::SetVector<Operation *> invariant;
};

struct HoistFromBlocks
    : public clique::impl::HoistFromBlocksPassBase<HoistFromBlocks> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::MapVector<Operation *, SmallVector<func::CallOp>> calls;
    llvm::SmallDenseSet<Operation *> others;
    SymbolTable symbols(module);
    module.walk([&](func::CallOp call) {
      Operation *callee = symbols.lookup(call.getCallee());
      calls[callee].push_back(call);
      if (!getBlockLoop(call))
        others.insert(callee);
    });
    for (auto &[callee, all] : calls)
      if (auto function = cast<func::FuncOp>(callee);
          function.isPrivate() && !function.isExternal() &&
          !others.contains(function))
        BlockInvariants(function, all).hoist();
  }
};
} // namespace
