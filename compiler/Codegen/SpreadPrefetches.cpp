//===- SpreadPrefetches.cpp - What is fetched during a product ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A processor that is asked for more lines at once than it can wait for drops
// some of them. A loop of prefetches before a loop that takes long becomes
// several, between parts of that loop.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace clique {
#define GEN_PASS_DEF_SPREADPREFETCHESPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

static bool fetches(Operation *op) {
  return op->walk([](memref::PrefetchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static bool onlyFetches(Block &block) {
  return llvm::all_of(block.without_terminator(), [](Operation &op) {
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && !branch.elseBlock())
      return onlyFetches(*branch.thenBlock());
    return isa<memref::PrefetchOp>(op) || isMemoryEffectFree(&op);
  });
}

static bool onlyFetches(scf::ForOp loop) {
  return loop.getNumRegionIterArgs() == 0 &&
         isConstantIntValue(loop.getStep(), 1) &&
         onlyFetches(*loop.getBody()) && fetches(loop);
}

/// A loop without others inside that carries sums, as those of products do.
static bool isProduct(scf::ForOp loop) {
  return loop.getNumRegionIterArgs() > 0 &&
         llvm::all_of(loop.getBody()->without_terminator(),
                      [](Operation &op) { return op.getNumRegions() == 0; });
}

static std::optional<int64_t> getNumSteps(scf::ForOp loop) {
  if (std::optional<APInt> steps = loop.getStaticTripCount())
    return steps->getSExtValue();
  return std::nullopt;
}

namespace {
/// Rows of which a loop of prefetches takes a share.
struct Rows {
  Value begin, end;
};

class Spreader {
public:
  explicit Spreader(scf::ForOp prefetches)
      : prefetches(prefetches), builder(prefetches), loc(prefetches.getLoc()) {}

  /// Whether the work of `loop` is divided among parts that fetch.
  bool run(scf::ForOp loop) {
    std::optional<int64_t> steps = getNumSteps(loop);
    if (!steps || fetches(loop))
      return false;
    Rows all{prefetches.getLowerBound(), prefetches.getUpperBound()};
    if (isProduct(loop)) {
      if (*steps < 2 * clique::tuning::stepsBetweenFetches)
        return false;
      divide(loop, all, steps);
      return true;
    }
    if (*steps > kMostRounds || !findProduct(loop))
      return false;
    builder.setInsertionPointToStart(loop.getBody());
    Value round = arith::SubIOp::create(builder, loc, loop.getInductionVar(),
                                        loop.getLowerBound());
    round = arith::DivUIOp::create(builder, loc, round, loop.getStep());
    Value next = arith::AddIOp::create(builder, loc, round, constantIndex(1));
    Rows share{getShareBegin(all, round, *steps),
               getShareBegin(all, next, *steps)};
    scf::ForOp product = findProduct(loop);
    builder.setInsertionPoint(product);
    divide(product, share, getNumSteps(product));
    return true;
  }

private:
  static constexpr int64_t kMostRounds = 4, kMostParts = 4;

  static scf::ForOp findProduct(scf::ForOp around) {
    for (auto loop : around.getBody()->getOps<scf::ForOp>())
      return isProduct(loop) ? loop : scf::ForOp();
    return {};
  }

  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// Where share `number` of `count` begins.
  Value getShareBegin(const Rows &rows, Value number, int64_t count) {
    Value before = arith::SubIOp::create(builder, loc, rows.end, rows.begin);
    before = arith::MulIOp::create(builder, loc, before, number);
    before = arith::DivUIOp::create(builder, loc, before, constantIndex(count));
    return arith::AddIOp::create(builder, loc, rows.begin, before);
  }

  void fetch(const Rows &rows) {
    auto copy = cast<scf::ForOp>(builder.clone(*prefetches));
    copy.setLowerBound(rows.begin);
    copy.setUpperBound(rows.end);
  }

  /// Divides a product, of `steps` steps if they are known, into parts that
  /// fetch shares of the rows before them.
  void divide(scf::ForOp loop, const Rows &rows, std::optional<int64_t> steps) {
    const int64_t parts =
        steps ? std::clamp<int64_t>(
                    *steps / clique::tuning::stepsBetweenFetches, 1, kMostParts)
              : 2;
    builder.setInsertionPoint(loop);
    Value size = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                       loop.getLowerBound());
    size = arith::MaxSIOp::create(builder, loc, size, constantIndex(0));
    Value step = loop.getStep();
    size = arith::CeilDivUIOp::create(builder, loc, size, step);
    auto getBegin = [&](int64_t part) -> Value {
      Value before =
          arith::MulIOp::create(builder, loc, size, constantIndex(part));
      before =
          arith::DivUIOp::create(builder, loc, before, constantIndex(parts));
      before = arith::MulIOp::create(builder, loc, before, step);
      return arith::AddIOp::create(builder, loc, loop.getLowerBound(), before);
    };
    SmallVector<Value> carried(loop.getInits());
    Value begin = loop.getLowerBound(), row = rows.begin;
    for (int64_t part = 0; part < parts; ++part) {
      bool isLast = part + 1 == parts;
      Value nextRow = isLast
                          ? rows.end
                          : getShareBegin(rows, constantIndex(part + 1), parts);
      Value end = isLast ? loop.getUpperBound() : getBegin(part + 1);
      fetch({row, nextRow});
      auto copy = cast<scf::ForOp>(builder.clone(*loop));
      copy.setLowerBound(begin);
      copy.setUpperBound(end);
      copy.getInitArgsMutable().assign(carried);
      carried.assign(copy.result_begin(), copy.result_end());
      begin = end;
      row = nextRow;
    }
    loop.replaceAllUsesWith(carried);
    loop.erase();
  }

  scf::ForOp prefetches;
  OpBuilder builder;
  Location loc;
};

struct SpreadPrefetches
    : public clique::impl::SpreadPrefetchesPassBase<SpreadPrefetches> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> all;
    getOperation()->walk([&](scf::ForOp loop) {
      if (onlyFetches(loop))
        all.push_back(loop);
    });
    for (scf::ForOp prefetches : all)
      if (scf::ForOp next = findNext(prefetches);
          next && Spreader(prefetches).run(next))
        prefetches.erase();
  }

  /// The next loop, if it comes before other regions.
  static scf::ForOp findNext(scf::ForOp loop) {
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
      if (op->getNumRegions() > 0)
        return dyn_cast<scf::ForOp>(op);
    return {};
  }
};
} // namespace
