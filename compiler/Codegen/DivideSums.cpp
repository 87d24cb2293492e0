//===- DivideSums.cpp - Sums of whole tensors for the threads of a GPU ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structured op becomes a kernel with a thread for each step of its parallel
// loops. A sum over nodes or edges has few of those or none: its terms are
// divided, and the sums of parts again, until what is left is short.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/SumBlocks.h"
#include "compiler/Codegen/WideReductions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace clique {
#define GEN_PASS_DEF_DIVIDESUMSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// One op, whose terms are divided.
class SumDivider {
public:
  SumDivider(linalg::LinalgOp op, ArrayRef<Operation *> combiners,
             RewriterBase &rewriter)
      : op(op), combiners(combiners), b(rewriter), loc(op.getLoc()) {}

  /// Whether there are terms that are worth it.
  bool findLoops();
  SmallVector<Value> run();

private:
  using Emit = function_ref<SmallVector<Value>(OpBuilder &, ValueRange indices,
                                               ValueRange sums)>;

  Value getIndex(OpBuilder &at, OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(at, loc, number);
  }
  /// Tensors of `sizes`, one element of each per thread: emit(b, indices, {}).
  SmallVector<Value> emitThreads(ArrayRef<OpFoldResult> sizes, Emit emit);
  /// What `step` makes of the neutral elements in loops from `begin` to `end`.
  SmallVector<Value> emitLoops(OpBuilder &at, ValueRange begin, ValueRange end,
                               Emit step);
  /// The part that thread `part` has of `length` terms: its first and its end.
  std::pair<Value, Value> emitPart(OpBuilder &at, Value part,
                                   OpFoldResult length, int64_t terms);
  SmallVector<Value> emitJoin(OpBuilder &at, ValueRange sums, ValueRange terms);
  /// The sums of parts of the op's terms.
  SmallVector<Value> emitFirst();
  /// The sums of parts of `sums`.
  SmallVector<Value> emitNext(ValueRange sums);
  /// `sums` as one, joined with what the op begins with.
  SmallVector<Value> emitLast(ValueRange sums);
  /// A step of the op for `ivs`.
  SmallVector<Value> emitStep(OpBuilder &at, ArrayRef<Value> ivs,
                              ValueRange sums);

  linalg::LinalgOp op;
  ArrayRef<Operation *> combiners;
  RewriterBase &b;
  Location loc;
  SmallVector<OpFoldResult> lengths;
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
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init) != map)
      return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!map.isProjectedPermutation() || !type.hasStaticShape() ||
      type.getNumElements() > tuning::gpuSumElements)
    return false;
  terms = std::max(tuning::gpuSumTerms,
                   type.getNumElements() / tuning::gpuSumTerms);

  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  auto rank = [&](unsigned k) {
    return ShapedType::isDynamic(ranges[k]) ? INT64_MAX : ranges[k];
  };
  for (unsigned k : loops)
    if (map.isFunctionOfDim(k))
      return false;
  loop = *llvm::max_element(
      loops, [&](unsigned a, unsigned c) { return rank(a) < rank(c); });
  int64_t all = 1;
  for (unsigned k : loops)
    all = rank(k) > 2 * terms / all ? INT64_MAX : all * rank(k);
  if (all <= 2 * terms)
    return false;
  int64_t together = 1;
  for (unsigned k : loops)
    if (k != loop && rank(k) <= tuning::gpuSumKept / together) {
      together *= ranges[k];
      threads.push_back(k);
    }
  // Rows that threads side by side have apart are the others'.
  kept = threads.size();
  for (AffineExpr dim : map.getResults())
    threads.push_back(cast<AffineDimExpr>(dim).getPosition());
  return true;
}

SmallVector<Value> SumDivider::emitThreads(ArrayRef<OpFoldResult> sizes,
                                           Emit emit) {
  SmallVector<Value> empty;
  SmallVector<Type> types;
  for (Value result : op->getResults()) {
    empty.push_back(tensor::EmptyOp::create(
        b, loc, sizes, getElementTypeOrSelf(result.getType())));
    types.push_back(empty.back().getType());
  }
  SmallVector<AffineMap> maps(empty.size(),
                              b.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> parallel(sizes.size(),
                                            utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, types, ValueRange(), empty, maps, parallel,
      [&](OpBuilder &at, Location, ValueRange) {
        SmallVector<Value> indices;
        for (size_t k = 0; k < sizes.size(); ++k)
          indices.push_back(linalg::IndexOp::create(at, loc, k));
        linalg::YieldOp::create(at, loc, emit(at, indices, {}));
      });
  return generic.getResults();
}

SmallVector<Value> SumDivider::emitLoops(OpBuilder &at, ValueRange begin,
                                         ValueRange end, Emit step) {
  SmallVector<Value> neutral;
  for (Operation *combiner : combiners)
    neutral.push_back(arith::ConstantOp::create(
        at, loc, *arith::getNeutralElement(combiner)));
  SmallVector<Value> steps(begin.size(), getIndex(at, b.getIndexAttr(1)));
  scf::LoopNest nest = scf::buildLoopNest(
      at, loc, begin, end, steps, neutral,
      [&](OpBuilder &inner, Location, ValueRange ivs, ValueRange sums) {
        return step(inner, ivs, sums);
      });
  return nest.results;
}

std::pair<Value, Value> SumDivider::emitPart(OpBuilder &at, Value part,
                                             OpFoldResult length,
                                             int64_t terms) {
  Value begin =
      arith::MulIOp::create(at, loc, part, getIndex(at, b.getIndexAttr(terms)));
  Value end = arith::AddIOp::create(at, loc, begin,
                                    getIndex(at, b.getIndexAttr(terms)));
  return {begin, arith::MinUIOp::create(at, loc, end, getIndex(at, length))};
}

SmallVector<Value> SumDivider::emitJoin(OpBuilder &at, ValueRange sums,
                                        ValueRange terms) {
  SmallVector<Value> joined;
  for (auto [combiner, sum, term] : llvm::zip_equal(combiners, sums, terms))
    joined.push_back(emitCombiner(at, loc, combiner, sum, term));
  return joined;
}

SmallVector<Value> SumDivider::emitStep(OpBuilder &at, ArrayRef<Value> ivs,
                                        ValueRange sums) {
  IRMapping map;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value value = input->get();
    if (isa<RankedTensorType>(value.getType())) {
      SmallVector<Value> place;
      AffineMap indexing = op.getMatchingIndexingMap(input);
      for (unsigned k = 0; k < indexing.getNumResults(); ++k)
        place.push_back(getIndex(
            at, affine::makeComposedFoldedAffineApply(
                    at, loc, indexing.getSubMap({k}), getAsOpFoldResult(ivs))));
      value = tensor::ExtractOp::create(at, loc, value, place);
    }
    map.map(op.getMatchingBlockArgument(input), value);
  }
  map.map(op.getRegionOutputArgs(), sums);
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      map.map(index.getResult(), ivs[index.getDim()]);
    else
      at.clone(inner, map);
  }
  SmallVector<Value> results;
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    results.push_back(map.lookupOrDefault(value));
  return results;
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
      begin.push_back(getIndex(at, b.getIndexAttr(0)));
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
    SmallVector<Value> begin(1 + kept, getIndex(at, b.getIndexAttr(0))),
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
    SmallVector<Value> starts;
    for (Value init : op.getDpsInits())
      starts.push_back(tensor::ExtractOp::create(at, loc, init, indices));
    return emitJoin(at, starts, all);
  });
}

SmallVector<Value> SumDivider::run() {
  b.setInsertionPoint(op);
  for (Range range :
       cast<TilingInterface>(op.getOperation()).getIterationDomain(b))
    lengths.push_back(range.size);
  // Those of the result are known, though operands may not say so.
  Value result = op.getDpsInits().front();
  for (auto [k, size] : llvm::zip_equal(ArrayRef(threads).drop_front(kept),
                                        tensor::getMixedSizes(b, loc, result)))
    lengths[k] = size;
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
          !op->getParentOfType<scf::ParallelOp>())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      divide(op);
  }

private:
  static void divide(linalg::LinalgOp op) {
    IRRewriter rewriter(op);
    SmallVector<Operation *> combiners = getCombiners(op);
    if (combiners.empty() || !SumDivider(op, combiners, rewriter).findLoops())
      return;
    if (reducesHalves(op)) {
      op = carryWide(rewriter, op);
      combiners = getCombiners(op);
    }
    SumDivider divider(op, combiners, rewriter);
    bool found = divider.findLoops();
    assert(found && "a type changes no loops");
    (void)found;
    rewriter.replaceOp(op, divider.run());
  }
};
} // namespace
