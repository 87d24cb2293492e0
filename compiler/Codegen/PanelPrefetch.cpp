//===- PanelPrefetch.cpp - Weights that come from far away ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/PanelPrefetch.h"
#include "compiler/Analysis/FeatureCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// Bytes of the whole that a tensor is a part of; 0 if they are not known.
static int64_t countBytes(Value tensor) {
  while (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = slice.getSource();
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.hasStaticShape())
    return 0;
  return type.getNumElements() * getBits(type.getElementType()) / 8;
}

PanelPrefetch::PanelPrefetch(linalg::LinalgOp op, unsigned vectorLoop,
                             mp::CpuAttr cpu)
    : vectorLoop(vectorLoop), lineBytes(cpu.getLineBytes()) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap of = op.getMatchingIndexingMap(input);
    if (!of.isProjectedPermutation() || of.getNumResults() < 2 ||
        of.getDimPosition(of.getNumResults() - 1) != vectorLoop)
      continue;
    if (countBytes(input->get()) <= cpu.getL2Bytes())
      continue;
    panel = input->get();
    map = of;
  }
}

void PanelPrefetch::emit(OpBuilder &builder, linalg::LinalgOp step,
                         const DenseMap<unsigned, scf::ForOp> &loops,
                         std::optional<unsigned> rowLoop, bool isPacked) const {
  scf::ForOp columns = loops.lookup(vectorLoop);
  if (!panel || !columns)
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(step);
  Location loc = step.getLoc();
  // Behind the last columns nothing new is fetched.
  Value next = arith::AddIOp::create(builder, loc, columns.getInductionVar(),
                                     columns.getStep());
  Value last = arith::SubIOp::create(builder, loc, columns.getUpperBound(),
                                     columns.getStep());
  next = arith::MinSIOp::create(builder, loc, next, last);

  auto panelType = cast<RankedTensorType>(panel.getType());
  SmallVector<int64_t> tile = step.getStaticLoopRanges();
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<int64_t> shape;
  for (unsigned d = 0; d < map.getNumResults(); ++d) {
    unsigned of = map.getDimPosition(d);
    scf::ForOp around = loops.lookup(of);
    offsets.push_back(of == vectorLoop ? OpFoldResult(next)
                      : around         ? OpFoldResult(around.getInductionVar())
                                       : OpFoldResult(builder.getIndexAttr(0)));
    shape.push_back(tile[of]);
    sizes.push_back(builder.getIndexAttr(tile[of]));
  }
  scf::ForOp rows =
      rowLoop && !isPacked ? loops.lookup(*rowLoop) : scf::ForOp();
  if (rows) {
    Value behind = arith::AddIOp::create(builder, loc, rows.getInductionVar(),
                                         rows.getStep());
    Value isLast = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, behind, rows.getUpperBound());
    auto branch = scf::IfOp::create(builder, loc, isLast);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  auto type = RankedTensorType::get(shape, panelType.getElementType());
  SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
  Value part = tensor::ExtractSliceOp::create(builder, loc, type, panel,
                                              offsets, sizes, strides);
  auto layout = cast<MemRefType>(
      bufferization::getMemRefTypeWithFullyDynamicLayout(type));
  Value buffer = bufferization::ToBufferOp::create(builder, loc, layout, part,
                                                   /*read_only=*/true);
  const int64_t line = lineBytes * 8 / getBits(type.getElementType());
  SmallVector<Value> position(shape.size(),
                              arith::ConstantIndexOp::create(builder, loc, 0));
  for (int64_t element = 0; element < shape.back(); element += line) {
    position.back() = arith::ConstantIndexOp::create(builder, loc, element);
    memref::PrefetchOp::create(builder, loc, buffer, position,
                               /*isWrite=*/false,
                               /*localityHint=*/isPacked ? 2 : 3,
                               /*isDataCache=*/true);
  }
}
