//===- MatrixProducts.cpp - Products on tensor cores ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices whose operands are stored in half precision is made of
// the matrix instruction mma.m16n8k16 (PTX ISA, "Matrix fragments for
// mma.m16n8k16"): a warp has 16 rows of the result, in the layout in which the
// rest of a tile is computed anyway. What the first product of attention leaves
// in registers is, rounded, the left operand of the second as it is.
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/Distribution.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;

namespace {
/// Extents of one matrix instruction.
constexpr int64_t kRows = 16, kColumns = 8, kDepth = 16;

/// out[m, n] += lhs[m, k] rhs[k, n].
struct Product {
  unsigned m, n, k;
  Value lhs, rhs;
};
} // namespace

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

/// lhs and rhs may come in either order; nothing if `op` is no such product.
static std::optional<Product> matchProduct(linalg::LinalgOp op) {
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
  Product found{
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

bool Distribution::isOnTensorCores(linalg::LinalgOp op) {
  std::optional<Product> product = matchProduct(op);
  if (!product || !isAllHalf || rows == 0)
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t warps = b.getNumThreads() / kLanesPerWarp;
  if (ranges[product->m] != rows || rows != warps * kRows ||
      ranges[product->n] % kColumns != 0 || ranges[product->k] % kDepth != 0 ||
      !llvm::isPowerOf2_64(ranges[product->n]) ||
      !llvm::isPowerOf2_64(ranges[product->k]))
    return false;
  const ThreadValue &rhs = get(product->rhs);
  return rhs.kind == ThreadValue::Kind::memory &&
         isHalf(cast<MemRefType>(rhs.value.getType()).getElementType());
}

/// Registers whose numbers are those of `number`'s fragment: `fixed` bits say
/// which, the rest count up.
static SmallVector<int64_t> getFragment(const ThreadLayout &layout,
                                        unsigned dim0, int64_t first0,
                                        int64_t size0, unsigned dim1,
                                        int64_t first1, int64_t size1) {
  SmallVector<int64_t> registers;
  auto isIn = [](int64_t offset, int64_t first, int64_t size) {
    return offset >= first && offset < first + size;
  };
  for (int64_t number = 0; number < layout.getNumRegisters(); ++number)
    if (isIn(layout.getOffset(dim0, number), first0, size0) &&
        isIn(layout.getOffset(dim1, number), first1, size1))
      registers.push_back(number);
  return registers;
}

LogicalResult Distribution::visitProduct(linalg::LinalgOp op) {
  Location loc = op.getLoc();
  Product product = *matchProduct(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t columns = ranges[product.n], depth = ranges[product.k];
  Value buffer = get(product.rhs).value;
  Type half = cast<MemRefType>(buffer.getType()).getElementType();

  ThreadLayout accumulators =
      ThreadLayout::getTile({rows, columns}, 0, b.getThreadBits());
  ThreadLayout lhsLayout =
      ThreadLayout::getTile({rows, depth}, 0, b.getThreadBits());
  ThreadLayout rhsLayout = ThreadLayout::getRightOperand(depth, columns);

  auto getDims = [&](Value operand, unsigned first) {
    OpOperand *use =
        *llvm::find_if(op.getDpsInputOperands(),
                       [&](OpOperand *use) { return use->get() == operand; });
    AffineMap map = op.getMatchingIndexingMap(use);
    bool isPlain = map.getDimPosition(0) == first;
    return isPlain ? SmallVector<unsigned>{0, 1} : SmallVector<unsigned>{1, 0};
  };
  Value lhs = getRegisters(loc, product.lhs,
                           lhsLayout.project(getDims(product.lhs, product.m)));
  if (getElement(product.lhs) != half)
    lhs = arith::TruncFOp::create(
        b, loc, VectorType::get(lhsLayout.getNumRegisters(), half), lhs);
  SmallVector<BufferIndex> indices;
  for (unsigned dim : getDims(product.rhs, product.k))
    indices.push_back(dim);
  Value rhs = b.load(loc, buffer, rhsLayout, indices);
  Value init = op.getDpsInitOperand(0)->get();
  Value sums = getRegisters(loc, init, accumulators);

  auto cut = [&](Value vector, ArrayRef<int64_t> registers, int64_t rows) {
    auto type = cast<VectorType>(vector.getType());
    int64_t size = int64_t(registers.size());
    return vector::ShapeCastOp::create(
        b, loc, VectorType::get({rows, size / rows}, type.getElementType()),
        b.take(loc, vector, registers));
  };
  SmallVector<int64_t> shape = {kRows, kColumns, kDepth};
  SmallVector<Value> elements(accumulators.getNumRegisters());
  for (int64_t n = 0; n < columns; n += kColumns) {
    SmallVector<int64_t> place =
        getFragment(accumulators, 0, 0, rows, 1, n, kColumns);
    Value part = cut(sums, place, 2);
    for (int64_t k = 0; k < depth; k += kDepth) {
      Value left =
          cut(lhs, getFragment(lhsLayout, 0, 0, rows, 1, k, kDepth), 4);
      Value right =
          cut(rhs, getFragment(rhsLayout, 0, k, kDepth, 1, n, kColumns), 2);
      part = nvgpu::MmaSyncOp::create(b, loc, left, right, part, shape);
    }
    for (auto [number, target] : llvm::enumerate(place))
      elements[target] = vector::ExtractOp::create(
          b, loc, part,
          ArrayRef<int64_t>{int64_t(number) / 2, int64_t(number) % 2});
  }
  Value result = vector::FromElementsOp::create(
      b, loc, cast<VectorType>(sums.getType()), elements);
  setRegisters(op->getResult(0), result, accumulators);
  return success();
}
