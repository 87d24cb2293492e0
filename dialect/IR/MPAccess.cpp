//===- MPAccess.cpp - What loops read of a graph --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constraints of the ops.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPNodeTypes.h"

using namespace mlir;
using namespace clique::mp;

#define GET_OP_CLASSES
#include "dialect/IR/MPAccessOps.cpp.inc"

RankedTensorType clique::mp::getEdgeTensorType(EdgesType edges) {
  return getNodesType(edges.getFeatureType());
}

LogicalResult TileListOp::verify() {
  // C1
  const int64_t rows = getTileRows(), columns = getColumns();
  if (rows < 1 || columns < 1 || columns > 64)
    return emitOpError("lists tiles of ")
           << rows << " rows and " << columns
           << " columns: expected at least 1 row, and 1 to 64 columns, as a "
              "row of a tile is a word of bits";
  return success();
}

LogicalResult EdgesByTypeOp::verify() {
  // C1
  const int64_t groups = getGroups(), types = getTypes();
  if (groups < 1 || types < 1)
    return emitOpError("has chunks of ")
           << groups << " groups and " << types
           << " types of edges: expected at least 1 of both";
  return success();
}

static LogicalResult verifyEdgeTensor(Operation *op, EdgesType edges,
                                      Type tensor) {
  RankedTensorType expected = getEdgeTensorType(edges);
  if (tensor == expected)
    return success();
  return op->emitOpError("takes ")
         << edges << " for " << tensor << ": expected " << expected;
}

LogicalResult ToTensorOp::verify() {
  // C1
  return verifyEdgeTensor(*this, getEdges().getType(), getTensor().getType());
}

LogicalResult ToEdgesOp::verify() {
  // C1
  return verifyEdgeTensor(*this, getEdges().getType(), getTensor().getType());
}
