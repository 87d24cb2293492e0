//===- OutlineSums.cpp - Sums of whole tensors in blocks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is written in place in public functions (clique-bufferize), so that a
// sum that is computed tile by tile there copies all of its result for each. A
// sum over nodes is divided by its terms: each is read once, and there is work
// for any number of threads.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/BlockOperands.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Codegen/SumBlocks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace clique {
#define GEN_PASS_DEF_OUTLINESUMSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static MemRefType getBufferType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

static Value toTensor(OpBuilder &b, Location loc, Value buffer,
                      bool isWritable) {
  return bufferization::ToTensorOp::create(
      b, loc, memref::getTensorTypeFromMemRefType(buffer.getType()), buffer,
      /*restrict=*/true, isWritable);
}

namespace {
struct OutlineSums : public clique::impl::OutlineSumsPassBase<OutlineSums> {
  using OutlineSumsPassBase::OutlineSumsPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<linalg::LinalgOp> ops;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic())
        function.walk([&](linalg::LinalgOp op) {
          if (isSum(op) || isTransposed(op) || (weights && isOfWeights(op)))
            ops.push_back(op);
        });
    // What an op is computed of by itself goes with it.
    if (weights)
      std::reverse(ops.begin(), ops.end());
    for (auto [index, op] : llvm::enumerate(ops)) {
      if (weights && isReadBy(op->getResult(0), nullptr))
        continue;
      StringRef parent = op->getParentOfType<func::FuncOp>().getName();
      std::string name = (parent + "_sum_" + llvm::Twine(index)).str();
      if (failed(outline(op, name, symbols)))
        return signalPassFailure();
    }
  }

private:
  /// Without elements there are no blocks of them.
  static bool isEmpty(linalg::LinalgOp op) {
    return llvm::is_contained(op.getStaticLoopRanges(), 0);
  }

  /// Reduced into one tensor of static shape, whose rows a loop of its own
  /// counts, from operands that are all the op takes from outside.
  static bool isSum(linalg::LinalgOp op) {
    if (isEmpty(op) || op.getNumReductionLoops() == 0 ||
        !op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
        !isa<TilingInterface>(op.getOperation()) || takesMore(op))
      return false;
    auto type = cast<RankedTensorType>(op->getResultTypes().front());
    return type.hasStaticShape() &&
           op.getMatchingIndexingMap(op.getDpsInitOperand(0))
               .isProjectedPermutation();
  }

  /// Weights the other way round.
  static bool isTransposed(linalg::LinalgOp op) {
    return isa<linalg::TransposeOp>(op) && !isEmpty(op) &&
           op.hasPureTensorSemantics() &&
           cast<RankedTensorType>(op->getResultTypes().front())
               .hasStaticShape();
  }

  /// What is computed of large weights element by element.
  static bool isOfWeights(linalg::LinalgOp op) {
    return isOnElements(op) &&
           cast<RankedTensorType>(op->getResultTypes().front())
                   .getNumElements() >= tuning::leastWeights;
  }

  /// Whether blocks have a part of the last dimension as well as of the first.
  static bool dividesColumns(linalg::LinalgOp op, ArrayRef<int64_t> block) {
    auto type = cast<RankedTensorType>(op->getResultTypes().front());
    return block.size() > 1 && block.back() != type.getShape().back();
  }

  /// (first row, [first column,] [part,] operands, result): a block of the
  /// result, or of that of a part of the terms of `loop`.
  FailureOr<func::FuncOp> makeFunction(linalg::LinalgOp op, StringRef name,
                                       ArrayRef<int64_t> sizes,
                                       std::optional<unsigned> loop,
                                       MemRefType result,
                                       SymbolTable &symbols) {
    Location loc = op.getLoc();
    OpBuilder b(op->getParentOfType<func::FuncOp>());
    const bool hasColumn = dividesColumns(op, sizes);
    SmallVector<Type> types(1 + hasColumn + loop.has_value(), b.getIndexType());
    size_t numPlaces = types.size();
    BlockOperands operands(op);
    for (Value source : operands.sources)
      types.push_back(getBufferType(source));
    types.push_back(result);
    auto function = func::FuncOp::create(b, loc, name,
                                         b.getFunctionType(types, TypeRange()));
    symbols.insert(function); // Renamed if need be.
    function.setPrivate();
    function->setAttr("clique.sum", b.getUnitAttr());
    b.setInsertionPointToStart(function.addEntryBlock());
    Value output = function.getArguments().back();
    IRMapping map;
    for (auto [source, arg] : llvm::zip_equal(
             operands.sources,
             function.getArguments().drop_front(numPlaces).drop_back()))
      map.map(source, toTensor(b, loc, arg, /*isWritable=*/false));
    for (Operation *made : operands.made)
      b.clone(*made, map);
    Operation *whole = b.clone(*op, map);

    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<OpFoldResult> begin(type.getRank(), b.getIndexAttr(0)),
        size = getAsIndexOpFoldResult(b.getContext(), sizes);
    if (type.getRank() > 0)
      begin.front() = function.getArgument(0);
    if (hasColumn)
      begin.back() = function.getArgument(1);
    Value part = function.getArgument(numPlaces - 1);
    FailureOr<Value> block =
        loop ? takePart(b, cast<linalg::LinalgOp>(whole), begin, size, *loop,
                        part)
             : takeBlock(b, whole, begin, size, op.getDpsInits().front());
    if (failed(block))
      return op.emitOpError("cannot be divided into blocks of its result");
    b.setInsertionPointToEnd(&function.getBody().front());
    if (loop) {
      begin.insert(begin.begin(), part);
      size.insert(size.begin(), b.getIndexAttr(1));
    }
    SmallVector<OpFoldResult> strides(begin.size(), b.getIndexAttr(1));
    auto viewType = memref::SubViewOp::inferRankReducedResultType(
        cast<RankedTensorType>(block->getType()).getShape(), result, begin,
        size, strides);
    Value view = memref::SubViewOp::create(b, loc, cast<MemRefType>(viewType),
                                           output, begin, size, strides);
    auto store = bufferization::MaterializeInDestinationOp::create(
        b, loc, Type(), *block, view);
    store.setWritable(true);
    func::ReturnOp::create(b, loc);
    whole->erase();
    if (isOnElements(op) && failed(computeSlices(function)))
      return failure();
    return function;
  }

  static FailureOr<Value> takeBlock(OpBuilder &b, Operation *whole,
                                    ArrayRef<OpFoldResult> begin,
                                    ArrayRef<OpFoldResult> size, Value init) {
    FailureOr<TilingResult> block =
        cast<TilingInterface>(whole).generateResultTileValue(b, 0, begin, size);
    if (failed(block))
      return failure();
    setStart(cast<linalg::LinalgOp>(block->tiledOps.front()), init);
    return block->tiledValues.front();
  }

  /// A block of what begins with one number, or with nothing, does so by
  /// itself.
  static void setStart(linalg::LinalgOp block, Value init) {
    DenseElementsAttr elements;
    bool isNumber =
        matchPattern(init, m_Constant(&elements)) && elements.isSplat();
    if (isNumber || init.getDefiningOp<tensor::EmptyOp>())
      fillInit(block, isNumber ? elements.getSplatValue<TypedAttr>() : nullptr);
  }

  /// Has it begin with a number, or with nothing.
  static void fillInit(linalg::LinalgOp block, TypedAttr number) {
    OpBuilder b(block);
    Location loc = block.getLoc();
    OpOperand &init = block.getDpsInitsMutable()[0];
    auto type = cast<RankedTensorType>(init.get().getType());
    Value start =
        tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    if (number)
      start = linalg::FillOp::create(
                  b, loc, arith::ConstantOp::create(b, loc, number).getResult(),
                  start)
                  .getResult(0);
    init.set(start);
  }

  /// The block of the result of the terms of part `part`.
  static FailureOr<Value> takePart(OpBuilder &b, linalg::LinalgOp whole,
                                   ArrayRef<OpFoldResult> begin,
                                   ArrayRef<OpFoldResult> size, unsigned loop,
                                   Value part) {
    auto tiling = cast<TilingInterface>(whole.getOperation());
    SmallVector<OpFoldResult> offsets, sizes;
    for (Range range : tiling.getIterationDomain(b)) {
      offsets.push_back(range.offset);
      sizes.push_back(range.size);
    }
    AffineMap map = whole.getMatchingIndexingMap(whole.getDpsInitOperand(0));
    for (auto [k, dim] : llvm::enumerate(map.getResults())) {
      unsigned position = cast<AffineDimExpr>(dim).getPosition();
      offsets[position] = begin[k];
      sizes[position] = size[k];
    }
    auto type = cast<RankedTensorType>(whole->getResult(0).getType());
    AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
    AffineExpr terms = b.getAffineConstantExpr(getPartTerms(type.getShape()));
    Location loc = whole.getLoc();
    OpFoldResult length = sizes[loop];
    offsets[loop] =
        affine::makeComposedFoldedAffineApply(b, loc, s0 * terms, {part});
    sizes[loop] = affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(0, 2, {s1 - s0 * terms, terms}, b.getContext()),
        {part, length});
    FailureOr<TilingResult> block =
        tiling.getTiledImplementation(b, offsets, sizes);
    if (failed(block))
      return failure();
    // It begins with nothing, and not with what the whole is added to.
    auto tiled = cast<linalg::LinalgOp>(block->tiledOps.front());
    fillInit(tiled, *arith::getNeutralElement(getCombiner(tiled)));
    return block->tiledValues.front();
  }

  LogicalResult outline(linalg::LinalgOp op, const std::string &name,
                        SymbolTable &symbols) {
    std::optional<unsigned> loop = getPartedLoop(op);
    return loop ? outlineParts(op, *loop, name, symbols)
                : outlineBlocks(op, name, symbols);
  }

  LogicalResult outlineBlocks(linalg::LinalgOp op, const std::string &name,
                              SymbolTable &symbols) {
    OpBuilder b(op);
    Value output = memref::AllocOp::create(b, op.getLoc(),
                                           getBufferType(op->getResult(0)));
    if (failed(emitCalls(op, name, {}, Value(), output, symbols)))
      return failure();
    op->getResult(0).replaceAllUsesWith(
        toTensor(b, op.getLoc(), output, /*isWritable=*/true));
    op->erase();
    return success();
  }

  /// The sums of parts first, and then theirs.
  LogicalResult outlineParts(linalg::LinalgOp op, unsigned loop,
                             const std::string &name, SymbolTable &symbols) {
    Location loc = op.getLoc();
    OpBuilder b(op);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Range range =
        cast<TilingInterface>(op.getOperation()).getIterationDomain(b)[loop];
    AffineExpr count =
        b.getAffineSymbolExpr(0).ceilDiv(getPartTerms(type.getShape()));
    Value parts = getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineApply(b, loc, count, {range.size}));
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin(), ShapedType::kDynamic);
    Value output = memref::AllocOp::create(
        b, loc, MemRefType::get(shape, type.getElementType()), parts);
    if (failed(emitCalls(op, name, loop, parts, output, symbols)))
      return failure();

    Operation *combiner = getCombiner(op);
    auto join = linalg::ReduceOp::create(
        b, loc, toTensor(b, loc, output, /*isWritable=*/false),
        op.getDpsInits(), /*dimensions=*/0,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value sum = emitCombiner(b, loc, combiner, args[1], args[0]);
          linalg::YieldOp::create(b, loc, sum);
        });
    op->getResult(0).replaceAllUsesWith(join->getResult(0));
    op->erase();
    return outlineBlocks(join, name + "_parts", symbols);
  }

  /// Calls for all blocks of the result, and of each part of `loop`.
  LogicalResult emitCalls(linalg::LinalgOp op, const std::string &name,
                          std::optional<unsigned> loop, Value parts,
                          Value output, SymbolTable &symbols) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<int64_t> sizes = getBlockSizes(op);
    int64_t all = type.getRank() ? type.getDimSize(0) : 1,
            rows = type.getRank() ? sizes.front() : 1;
    const bool hasColumn = dividesColumns(op, sizes);
    int64_t across = hasColumn ? type.getShape().back() / sizes.back() : 1;
    auto result = cast<MemRefType>(output.getType());
    FailureOr<func::FuncOp> function =
        makeFunction(op, name, sizes, loop, result, symbols);
    if (failed(function))
      return failure();
    FailureOr<func::FuncOp> rest;
    if (all % rows) {
      SmallVector<int64_t> last(sizes);
      last.front() = all % rows;
      rest = makeFunction(op, name + "_rest", last, loop, result, symbols);
      if (failed(rest))
        return failure();
    }

    Location loc = op.getLoc();
    OpBuilder b(op);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    SmallVector<Value> args;
    for (Value source : BlockOperands(op).sources)
      args.push_back(bufferization::ToBufferOp::create(
          b, loc, getBufferType(source), source, /*read_only=*/true));
    args.push_back(output);
    // Calls for `count` times `across` blocks from row `begin` on, for all
    // parts.
    auto callAll = [&](func::FuncOp callee, int64_t count, int64_t begin) {
      OpBuilder::InsertionGuard guard(b);
      Value row = constant(begin), column, part;
      if (loop || count * across > 1) {
        Value blocks = constant(count * across);
        Value steps =
            loop ? arith::MulIOp::create(b, loc, parts, blocks) : blocks;
        auto calls =
            scf::ParallelOp::create(b, loc, constant(0), steps, constant(1));
        b.setInsertionPointToStart(calls.getBody());
        Value block = calls.getInductionVars().front();
        // Takes a number off it, the fastest first.
        auto split = [&](Value size) -> Value {
          Value number = arith::RemUIOp::create(b, loc, block, size);
          block = arith::DivUIOp::create(b, loc, block, size);
          return number;
        };
        if (hasColumn)
          column = arith::MulIOp::create(b, loc, split(constant(across)),
                                         constant(sizes.back()));
        Value number = loop ? split(constant(count)) : block;
        part = block;
        row = arith::MulIOp::create(b, loc, number, constant(rows));
        if (begin > 0)
          row = arith::AddIOp::create(b, loc, row, constant(begin));
      }
      SmallVector<Value> places = {row};
      if (hasColumn)
        places.push_back(column);
      if (loop)
        places.push_back(part);
      llvm::append_range(places, args);
      func::CallOp::create(b, loc, callee, places);
    };
    callAll(*function, all / rows, 0);
    if (all % rows)
      callAll(*rest, 1, all - all % rows);
    return success();
  }
};
} // namespace
