//===- PrefetchGathers.cpp - Rows that an array names, before their use ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software prefetching of indirect accesses: what x[a[k]] reads is fetched
// while x[a[k - d]] is (Ainsworth and Jones, CGO 2017).
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/RowLines.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Dominance.h"

#include <set>

namespace clique {
#define GEN_PASS_DEF_PREFETCHGATHERSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// Part of the row of a buffer that is read: the elements [first, past), behind
/// the offsets that only a run knows; null in the other dimensions.
struct ReadPart {
  MemRefType getType() const { return cast<MemRefType>(buffer.getType()); }
  ArrayRef<int64_t> getFeature() const {
    return getType().getShape().drop_front();
  }

  Value buffer;
  SmallVector<Value> offsets;
  int64_t first = 0, past = 0;
};

/// A line of a buffer: behind which offsets that only a run knows, and with
/// which element.
using Line = std::tuple<void *, SmallVector<void *>, int64_t>;

/// Adds the fetches that belong to one read of the array.
class Prefetcher {
public:
  Prefetcher(memref::LoadOp load, int64_t distance, DominanceInfo &dominance)
      : builder(load), loc(load.getLoc()), load(load), distance(distance),
        dominance(dominance) {}

  /// `fetched`: lines that need no fetch; the others join them.
  void run(std::set<Line> &fetched);

private:
  /// What is read of the row with the number that the array has.
  SmallVector<ReadPart> findParts();
  std::optional<ReadPart> getPart(tensor::ExtractSliceOp slice, Value row);
  /// The number of the row that is read `distance` later, at most of the last.
  Value loadAhead();

  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  OpBuilder builder;
  Location loc;
  memref::LoadOp load;
  int64_t distance;
  DominanceInfo &dominance;
};
} // namespace

/// Whether `a` is to one loop's variable what `b` is to the other's.
static bool isSameOf(Value a, scf::ForOp loop, Value b, scf::ForOp other) {
  if (a == b || (a == loop.getInductionVar() && b == other.getInductionVar()))
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return first && second && isPure(first) &&
         OperationEquivalence::isEquivalentTo(
             first, second,
             [&](Value x, Value y) {
               return success(isSameOf(x, loop, y, other));
             },
             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

/// Whether a loop before that of `load` reads the same entries as `earlier`.
static bool readsAgain(memref::LoadOp load, memref::LoadOp earlier) {
  auto loop = load->getParentOfType<scf::ForOp>();
  auto other = earlier->getParentOfType<scf::ForOp>();
  return loop && other && loop != other &&
         load.getMemRef() == earlier.getMemRef() &&
         loop->getBlock() == other->getBlock() &&
         loop.getLowerBound() == other.getLowerBound() &&
         loop.getUpperBound() == other.getUpperBound() &&
         loop.getStep() == other.getStep() &&
         isSameOf(load.getIndices().front(), loop, earlier.getIndices().front(),
                  other);
}

std::optional<ReadPart> Prefetcher::getPart(tensor::ExtractSliceOp slice,
                                            Value row) {
  auto whole = slice.getSource().getDefiningOp<bufferization::ToTensorOp>();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  if (!whole || offsets.front() != OpFoldResult(row) ||
      !isConstantIntValue(slice.getMixedSizes().front(), 1) ||
      slice.getSourceType().getNumDynamicDims() != 1 ||
      llvm::is_contained(slice.getStaticSizes(), ShapedType::kDynamic) ||
      llvm::is_contained(slice.getStaticStrides(), ShapedType::kDynamic))
    return std::nullopt;
  ReadPart part;
  part.buffer = whole.getBuffer();
  part.past = 1;
  for (auto [offset, size, step, stride] : llvm::zip_equal(
           llvm::drop_begin(offsets), slice.getStaticSizes().drop_front(),
           slice.getStaticStrides().drop_front(),
           computeStrides(part.getFeature()))) {
    part.offsets.push_back(dyn_cast<Value>(offset));
    if (part.offsets.back() &&
        !dominance.properlyDominates(part.offsets.back(), load))
      return std::nullopt;
    part.first += getConstantIntValue(offset).value_or(0) * stride;
    part.past += (size - 1) * step * stride;
  }
  part.past += part.first;
  return part;
}

SmallVector<ReadPart> Prefetcher::findParts() {
  SmallVector<ReadPart> parts;
  for (Operation *cast : load->getUsers()) {
    if (!isa<arith::IndexCastOp>(cast))
      continue;
    Value row = cast->getResult(0);
    for (Operation *user : row.getUsers())
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
        if (std::optional<ReadPart> part = getPart(slice, row))
          parts.push_back(std::move(*part));
  }
  return parts;
}

Value Prefetcher::loadAhead() {
  Value place = load.getIndices().front();
  Value ahead =
      arith::AddIOp::create(builder, loc, place, constantIndex(distance));
  Value size =
      memref::DimOp::create(builder, loc, load.getMemRef(), int64_t(0));
  Value last = arith::SubIOp::create(builder, loc, size, constantIndex(1));
  ahead = arith::MinSIOp::create(builder, loc, ahead, last);
  Value row = memref::LoadOp::create(builder, loc, load.getMemRef(), ahead);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), row);
}

void Prefetcher::run(std::set<Line> &fetched) {
  const mp::CpuAttr cpu = mp::getCpu(load);
  const int64_t bytesPerLine = cpu.getLineBytes();
  Value row;
  const SmallVector<ReadPart> parts = findParts();
  int64_t numLines = 0;
  for (const ReadPart &part : parts)
    numLines += int64_t(getLineElements(part.getType(), bytesPerLine,
                                        part.first, part.past,
                                        /*withLast=*/false)
                            .size());
  const unsigned level = tuning::prefetchLevels[unsigned(cpu.getRates())];
  for (const ReadPart &part : parts) {
    SmallVector<void *> offsets;
    for (Value offset : part.offsets)
      offsets.push_back(offset.getAsOpaquePointer());
    const bool goesOn = llvm::any_of(parts, [&](const ReadPart &other) {
      return other.buffer == part.buffer && other.offsets == part.offsets &&
             other.first <= part.past && part.past < other.past;
    });
    // To fetch a second line for each of one would cost what is in the caches
    // (sums of 16 floats 8 % on amazon_computers).
    const bool isOne = (part.past - part.first) *
                           int64_t(getBits(part.getType().getElementType())) <=
                       8 * bytesPerLine;
    const bool withLast =
        !goesOn && !isOne && numLines <= tuning::mostLinesAhead;
    for (int64_t element : getLineElements(part.getType(), bytesPerLine,
                                           part.first, part.past, withLast)) {
      if (!fetched.emplace(part.buffer.getAsOpaquePointer(), offsets, element)
               .second)
        continue;
      if (!row)
        row = loadAhead();
      prefetchElement(builder, loc, part.buffer, row, element, level,
                      part.offsets);
    }
  }
}

namespace {
struct PrefetchGathers
    : public clique::impl::PrefetchGathersPassBase<PrefetchGathers> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto &dominance = getAnalysis<DominanceInfo>();
    auto getDistance = [&](Value array) -> IntegerAttr {
      auto argument = dyn_cast<BlockArgument>(array);
      if (!argument || argument.getOwner()->getParentOp() != function)
        return {};
      return function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                    mp::kPrefetchAttr);
    };
    SmallVector<std::pair<memref::LoadOp, std::set<Line>>> reads;
    function.walk([&](memref::LoadOp load) {
      if (getDistance(load.getMemRef()))
        reads.emplace_back(load, std::set<Line>());
    });
    for (auto [k, read] : llvm::enumerate(reads)) {
      auto &[load, fetched] = read;
      for (auto &[earlier, lines] : ArrayRef(reads).take_front(k))
        if (readsAgain(load, earlier))
          fetched.insert(lines.begin(), lines.end());
      Prefetcher(load, getDistance(load.getMemRef()).getInt(), dominance)
          .run(fetched);
    }
    for (unsigned k = 0; k < function.getNumArguments(); ++k)
      function.removeArgAttr(k, mp::kPrefetchAttr);
  }
};
} // namespace
