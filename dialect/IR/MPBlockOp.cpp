//===- MPBlockOp.cpp - Constraints of blocks ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel on one block of its rows is given.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPGraphArrays.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace clique::mp;

ArrayRef<GraphArray> clique::mp::getGraphArrays(Lowering lowering) {
  static constexpr GraphArray dense[] = {
      GraphArray::rowBegin,       GraphArray::rowEnd,
      GraphArray::noSelf,         GraphArray::areTilesListed,
      GraphArray::tileList,       GraphArray::tileRegisterBlocks,
      GraphArray::tileWords,      GraphArray::indptr,
      GraphArray::tileFirstEdges, GraphArray::edgeIds,
      GraphArray::nodeOrder};
  static constexpr GraphArray sparse[] = {
      GraphArray::indptr, GraphArray::rowSources, GraphArray::sources,
      GraphArray::edgeIds};
  switch (lowering) {
  case Lowering::nodes:
    return {};
  case Lowering::sparse:
    return sparse;
  case Lowering::dense:
    return dense;
  }
  llvm_unreachable("unknown lowering");
}

/// An array of the runtime.
static Type getIntegers(MLIRContext *context, unsigned bits) {
  return MemRefType::get(ShapedType::kDynamic, IntegerType::get(context, bits));
}

Type clique::mp::getArrayType(MLIRContext *context, GraphArray array) {
  switch (array) {
  case GraphArray::noSelf:
  case GraphArray::areTilesListed:
    return IntegerType::get(context, 1);
  case GraphArray::sources:
  case GraphArray::nodeOrder:
    return getIntegers(context, 32);
  default:
    return getIntegers(context, 64);
  }
}

KernelOp BlockOp::getKernel() {
  return cast<KernelOp>(getBody().front().front());
}

/// The types of a block's `args`; `schedule`: its kernel's.
static SmallVector<Type> getArgTypes(BlockOp block, Attribute schedule) {
  MLIRContext *context = block.getContext();
  Type index = IndexType::get(context);
  switch (block.getPart()) {
  case BlockPart::chunk:
    return SmallVector<Type>(3, index);
  case BlockPart::merge:
    return SmallVector<Type>(2, index);
  case BlockPart::rows:
    break;
  }
  if (isa<TypedBlocksAttr>(schedule)) {
    Type i64s = getIntegers(context, 64);
    return {index, index, i64s, i64s, getIntegers(context, 32), i64s};
  }
  auto tiles = dyn_cast<TilesAttr>(schedule);
  if (!tiles)
    return {};
  int64_t next = tiles.getPrefetch() == 0 ? 0 : block.getHead() ? 6 : 2;
  return SmallVector<Type>(2 + next, index);
}

/// C5
static LogicalResult verifyPart(BlockOp block, Attribute schedule) {
  if (block.getPart() == BlockPart::rows) {
    if (block.getScratch().empty())
      return success();
    return block.emitOpError("of whole rows has scratch: expected none");
  }
  auto rows = dyn_cast<RowBlocksAttr>(schedule);
  auto edges = dyn_cast<EdgeBlocksAttr>(schedule);
  if ((rows && rows.getRows() == 1) ||
      (edges && edges.getRows() == 1 && block.getPart() == BlockPart::chunk))
    return success();
  return block.emitOpError("takes a part of a row, with the schedule ")
         << schedule
         << ": expected #mp.row_blocks or, for a chunk, #mp.edge_blocks, with "
            "rows = 1";
}

static LogicalResult verifyTypes(BlockOp block, StringRef what, TypeRange types,
                                 TypeRange expected) {
  if (types == expected)
    return success();
  return block.emitOpError("has ")
         << what << " (" << types << "): expected (" << expected << ")";
}

/// Whether `out` has the rows of a result that yields `value`, however many: of
/// a sum over nodes the sum itself; sums for sources may be added up in f32.
static bool isMemoryOf(MemRefType out, Value value) {
  auto edges = dyn_cast<EdgesType>(value.getType());
  auto type = edges ? getEdgeTensorType(edges)
                    : cast<RankedTensorType>(value.getType());
  const bool isExact = out.getElementType() == type.getElementType();
  const bool isSourceSum = value.getDefiningOp<SourceSumOp>() != nullptr;
  return succeeded(verifyCompatibleShape(out, type)) &&
         (isExact || (isSourceSum && out.getElementType().isF32()));
}

/// C6
static LogicalResult verifyOuts(BlockOp block, KernelOp kernel) {
  if (block.getOuts().size() != kernel.getNumResults())
    return block.emitOpError("has ")
           << block.getOuts().size() << " outs for " << kernel.getNumResults()
           << " results of its kernel: expected one each";
  for (auto [out, yielded] : llvm::zip_equal(block.getOuts().getTypes(),
                                             kernel.getYield().getValues()))
    if (!isMemoryOf(cast<MemRefType>(out), yielded))
      return block.emitOpError("writes ")
             << yielded.getType() << " to " << out
             << ": expected memory of the same shape and element type";
  return success();
}

LogicalResult BlockOp::verifyRegions() {
  // C1
  Block &body = getBody().front();
  auto kernel = body.empty() ? KernelOp() : dyn_cast<KernelOp>(body.front());
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!kernel || !yield || kernel->getNextNode() != yield ||
      kernel.getResults() != yield.getValues() || !kernel.getLowering() ||
      !kernel.getScheduleAttr() || kernel.getHeads())
    return emitOpError("expected one mp.kernel in its region, with lowering "
                       "and schedule and without heads, and mp.yield of its "
                       "results");
  // C2
  Value graph = kernel.getGraph();
  if (body.getNumArguments() != (graph ? 1 : 0) ||
      (graph && graph != body.getArgument(0)))
    return emitOpError("expected the graph of its kernel as the argument of "
                       "its region, and none for a kernel of nodes");
  // C3
  SmallVector<Type> types;
  for (GraphArray array : getGraphArrays(*kernel.getLowering()))
    types.push_back(getArrayType(getContext(), array));
  if (failed(verifyTypes(*this, "arrays", getArrays().getTypes(), types)))
    return failure();
  // C4
  if (failed(verifyTypes(*this, "args", getArgs().getTypes(),
                         getArgTypes(*this, kernel.getScheduleAttr()))))
    return failure();
  if (failed(verifyPart(*this, kernel.getScheduleAttr())))
    return failure();
  return verifyOuts(*this, kernel);
}
