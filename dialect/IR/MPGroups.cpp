//===- MPGroups.cpp - Edges by keys of their own --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPGroups.h"

using namespace mlir;
using namespace clique::mp;

#define GET_OP_CLASSES
#include "dialect/IR/MPGroupOps.cpp.inc"

LogicalResult GroupEdgesOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location>, Adaptor,
                                             SmallVectorImpl<Type> &types) {
  // By how many edges a group receives is not known; their sources are any.
  types.push_back(MPGraphType::get(context, Topology::sparse, /*size=*/0,
                                   /*noSelf=*/false));
  types.append(2, RankedTensorType::get(ShapedType::kDynamic,
                                        IntegerType::get(context, 32)));
  return success();
}

LogicalResult GroupEdgesOp::verify() {
  // C1
  EdgesType keys = getKeys().getType();
  if (keys.getShape().empty() && keys.getElementType().isInteger(32))
    return success();
  return emitOpError("groups edges by ")
         << keys << ": expected !mp.edges<i32>, a number for each edge";
}
