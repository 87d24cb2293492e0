//===- PairProducts.cpp - Products of bf16 as dot products of pairs -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements make a pair does not matter to a sum. Those half the summed
// dimension apart are read in whole vectors, however an operand lies in memory.
//
//===----------------------------------------------------------------------===//
#include "compiler/Codegen/CodegenPasses.h"
#include "dialect/IR/MPOps.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {
#define GEN_PASS_DEF_PAIRPRODUCTSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// out[m, n] += lhs[m, k] * rhs[k, n] in f32, of static sizes, with pairs of k.
static bool isProduct(linalg::LinalgOp op) {
  if (op.getNumLoops() != 3 || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.hasDynamicShape() ||
      !op.hasPureTensorSemantics() ||
      !getElementTypeOrSelf(op->getResult(0).getType()).isF32() ||
      llvm::range_size(op.getBlock()->without_terminator()) != 2 ||
      !linalg::detail::isContractionBody(
          *op.getBlock(), [](Operation *first, Operation *second) {
            return isa<arith::MulFOp>(first) && isa<arith::AddFOp>(second);
          }))
    return false;
  MLIRContext *context = op.getContext();
  AffineExpr m, n, k;
  bindDims(context, m, n, k);
  auto map = [&](AffineExpr a, AffineExpr b) {
    return AffineMap::get(3, 0, {a, b}, context);
  };
  return op.getIndexingMapsArray() ==
             SmallVector<AffineMap>{map(m, k), map(k, n), map(m, n)} &&
         op.getStaticLoopRanges()[2] % 2 == 0;
}

/// Loops and numbers of tensors that they carry, which are taken to be of bf16
/// as long as the steps keep them so.
using Carried = llvm::SmallDenseSet<std::pair<Operation *, unsigned>, 4>;
static bool isOfBF16(Value tensor, Carried &carried);

static bool isOfBF16(scf::ForOp loop, unsigned number, Carried &carried) {
  if (!carried.insert({loop, number}).second)
    return true;
  Value init = loop.getInitArgs()[number];
  bool isIt =
      (init.getDefiningOp<tensor::EmptyOp>() || isOfBF16(init, carried)) &&
      isOfBF16(loop.getYieldedValues()[number], carried);
  carried.erase({loop, number});
  return isIt;
}

/// Whether each element that is defined is a number of bf16.
static bool isOfBF16(Value tensor, Carried &carried) {
  if (getElementTypeOrSelf(tensor.getType()).isBF16())
    return true;
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && isOfBF16(loop, argument.getArgNumber() - 1, carried);
  }
  Operation *op = tensor.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return isOfBF16(loop, cast<OpResult>(tensor).getResultNumber(), carried);
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return isOfBF16(insertion.getSource(), carried) &&
           isOfBF16(insertion.getDest(), carried);
  if (auto buffer = dyn_cast<bufferization::ToTensorOp>(op)) {
    auto argument = dyn_cast<BlockArgument>(buffer.getBuffer());
    auto function = dyn_cast<func::FuncOp>(op->getParentOp());
    if (!argument || !function || argument.getOwner() != op->getBlock())
      return false;
    auto stored = function.getArgAttrOfType<TypeAttr>(argument.getArgNumber(),
                                                      mp::kWidenedFromAttr);
    return stored && stored.getValue().isBF16();
  }
  if (isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
          tensor::ExpandShapeOp>(op))
    return isOfBF16(op->getOperand(0), carried);
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return isOfBF16(transpose.getInput(), carried);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumReductionLoops() > 0 ||
      generic.getNumDpsInits() != 1)
    return false;
  auto widened = generic.getBlock()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<arith::ExtFOp>();
  return widened && widened.getIn().getType().isBF16();
}

static bool isOfBF16(Value tensor) {
  Carried carried;
  return isOfBF16(tensor, carried);
}

/// Whether whatever floats the function takes and returns are of bf16.
static bool isOfBF16(func::FuncOp function) {
  bool isAny = false;
  for (BlockArgument argument : function.getArguments()) {
    Type type = getElementTypeOrSelf(argument.getType());
    if (auto stored = function.getArgAttrOfType<TypeAttr>(
            argument.getArgNumber(), mp::kWidenedFromAttr))
      type = stored.getValue();
    if (isa<FloatType>(type) && !type.isBF16())
      return false;
    isAny |= type.isBF16();
  }
  return isAny;
}

namespace {
struct PairProducts : public clique::impl::PairProductsPassBase<PairProducts> {
  void runOnOperation() override {
    mp::CpuAttr cpu = mp::getCpu(getOperation());
    if (!cpu.getBf16Pairs())
      return;
    words.clear();
    const bool mayRound = isOfBF16(getOperation());
    SmallVector<linalg::LinalgOp> products;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isProduct(op) && isWorthIt(op) && isOfBF16(op->getOperand(1)) &&
          (mayRound || isOfBF16(op->getOperand(0))))
        products.push_back(op);
    });
    for (linalg::LinalgOp op : products)
      pairUp(op);
  }

private:
  /// Of a right operand whose rows are a part of another one's words would be
  /// made for each product, not for several: rows of a tile's border.
  static bool isWorthIt(linalg::LinalgOp op) {
    auto slice = op->getOperand(1).getDefiningOp<tensor::ExtractSliceOp>();
    return op.getStaticLoopRanges()[0] > 1 &&
           (!slice || slice.getSourceType().getRank() != 2 ||
            slice.getSourceType().getDimSize(0) ==
                slice.getType().getDimSize(0));
  }

  void pairUp(linalg::LinalgOp op) {
    Value lhs = getWords(op->getOperand(0), 1);
    Value rhs = getWords(op->getOperand(1), 0);
    OpBuilder b(op);
    auto paired = linalg::GenericOp::create(
        b, op.getLoc(), op->getResultTypes(), ValueRange{lhs, rhs},
        op.getDpsInits(), op.getIndexingMapsArray(), op.getIteratorTypesArray(),
        [](OpBuilder &b, Location loc, ValueRange args) {
          Value sum = mp::DotPairsOp::create(b, loc, args[2].getType(), args[2],
                                             args[0], args[1]);
          linalg::YieldOp::create(b, loc, sum);
        });
    op->replaceAllUsesWith(paired);
    op->erase();
  }

  /// The pairs of a matrix along one of its dimensions.
  Value getWords(Value matrix, unsigned dim) {
    if (auto slice = matrix.getDefiningOp<tensor::ExtractSliceOp>())
      if (Value sliced = sliceWords(slice, dim))
        return sliced;
    Value &made = words[{matrix, dim}];
    if (!made)
      made = makeWords(matrix, dim);
    return made;
  }

  /// A slice of the words of the whole, if it has all that make pairs.
  Value sliceWords(tensor::ExtractSliceOp slice, unsigned dim) {
    RankedTensorType whole = slice.getSourceType(), part = slice.getType();
    if (!whole.hasStaticShape() || whole.getRank() != 2 ||
        whole.getDimSize(dim) != part.getDimSize(dim))
      return {};
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    Value of = getWords(slice.getSource(), dim);
    OpBuilder b(slice);
    sizes[dim] = b.getIndexAttr(whole.getDimSize(dim) / 2);
    return tensor::ExtractSliceOp::create(b, slice.getLoc(), of,
                                          slice.getMixedOffsets(), sizes,
                                          slice.getMixedStrides());
  }

  static Value makeWords(Value matrix, unsigned dim) {
    OpBuilder b(matrix.getContext());
    b.setInsertionPointAfterValue(matrix);
    Location loc = matrix.getLoc();
    auto type = cast<RankedTensorType>(matrix.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] /= 2;
    SmallVector<OpFoldResult> offsets(2, b.getIndexAttr(0)),
        strides(2, b.getIndexAttr(1)),
        sizes = getAsIndexOpFoldResult(b.getContext(), shape);
    Value low =
        tensor::ExtractSliceOp::create(b, loc, matrix, offsets, sizes, strides);
    offsets[dim] = sizes[dim];
    Value high =
        tensor::ExtractSliceOp::create(b, loc, matrix, offsets, sizes, strides);
    Value empty = tensor::EmptyOp::create(b, loc, shape, b.getI32Type());
    return linalg::GenericOp::create(
               b, loc, empty.getType(), ValueRange{low, high}, empty,
               SmallVector<AffineMap>(3, b.getMultiDimIdentityMap(2)),
               SmallVector<utils::IteratorType>(2,
                                                utils::IteratorType::parallel),
               [](OpBuilder &b, Location loc, ValueRange args) {
                 Value word = mp::PairOp::create(b, loc, b.getI32Type(),
                                                 args[0], args[1]);
                 linalg::YieldOp::create(b, loc, word);
               })
        .getResult(0);
  }

  llvm::DenseMap<std::pair<Value, unsigned>, Value> words;
};
} // namespace
