//===- DivideSums.cpp - Sums of whole tensors for the threads of a GPU ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structured op becomes a kernel with a thread for each step of its parallel
// loops, which adds in a register. A sum over nodes or edges has few of those
// or none: its terms are divided, and the sums of parts again, until what is
// left is short.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/ThreadSums.h"
#include "compiler/Codegen/WideReductions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {
#define GEN_PASS_DEF_DIVIDESUMSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// Results of few elements
//===----------------------------------------------------------------------===//

namespace {
/// One op, whose terms are divided.
class SumDivider : private ThreadSums {
public:
  SumDivider(linalg::LinalgOp op, RewriterBase &rewriter)
      : ThreadSums(op, rewriter) {}

  /// Whether there are terms that are worth it.
  bool findLoops();
  SmallVector<Value> run();

private:
  /// The part that thread `part` has of `length` terms: its first and its end.
  std::pair<Value, Value> emitPart(OpBuilder &at, Value part,
                                   OpFoldResult length, int64_t terms);
  /// The sums of parts of the op's terms.
  SmallVector<Value> emitFirst();
  /// The sums of parts of `sums`.
  SmallVector<Value> emitNext(ValueRange sums);
  /// `sums` as one, joined with what the op begins with.
  SmallVector<Value> emitLast(ValueRange sums);

  /// The loop that is divided, and those that threads have to themselves:
  /// other reductions first, `kept` of them, then those of the result.
  unsigned loop = 0, kept = 0;
  SmallVector<unsigned> threads;
  /// Terms of a part, and how many there are now.
  int64_t terms = 0;
  OpFoldResult parts;
};
} // namespace

bool SumDivider::findLoops() {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (combiners.empty() || !type.hasStaticShape() ||
      type.getNumElements() > tuning::gpuSumElements)
    return false;
  terms = std::max(tuning::gpuSumTerms,
                   type.getNumElements() / tuning::gpuSumTerms);

  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto rank = [&](unsigned k) {
    return ShapedType::isDynamic(ranges[k]) ? INT64_MAX : ranges[k];
  };
  loop = *llvm::max_element(
      reductions, [&](unsigned a, unsigned c) { return rank(a) < rank(c); });
  int64_t all = 1;
  for (unsigned k : reductions)
    all = rank(k) > 2 * terms / all ? INT64_MAX : all * rank(k);
  if (all <= 2 * terms)
    return false;
  int64_t together = 1;
  for (unsigned k : reductions)
    if (k != loop && rank(k) <= tuning::gpuSumKept / together) {
      together *= ranges[k];
      threads.push_back(k);
    }
  // Rows that threads side by side have apart are the others'.
  kept = threads.size();
  llvm::append_range(threads, results);
  return true;
}

std::pair<Value, Value> SumDivider::emitPart(OpBuilder &at, Value part,
                                             OpFoldResult length,
                                             int64_t terms) {
  Value begin = arith::MulIOp::create(at, loc, part, getIndex(at, terms));
  Value end = arith::AddIOp::create(at, loc, begin, getIndex(at, terms));
  return {begin, arith::MinUIOp::create(at, loc, end, getIndex(at, length))};
}

SmallVector<Value> SumDivider::emitFirst() {
  AffineExpr count = b.getAffineSymbolExpr(0).ceilDiv(terms);
  parts = affine::makeComposedFoldedAffineApply(b, loc, count, {lengths[loop]});
  SmallVector<OpFoldResult> sizes = {parts};
  for (unsigned k : threads)
    sizes.push_back(lengths[k]);
  return emitThreads(sizes, [&](OpBuilder &at, ValueRange indices, ValueRange) {
    SmallVector<Value> ivs(lengths.size()), begin, end;
    for (auto [k, index] : llvm::zip_equal(threads, indices.drop_front()))
      ivs[k] = index;
    SmallVector<unsigned> serial;
    for (unsigned k = 0; k < lengths.size(); ++k) {
      if (ivs[k])
        continue;
      serial.push_back(k);
      begin.push_back(getIndex(at, 0));
      end.push_back(getIndex(at, lengths[k]));
      if (k == loop)
        std::tie(begin.back(), end.back()) =
            emitPart(at, indices.front(), lengths[k], terms);
    }
    return emitLoops(at, begin, end,
                     [&](OpBuilder &inner, ValueRange steps, ValueRange sums) {
                       for (auto [k, step] : llvm::zip_equal(serial, steps))
                         ivs[k] = step;
                       return emitStep(inner, ivs, sums);
                     });
  });
}

SmallVector<Value> SumDivider::emitNext(ValueRange sums) {
  OpFoldResult length = parts;
  AffineExpr count = b.getAffineSymbolExpr(0).ceilDiv(tuning::gpuSumTerms);
  parts = affine::makeComposedFoldedAffineApply(b, loc, count, {length});
  SmallVector<OpFoldResult> sizes = {parts};
  for (unsigned k : threads)
    sizes.push_back(lengths[k]);
  return emitThreads(sizes, [&](OpBuilder &at, ValueRange indices, ValueRange) {
    auto [begin, end] =
        emitPart(at, indices.front(), length, tuning::gpuSumTerms);
    return emitLoops(
        at, begin, end,
        [&](OpBuilder &inner, ValueRange steps, ValueRange joined) {
          SmallVector<Value> place(indices), terms;
          place.front() = steps.front();
          for (Value sum : sums)
            terms.push_back(tensor::ExtractOp::create(inner, loc, sum, place));
          return emitJoin(inner, joined, terms);
        });
  });
}

SmallVector<Value> SumDivider::emitLast(ValueRange sums) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned k : ArrayRef(threads).drop_front(kept))
    sizes.push_back(lengths[k]);
  return emitThreads(sizes, [&](OpBuilder &at, ValueRange indices, ValueRange) {
    SmallVector<Value> begin(1 + kept, getIndex(at, 0)),
        end = {getIndex(at, parts)};
    for (unsigned k : ArrayRef(threads).take_front(kept))
      end.push_back(getIndex(at, lengths[k]));
    auto outer = [&](ArrayRef<Value> bounds) { return bounds.take_front(); };
    auto inner = [&](ArrayRef<Value> bounds) { return bounds.drop_front(); };
    // Each part's are a sum of their own, as blocks of any long sum.
    auto addPart = [&](OpBuilder &at, ValueRange part, ValueRange sum) {
      SmallVector<Value> own = emitLoops(
          at, inner(begin), inner(end),
          [&](OpBuilder &at, ValueRange steps, ValueRange joined) {
            SmallVector<Value> place(part), terms;
            llvm::append_range(place, steps);
            llvm::append_range(place, indices);
            for (Value sum : sums)
              terms.push_back(tensor::ExtractOp::create(at, loc, sum, place));
            return emitJoin(at, joined, terms);
          });
      return emitJoin(at, sum, own);
    };
    SmallVector<Value> all = emitLoops(at, outer(begin), outer(end), addPart);
    return emitJoin(at, emitStarts(at, indices), all);
  });
}

SmallVector<Value> SumDivider::run() {
  findLengths();
  SmallVector<Value> sums = emitFirst();
  // Of more terms than a GPU's memory holds few are left.
  for (int level = 1; level < tuning::gpuSumLevels; ++level) {
    std::optional<int64_t> known = getConstantIntValue(parts);
    if (known && *known <= 2 * tuning::gpuSumTerms)
      break;
    sums = emitNext(sums);
  }
  return emitLast(sums);
}

//===----------------------------------------------------------------------===//
// Other results
//===----------------------------------------------------------------------===//

namespace {
/// One op, whose threads have all terms of an element each.
class SumPerThread : private ThreadSums {
public:
  SumPerThread(linalg::LinalgOp op, RewriterBase &rewriter)
      : ThreadSums(op, rewriter) {}

  SmallVector<Value> run();

private:
  /// Finds `blocks`.
  void divideLoops();
  /// The op's steps for `ivs` of the loops before reduction `k`, after `sums`.
  SmallVector<Value> emitReduction(OpBuilder &at, size_t k, ValueRange sums);
  /// Steps of reduction `k` from `begin` to `end`, in its blocks from `level`
  /// on.
  SmallVector<Value> emitBlocks(OpBuilder &at, size_t k, size_t level,
                                Value begin, Value end, ValueRange sums);

  /// For each reduction the lengths of blocks that are sums of their own, from
  /// outer to inner.
  SmallVector<SmallVector<int64_t>> blocks;
  SmallVector<Value> ivs;
};
} // namespace

void SumPerThread::divideLoops() {
  blocks.resize(reductions.size());
  if (!llvm::any_of(combiners, llvm::IsaPred<arith::AddFOp, arith::MulFOp>))
    return;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t inside = 1;
  for (size_t k = reductions.size(); k-- > 0;) {
    int64_t length = ranges[reductions[k]];
    // Several loops make long blocks together.
    int64_t block = std::max<int64_t>(1, tuning::gpuSumTerms / inside);
    auto isLonger = [&](int64_t terms) {
      return ShapedType::isDynamic(length) || length > terms;
    };
    bool isLong = isLonger(2 * block);
    inside = std::min(inside * (isLong ? block : length), tuning::gpuSumTerms);
    for (int level = 0; isLong && level < tuning::gpuSumLevels; ++level) {
      if (isLonger(block))
        blocks[k].insert(blocks[k].begin(), block);
      block *= tuning::gpuSumTerms;
    }
  }
}

SmallVector<Value> SumPerThread::emitReduction(OpBuilder &at, size_t k,
                                               ValueRange sums) {
  if (k == reductions.size())
    return emitStep(at, ivs, sums);
  return emitBlocks(at, k, 0, getIndex(at, 0),
                    getIndex(at, lengths[reductions[k]]), sums);
}

SmallVector<Value> SumPerThread::emitBlocks(OpBuilder &at, size_t k,
                                            size_t level, Value begin,
                                            Value end, ValueRange sums) {
  bool isBlock = level < blocks[k].size();
  Value size = getIndex(at, isBlock ? blocks[k][level] : 1);
  scf::LoopNest loop = scf::buildLoopNest(
      at, loc, begin, end, size, sums,
      [&](OpBuilder &inner, Location, ValueRange iv, ValueRange before) {
        ivs[reductions[k]] = iv.front();
        if (!isBlock)
          return emitReduction(inner, k + 1, before);
        SmallVector<Value> own = emitNeutral(inner);
        if (blocks[k][level] == 1) {
          own = emitReduction(inner, k + 1, own);
        } else {
          Value next = arith::AddIOp::create(inner, loc, iv.front(), size);
          next = arith::MinUIOp::create(inner, loc, next, end);
          own = emitBlocks(inner, k, level + 1, iv.front(), next, own);
        }
        return emitJoin(inner, before, own);
      });
  return loop.results;
}

SmallVector<Value> SumPerThread::run() {
  divideLoops();
  findLengths();
  SmallVector<OpFoldResult> sizes;
  for (unsigned k : results)
    sizes.push_back(lengths[k]);
  return emitThreads(sizes, [&](OpBuilder &at, ValueRange indices, ValueRange) {
    ivs.assign(lengths.size(), {});
    for (auto [k, index] : llvm::zip_equal(results, indices))
      ivs[k] = index;
    return emitReduction(at, 0, emitStarts(at, indices));
  });
}

namespace {
struct DivideSums : public clique::impl::DivideSumsPassBase<DivideSums> {
  using DivideSumsPassBase::DivideSumsPassBase;

  void runOnOperation() override {
    if (!getOperation().isPublic())
      return;
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() > 0 && op.hasPureTensorSemantics() &&
          !llvm::is_contained(op.getStaticLoopRanges(), 0) &&
          !op->getParentOfType<scf::ParallelOp>() && hasThreadsForResults(op))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      divide(op);
  }

private:
  static void divide(linalg::LinalgOp op) {
    IRRewriter rewriter(op);
    if (reducesHalves(op))
      op = carryWide(rewriter, op);
    SumDivider divider(op, rewriter);
    rewriter.replaceOp(op, divider.findLoops()
                               ? divider.run()
                               : SumPerThread(op, rewriter).run());
  }
};
} // namespace
