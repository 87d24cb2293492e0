//===- DecomposeLookup.cpp - Look-ups of node and edge features -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of weights are looked up row by row, in an update; a table that counts
// nodes or edges is the sources of a graph with one edge for each index.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/DecomposeLookup.h"
#include "compiler/Algebra/BatchGraph.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

/// Indices as numbers of rows: what is outside the table is its first or last
/// one.
static Value clampToRows(OpBuilder &b, Location loc, Value list, Value count,
                         Value numRows) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value last = arith::SubIOp::create(b, loc, numRows, one);
  auto type = RankedTensorType::get(ShapedType::kDynamic, b.getI32Type());
  Value empty = tensor::EmptyOp::create(b, loc, type, count);
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(1));
  auto rows = linalg::GenericOp::create(
      b, loc, type, list, empty, maps, utils::IteratorType::parallel,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value row =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
        row = arith::MaxSIOp::create(b, loc, row, zero);
        row = arith::MinSIOp::create(b, loc, row, last);
        Value number = arith::IndexCastOp::create(b, loc, b.getI32Type(), row);
        linalg::YieldOp::create(b, loc, number);
      });
  return rows.getResult(0);
}

/// The rows of `table`, a node feature, whose numbers are in `list`.
static Value lookUp(OpBuilder &b, Location loc, Value table, Value list) {
  Value numRows = tensor::DimOp::create(b, loc, table, int64_t(0));
  Value count = tensor::DimOp::create(b, loc, list, int64_t(0));
  auto sparse = mp::MPGraphType::get(b.getContext(), mp::Topology::sparse,
                                     /*param=*/0, /*noSelf=*/false);
  Value graph = mp::COOOp::create(b, loc, sparse, makeIota(b, loc, count),
                                  clampToRows(b, loc, list, count, numRows),
                                  count, numRows);
  return gatherRows(b, loc, graph, table);
}

/// One index as a list of one.
static Value toList(OpBuilder &b, Location loc, Value index) {
  auto type = cast<RankedTensorType>(index.getType());
  Value one = tensor::ExpandShapeOp::create(b, loc, type.clone({1}), index,
                                            ArrayRef<ReassociationIndices>());
  return tensor::CastOp::create(b, loc, type.clone({ShapedType::kDynamic}),
                                one);
}

/// The only one of `rows`.
static Value takeRow(OpBuilder &b, Location loc, Value rows,
                     RankedTensorType type) {
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, type.getShape());
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    groups.push_back(dim == 0 ? ReassociationIndices{0, 1}
                              : ReassociationIndices{dim + 1});
  Value one = tensor::CastOp::create(b, loc, type.clone(shape), rows);
  return tensor::CollapseShapeOp::create(b, loc, type, one, groups);
}

namespace {
struct LookupAsAggregate : OpRewritePattern<mp::LookupOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(mp::LookupOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value table = op.getTable();
    if (auto edges = dyn_cast<mp::EdgesType>(table.getType())) {
      auto values = mp::ToTensorOp::create(rewriter, loc,
                                           mp::getEdgeTensorType(edges), table);
      Value rows = lookUp(rewriter, loc, values, op.getIndex());
      rewriter.replaceOpWithNewOp<mp::ToEdgesOp>(op, edges, rows);
    } else if (!mp::hasRows(table.getType())) {
      return rewriter.notifyMatchFailure(op, "a table of weights");
    } else if (mp::hasRows(op.getIndex().getType())) {
      rewriter.replaceOp(op, lookUp(rewriter, loc, table, op.getIndex()));
    } else {
      Value list = toList(rewriter, loc, op.getIndex());
      Value rows = lookUp(rewriter, loc, table, list);
      auto type = cast<RankedTensorType>(op.getResult().getType());
      rewriter.replaceOp(op, takeRow(rewriter, loc, rows, type));
    }
    reportRewrite(loc, "look-up is an aggregation over one edge per index");
    return success();
  }
};
} // namespace

void clique::populateDecomposeLookupPatterns(RewritePatternSet &patterns) {
  patterns.add<LookupAsAggregate>(patterns.getContext());
}
