//===- LaunchBlocks.cpp - Parallel loops as launches of kernels -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Device/DevicePasses.h"
#include "compiler/Device/SingleStep.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>
#include <numeric>

namespace clique {
#define GEN_PASS_DEF_LAUNCHBLOCKSPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// The gpu.module of all kernels.
static constexpr llvm::StringLiteral kDeviceModule = "clique_device";

namespace {
struct LaunchBlocks : public clique::impl::LaunchBlocksPassBase<LaunchBlocks> {
  void runOnOperation() override {
    names.clear();
    wrapSingleBlocks();
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk([&](scf::ParallelOp loop) {
      if (!loop->getParentOfType<scf::ParallelOp>())
        loops.push_back(loop);
    });
    for (scf::ParallelOp loop : loops) {
      if (!loop.getInitVals().empty()) {
        loop.emitOpError("with a reduction cannot be launched as a kernel");
        return signalPassFailure();
      }
      launch(getFlat(loop));
    }
  }

  /// Where there is one block for certain, the loop over blocks has been taken
  /// away.
  void wrapSingleBlocks() {
    SmallVector<func::CallOp> calls;
    getOperation().walk([&](func::CallOp call) {
      if (getBlockFunction(call) && !call->getParentOfType<scf::ParallelOp>())
        calls.push_back(call);
    });
    for (func::CallOp call : calls)
      moveIntoSingleStep(call);
  }

  /// The same loop over one index, from 0 in steps of 1.
  static scf::ParallelOp getFlat(scf::ParallelOp loop) {
    std::vector<unsigned> all(loop.getNumLoops());
    std::iota(all.begin(), all.end(), 0);
    if (all.size() == 1 && isZeroInteger(loop.getLowerBound()[0]) &&
        isOneInteger(loop.getStep()[0]))
      return loop;
    Operation *before = loop->getPrevNode();
    Block *block = loop->getBlock();
    IRRewriter rewriter(loop);
    collapseParallelLoops(rewriter, loop, all);
    Operation *after = before ? before->getNextNode() : &block->front();
    while (!isa<scf::ParallelOp>(after))
      after = after->getNextNode();
    return cast<scf::ParallelOp>(after);
  }

  /// The function that a group of threads runs; null if it is another.
  static func::FuncOp getBlockFunction(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return callee && callee->hasAttr(mp::kThreadsAttr) ? callee : nullptr;
  }

  static void inlineCall(func::CallOp call, func::FuncOp callee) {
    OpBuilder b(call);
    IRMapping mapping;
    mapping.map(callee.getArguments(), call.getOperands());
    for (Operation &op : callee.getBody().front().without_terminator())
      b.clone(op, mapping);
    call.erase();
  }

  /// Kernels of one name would become one.
  std::string getUniqueName(StringRef name) {
    std::string unique = name.str();
    for (int k = 1; !names.insert(unique).second; ++k)
      unique = (name + "_" + Twine(k)).str();
    return unique;
  }

  static int64_t getAttr(func::FuncOp function, StringRef name) {
    auto attr = function->getAttrOfType<IntegerAttr>(name);
    return attr ? attr.getInt() : 0;
  }

  void launch(scf::ParallelOp loop) {
    // Threads of a round, and shared memory of the block.
    int64_t threads = 1, sharedBytes = 0;
    std::string name =
        (loop->getParentOfType<func::FuncOp>().getName() + "_loop").str();
    loop.walk([&](func::CallOp call) {
      if (func::FuncOp callee = getBlockFunction(call)) {
        threads = getAttr(callee, mp::kThreadsAttr);
        sharedBytes = getAttr(callee, mp::kSharedBytesAttr);
        name = callee.getName();
      }
    });
    int64_t rounds = std::max<int64_t>(1, tuning::gpuBlockThreads / threads);
    // A power of two, as threads are: groups of a part of a warp fill whole
    // ones.
    if (sharedBytes > 0) {
      const int64_t most =
          mp::getGpuOrDefault(loop).getSharedBytes() / sharedBytes;
      rounds = std::clamp<int64_t>(llvm::bit_floor(uint64_t(most)), 1, rounds);
    }

    OpBuilder b(loop);
    Location loc = loop.getLoc();
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    Value jobs = loop.getUpperBound()[0], one = index(1);
    Value blocks = rounds == 1
                       ? jobs
                       : arith::CeilDivUIOp::create(b, loc, jobs, index(rounds))
                             .getResult();
    Value bytes =
        sharedBytes == 0
            ? Value()
            : arith::ConstantIntOp::create(b, loc, sharedBytes * rounds, 32)
                  .getResult();
    auto launch = gpu::LaunchOp::create(
        b, loc, blocks, one, one, index(threads * rounds), one, one, bytes);
    MLIRContext *context = b.getContext();
    launch.setFunctionAttr(
        FlatSymbolRefAttr::get(context, getUniqueName(name)));
    launch.setModuleAttr(FlatSymbolRefAttr::get(context, kDeviceModule));
    b.setInsertionPointToStart(&launch.getBody().front());
    Value job = launch.getBlockIds().x;
    if (rounds > 1) {
      Value first = arith::MulIOp::create(b, loc, job, index(rounds));
      Value own = launch.getThreadIds().x;
      if (threads > 1)
        own = arith::DivUIOp::create(b, loc, own, index(threads));
      job = arith::AddIOp::create(b, loc, first, own);
      Value isJob =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, job, jobs);
      auto guarded = scf::IfOp::create(b, loc, isJob);
      gpu::TerminatorOp::create(b, loc);
      b.setInsertionPointToStart(guarded.thenBlock());
    }
    IRMapping mapping;
    mapping.map(loop.getInductionVars()[0], job);
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, mapping);
    if (rounds == 1)
      gpu::TerminatorOp::create(b, loc);
    launch.walk([](func::CallOp call) {
      if (func::FuncOp callee = getBlockFunction(call))
        inlineCall(call, callee);
    });
    loop.erase();
  }

  llvm::StringSet<> names;
};
} // namespace
