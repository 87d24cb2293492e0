//===- BlockFunction.cpp - The function of one block of rows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signature, staging, updates and stores of block functions.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"
#include "compiler/Lowering/NodeSums.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

TileShape::TileShape(Attribute schedule) {
  if (auto nodes = dyn_cast<mp::NodeBlocksAttr>(schedule)) {
    rows = nodes.getRows();
    threads = nodes.getThreads();
  } else if (auto blocks = dyn_cast<mp::RowBlocksAttr>(schedule)) {
    take(blocks);
  } else if (auto typed = dyn_cast<mp::TypedBlocksAttr>(schedule)) {
    take(typed.getDivided());
    rows = typed.getRows();
    tileRows = typed.getStep();
    groups = typed.getGroups();
  } else if (auto blocks = dyn_cast<mp::EdgeBlocksAttr>(schedule)) {
    rows = blocks.getRows();
    tileRows = blocks.getStep();
    edges = blocks.getEdges();
    chunkEdges = blocks.getChunk();
    partEdges = blocks.getPart();
    prefetchEdges = blocks.getPrefetch();
  } else {
    auto tiles = cast<mp::TilesAttr>(schedule);
    rows = tiles.getRows();
    tileRows = tiles.getTileRows();
    columns = tiles.getColumns();
    borderColumns = tiles.getBorder();
    threads = tiles.getThreads();
    prefetchBlocks = tiles.getPrefetch();
  }
}

void TileShape::take(mp::RowBlocksAttr blocks) {
  rows = blocks.getRows();
  edges = blocks.getEdges();
  chunkEdges = blocks.getChunk();
  partEdges = blocks.getPart();
  prefetchEdges = blocks.getPrefetch();
  threads = blocks.getThreads();
}

MemRefType clique::getBufferType(Type featureType) {
  auto edges = dyn_cast<mp::EdgesType>(featureType);
  auto tensor = edges ? mp::getEdgeTensorType(edges)
                      : cast<RankedTensorType>(featureType);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

/// Says of an argument that its elements were widened, from which type.
static void markWidened(Value source, BlockArgument argument) {
  Type stored = getElementTypeOrSelf(source.getType());
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (isa<FloatType>(stored) &&
      stored != getElementTypeOrSelf(argument.getType()))
    function.setArgAttr(argument.getArgNumber(), mp::kWidenedFromAttr,
                        TypeAttr::get(stored));
}

MemRefType clique::getCaptureType(RankedTensorType type,
                                  const TileShape &shape) {
  Type element = type.getElementType();
  if (shape.threads == 0 || !isa<FloatType>(element))
    element = getComputeType(element);
  return MemRefType::get(type.getShape(), element);
}

/// Results leave with a dynamic number of rows, but for sums over nodes; sums
/// for sources in the type of computation, as blocks add to them.
static MemRefType getOutputType(Type featureType, Value yielded) {
  MemRefType type = getBufferType(featureType);
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = ShapedType::kDynamic;
  Type element = type.getElementType();
  if (isSourceSum(yielded))
    element = getComputeType(element);
  type = MemRefType::get(shape, element);
  return isNodeSum(yielded) ? getPartType(type) : type;
}

static Type getArrayType(MLIRContext *context, GraphArray array) {
  auto dynamic = [&](unsigned bits) {
    return MemRefType::get(ShapedType::kDynamic,
                           IntegerType::get(context, bits));
  };
  switch (array) {
  case GraphArray::noSelf:
  case GraphArray::areTilesListed:
    return IntegerType::get(context, 1);
  case GraphArray::sources:
    return dynamic(32);
  default:
    return dynamic(64);
  }
}

ArrayRef<GraphArray> clique::getGraphArrays(mp::Lowering lowering) {
  static constexpr GraphArray dense[] = {
      GraphArray::rowBegin,       GraphArray::rowEnd,
      GraphArray::noSelf,         GraphArray::areTilesListed,
      GraphArray::tileList,       GraphArray::tileRegisterBlocks,
      GraphArray::tileWords,      GraphArray::indptr,
      GraphArray::tileFirstEdges, GraphArray::edgeIds};
  static constexpr GraphArray sparse[] = {
      GraphArray::indptr, GraphArray::rowSources, GraphArray::sources,
      GraphArray::edgeIds};
  switch (lowering) {
  case mp::Lowering::nodes:
    return {};
  case mp::Lowering::sparse:
    return sparse;
  case mp::Lowering::dense:
    return dense;
  }
  llvm_unreachable("unknown lowering");
}

RowSlice::RowSlice(OpBuilder &builder, ShapedType type, OpFoldResult from,
                   OpFoldResult count)
    : offsets(type.getRank(), builder.getIndexAttr(0)), sizes({count}),
      strides(type.getRank(), builder.getIndexAttr(1)) {
  offsets.front() = from;
  for (int64_t size : type.getShape().drop_front())
    sizes.push_back(builder.getIndexAttr(size));
}

/// Kernels of one layer may have the same name: those behind its versions for
/// tiles and for rows.
static std::string getUniqueName(func::FuncOp parent, const Twine &wanted) {
  std::string name = wanted.str();
  for (int k = 1;
       SymbolTable::lookupSymbolIn(parent->getParentOfType<ModuleOp>(), name);
       ++k)
    name = (wanted + "_" + Twine(k)).str();
  return name;
}

BlockFunction::BlockFunction(const KernelInfo &info, StringRef suffix,
                             TileShape shape, ArrayRef<GraphArray> graphArrays)
    : info(info), shape(shape), builder(info.kernel->getContext()) {
  MLIRContext *context = info.kernel->getContext();
  Location loc = getLoc();
  auto parent = info.kernel->getParentOfType<func::FuncOp>();
  builder.setInsertionPoint(parent);

  // First and last row and, where heads are computed apart, the head.
  SmallVector<Type> types(info.kernel.getHeads() ? 3 : 2,
                          builder.getIndexType());
  for (GraphArray array : graphArrays)
    types.push_back(getArrayType(context, array));
  auto allInputs = llvm::concat<const Value>(info.dstInputs.getArrayRef(),
                                             info.srcInputs.getArrayRef(),
                                             info.edgeInputs.getArrayRef());
  for (Value input : allInputs)
    types.push_back(getBufferType(KernelInfo::getSource(input).getType()));
  for (Value capture : info.captures) {
    auto tensor =
        dyn_cast<RankedTensorType>(KernelInfo::getSource(capture).getType());
    types.push_back(tensor ? Type(getCaptureType(tensor, shape))
                           : capture.getType());
  }
  for (auto [type, yielded] : llvm::zip_equal(
           info.kernel->getResultTypes(), info.kernel.getYield().getValues()))
    types.push_back(getOutputType(type, yielded));

  function = func::FuncOp::create(
      builder, loc, getUniqueName(parent, info.kernel.getSym() + suffix),
      builder.getFunctionType(types, {}));
  function.setPrivate();
  describeThreads();
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);

  auto args = entry->getArguments();
  first = args[0];
  last = args[1];
  args = args.drop_front(2);
  if (info.kernel.getHeads()) {
    head = args.front();
    args = args.drop_front();
  }
  numRows = arith::SubIOp::create(builder, loc, last, first);
  for (GraphArray array : graphArrays) {
    arrays[array] = args.front();
    if (array == GraphArray::sources)
      markSources(args.front());
    args = args.drop_front();
  }
  auto asTensor = [&](Value value, Value buffer) -> Value {
    Value tensor = bufferization::ToTensorOp::create(
        builder, loc, memref::getTensorTypeFromMemRefType(buffer.getType()),
        buffer,
        /*restrict=*/true);
    auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
    return slice && KernelInfo::getSource(value) != value
               ? takeHead(slice, tensor)
               : tensor;
  };
  for (Value input : allInputs) {
    // A value may come in two roles: the first one serves both.
    tensors.try_emplace(input, asTensor(input, args.front()));
    args = args.drop_front();
  }
  for (Value capture : info.captures) {
    markWidened(KernelInfo::getSource(capture), args.front());
    if (isa<RankedTensorType>(capture.getType()))
      tensors[capture] = makeContiguous(asTensor(capture, args.front()));
    else
      scalars[capture] = args.front();
    args = args.drop_front();
  }
  for (Value output : args)
    outputs.push_back(head ? getHeadOfOutput(output) : output);
}

Value BlockFunction::loadEntry(GraphArray array, Value position) {
  return memref::LoadOp::create(builder, getLoc(), getArray(array), position);
}

Value BlockFunction::load(GraphArray array, Value position) {
  return arith::IndexCastOp::create(builder, getLoc(), builder.getIndexType(),
                                    loadEntry(array, position));
}

LogicalResult BlockFunction::mapCaptures(Lifter &lifter) {
  for (Value constant : info.constants)
    if (failed(lifter.liftConstant(*constant.getDefiningOp())))
      return failure();
  for (Value capture : info.captures) {
    if (Value scalar = scalars.lookup(capture)) {
      lifter.mapScalar(capture, scalar);
      continue;
    }
    unsigned rank = cast<RankedTensorType>(capture.getType()).getRank();
    lifter.map(
        capture,
        lifter.toCompute(getLoc(), {getTensor(capture),
                                    getCanonicalLayout(rank, false, false)}));
  }
  return success();
}

Value BlockFunction::getOutput(Value yielded) const {
  for (auto [operand, output] :
       llvm::zip_equal(info.kernel.getYield().getValues(), outputs))
    if (operand == yielded)
      return output;
  return {};
}

/// A value of [dst, feature...], whatever it depends on.
static Lifted toRows(Lifter &lifter, Location loc, const Lifted &value) {
  Layout layout = getCanonicalLayout(value.getFeatureRank(), true, false);
  return value.layout == layout ? value : lifter.spread(loc, value, layout);
}

LogicalResult
BlockFunction::finish(const RowRange &rows,
                      ArrayRef<std::pair<Value, Lifted>> aggregated) {
  Location loc = getLoc();
  Lifter lifter(builder, rows.size, 0, rows.first, {});
  if (failed(mapCaptures(lifter)))
    return failure();
  DenseMap<Value, Lifted> nodes(aggregated.begin(), aggregated.end());
  auto getNodes = [&](Value operand) {
    auto it = nodes.find(operand);
    if (it == nodes.end())
      it = nodes
               .insert({operand, stageRows(lifter, operand, kDstAxis,
                                           rows.first, rows.count)})
               .first;
    return it->second;
  };
  for (mp::UpdateOp update : info.updates) {
    for (auto [arg, operand] :
         llvm::zip_equal(update.getBody().getArguments(), update.getNodes()))
      lifter.map(arg, getNodes(operand));
    FailureOr<SmallVector<Lifted>> results =
        lifter.lift(update.getBody().front());
    if (failed(results))
      return failure();
    for (auto [result, lifted] : llvm::zip_equal(update.getResults(), *results))
      nodes[result] = lifted;
  }

  auto yielded = info.kernel.getYield().getValues();
  for (Value result :
       llvm::SmallSetVector<Value, 4>(yielded.begin(), yielded.end())) {
    if (isa<mp::EdgesType>(result.getType()) || isNodeSum(result) ||
        isSourceSum(result))
      continue;
    if (result.getDefiningOp<mp::AggregateOp>() && !nodes.contains(result))
      continue;
    // A constant update has no axis yet, and a kernel may hand an input
    // through.
    storeRows(lifter, rows, getOutput(result),
              toRows(lifter, loc, nodes.lookup(result)));
  }
  // Behind the stores, as the values lose their rows beyond the block.
  addNodeSums(*this, rows, [&](Value operand) {
    return toRows(lifter, loc, getNodes(operand)).tensor;
  });
  return success();
}

Value BlockFunction::addArgument(Type type) {
  unsigned count = function.getNumArguments();
  if (failed(function.insertArgument(count, type, {}, getLoc())))
    llvm_unreachable("a block function takes any argument");
  return function.getArgument(count);
}

void BlockFunction::createReturn() {
  func::ReturnOp::create(builder, getLoc());
}
