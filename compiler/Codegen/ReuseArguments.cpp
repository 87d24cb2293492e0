//===- ReuseArguments.cpp - Memory of arguments that are given away -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backward function is the last to read what the forward one kept for it.
// Frameworks free that as they go; here it also holds results, row by row.
//
// That rows of a result may lie where those of an input do is known of kernels
// (mp.overwritten). What else reads the input, and in which order a function
// reads and writes, is known when all are buffers and loops.
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Conversion/RuntimeCalls.h"
#include "dialect/IR/MPArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace clique {
#define GEN_PASS_DEF_REUSEARGUMENTSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// What is done to memory, and in which order
//===----------------------------------------------------------------------===//

/// Whether `user` makes but another name of memory, or asks for its size.
static bool onlyNames(Operation *user) {
  return isMemoryEffectFree(user) &&
         !isa<memref::ExtractAlignedPointerAsIndexOp, func::ReturnOp>(user);
}

/// The uses of `buffer` and of what may be a part of it that do more.
static SmallVector<OpOperand *>
getAccesses(Value buffer, const BufferViewFlowAnalysis &views) {
  SmallVector<OpOperand *> accesses;
  for (Value alias : views.resolve(buffer))
    for (OpOperand &use : alias.getUses())
      if (!onlyNames(use.getOwner()))
        accesses.push_back(&use);
  return accesses;
}

/// Whether a call of its function runs `op` at most once.
static bool isInNoLoop(Operation *op) {
  for (op = op->getParentOp(); !isa<func::FuncOp>(op); op = op->getParentOp())
    if (!isa<scf::IfOp>(op))
      return false;
  return true;
}

/// Whether `first` is over when `second` begins, or only one of them runs.
static bool isBefore(Operation *first, Operation *second) {
  while (!isa<func::FuncOp>(first)) {
    Block *block = first->getBlock();
    if (Operation *other = block->findAncestorOpInBlock(*second))
      return first->isBeforeInBlock(other) && isInNoLoop(first);
    first = block->getParentOp();
    if (first->isProperAncestor(second))
      return isa<scf::IfOp>(first) && isInNoLoop(first);
  }
  return false;
}

/// Whether `function` does all to memory that its argument `input` names before
/// anything to that of `result`.
static bool readsFirst(func::FuncOp function, unsigned input, unsigned result) {
  if (!function.getBody().hasOneBlock())
    return false;
  const BufferViewFlowAnalysis views(function);
  Block &body = function.front();
  auto getOps = [&](unsigned k) {
    return llvm::map_to_vector(
        getAccesses(body.getArgument(k), views), [&](OpOperand *use) {
          return body.findAncestorOpInBlock(*use->getOwner());
        });
  };
  SmallVector<Operation *> writes = getOps(result);
  return llvm::all_of(getOps(input), [&](Operation *read) {
    return llvm::all_of(
        writes, [&](Operation *write) { return read->isBeforeInBlock(write); });
  });
}

//===----------------------------------------------------------------------===//
// Results in the memory of arguments
//===----------------------------------------------------------------------===//

namespace {
/// A call of a kernel's function, and which of its operands are paired.
struct PairedCall {
  func::FuncOp function;
  unsigned input, result;
};

/// A result that may lie where an argument does.
struct Place {
  memref::AllocOp result;
  BlockArgument argument;
};

/// The places of one function.
class PlaceSearch {
public:
  PlaceSearch(func::FuncOp function, const SymbolTable &symbols)
      : function(function), symbols(symbols), views(function) {}

  SmallVector<Place> run();
  /// The op behind which nobody uses an argument in `block`; null if nobody
  /// does at all.
  Operation *getLastAccess(BlockArgument argument, Block &block) const;

private:
  std::optional<PairedCall> getPaired(OpOperand &use) const;
  bool isDonatable(Value argument) const;
  std::optional<Place> find(memref::AllocOp result) const;

  /// Ops are handles: reading through them changes nothing here.
  mutable func::FuncOp function;
  const SymbolTable &symbols;
  BufferViewFlowAnalysis views;
};
} // namespace

/// Of a use by a kernel's function that writes a result to it.
std::optional<PairedCall> PlaceSearch::getPaired(OpOperand &use) const {
  auto call = dyn_cast<func::CallOp>(use.getOwner());
  auto callee =
      call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
  const unsigned result = use.getOperandNumber();
  Attribute number =
      callee ? callee.getArgAttr(result, mp::kOverwritesAttr) : Attribute();
  for (unsigned k = 0; number && k < callee.getNumArguments(); ++k)
    if (callee.getArgAttr(k, mp::kOverwrittenAttr) == number)
      return PairedCall{callee, k, result};
  return std::nullopt;
}

bool PlaceSearch::isDonatable(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &function.front() &&
         function.getArgAttr(argument.getArgNumber(), mp::kDonatableAttr);
}

std::optional<Place> PlaceSearch::find(memref::AllocOp result) const {
  llvm::SmallDenseMap<Operation *, PairedCall> calls;
  Value argument;
  for (OpOperand &use : result->getUses())
    if (std::optional<PairedCall> paired = getPaired(use)) {
      Value input = use.getOwner()->getOperand(paired->input);
      if (!isDonatable(input) || (argument && input != argument) ||
          !calls.insert({use.getOwner(), *paired}).second ||
          !readsFirst(paired->function, paired->input, paired->result))
        return std::nullopt;
      argument = input;
    }
  if (!argument || !isInNoLoop(result) ||
      getElementTypeOrSelf(argument) != getElementTypeOrSelf(result.getType()))
    return std::nullopt;
  // Nothing else reads the argument once it may be written to ...
  for (OpOperand *use : getAccesses(argument, views)) {
    auto call = calls.find(use->getOwner());
    if (call == calls.end() ? !isBefore(use->getOwner(), result)
                            : use->getOperandNumber() != call->second.input)
      return std::nullopt;
  }
  // ... nor writes to it before the kernel has read it.
  for (OpOperand *use : getAccesses(result.getResult(), views)) {
    auto call = calls.find(use->getOwner());
    if (call == calls.end()
            ? !llvm::all_of(calls,
                            [&](auto &each) {
                              return isBefore(each.first, use->getOwner());
                            })
            : use->getOperandNumber() != call->second.result)
      return std::nullopt;
  }
  return Place{result, cast<BlockArgument>(argument)};
}

SmallVector<Place> PlaceSearch::run() {
  SmallVector<Place> places;
  function.walk([&](memref::AllocOp result) {
    if (std::optional<Place> place = find(result))
      places.push_back(*place);
  });
  return places;
}

Operation *PlaceSearch::getLastAccess(BlockArgument argument,
                                      Block &block) const {
  Operation *last = nullptr;
  for (OpOperand *use : getAccesses(argument, views)) {
    Operation *op = block.findAncestorOpInBlock(*use->getOwner());
    if (op && (!last || last->isBeforeInBlock(op)))
      last = op;
  }
  return last;
}

//===----------------------------------------------------------------------===//
// Calls of the runtime
//===----------------------------------------------------------------------===//

static Value getArgumentAddress(OpBuilder &builder, Location loc,
                                Value argument) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, argument);
  address =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), address);
}

/// Frees an argument behind its last use in `block`.
static void freeEarly(BlockArgument argument, Block &block,
                      const PlaceSearch &search, const RuntimeCalls &runtime) {
  Operation *last = search.getLastAccess(argument, block);
  // A result may be the argument.
  if (last && last->hasTrait<OpTrait::IsTerminator>())
    return;
  if (auto branch = dyn_cast_or_null<scf::IfOp>(last)) {
    freeEarly(argument, *branch.thenBlock(), search, runtime);
    if (branch.elseBlock())
      return freeEarly(argument, *branch.elseBlock(), search, runtime);
  }
  auto builder = OpBuilder::atBlockBegin(&block);
  if (last)
    builder.setInsertionPointAfter(last);
  Location loc = argument.getLoc();
  runtime.call(builder, loc, "clique_rt_free_argument",
               getArgumentAddress(builder, loc, argument));
}

static void takeMemory(const Place &place, const RuntimeCalls &runtime) {
  memref::AllocOp result = place.result;
  OpBuilder builder(result);
  Location loc = result.getLoc();
  MemRefType type = result.getType();
  Value rows = result.getDynamicSizes().front();
  const int64_t rowElements =
      ShapedType::getNumElements(type.getShape().drop_front());
  Value bytes = arith::MulIOp::create(
      builder, loc, rows,
      arith::ConstantIndexOp::create(
          builder, loc,
          rowElements * ((type.getElementTypeBitWidth() + 7) / 8)));
  Value isTaken =
      runtime.call(builder, loc, "clique_rt_take_argument",
                   {getArgumentAddress(builder, loc, place.argument), bytes});
  auto choice = scf::IfOp::create(builder, loc, type, isTaken,
                                  /*withElseRegion=*/true);
  result.getResult().replaceAllUsesWith(choice.getResult(0));

  builder = choice.getThenBodyBuilder();
  SmallVector<OpFoldResult> sizes(
      getAsIndexOpFoldResult(builder.getContext(), type.getShape()));
  sizes.front() = rows;
  SmallVector<OpFoldResult> strides = getAsIndexOpFoldResult(
      builder.getContext(), type.getStridesAndOffset().first);
  Value there = memref::ReinterpretCastOp::create(
      builder, loc, type, place.argument, builder.getIndexAttr(0), sizes,
      strides);
  scf::YieldOp::create(builder, loc, there);

  builder = choice.getElseBodyBuilder();
  scf::YieldOp::create(builder, loc, result.getResult());
  result->moveBefore(choice.elseYield());
}

namespace {
struct ReuseArguments
    : public clique::impl::ReuseArgumentsPassBase<ReuseArguments> {
  void runOnOperation() override {
    const RuntimeCalls runtime(getOperation());
    const SymbolTable symbols(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && function.getBody().hasOneBlock())
        reuseArguments(function, symbols, runtime);
    // Later passes may change the order of reads and writes.
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (unsigned k = 0; k < function.getNumArguments(); ++k)
        for (StringRef attr : {mp::kOverwrittenAttr, mp::kOverwritesAttr})
          function.removeArgAttr(k, attr);
  }

  static void reuseArguments(func::FuncOp function, const SymbolTable &symbols,
                             const RuntimeCalls &runtime) {
    SmallVector<BlockArgument> arguments;
    for (BlockArgument argument : function.getArguments())
      if (isa<MemRefType>(argument.getType()) &&
          function.getArgAttr(argument.getArgNumber(), mp::kDonatableAttr))
        arguments.push_back(argument);
    if (arguments.empty())
      return;
    PlaceSearch search(function, symbols);
    SmallVector<Place> places = search.run();
    for (BlockArgument argument : arguments)
      freeEarly(argument, function.front(), search, runtime);
    for (const Place &place : places)
      takeMemory(place, runtime);
  }
};
} // namespace
