//===- MatrixProducts.cpp - Products on tensor cores ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices whose operands are stored in half precision is made of
// the matrix instruction mma.m16n8k16 (PTX ISA, "Matrix fragments for
// mma.m16n8k16"), one of f32 that may be rounded to tf32 of mma.m16n8k8: a warp
// has 16 rows of the result, in the layout in which the rest of a tile is
// computed anyway. What the first product of attention leaves
// in registers is, rounded, the left operand of the second as it is.
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/Distribution.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;

namespace {
/// Extents of one matrix instruction.
constexpr int64_t kRows = 16, kColumns = 8;
constexpr int64_t getDepth(bool isAllHalf) { return isAllHalf ? 16 : 8; }

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

bool Distribution::hasMatrixShape(linalg::LinalgOp op) {
  std::optional<Product> product = matchProduct(op);
  if (!product || rows == 0 || !(isAllHalf || tf32))
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t warps = b.getNumThreads() / kLanesPerWarp;
  return ranges[product->m] == rows && rows == warps * kRows &&
         ranges[product->n] % kColumns == 0 &&
         ranges[product->k] % getDepth(isAllHalf) == 0 &&
         llvm::isPowerOf2_64(ranges[product->n]) &&
         llvm::isPowerOf2_64(ranges[product->k]);
}

bool Distribution::isReadByTensorCores(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    if (isExtension(user) ||
        isa<linalg::TransposeOp, tensor::ExtractSliceOp>(user))
      return isReadByTensorCores(user->getResult(0));
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && hasMatrixShape(op);
  });
}

bool Distribution::isOnTensorCores(linalg::LinalgOp op) {
  if (!hasMatrixShape(op))
    return false;
  const ThreadValue &rhs = get(matchProduct(op)->rhs);
  if (rhs.kind != ThreadValue::Kind::memory)
    return false;
  Type type = cast<MemRefType>(rhs.value.getType()).getElementType();
  return isAllHalf ? isHalf(type) : type.isF32();
}

/// The number of a lane's row among those whose addresses ldmatrix takes, and
/// that of its 8 x 8 tile, bit by bit (PTX ISA, ldmatrix).
constexpr int kRowBit = 0, kRowBits = 3, kTileBit = 3, kWarpBit = 5;

/// Whether ldmatrix can read rows of `buffer`, or of what it is a transposition
/// of.
static bool isInShared(Value buffer) {
  if (auto transposed = buffer.getDefiningOp<memref::TransposeOp>())
    buffer = transposed.getIn();
  auto type = cast<MemRefType>(buffer.getType());
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == gpu::AddressSpace::Workgroup &&
         type.getRank() == 2 && isHalf(type.getElementType()) &&
         type.getStridesAndOffset().first.back() == 1;
}

namespace {
/// One operand of a product in the fragments of its instructions.
class Operand {
public:
  Operand(ThreadBuilder &b, Location loc, Type element)
      : b(b), loc(loc), element(element) {}

  /// Fragments from registers in `layout`, whose dimension `other` counts rows
  /// or columns and `depth` what is summed.
  void setRegisters(Value vector, ThreadLayout layout, unsigned other,
                    unsigned depth) {
    registers = vector;
    this->layout = std::move(layout);
    dims = {other, depth};
  }
  /// Fragments from a buffer in shared memory, whose dimension `depth` is what
  /// is summed.
  void setBuffer(Value buffer, unsigned depth) {
    // A transposed buffer is read as it lies.
    if (auto transposed = buffer.getDefiningOp<memref::TransposeOp>()) {
      buffer = transposed.getIn();
      depth = transposed.getPermutation().getDimPosition(depth);
    }
    this->buffer = buffer;
    dims = {1 - depth, depth};
  }

  /// The rows of all warps, and as deep as an instruction.
  Value getLeft(int64_t depth, int64_t rows) {
    if (!buffer) {
      SmallVector<int64_t> numbers = find(0, rows, depth);
      // Two neighbours are summed where tf32 has columns t and t + 4: what is
      // summed may come in any order, if it is that of the right operand.
      if (element.isF32())
        std::swap(numbers[1], numbers[2]);
      return cut(registers, numbers, 4);
    }
    return loadMatrices(add(b.getThreadField(kRowBit, kRowBits, 1),
                            b.getThreadField(kTileBit, 1, 8),
                            b.getThreadField(kWarpBit, 2, kRows)),
                        add(b.getThreadField(kTileBit + 1, 1, 8), index(depth)),
                        /*rowsAreDepth=*/false);
  }
  /// As deep as an instruction and 8 wide; two are loaded at once.
  Value getRight(int64_t depth, int64_t column) {
    if (!buffer)
      return cut(registers, find(column, kColumns, depth), 2);
    int64_t pair = column / (2 * kColumns) * 2 * kColumns;
    if (pair != loadedColumn || depth != loadedDepth) {
      Value row = b.getThreadField(kRowBit, kRowBits, 1);
      Value deep = b.getThreadField(kTileBit, 1, 8);
      Value wide = b.getThreadField(kTileBit + 1, 1, 8);
      // Rows lie along what is summed, or along the columns.
      bool rowsAreDepth = dims[1] == 0;
      Value along =
          rowsAreDepth ? add(deep, row, index(depth)) : add(deep, index(depth));
      Value across =
          rowsAreDepth ? add(wide, index(pair)) : add(wide, row, index(pair));
      Value both = loadMatrices(across, along, rowsAreDepth);
      loaded = vector::ShapeCastOp::create(b, loc, VectorType::get(8, element),
                                           both);
      loadedColumn = pair;
      loadedDepth = depth;
    }
    int64_t first = column == pair ? 0 : 4;
    return cut(loaded, {first, first + 1, first + 2, first + 3}, 2);
  }

private:
  Value index(int64_t value) { return b.constantIndex(loc, value); }
  template <typename... Values>
  Value add(Value first, Values... rest) {
    ((first = arith::AddIOp::create(b, loc, first, rest)), ...);
    return first;
  }

  Value cut(Value vector, ArrayRef<int64_t> numbers, int64_t rows) {
    int64_t size = int64_t(numbers.size());
    Type element = cast<VectorType>(vector.getType()).getElementType();
    return vector::ShapeCastOp::create(
        b, loc, VectorType::get({rows, size / rows}, element),
        b.take(loc, vector, numbers));
  }

  /// The registers of rows or columns [first, first + size), as deep as an
  /// instruction.
  SmallVector<int64_t> find(int64_t first, int64_t size, int64_t depth) {
    SmallVector<int64_t> numbers;
    for (int64_t number = 0; number < layout.getNumRegisters(); ++number) {
      int64_t at = layout.getOffset(dims[0], number) - first;
      int64_t deep = layout.getOffset(dims[1], number) - depth;
      if (at >= 0 && at < size && deep >= 0 &&
          deep < getDepth(!element.isF32()))
        numbers.push_back(number);
    }
    return numbers;
  }

  /// Four 8 x 8 tiles; `other` and `depth`: where the lane's row begins.
  Value loadMatrices(Value other, Value depth, bool rowsAreDepth) {
    SmallVector<Value> position(2);
    position[dims[0]] = other;
    position[dims[1]] = depth;
    return nvgpu::LdMatrixOp::create(b, loc, VectorType::get({4, 2}, element),
                                     buffer, position,
                                     /*transpose=*/rowsAreDepth,
                                     /*numTiles=*/4);
  }

  ThreadBuilder &b;
  Location loc;
  Type element;
  Value registers, buffer, loaded;
  ThreadLayout layout;
  /// The dimensions of `layout` or `buffer` that are rows or columns, and
  /// depth.
  std::array<unsigned, 2> dims = {0, 1};
  int64_t loadedColumn = -1, loadedDepth = -1;
};
} // namespace

/// The dimensions that loops `first` and `second` are of an operand.
static SmallVector<unsigned> getDims(linalg::LinalgOp op, Value operand,
                                     unsigned first) {
  OpOperand *use =
      *llvm::find_if(op.getDpsInputOperands(),
                     [&](OpOperand *use) { return use->get() == operand; });
  AffineMap map = op.getMatchingIndexingMap(use);
  if (map.getDimPosition(0) == first)
    return {0, 1};
  return {1, 0};
}

LogicalResult Distribution::visitProduct(linalg::LinalgOp op) {
  hasProducts = true;
  Location loc = op.getLoc();
  Product product = *matchProduct(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t columns = ranges[product.n], depth = ranges[product.k];
  ThreadValue left = get(product.lhs), right = get(product.rhs);
  Type element = cast<MemRefType>(right.value.getType()).getElementType();

  SmallVector<unsigned> lhsDims = getDims(op, product.lhs, product.m);
  Operand lhs(b, loc, element);
  if (left.kind == ThreadValue::Kind::memory && isInShared(left.value) &&
      lhsDims[1] == 1) {
    lhs.setBuffer(left.value, lhsDims[1]);
  } else {
    ThreadLayout layout =
        ThreadLayout::getTile({rows, depth}, 0, b.getThreadBits());
    Value vector = getRegisters(loc, product.lhs, layout.project(lhsDims));
    if (getElement(product.lhs) != element)
      vector = arith::TruncFOp::create(
          b, loc, VectorType::get(layout.getNumRegisters(), element), vector);
    lhs.setRegisters(vector, layout, 0, 1);
  }
  SmallVector<unsigned> rhsDims = getDims(op, product.rhs, product.k);
  Operand rhs(b, loc, element);
  if (isInShared(right.value) && columns % (2 * kColumns) == 0) {
    rhs.setBuffer(right.value, rhsDims[0]);
  } else {
    ThreadLayout layout = ThreadLayout::getRightOperand(depth, columns);
    SmallVector<BufferIndex> indices;
    for (unsigned dim : rhsDims)
      indices.push_back(dim);
    rhs.setRegisters(b.load(loc, right.value, layout, indices), layout, 1, 0);
  }

  ThreadLayout accumulators =
      ThreadLayout::getTile({rows, columns}, 0, b.getThreadBits());
  Value sums = getRegisters(loc, op.getDpsInitOperand(0)->get(), accumulators);
  SmallVector<Value> parts;
  int64_t perPart = accumulators.getNumRegisters() * kColumns / columns;
  for (int64_t n = 0; n < columns; n += kColumns)
    parts.push_back(vector::ShapeCastOp::create(
        b, loc, VectorType::get({2, perPart / 2}, b.getF32Type()),
        b.take(loc, sums,
               llvm::to_vector(llvm::seq(n / kColumns * perPart,
                                         (n / kColumns + 1) * perPart)))));
  int64_t step = getDepth(isAllHalf);
  SmallVector<int64_t> shape = {kRows, kColumns, step};
  for (int64_t k = 0; k < depth; k += step) {
    Value a = lhs.getLeft(k, rows);
    for (int64_t n = 0; n < columns; n += kColumns) {
      Value &part = parts[n / kColumns];
      part = nvgpu::MmaSyncOp::create(b, loc, a, rhs.getRight(k, n), part,
                                      shape, /*tf32Enabled=*/!isAllHalf);
    }
  }
  SmallVector<Value> elements;
  for (Value part : parts)
    for (int64_t number = 0; number < perPart; ++number)
      elements.push_back(vector::ExtractOp::create(
          b, loc, part,
          ArrayRef<int64_t>{number / (perPart / 2), number % (perPart / 2)}));
  setRegisters(op->getResult(0),
               vector::FromElementsOp::create(
                   b, loc, cast<VectorType>(sums.getType()), elements),
               accumulators);
  return success();
}
