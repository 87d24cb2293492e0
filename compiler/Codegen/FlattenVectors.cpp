//===- FlattenVectors.cpp - Rows of short vectors as one vector -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM knows vectors of one dimension: a value of 8 heads of 8 features becomes
// eight vectors of 8 elements, each in half a register of 512 bits. Side by
// side they fill four.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace clique {
#define GEN_PASS_DEF_FLATTENVECTORSPASS
#include "compiler/Codegen/CodegenPasses.h.inc"
} // namespace clique

using namespace mlir;

static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) || isa<vector::FMAOp>(op);
}

/// The dimensions of a buffer, with those of a vector that it ends with in one.
static SmallVector<ReassociationIndices> groupTrailing(int64_t rank,
                                                       int64_t trailing) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank - trailing; ++dim)
    groups.push_back({dim});
  groups.push_back(
      llvm::to_vector<2>(llvm::seq<int64_t>(rank - trailing, rank)));
  return groups;
}

/// Whether a transfer is of consecutive elements, from the start of the
/// dimensions that it takes.
static bool isContiguous(VectorTransferOpInterface op) {
  auto buffer = dyn_cast<MemRefType>(op.getBase().getType());
  VectorType vector = op.getVectorType();
  int64_t rank = vector.getRank();
  if (!buffer || op.getMask() || op.hasOutOfBoundsDim() ||
      !op.getPermutationMap().isMinorIdentity() ||
      buffer.getElementType() != vector.getElementType())
    return false;
  auto inside = buffer.getShape().take_back(rank).drop_front();
  return inside == vector.getShape().drop_front() &&
         llvm::all_of(
             op.getIndices().take_back(rank),
             [](Value index) { return isConstantIntValue(index, 0); }) &&
         memref::CollapseShapeOp::isGuaranteedCollapsible(
             buffer, groupTrailing(buffer.getRank(), rank));
}

/// Where each element of a value that was broadcast, and then transposed, comes
/// from in its flat source.
static SmallVector<int64_t> getLanes(VectorType source, VectorType result,
                                     ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> strides = computeSuffixProduct(source.getShape());
  SmallVector<int64_t> positions = computeSuffixProduct(result.getShape());
  int64_t added = result.getRank() - source.getRank();
  SmallVector<int64_t> lanes;
  for (int64_t element = 0; element < result.getNumElements(); ++element) {
    int64_t lane = 0;
    for (auto [k, index] : llvm::enumerate(delinearize(element, positions))) {
      int64_t dim = permutation[k] - added;
      if (dim >= 0 && source.getDimSize(dim) != 1)
        lane += index * strides[dim];
    }
    lanes.push_back(lane);
  }
  return lanes;
}

namespace {
/// The values of a function that become flat vectors.
class FlatValues {
public:
  explicit FlatValues(Operation *root)
      : lanes(clique::mp::getCpu(root).getVectorBits() / 32) {
    collect(root);
    while (dropOthers())
      ;
  }

  bool contains(Value value) const { return values.contains(value); }

private:
  /// Rows that leave a part of a register empty, and fill some together. LLVM
  /// keeps what lives in more than one basic block as single elements where
  /// their number is no power of two.
  bool hasShortRows(Type type) const {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getRank() > 1 && !vector.isScalable() &&
           vector.getElementType().isIntOrFloat() &&
           vector.getElementTypeBitWidth() <= 32 &&
           vector.getShape().back() < lanes &&
           vector.getNumElements() % lanes == 0 &&
           llvm::isPowerOf2_64(vector.getNumElements()) &&
           vector.getNumElements() <= clique::tuning::halvedElements;
  }

  void collect(Operation *root) {
    auto add = [&](Value value) {
      if (hasShortRows(value.getType()))
        values.insert(value);
    };
    root->walk([&](Operation *op) {
      llvm::for_each(op->getResults(), add);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), add);
    });
  }

  /// Takes values out that some op wants, or makes, in rows; whether there was
  /// one.
  bool dropOthers() {
    return values.remove_if([&](Value value) {
      return !isMadeFlat(value) ||
             !llvm::all_of(value.getUses(),
                           [&](OpOperand &use) { return isUsedFlat(use); });
    });
  }

  bool isMadeFlat(Value value) const {
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
      return loop && isCarriedFlat(loop, cast<BlockArgument>(value));
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return isa<DenseElementsAttr>(constant.getValue());
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      return isContiguous(read);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return isCarriedFlat(
          loop, loop.getTiedLoopRegionIterArg(cast<OpResult>(value)));
    if (auto transpose = dyn_cast<vector::TransposeOp>(op))
      return transpose.getVector().getDefiningOp<vector::BroadcastOp>();
    return isa<vector::BroadcastOp, vector::ShapeCastOp>(op) ||
           isMappedFlat(op);
  }

  bool isUsedFlat(OpOperand &use) const {
    Operation *op = use.getOwner();
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      return &write.getValueToStoreMutable() == &use && isContiguous(write);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return isCarriedFlat(loop, loop.getTiedLoopRegionIterArg(&use));
    if (isa<scf::YieldOp>(op)) {
      auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
      return loop &&
             isCarriedFlat(loop, loop.getRegionIterArg(use.getOperandNumber()));
    }
    if (isa<vector::TransposeOp>(op))
      return contains(op->getResult(0)) &&
             use.get().getDefiningOp<vector::BroadcastOp>();
    return isa<vector::ShapeCastOp>(op) || isMappedFlat(op);
  }

  bool isMappedFlat(Operation *op) const {
    auto isFlat = [&](Value value) {
      return !isa<VectorType>(value.getType()) || contains(value);
    };
    return isElementwise(op) && llvm::all_of(op->getOperands(), isFlat) &&
           llvm::all_of(op->getResults(), isFlat);
  }

  /// All that a loop carries in one place: its operand, argument, what a step
  /// yields, and result.
  bool isCarriedFlat(scf::ForOp loop, BlockArgument argument) const {
    if (!argument || argument == loop.getInductionVar())
      return false;
    return contains(argument) &&
           contains(loop.getTiedLoopInit(argument)->get()) &&
           contains(loop.getTiedLoopYieldedValue(argument)->get()) &&
           contains(loop.getTiedLoopResult(argument));
  }

  int64_t lanes;
  llvm::SetVector<Value> values;
};

/// Rewrites one op after the other; between those that are flat and others
/// stand casts, which cancel where both ends are flat.
class Flattener {
public:
  explicit Flattener(MLIRContext *context) : rewriter(context) {}

  void rewrite(Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      rewriteWrite(write);
    else if (auto read = dyn_cast<vector::TransferReadOp>(op))
      rewriteRead(read);
    else if (isa<vector::BroadcastOp, vector::TransposeOp>(op))
      rewriteBroadcast(op);
    else
      rewriteMapped(op);
  }

  /// What `loop` carries in the place of `argument`.
  void rewriteCarried(scf::ForOp loop, BlockArgument argument) {
    Type type = argument.getType();
    Operation *yield = loop.getBody()->getTerminator();
    auto flattenOperand = [&](OpOperand &operand) {
      rewriter.setInsertionPoint(operand.getOwner());
      operand.set(flatten(operand.get()));
    };
    auto flattenValue = [&](Value value) {
      value.setType(getFlat(type));
      Operation *rows =
          vector::ShapeCastOp::create(rewriter, value.getLoc(), type, value);
      value.replaceAllUsesExcept(rows->getResult(0), rows);
    };
    OpResult result = loop.getTiedLoopResult(argument);
    flattenOperand(*loop.getTiedLoopInit(argument));
    flattenOperand(yield->getOpOperand(result.getResultNumber()));
    rewriter.setInsertionPointToStart(loop.getBody());
    flattenValue(argument);
    rewriter.setInsertionPointAfter(loop);
    flattenValue(result);
  }

private:
  static Type getFlat(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? VectorType::get(vector.getNumElements(),
                                    vector.getElementType())
                  : type;
  }
  Value cast(Value value, Type type) {
    return rewriter.createOrFold<vector::ShapeCastOp>(value.getLoc(), type,
                                                      value);
  }
  Value flatten(Value value) {
    return isa<VectorType>(value.getType())
               ? cast(value, getFlat(value.getType()))
               : value;
  }
  void replace(Operation *op, Value flat) {
    rewriter.replaceOp(op, cast(flat, op->getResult(0).getType()));
  }

  /// Constants, and what is done element by element.
  void rewriteMapped(Operation *op) {
    SmallVector<Value> operands = llvm::map_to_vector(
        op->getOperands(), [&](Value value) { return flatten(value); });
    Type type = getFlat(op->getResult(0).getType());
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto elements = ::cast<DenseElementsAttr>(constant.getValue());
      return replace(op, arith::ConstantOp::create(
                             rewriter, op->getLoc(),
                             elements.reshape(::cast<ShapedType>(type))));
    }
    replace(op, mlir::clone(rewriter, op, type, operands)->getResult(0));
  }

  /// A broadcast, or the transpose of one, as one shuffle.
  void rewriteBroadcast(Operation *op) {
    auto broadcast = dyn_cast<vector::BroadcastOp>(op);
    auto result = ::cast<VectorType>(op->getResult(0).getType());
    SmallVector<int64_t> permutation =
        llvm::to_vector(llvm::seq<int64_t>(result.getRank()));
    if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
      broadcast = transpose.getVector().getDefiningOp<vector::BroadcastOp>();
      permutation = llvm::to_vector(transpose.getPermutation());
    }
    Value source = broadcast.getSource();
    auto type = dyn_cast<VectorType>(source.getType());
    if (!type || type.getNumElements() == 1) {
      auto flat = ::cast<VectorType>(getFlat(result));
      Value one = type && type.getRank() > 1 ? flatten(source) : source;
      return replace(
          op, vector::BroadcastOp::create(rewriter, op->getLoc(), flat, one));
    }
    Value flat = flatten(source);
    replace(op, vector::ShuffleOp::create(rewriter, op->getLoc(), flat, flat,
                                          getLanes(type, result, permutation)));
  }

  /// The buffer of a transfer, with the dimensions that it takes in one, and
  /// the position in it.
  std::pair<Value, SmallVector<Value>>
  collapseBuffer(VectorTransferOpInterface op) {
    auto buffer = ::cast<MemRefType>(op.getBase().getType());
    int64_t rank = op.getVectorType().getRank();
    return {
        memref::CollapseShapeOp::create(rewriter, op.getLoc(), op.getBase(),
                                        groupTrailing(buffer.getRank(), rank)),
        llvm::to_vector(op.getIndices().drop_back(rank - 1))};
  }

  void rewriteRead(vector::TransferReadOp read) {
    auto [buffer, indices] = collapseBuffer(read);
    auto type = ::cast<VectorType>(getFlat(read.getVectorType()));
    replace(read, vector::TransferReadOp::create(
                      rewriter, read.getLoc(), type, buffer, indices,
                      read.getPadding(), ArrayRef<bool>{true}));
  }

  void rewriteWrite(vector::TransferWriteOp write) {
    auto [buffer, indices] = collapseBuffer(write);
    rewriter.replaceOpWithNewOp<vector::TransferWriteOp>(
        write, flatten(write.getVector()), buffer, indices,
        ArrayRef<bool>{true});
  }

  IRRewriter rewriter;
};

struct FlattenVectors
    : public clique::impl::FlattenVectorsPassBase<FlattenVectors> {
  void runOnOperation() override {
    FlatValues values(getOperation());
    SmallVector<Operation *> transposes, others;
    SmallVector<std::pair<scf::ForOp, BlockArgument>> carried;
    getOperation().walk([&](Operation *op) {
      auto write = dyn_cast<vector::TransferWriteOp>(op);
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        for (BlockArgument argument : loop.getRegionIterArgs())
          if (values.contains(argument))
            carried.push_back({loop, argument});
      } else if (isa<vector::TransposeOp>(op)) {
        if (values.contains(op->getResult(0)))
          transposes.push_back(op);
      } else if (!isa<vector::ShapeCastOp>(op) &&
                 (write ? values.contains(write.getVector())
                        : op->getNumResults() == 1 &&
                              values.contains(op->getResult(0)))) {
        others.push_back(op);
      }
    });
    Flattener flattener(&getContext());
    // They ask what was broadcast.
    for (Operation *op : llvm::concat<Operation *>(transposes, others))
      flattener.rewrite(op);
    for (auto [loop, argument] : carried)
      flattener.rewriteCarried(loop, argument);

    RewritePatternSet patterns(&getContext());
    vector::ShapeCastOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet sound(std::move(patterns),
                                  clique::getBrokenPatterns());
    (void)applyPatternsGreedily(getOperation(), sound,
                                clique::getRewriteConfig());
  }
};
} // namespace
