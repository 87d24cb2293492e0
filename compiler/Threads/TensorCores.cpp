//===- TensorCores.cpp - Products for tensor cores ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/TensorCores.h"
#include "compiler/Threads/ThreadBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace clique;

std::optional<MatrixProduct> MatrixProduct::match(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumLoops() != 3 || reductions.size() != 1)
    return std::nullopt;
  Block &body = *op.getBlock();
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || llvm::range_size(body.without_terminator()) != 2)
    return std::nullopt;
  auto product =
      (add.getLhs() == body.getArgument(2) ? add.getRhs() : add.getLhs())
          .getDefiningOp<arith::MulFOp>();
  if (!product || product.getLhs() == product.getRhs() ||
      !isa<BlockArgument>(product.getLhs()) ||
      !isa<BlockArgument>(product.getRhs()))
    return std::nullopt;
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (out.getNumResults() != 2)
    return std::nullopt;
  MatrixProduct found{
      out.getDimPosition(0), out.getDimPosition(1), reductions[0], {}, {}};
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (map.getNumResults() != 2 || !map.isFunctionOfDim(found.k))
      return std::nullopt;
    (map.isFunctionOfDim(found.m) ? found.lhs : found.rhs) = operand->get();
  }
  if (!found.lhs || !found.rhs)
    return std::nullopt;
  return found;
}

TensorCores::TensorCores(func::FuncOp function, int64_t threads, int64_t rows,
                         bool tf32)
    : warps(threads / kLanesPerWarp), rows(rows), tf32(tf32) {
  llvm::SmallSetVector<Type, 2> elements;
  for (Type type : function.getArgumentTypes())
    if (auto buffer = dyn_cast<MemRefType>(type))
      if (isa<FloatType>(buffer.getElementType()))
        elements.insert(buffer.getElementType());
  if (elements.size() == 1 &&
      (elements.front().isF16() || elements.front().isBF16()))
    half = elements.front();
}

int TensorCores::getAcrossBit() const {
  return int(llvm::Log2_64(kLanesPerWarp) + llvm::Log2_64(rows / kRows));
}

bool TensorCores::canCompute(linalg::LinalgOp op) const {
  std::optional<MatrixProduct> product = MatrixProduct::match(op);
  if (!product || !(half || tf32) || rows < kRows ||
      !llvm::isPowerOf2_64(rows) || getWarpsAcross() < 1)
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // Left operands that several warps need are rounded to half precision in
  // shared memory, and there are pairs of columns for each of them.
  int64_t columns = getWarpsAcross() == 1 ? kColumns : 2 * getColumns();
  return (half || getWarpsAcross() == 1) && ranges[product->m] == rows &&
         ranges[product->n] % columns == 0 &&
         ranges[product->k] % getDepth() == 0;
}
