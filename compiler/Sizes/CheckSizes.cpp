//===- CheckSizes.cpp - Sizes that are known when a layer runs ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-check-sizes: what each op needs of its operands, and the sizes of
// values as those of arguments and graphs.
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/Passes.h"
#include "compiler/Sizes/SizeChecks.h"
#include "dialect/IR/MPGroups.h"
#include "dialect/IR/MPScatter.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

namespace clique {
#define GEN_PASS_DEF_CHECKSIZESPASS
#include "compiler/Sizes/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static void checkMessage(mp::MessageOp op, SizeChecks &checks) {
  OpBuilder &b = checks.getBuilder();
  auto check = [&](ValueRange operands, Value expected, StringRef role,
                   StringRef what) {
    for (auto [number, operand] : llvm::enumerate(operands))
      checks.checkEqual(checks.getSize(operand, 0), expected,
                        role + " operand #" + Twine(number) +
                            " needs a row for each " + what + " of its graph");
  };
  Value graph = op.getGraph();
  auto getCount = [&](auto count) -> Value { return count.getResult(); };
  if (!op.getDst().empty())
    check(op.getDst(), getCount(mp::NumDstOp::create(b, op.getLoc(), graph)),
          "dst", "destination");
  if (!op.getSrc().empty())
    check(op.getSrc(), getCount(mp::NumSrcOp::create(b, op.getLoc(), graph)),
          "src", "source");
  if (!op.getEdge().empty())
    check(op.getEdge(), getCount(mp::NumEdgesOp::create(b, op.getLoc(), graph)),
          "edge", "edge");
}

/// Results whose number of rows the type says.
static void checkStaticRows(Operation *op, OpFoldResult rows,
                            SizeChecks &checks) {
  for (OpResult result : op->getResults()) {
    int64_t size = cast<RankedTensorType>(result.getType()).getDimSize(0);
    if (!ShapedType::isDynamic(size))
      checks.checkEqual(rows, checks.getConstant(size),
                        "result #" + Twine(result.getResultNumber()) +
                            " has as many rows as its type says");
  }
}

static void checkAggregate(mp::AggregateOp op, SizeChecks &checks) {
  OpBuilder &b = checks.getBuilder();
  Value edges = mp::NumEdgesOp::create(b, op.getLoc(), op.getGraph());
  for (auto [number, value] : llvm::enumerate(op->getOperands().drop_front()))
    checks.checkEqual(checks.getSize(value, 0), edges,
                      "edge feature #" + Twine(number) +
                          " needs a row for each edge of the graph");
}

static void checkScan(mp::ScanOp op, SizeChecks &checks) {
  OpBuilder &b = checks.getBuilder();
  Value nodes = mp::NumDstOp::create(b, op.getLoc(), op.getGraph());
  Value edges = mp::NumEdgesOp::create(b, op.getLoc(), op.getGraph());
  for (auto [number, state] : llvm::enumerate(op.getFrom()))
    checks.checkEqual(checks.getSize(state, 0), nodes,
                      "from operand #" + Twine(number) +
                          " needs a row for each destination of its graph");
  for (auto [number, value] : llvm::enumerate(op.getEdge()))
    checks.checkEqual(checks.getSize(value, 0), edges,
                      "edge feature #" + Twine(number) +
                          " needs a row for each edge of the graph");
}

static void checkUpdate(mp::UpdateOp op, SizeChecks &checks) {
  for (unsigned number = 1; number < op.getNodes().size(); ++number)
    checks.checkSameSize(0, number, 0);
  checkStaticRows(op, checks.getSize(op.getNodes().front(), 0), checks);
}

static void checkReadout(mp::ReadoutOp op, SizeChecks &checks) {
  if (Value score = op.getScore())
    checks.checkEqual(checks.getSize(score, 0),
                      checks.getSize(op.getNodes(), 0),
                      "the score needs a row for each node");
}

static void checkNumNodes(Value count, SizeChecks &checks) {
  checks.checkRange(count, checks.getConstant(0),
                    checks.getConstant(std::numeric_limits<int>::max()),
                    "number of nodes");
}

static void checkSpread(mp::SpreadOp op, SizeChecks &checks) {
  OpFoldResult parts =
      checks.apply(checks.getBuilder().getAffineSymbolExpr(0) - 1,
                   {checks.getSize(op.getOffsets(), 0)});
  checks.checkEqual(checks.getSize(op.getParts(), 0), parts,
                    "the values need a row between two offsets each");
  checkNumNodes(op.getNumNodes(), checks);
}

static void checkPartNumbers(mp::PartNumbersOp op, SizeChecks &checks) {
  checks.checkRange(checks.getSize(op.getOffsets(), 0), checks.getConstant(1),
                    checks.getConstant(std::numeric_limits<int64_t>::max()),
                    "entries of the offsets");
  checkNumNodes(op.getNumNodes(), checks);
}

static void checkEdgeSoftmax(mp::EdgeSoftmaxOp op, SizeChecks &checks) {
  Value edges =
      mp::NumEdgesOp::create(checks.getBuilder(), op.getLoc(), op.getGraph());
  checks.checkEqual(checks.getSize(op.getScore(), 0), edges,
                    "the score needs a row for each edge of the graph");
}

static void checkGroupEdges(mp::GroupEdgesOp op, SizeChecks &checks) {
  Value edges =
      mp::NumEdgesOp::create(checks.getBuilder(), op.getLoc(), op.getGraph());
  checks.checkEqual(checks.getSize(op.getKeys(), 0), edges,
                    "the keys need a row for each edge of the graph");
  checks.checkRange(op.getNumKeys(), checks.getConstant(1),
                    checks.getConstant(std::numeric_limits<int32_t>::max()),
                    "number of keys");
}

/// Where something is looked up, there is a row to be found.
static void checkLookup(mp::LookupOp op, SizeChecks &checks) {
  OpBuilder &b = checks.getBuilder();
  OpFoldResult count = mp::hasRows(op.getIndex().getType())
                           ? checks.getSize(op.getIndex(), 0)
                           : checks.getConstant(1);
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  OpFoldResult least = affine::makeComposedFoldedAffineMin(
      b, op.getLoc(),
      AffineMap::get(0, 1, {s0, b.getAffineConstantExpr(1)}, b.getContext()),
      {count});
  checks.checkRange(checks.getSize(op.getTable(), 0), least,
                    checks.getConstant(std::numeric_limits<int64_t>::max()),
                    "rows of the table");
}

//===----------------------------------------------------------------------===//
// Whole tensors
//===----------------------------------------------------------------------===//

static void checkElementwise(Operation *op, SizeChecks &checks) {
  std::optional<unsigned> first;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      continue; // a scalar condition
    if (first)
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        checks.checkSameSize(*first, number, dim);
    else
      first = number;
  }
}

static void checkConcat(tensor::ConcatOp op, SizeChecks &checks) {
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim)
    for (unsigned number = 1;
         dim != int64_t(op.getDim()) && number < op->getNumOperands(); ++number)
      checks.checkSameSize(0, number, dim);
  const int64_t joined = op.getDim();
  if (op.getType().isDynamicDim(joined))
    return;
  AffineExpr sum = checks.getBuilder().getAffineConstantExpr(0);
  SmallVector<OpFoldResult> sizes;
  for (auto [number, operand] : llvm::enumerate(op.getInputs())) {
    sum = sum + checks.getBuilder().getAffineSymbolExpr(number);
    sizes.push_back(checks.getSize(operand, joined));
  }
  checks.checkResult(checks.apply(sum, sizes), joined);
}

static void checkScatter(tensor::ScatterOp op, SizeChecks &checks) {
  if (!mp::isOneSlice(op))
    return;
  const int64_t written = op.getScatterDims().front();
  checks.checkRange(
      checks.getSize(op.getDest(), written), checks.getConstant(1),
      checks.getConstant(std::numeric_limits<int64_t>::max()),
      "size of dimension " + Twine(written) + " of the destination");
  for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim) {
    const int64_t there = dim < written ? dim : dim + 1;
    checks.checkEqual(checks.getSize(op.getSource(), dim),
                      checks.getSize(op.getDest(), there),
                      "dimension " + Twine(dim) +
                          " of the source must be dimension " + Twine(there) +
                          " of the destination");
  }
}

static void checkCast(tensor::CastOp op, SizeChecks &checks) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return;
  for (int64_t dim = 0; dim < to.getRank(); ++dim)
    if (!to.isDynamicDim(dim))
      checks.checkResult(checks.getSize(op.getSource(), dim), dim);
}

static void checkExpand(tensor::ExpandShapeOp op, SizeChecks &checks) {
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    OpFoldResult product = checks.getConstant(1);
    OpBuilder &b = checks.getBuilder();
    OpFoldResult source = checks.getSize(op.getSrc(), dim);
    AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
    for (int64_t part : group) {
      checks.checkSize(sizes[part],
                       "size of dimension " + Twine(part) + " of the result");
      OpFoldResult size = sizes[part];
      // What is too large by itself must not be a product that fits.
      if (auto given = dyn_cast<Value>(size)) {
        Value most = getValueOrCreateConstantIndexOp(
            b, op.getLoc(), checks.apply(s0 + 1, {source}));
        size = arith::MinSIOp::create(b, op.getLoc(), given, most).getResult();
      }
      product = checks.apply(s0 * s1, {product, size});
    }
    checks.checkEqual(source, product,
                      "dimension " + Twine(dim) +
                          " must be the product of the dimensions that it "
                          "becomes");
  }
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

static void checkElement(ValueRange indices, Value tensor, SizeChecks &checks) {
  for (auto [dim, index] : llvm::enumerate(indices))
    checks.checkPosition(index, checks.getSize(tensor, dim),
                         "position along dimension " + Twine(dim));
}

static void checkDim(tensor::DimOp op, SizeChecks &checks) {
  if (auto type = dyn_cast<RankedTensorType>(op.getSource().getType()))
    checks.checkPosition(op.getIndex(), checks.getConstant(type.getRank()),
                         "number of the dimension");
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static LogicalResult checkOp(Operation *op) {
  SizeChecks checks(op);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    checkLoops(structured, checks);
    return checkIndices(op);
  }
  if (OpTrait::hasElementwiseMappableTraits(op))
    checkElementwise(op, checks);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](mp::MessageOp op) { checkMessage(op, checks); })
      .Case([&](mp::AggregateOp op) { checkAggregate(op, checks); })
      .Case([&](mp::ScanOp op) { checkScan(op, checks); })
      .Case([&](mp::UpdateOp op) { checkUpdate(op, checks); })
      .Case([&](mp::ReadoutOp op) { checkReadout(op, checks); })
      .Case([&](mp::SpreadOp op) { checkSpread(op, checks); })
      .Case([&](mp::PartNumbersOp op) { checkPartNumbers(op, checks); })
      .Case([&](mp::NodeNumbersOp op) {
        checkNumNodes(op.getNumNodes(), checks);
      })
      .Case([&](mp::EdgeSoftmaxOp op) { checkEdgeSoftmax(op, checks); })
      .Case([&](mp::GroupEdgesOp op) { checkGroupEdges(op, checks); })
      .Case([&](mp::LookupOp op) { checkLookup(op, checks); })
      .Case([&](scf::ForOp op) { checkCountedLoop(op, checks); })
      .Case([&](scf::YieldOp op) { checkYield(op, checks); })
      .Case([&](tensor::ConcatOp op) { checkConcat(op, checks); })
      .Case([&](tensor::ScatterOp op) { checkScatter(op, checks); })
      .Case([&](tensor::CastOp op) { checkCast(op, checks); })
      .Case([&](tensor::ExpandShapeOp op) { checkExpand(op, checks); })
      .Case([&](tensor::ExtractSliceOp op) { checkExtractSlice(op, checks); })
      .Case([&](tensor::InsertSliceOp op) { checkInsertSlice(op, checks); })
      .Case([&](tensor::ExtractOp op) {
        checkElement(op.getIndices(), op.getTensor(), checks);
      })
      .Case([&](tensor::InsertOp op) {
        checkElement(op.getIndices(), op.getDest(), checks);
      })
      .Case([&](tensor::PadOp op) { checkPad(op, checks); })
      .Case([&](tensor::DimOp op) { checkDim(op, checks); })
      .Case<tensor::EmptyOp, tensor::SplatOp>(
          [&](auto op) { checkNewShape(op, op.getDynamicSizes(), checks); })
      .Case([&](tensor::GenerateOp op) {
        checkNewShape(op, op.getDynamicExtents(), checks);
      });
  return isa<tensor::GenerateOp>(op) ? checkIndices(op) : success();
}

namespace {
struct CheckSizes : public clique::impl::CheckSizesPassBase<CheckSizes> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // The regions of these work on static tensors; those of others that are
      // not control flow are checked with their op.
      ops.push_back(op);
      bool isLeaf =
          isa<linalg::LinalgOp, tensor::GenerateOp, mp::MessageOp,
              mp::AggregateOp, mp::ScanOp, mp::UpdateOp, mp::KernelOp>(op);
      return isLeaf ? WalkResult::skip() : WalkResult::advance();
    });
    for (Operation *op : ops)
      if (failed(checkOp(op)))
        return signalPassFailure();
    resolveSizes(getOperation());
    dropRepeated();
    moveChecks(getOperation());
  }

  void dropRepeated() {
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    getOperation()->walk([](Block *block) {
      llvm::DenseSet<std::tuple<Value, Value, Value>> done;
      for (auto check :
           llvm::make_early_inc_range(block->getOps<mp::CheckOp>())) {
        Value actual = check.getActual(), least = check.getLeast(),
              most = check.getMost();
        bool isEquality = least == most;
        bool isNew = done.insert({actual, least, most}).second;
        bool holds = actual == least && actual == most;
        if (isEquality && isNew)
          done.insert({least, actual, actual});
        if (!isNew || holds)
          check.erase();
      }
    });
  }
};
} // namespace
