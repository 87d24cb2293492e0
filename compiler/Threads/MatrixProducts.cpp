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
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

bool Distribution::isReadByTensorCores(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    if (isExtension(user) ||
        isa<linalg::TransposeOp, tensor::ExtractSliceOp>(user))
      return isReadByTensorCores(user->getResult(0));
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && cores.canCompute(op);
  });
}

bool Distribution::isOnTensorCores(linalg::LinalgOp op) {
  if (!cores.canCompute(op))
    return false;
  const ThreadValue &rhs = get(MatrixProduct::match(op)->rhs);
  if (rhs.kind != ThreadValue::Kind::memory)
    return false;
  Type type = cast<MemRefType>(rhs.value.getType()).getElementType();
  return cores.getHalf() ? isHalf(type) : type.isF32();
}

/// The number of a lane's row among those whose addresses ldmatrix takes, and
/// that of its 8 x 8 tile, bit by bit (PTX ISA, ldmatrix).
constexpr int kRowBit = 0, kRowBits = 3, kTileBit = 3, kWarpBit = 5;

/// Whether a buffer is in shared memory, or is a view of one.
static bool isShared(MemRefType type) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == gpu::AddressSpace::Workgroup;
}

/// Whether ldmatrix can read rows of `buffer`, or of what it is a transposition
/// of.
static bool isForMatrices(Value buffer) {
  if (auto transposed = buffer.getDefiningOp<memref::TransposeOp>())
    buffer = transposed.getIn();
  auto type = cast<MemRefType>(buffer.getType());
  return isShared(type) && type.getRank() == 2 &&
         isHalf(type.getElementType()) &&
         type.getStridesAndOffset().first.back() == 1;
}

/// One operand of a product in the fragments of its instructions.
class clique::ProductOperand {
public:
  ProductOperand(ThreadBuilder &b, Location loc, const TensorCores &cores,
                 Type element)
      : b(b), loc(loc), cores(cores), element(element) {}

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
    return loadMatrices(
        add(b.getThreadField(kRowBit, kRowBits, 1),
            b.getThreadField(kTileBit, 1, 8),
            b.getThreadField(kWarpBit, cores.getAcrossBit() - kWarpBit,
                             TensorCores::kRows)),
        add(b.getThreadField(kTileBit + 1, 1, 8), index(depth)),
        /*rowsAreDepth=*/false);
  }
  /// As deep as an instruction, and 8 of a warp's columns from `column` on; two
  /// are loaded at once.
  Value getRight(int64_t depth, int64_t column) {
    constexpr int64_t width = TensorCores::kColumns;
    if (!buffer)
      return cut(registers, find(column, width, depth), 2);
    int64_t columns = cores.getColumns();
    int64_t pair = column / (2 * columns) * 2 * columns;
    if (pair != loadedColumn || depth != loadedDepth) {
      Value row = b.getThreadField(kRowBit, kRowBits, 1);
      Value deep = b.getThreadField(kTileBit, 1, 8);
      Value wide = b.getThreadField(kTileBit + 1, 1, columns);
      if (int warps = llvm::Log2_64(cores.getWarpsAcross()))
        wide = add(wide, b.getThreadField(cores.getAcrossBit(), warps, width));
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
      if (at >= 0 && at < size && deep >= 0 && deep < cores.getDepth())
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
  const TensorCores &cores;
  Type element;
  Value registers, buffer, loaded;
  ThreadLayout layout;
  /// The dimensions of `layout` or `buffer` that are rows or columns, and
  /// depth.
  std::array<unsigned, 2> dims = {0, 1};
  int64_t loadedColumn = -1, loadedDepth = -1;
};

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

Value Distribution::stageWeights(linalg::LinalgOp op) {
  MatrixProduct product = *MatrixProduct::match(op);
  Value buffer = get(product.rhs).value;
  // What ldmatrix cannot take apart is read from where it is.
  int64_t columns = op.getStaticLoopRanges()[product.n];
  if (isShared(cast<MemRefType>(buffer.getType())) ||
      buffer.getDefiningOp<memref::TransposeOp>() ||
      columns % (2 * cores.getColumns()) != 0)
    return {};
  return stage(op.getLoc(), product.rhs);
}

ProductOperand Distribution::getLeftOperand(linalg::LinalgOp op, Type element) {
  Location loc = op.getLoc();
  MatrixProduct product = *MatrixProduct::match(op);
  int64_t depth = op.getStaticLoopRanges()[product.k];
  ThreadValue left = get(product.lhs);
  SmallVector<unsigned> lhsDims = getDims(op, product.lhs, product.m);
  ProductOperand lhs(b, loc, cores, element);
  if (cores.getWarpsAcross() > 1 &&
      (left.kind != ThreadValue::Kind::memory || !isForMatrices(left.value)))
    left = {ThreadValue::Kind::memory,
            stage(loc, product.lhs, /*isRounded=*/true)};
  if (left.kind == ThreadValue::Kind::memory && isForMatrices(left.value) &&
      (lhsDims[1] == 1 || cores.getWarpsAcross() > 1)) {
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
  return lhs;
}

bool Distribution::isForWarpgroups(linalg::LinalgOp op, Value right) {
  int64_t columns = op.getStaticLoopRanges()[MatrixProduct::match(op)->n];
  if (auto view = right.getDefiningOp<memref::TransposeOp>())
    right = view.getIn();
  return cores.haveWarpgroups() && forPanels.contains(right) &&
         mp::WarpgroupProductOp::canHaveColumns(columns);
}

Value Distribution::multiplyByWarpgroups(linalg::LinalgOp op, Value right,
                                         ProductOperand &left, Value sums) {
  Location loc = op.getLoc();
  MatrixProduct product = *MatrixProduct::match(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  bool isTransposed = getDims(op, product.rhs, product.k).front() != 0;
  if (auto view = right.getDefiningOp<memref::TransposeOp>()) {
    right = view.getIn();
    isTransposed = !isTransposed;
  }
  SmallVector<Value> fragments;
  for (int64_t k = 0; k < ranges[product.k]; k += cores.getDepth())
    fragments.push_back(left.getLeft(k, rows));
  const ThreadValue &start = get(op.getDpsInitOperand(0)->get());
  bool isZero = start.kind == ThreadValue::Kind::splat &&
                matchPattern(start.value, m_PosZeroFloat());
  const int64_t size = ranges[product.n] / 2;
  return mp::WarpgroupProductOp::create(
      b, loc, VectorType::get(size, b.getF32Type()), fragments, right,
      isZero ? Value()
             : b.take(loc, sums, llvm::to_vector(llvm::seq<int64_t>(0, size))),
      isTransposed, /*panels=*/false);
}

SmallVector<Value> Distribution::multiplyByWarps(linalg::LinalgOp op,
                                                 Value right,
                                                 ProductOperand &lhs,
                                                 Value sums) {
  Location loc = op.getLoc();
  MatrixProduct product = *MatrixProduct::match(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t columns = ranges[product.n], depth = ranges[product.k];
  Type element = cast<MemRefType>(right.getType()).getElementType();
  SmallVector<unsigned> rhsDims = getDims(op, product.rhs, product.k);
  ProductOperand rhs(b, loc, cores, element);
  if (isForMatrices(right) && columns % (2 * cores.getColumns()) == 0) {
    rhs.setBuffer(right, rhsDims[0]);
  } else {
    ThreadLayout layout = ThreadLayout::getRightOperand(depth, columns);
    SmallVector<BufferIndex> indices;
    for (unsigned dim : rhsDims)
      indices.push_back(dim);
    rhs.setRegisters(b.load(loc, right, layout, indices), layout, 1, 0);
  }

  // The columns of a warp, 8 at a time; padding is none of them.
  constexpr int64_t perPart = 4;
  int64_t step = cores.getColumns();
  SmallVector<Value> parts;
  for (int64_t n = 0; n < columns; n += step)
    parts.push_back(vector::ShapeCastOp::create(
        b, loc, VectorType::get({2, perPart / 2}, b.getF32Type()),
        b.take(loc, sums,
               llvm::to_vector(
                   llvm::seq(n / step * perPart, (n / step + 1) * perPart)))));
  SmallVector<int64_t> shape = {TensorCores::kRows, TensorCores::kColumns,
                                cores.getDepth()};
  for (int64_t k = 0; k < depth; k += cores.getDepth()) {
    Value a = lhs.getLeft(k, rows);
    for (auto [number, part] : llvm::enumerate(parts))
      part = nvgpu::MmaSyncOp::create(
          b, loc, a, rhs.getRight(k, int64_t(number) * step), part, shape,
          /*tf32Enabled=*/!cores.getHalf());
  }
  SmallVector<Value> elements;
  for (Value part : parts)
    for (int64_t number = 0; number < perPart; ++number)
      elements.push_back(vector::ExtractOp::create(
          b, loc, part,
          ArrayRef<int64_t>{number / (perPart / 2), number % (perPart / 2)}));
  return elements;
}

LogicalResult Distribution::visitProduct(linalg::LinalgOp op) {
  hasProducts = true;
  Location loc = op.getLoc();
  MatrixProduct product = *MatrixProduct::match(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t columns = ranges[product.n];
  Value right = weights ? weights : get(product.rhs).value;
  Type element = cast<MemRefType>(right.getType()).getElementType();
  ProductOperand lhs = getLeftOperand(op, element);
  ThreadLayout accumulators =
      ThreadLayout::getTile({rows, columns}, 0, b.getThreadBits());
  Value sums = getRegisters(loc, op.getDpsInitOperand(0)->get(), accumulators);
  SmallVector<Value> elements;
  if (isForWarpgroups(op, right)) {
    Value result = multiplyByWarpgroups(op, right, lhs, sums);
    for (int64_t number = 0; number < columns / 2; ++number)
      elements.push_back(getRegister(b, loc, result, number));
  } else {
    elements = multiplyByWarps(op, right, lhs, sums);
  }
  for (int64_t number = elements.size();
       number < accumulators.getNumRegisters(); ++number)
    elements.push_back(getRegister(b, loc, sums, number));
  setRegisters(op->getResult(0),
               vector::FromElementsOp::create(
                   b, loc, cast<VectorType>(sums.getType()), elements),
               accumulators);
  return success();
}
