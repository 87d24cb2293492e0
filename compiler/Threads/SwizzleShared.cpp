//===- SwizzleShared.cpp - Rows of shared memory in different banks -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's nvgpu-optimize-shared-memory has the same formula, but takes no
// function with views of parts, which tiles and graphs are full of.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Threads/ThreadPasses.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/NVGPU/Transforms/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace clique {
#define GEN_PASS_DEF_SWIZZLESHAREDPASS
#include "compiler/Threads/ThreadPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// A load, store or copy of elements of a row.
struct Access {
  Operation *op;
  /// The operand that is accessed, and all rows of the buffer that it has rows
  /// of.
  Value part, whole;
  /// What has to be added to its row for that of the whole buffer.
  SmallVector<OpFoldResult> rowOffsets;
};

/// The places of a row's parts of 16 bytes: a part's number is combined with
/// `row / rowsPerLine` of as many bits. Rows of several lines may be taken
/// apart, too: their lines of one number are a panel, and panels lie one behind
/// the other.
class Swizzle {
public:
  /// Rows of at least two parts, a power of two.
  static std::optional<Swizzle> get(MemRefType type);
  void apply(const Access &access, bool inPanels) const;

private:
  int64_t elementsPerPart = 0, partsPerLine = 0, rowsPerLine = 0;
  int64_t rows = 0, linesPerRow = 0;
};
} // namespace

std::optional<Swizzle> Swizzle::get(MemRefType type) {
  constexpr int64_t partBits = 128, lineParts = 8;
  int64_t columns = type.getShape().back();
  Swizzle swizzle;
  swizzle.elementsPerPart = partBits / getBits(type.getElementType());
  int64_t parts = columns / swizzle.elementsPerPart;
  if (type.getRank() < 2 || !llvm::isPowerOf2_64(columns) || parts < 2)
    return std::nullopt;
  // The banks are one line of 128 bytes.
  swizzle.partsPerLine = std::min(parts, lineParts);
  swizzle.rowsPerLine = lineParts / swizzle.partsPerLine;
  swizzle.rows = type.getShape()[type.getRank() - 2];
  swizzle.linesPerRow = parts / swizzle.partsPerLine;
  return swizzle;
}

void Swizzle::apply(const Access &access, bool inPanels) const {
  if (auto product = dyn_cast<mp::WarpgroupProductOp>(access.op))
    return product.setPanels(true);
  OpBuilder b(access.op);
  Location loc = access.op->getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  SmallVector<Value> indices = llvm::to_vector(nvgpu::getIndices(access.op));
  Value row = indices[indices.size() - 2];
  for (OpFoldResult offset : access.rowOffsets)
    row = arith::AddIOp::create(
        b, loc, row, getValueOrCreateConstantIndexOp(b, loc, offset));
  Value bits = arith::AndIOp::create(b, loc, row,
                                     index((partsPerLine - 1) * rowsPerLine));
  // Elements per part are no fewer than rows per line.
  bits =
      arith::MulIOp::create(b, loc, bits, index(elementsPerPart / rowsPerLine));
  Value column = indices.back();
  indices.back() = arith::XOrIOp::create(b, loc, column, bits);
  if (inPanels && linesPerRow > 1) {
    // In a panel, a row of the buffer's shape is a line of as many rows as it
    // has lines.
    int64_t line = partsPerLine * elementsPerPart;
    Value panel = arith::DivUIOp::create(b, loc, column, index(line));
    Value first =
        arith::MulIOp::create(b, loc, panel, index(rows / linesPerRow));
    Value lines = index(linesPerRow);
    indices[indices.size() - 2] = arith::AddIOp::create(
        b, loc, first, arith::DivUIOp::create(b, loc, row, lines));
    Value place = arith::MulIOp::create(
        b, loc, arith::RemUIOp::create(b, loc, row, lines), index(line));
    Value within =
        arith::AndIOp::create(b, loc, indices.back(), index(line - 1));
    indices.back() = arith::AddIOp::create(b, loc, place, within);
    access.op->replaceUsesOfWith(access.part, access.whole);
  }
  nvgpu::setIndices(access.op, indices);
}

/// Whether a view has whole rows, with the last two dimensions of what it is a
/// view of.
static bool hasWholeRows(memref::SubViewOp view) {
  int64_t rank = view.getSourceType().getRank();
  llvm::SmallBitVector dropped = view.getDroppedDims();
  return view.hasUnitStride() && view.getType().getRank() >= 2 &&
         !dropped.test(rank - 1) && !dropped.test(rank - 2) &&
         isZeroInteger(view.getMixedOffsets().back()) &&
         view.getType().getShape().back() ==
             view.getSourceType().getShape().back();
}

/// All accesses of a buffer, of whose rows `whole` has all; fails if there is
/// another use of it.
static LogicalResult collect(Value buffer, Value whole,
                             ArrayRef<OpFoldResult> rowOffsets,
                             SmallVectorImpl<Access> &accesses) {
  for (Operation *user : buffer.getUsers()) {
    if (isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp,
            nvgpu::LdMatrixOp, nvgpu::DeviceAsyncCopyOp,
            mp::WarpgroupProductOp>(user)) {
      accesses.push_back({user, buffer, whole, llvm::to_vector(rowOffsets)});
      continue;
    }
    if (auto cast = dyn_cast<memref::CastOp>(user)) {
      if (failed(collect(cast, whole, rowOffsets, accesses)))
        return failure();
      continue;
    }
    auto view = dyn_cast<memref::SubViewOp>(user);
    if (!view || !hasWholeRows(view))
      return failure();
    SmallVector<OpFoldResult> offsets(rowOffsets), own = view.getMixedOffsets();
    if (!isZeroInteger(own[own.size() - 2]))
      offsets.push_back(own[own.size() - 2]);
    int64_t rows = view.getSourceType().getShape()[own.size() - 2];
    Value part = view.getType().getShape()[view.getType().getRank() - 2] == rows
                     ? view.getResult()
                     : whole;
    if (failed(collect(view, part, offsets, accesses)))
      return failure();
  }
  return success();
}

namespace {
struct SwizzleShared
    : public clique::impl::SwizzleSharedPassBase<SwizzleShared> {
  void runOnOperation() override {
    getOperation().walk([](memref::ViewOp buffer) {
      std::optional<Swizzle> swizzle = Swizzle::get(buffer.getType());
      SmallVector<Access> accesses;
      if (!swizzle || failed(collect(buffer, buffer, {}, accesses)))
        return;
      auto any = [&](auto isOf) {
        return llvm::any_of(
            accesses, [&](const Access &access) { return isOf(access.op); });
      };
      bool inPanels = any(llvm::IsaPred<mp::WarpgroupProductOp>);
      if (!inPanels && !any(llvm::IsaPred<nvgpu::LdMatrixOp>))
        return;
      for (const Access &access : accesses)
        swizzle->apply(access, inPanels);
    });
  }
};
} // namespace
