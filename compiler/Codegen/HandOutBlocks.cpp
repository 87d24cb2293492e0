//===- HandOutBlocks.cpp - Threads take blocks as they go -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factoring (Hummel, Schonberg, Flynn: Factoring, a method for scheduling
// parallel loops, CACM 1992): the threads take equal shares of half of the
// blocks, then of half of those that are left, and at last single blocks.
// Shares are numbered; which blocks a share has follows from its number, so
// that to take the next one is one atomic addition. Before each block a thread
// asks whether the invocation goes on.
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Conversion/RuntimeCalls.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace clique {
#define GEN_PASS_DEF_HANDOUTBLOCKSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

namespace {
/// The blocks [0, numBlocks) in shares, for the threads of a region.
class Factoring {
public:
  Factoring(OpBuilder &builder, Location loc, Value numBlocks,
            Value numThreads);

  /// The first block of a share; numBlocks or more past the last one.
  Value getBegin(OpBuilder &b, Location loc, Value share) const;

private:
  Value numBlocks, numThreads;
  /// How many times half of the blocks are shared out.
  Value numHalvings;
};

struct HandOutBlocks
    : public clique::impl::HandOutBlocksPassBase<HandOutBlocks> {
  void runOnOperation() override;
};
} // namespace

static Value constantIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

static Value castTo(OpBuilder &b, Location loc, Type type, Value value) {
  return arith::IndexCastOp::create(b, loc, type, value);
}

Factoring::Factoring(OpBuilder &builder, Location loc, Value numBlocks,
                     Value numThreads)
    : numBlocks(numBlocks), numThreads(numThreads) {
  // Until half of what is left is less than a block for each thread.
  Type i64 = builder.getI64Type();
  Value pair = arith::MulIOp::create(builder, loc, numThreads,
                                     constantIndex(builder, loc, 2));
  Value each = arith::DivUIOp::create(builder, loc, numBlocks, pair);
  Value zeros = math::CountLeadingZerosOp::create(
      builder, loc, castTo(builder, loc, i64, each));
  numHalvings = arith::SubIOp::create(
      builder, loc, constantIndex(builder, loc, 64),
      castTo(builder, loc, builder.getIndexType(), zeros));
}

// With T threads, a round of T shares begins with `left` = numBlocks / 2^round
// blocks and has `half` of them; its share number `place` begins place * half /
// T blocks later. After the last round shares are single blocks.
Value Factoring::getBegin(OpBuilder &b, Location loc, Value share) const {
  Value round = arith::DivUIOp::create(b, loc, share, numThreads);
  round = arith::MinUIOp::create(b, loc, round, numHalvings);
  Value before = arith::MulIOp::create(b, loc, round, numThreads);
  Value place = arith::SubIOp::create(b, loc, share, before);
  Value left = arith::ShRUIOp::create(b, loc, numBlocks, round);
  Value later = arith::ShRUIOp::create(b, loc, left, constantIndex(b, loc, 1));
  Value half = arith::SubIOp::create(b, loc, left, later);
  Value shares = arith::DivUIOp::create(
      b, loc, arith::MulIOp::create(b, loc, place, half), numThreads);
  Value isSingle = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         round, numHalvings);
  Value offset = arith::SelectOp::create(b, loc, isSingle, place, shares);
  Value begin = arith::SubIOp::create(b, loc, numBlocks, left);
  return arith::AddIOp::create(b, loc, begin, offset);
}

/// The number of the next share, in a cache line of its own: 0 before `region`.
static Value createCounter(OpBuilder &builder, omp::ParallelOp region) {
  const int64_t lineBytes = clique::mp::getCpu(region).getLineBytes();
  OpBuilder::InsertionGuard guard(builder);
  Location loc = region.getLoc();
  Type i64 = builder.getI64Type();
  auto function = region->getParentOfType<func::FuncOp>();
  builder.setInsertionPointToStart(&function.getBody().front());
  Value counter = memref::AllocaOp::create(
      builder, loc, MemRefType::get(lineBytes / sizeof(int64_t), i64),
      builder.getI64IntegerAttr(lineBytes));
  builder.setInsertionPoint(region);
  Value zero = arith::ConstantIntOp::create(builder, loc, i64, 0);
  memref::StoreOp::create(builder, loc, zero, counter,
                          constantIndex(builder, loc, 0));
  return counter;
}

/// The number of threads in the region where `builder` is.
static Value emitNumThreads(OpBuilder &builder, Location loc, ModuleOp module) {
  constexpr StringLiteral name = "omp_get_num_threads";
  Type i32 = builder.getI32Type();
  if (!module.lookupSymbol(name)) {
    OpBuilder declarations = OpBuilder::atBlockBegin(module.getBody());
    func::FuncOp::create(declarations, loc, name,
                         builder.getFunctionType({}, i32))
        .setPrivate();
  }
  Value number = func::CallOp::create(builder, loc, name, i32).getResult(0);
  return castTo(builder, loc, builder.getIndexType(), number);
}

/// What the threads of `region` ask; the invocation ends after it if need be.
static Value createInterruption(OpBuilder &builder, omp::ParallelOp region,
                                const clique::RuntimeCalls &runtime) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = region.getLoc();
  builder.setInsertionPoint(region);
  Value interruption = runtime.call(builder, loc, "clique_rt_interruption", {});
  builder.setInsertionPointAfter(region);
  runtime.call(builder, loc, "clique_rt_fail_if_interrupted", interruption);
  return interruption;
}

/// The number of blocks that `nest` has, before its region. Of a single block
/// no other thread is told: to wake one takes longer than many a block.
static Value countBlocks(omp::ParallelOp region, omp::LoopNestOp nest) {
  OpBuilder builder(region);
  Location loc = region.getLoc();
  Value numBlocks = builder.createOrFold<arith::SubIOp>(
      loc, nest.getLoopUpperBounds().front(),
      nest.getLoopLowerBounds().front());
  numBlocks = arith::MaxSIOp::create(builder, loc, numBlocks,
                                     constantIndex(builder, loc, 0));
  Value isShared =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, numBlocks,
                            constantIndex(builder, loc, 1));
  region.getIfExprMutable().assign(isShared);
  return numBlocks;
}

/// The bounds of `nest` are known before the region.
static bool areBoundsOutside(omp::ParallelOp region, omp::LoopNestOp nest) {
  return llvm::none_of(nest->getOperands(), [&](Value bound) {
    return region.getRegion().isAncestor(bound.getParentRegion());
  });
}

/// Replaces a loop whose blocks OpenMP's library hands out.
static void replace(omp::WsloopOp loop, omp::ParallelOp region,
                    omp::LoopNestOp nest, const clique::RuntimeCalls &runtime) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value interruption = createInterruption(builder, region, runtime);
  Value counter = createCounter(builder, region);
  Value first = nest.getLoopLowerBounds().front();
  Value step = nest.getLoopSteps().front();
  Value numBlocks = countBlocks(region, nest);
  Value numThreads =
      emitNumThreads(builder, loc, loop->getParentOfType<ModuleOp>());
  Factoring factoring(builder, loc, numBlocks, numThreads);

  auto emitNext = [&](OpBuilder &b, Location loc, ValueRange) {
    Value one = arith::ConstantIntOp::create(b, loc, b.getI64Type(), 1);
    Value share = castTo(
        b, loc, b.getIndexType(),
        memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi, one,
                                    counter, constantIndex(b, loc, 0)));
    Value next = arith::AddIOp::create(b, loc, share, constantIndex(b, loc, 1));
    Value begin = factoring.getBegin(b, loc, share);
    Value end = arith::MinUIOp::create(b, loc, factoring.getBegin(b, loc, next),
                                       numBlocks);
    Value isLeft = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         begin, numBlocks);
    scf::ConditionOp::create(b, loc, isLeft, {begin, end});
  };
  auto emitShare = [&](OpBuilder &b, Location loc, ValueRange bounds) {
    auto blocks = scf::ForOp::create(b, loc, bounds[0], bounds[1], step);
    OpBuilder inner = OpBuilder::atBlockBegin(blocks.getBody());
    Value block =
        inner.createOrFold<arith::AddIOp>(loc, blocks.getInductionVar(), first);
    nest.getRegion().getArgument(0).replaceAllUsesWith(block);
    auto computed = scf::IfOp::create(
        inner, loc,
        runtime.call(inner, loc, "clique_rt_goes_on", interruption));
    Block &body = nest.getRegion().front();
    body.getTerminator()->erase();
    computed.thenBlock()->getOperations().splice(
        computed.thenYield()->getIterator(), body.getOperations());
    scf::YieldOp::create(b, loc);
  };
  Type index = builder.getIndexType();
  scf::WhileOp::create(builder, loc, {index, index}, ValueRange{}, emitNext,
                       emitShare);
  loop.erase();
}

/// convert-scf-to-openmp gives each body a scope for its stack memory, of one
/// block, in which loops cannot become branches. What takes none needs none.
static void inlineScope(memref::AllocaScopeOp scope) {
  bool takesStack = scope
                        .walk([](Operation *op) {
                          return isa<memref::AllocaOp, LLVM::AllocaOp>(op)
                                     ? WalkResult::interrupt()
                                     : WalkResult::advance();
                        })
                        .wasInterrupted();
  if (takesStack)
    return;
  IRRewriter rewriter(scope);
  Block &body = scope.getBodyRegion().front();
  Operation *end = body.getTerminator();
  rewriter.inlineBlockBefore(&body, scope);
  rewriter.replaceOp(scope, end->getOperands());
  rewriter.eraseOp(end);
}

void HandOutBlocks::runOnOperation() {
  getOperation()->walk(inlineScope);
  SmallVector<omp::WsloopOp> loops;
  getOperation()->walk([&](omp::WsloopOp loop) { loops.push_back(loop); });
  const clique::RuntimeCalls runtime(getOperation());
  for (omp::WsloopOp loop : loops) {
    auto region = dyn_cast<omp::ParallelOp>(loop->getParentOp());
    auto nest = cast<omp::LoopNestOp>(loop.getWrappedLoop());
    if (region && loop.getReductionVars().empty() &&
        loop.getPrivateVars().empty() && nest.getIVs().size() == 1 &&
        nest.getRegion().hasOneBlock() &&
        matchPattern(nest.getLoopSteps().front(), m_One()) &&
        areBoundsOutside(region, nest))
      replace(loop, region, nest, runtime);
  }
}
