//===- VectorizeCopies.cpp - Rows are copied and filled by vectors --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/RegisterTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace clique {
#define GEN_PASS_DEF_VECTORIZECOPIESPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

/// Rows of a known length without gaps.
static bool hasRows(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || type.getRank() == 0 ||
      ShapedType::isDynamic(type.getShape().back()))
    return false;
  auto [strides, offset] = type.getStridesAndOffset();
  return strides.back() == 1;
}

/// How many of the last dimensions lie in memory without gaps.
static int64_t countContiguous(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t count = 1;
  for (int64_t dim = type.getRank() - 2;
       dim >= 0 && !type.isDynamicDim(dim) &&
       strides[dim] == strides[dim + 1] * type.getDimSize(dim + 1);
       --dim)
    ++count;
  return count;
}

/// `buffer` with its last `count` dimensions, which are contiguous, as one.
static Value joinLast(OpBuilder &builder, Location loc, Value buffer,
                      int64_t count) {
  int64_t outer = cast<MemRefType>(buffer.getType()).getRank() - count;
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < outer; ++dim)
    groups.push_back({dim});
  groups.push_back(llvm::to_vector(llvm::seq<int64_t>(outer, outer + count)));
  return memref::CollapseShapeOp::create(builder, loc, buffer, groups);
}

/// LLVM counts a vector of any length as one instruction when it decides what
/// to unroll.
static void keepLoop(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true),
                                          {}, {}, {}, {}, {}, {});
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {},
                                              {}, {}, {}, {}, {}, {}, {}, {},
                                              {}, {}));
}

/// Loops over all dimensions but the last; the body gets their variables.
static void forEachRow(OpBuilder &builder, Location loc, Value buffer,
                       llvm::function_ref<void(ArrayRef<Value>)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> position;
  int64_t outer = cast<MemRefType>(buffer.getType()).getRank() - 1;
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < outer; ++dim)
    sizes.push_back(memref::DimOp::create(builder, loc, buffer, dim));
  for (Value size : sizes) {
    auto loop = scf::ForOp::create(builder, loc, zero, size, one);
    builder.setInsertionPointToStart(loop.getBody());
    position.push_back(loop.getInductionVar());
  }
  body(position);
}

namespace {
struct VectorizeCopies
    : public clique::impl::VectorizeCopiesPassBase<VectorizeCopies> {
  using VectorizeCopiesPassBase::VectorizeCopiesPassBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isa<linalg::CopyOp, linalg::FillOp>(op) && hasRows(op->getOperand(1)))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      Value from = op->getOperand(0), to = op->getOperand(1);
      bool isFill = isa<linalg::FillOp>(op);
      if (!isFill && !hasRows(from))
        continue;
      OpBuilder builder(op);
      int64_t joined = countContiguous(cast<MemRefType>(to.getType()));
      if (!isFill)
        joined =
            std::min(joined, countContiguous(cast<MemRefType>(from.getType())));
      if (joined > 1) {
        to = joinLast(builder, op.getLoc(), to, joined);
        if (!isFill)
          from = joinLast(builder, op.getLoc(), from, joined);
      }
      forEachRow(builder, op.getLoc(), to, [&](ArrayRef<Value> row) {
        writeRow(builder, op.getLoc(), from, to, row);
      });
      op->erase();
    }
  }

  /// Writes one row in vectors of `lanes` elements, and a rest in vectors of
  /// powers of two.
  void writeRow(OpBuilder &builder, Location loc, Value from, Value to,
                ArrayRef<Value> row) {
    int64_t length = cast<MemRefType>(to.getType()).getShape().back();
    int64_t whole = length / lanes * lanes;
    if (whole > 0) {
      OpBuilder::InsertionGuard guard(builder);
      auto loop = scf::ForOp::create(
          builder, loc, arith::ConstantIndexOp::create(builder, loc, 0),
          arith::ConstantIndexOp::create(builder, loc, whole),
          arith::ConstantIndexOp::create(builder, loc, lanes));
      if (whole / lanes > clique::tuning::unrolledCopies)
        keepLoop(loop);
      builder.setInsertionPointToStart(loop.getBody());
      writeVector(builder, loc, from, to, row, loop.getInductionVar(), lanes);
    }
    // LLVM takes vectors of other sizes apart into scalars.
    for (int64_t part : clique::getVectors(length - whole, /*lanes=*/1)) {
      writeVector(builder, loc, from, to, row,
                  arith::ConstantIndexOp::create(builder, loc, whole), part);
      whole += part;
    }
  }

  static void writeVector(OpBuilder &builder, Location loc, Value from,
                          Value to, ArrayRef<Value> row, Value column,
                          int64_t size) {
    SmallVector<Value> position(row);
    position.push_back(column);
    auto type =
        VectorType::get(size, cast<MemRefType>(to.getType()).getElementType());
    Value vector =
        isa<MemRefType>(from.getType())
            ? vector::LoadOp::create(builder, loc, type, from, position)
                  .getResult()
            : vector::BroadcastOp::create(builder, loc, type, from).getResult();
    vector::StoreOp::create(builder, loc, vector, to, position);
  }
};
} // namespace
