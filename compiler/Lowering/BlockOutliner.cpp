//===- BlockOutliner.cpp - The function of one block of rows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The signature of block functions, and the kernel in their bodies.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockOutliner.h"
#include "compiler/Lowering/Lifting.h"
#include "compiler/Lowering/NodeSums.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPArguments.h"
#include "dialect/IR/MPGraphArrays.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace clique;

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

/// Node and edge features by role; one in two roles comes twice.
static SmallVector<Value> getInputs(const KernelInfo &info) {
  return llvm::to_vector(llvm::concat<const Value>(
      info.dstInputs.getArrayRef(), info.srcInputs.getArrayRef(),
      info.edgeInputs.getArrayRef()));
}

BlockOutliner::BlockOutliner(const KernelInfo &info, BlockKind kind)
    : info(info), kind(std::move(kind)), shape(this->kind.schedule),
      builder(info.kernel->getContext()) {}

func::FuncOp BlockOutliner::run() {
  createFunction();
  describeThreads();
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  ValueRange values = entry->getArguments();
  auto take = [&](size_t count) {
    ValueRange taken = values.take_front(count);
    values = values.drop_front(count);
    return taken;
  };
  ValueRange rows = take(2);
  if (info.kernel.getHeads())
    head = take(1).front();
  mp::Lowering lowering = *info.kernel.getLowering();
  ValueRange arrays = take(mp::getGraphArrays(lowering).size());
  mapInputs(take(getInputs(info).size()));
  for (Value capture : info.captures)
    mapCapture(capture, cast<BlockArgument>(take(1).front()));
  mapConstants();
  SmallVector<Value> outs(take(info.kernel.getNumResults()));
  if (head)
    for (Value &output : outs)
      output = getHeadOfOutput(output);
  ValueRange args = take(kind.args.size());
  block = mp::BlockOp::create(builder, getLoc(), kind.part, rows[0], rows[1],
                              head, arrays, args, values, outs);
  func::ReturnOp::create(builder, getLoc());
  cloneKernel();
  return function;
}

/// Says of `sources`, a function's argument, how far ahead the rows of the
/// source nodes that it has the numbers of are fetched.
static void markSources(func::FuncOp function, unsigned sources,
                        const KernelInfo &info, const TileShape &shape) {
  // Reversed scans go the other way.
  if (shape.prefetchEdges == 0 || (info.scan && info.scan.getReversed()))
    return;
  Builder builder(function.getContext());
  function.setArgAttr(sources, mp::kPrefetchAttr,
                      builder.getI64IntegerAttr(shape.prefetchEdges));
}

void BlockOutliner::createFunction() {
  MLIRContext *context = builder.getContext();
  auto parent = info.kernel->getParentOfType<func::FuncOp>();
  builder.setInsertionPoint(parent);

  // First and last row and, where heads are computed apart, the head.
  SmallVector<Type> types(info.kernel.getHeads() ? 3 : 2,
                          builder.getIndexType());
  std::optional<unsigned> sources;
  for (mp::GraphArray array : mp::getGraphArrays(*info.kernel.getLowering())) {
    if (array == mp::GraphArray::sources)
      sources = types.size();
    types.push_back(mp::getArrayType(context, array));
  }
  const unsigned firstInput = types.size();
  for (Value input : getInputs(info))
    types.push_back(getBufferType(KernelInfo::getSource(input).getType()));
  for (Value capture : info.captures) {
    auto tensor =
        dyn_cast<RankedTensorType>(KernelInfo::getSource(capture).getType());
    types.push_back(tensor ? Type(getCaptureType(tensor, shape))
                           : capture.getType());
  }
  const unsigned firstResult = types.size();
  for (auto [type, yielded] : llvm::zip_equal(
           info.kernel->getResultTypes(), info.kernel.getYield().getValues()))
    types.push_back(getOutputType(type, yielded));
  // Chunks of edges by type have sources of their own.
  const Type *typed = llvm::find_if(ArrayRef<Type>(kind.args), [&](Type type) {
    return type == mp::getArrayType(context, mp::GraphArray::sources);
  });
  const unsigned numBefore = types.size();
  llvm::append_range(types, kind.args);
  llvm::append_range(types, kind.scratch);

  function = func::FuncOp::create(
      builder, getLoc(),
      getUniqueName(parent, info.kernel.getSym() + kind.suffix),
      builder.getFunctionType(types, {}));
  function.setPrivate();
  if (sources)
    markSources(function, *sources, info, shape);
  if (typed != kind.args.end())
    markSources(function, numBefore + (typed - kind.args.begin()), info, shape);
  pairRows(firstInput, firstResult);
}

/// Whether the caller of the function around the kernel may give `input` away.
static bool isDonatable(Value input) {
  auto argument = dyn_cast<BlockArgument>(input);
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  return function &&
         function.getArgAttr(argument.getArgNumber(), mp::kDonatableAttr);
}

/// The size of a row of a buffer of any number of rows; 0 of another one.
static int64_t countRowElements(MemRefType type) {
  return type.getRank() > 0 && type.isDynamicDim(0) &&
                 type.getNumDynamicDims() == 1
             ? ShapedType::getNumElements(type.getShape().drop_front())
             : 0;
}

// Rows of nodes and sparse rows: a call reads what belongs to its destinations
// and writes their results, all of them at once. Rows of many edges are read by
// the calls for their chunks, before the one that writes them.
void BlockOutliner::pairRows(unsigned firstInput, unsigned firstResult) {
  if (shape.threads > 0 || info.scan || info.kernel.getHeads() ||
      !isa<mp::NodeBlocksAttr, mp::RowBlocksAttr, mp::EdgeBlocksAttr>(
          info.kernel.getScheduleAttr()))
    return;
  auto getBuffer = [&](unsigned k) {
    return cast<MemRefType>(function.getArgumentTypes()[k]);
  };
  int64_t numPairs = 0;
  llvm::SmallDenseSet<Value> written;
  for (auto [r, yielded] :
       llvm::enumerate(info.kernel.getYield().getValues())) {
    if (isNodeSum(yielded) || isSourceSum(yielded) ||
        isa<mp::EdgesType>(yielded.getType()) ||
        !written.insert(yielded).second)
      continue;
    MemRefType result = getBuffer(firstResult + r);
    for (auto [k, input] : llvm::enumerate(info.dstInputs)) {
      MemRefType buffer = getBuffer(firstInput + k);
      if (!isDonatable(input) || info.srcInputs.contains(input) ||
          info.captures.contains(input) ||
          function.getArgAttr(firstInput + k, mp::kOverwrittenAttr) ||
          buffer.getElementType() != result.getElementType() ||
          countRowElements(buffer) == 0 ||
          countRowElements(buffer) != countRowElements(result))
        continue;
      Attribute number = builder.getI64IntegerAttr(numPairs++);
      function.setArgAttr(firstInput + k, mp::kOverwrittenAttr, number);
      function.setArgAttr(firstResult + r, mp::kOverwritesAttr, number);
      break;
    }
  }
}

/// The half precision in which all floats are that a function reads and writes;
/// null if they are not.
static Type getStoredHalf(func::FuncOp function) {
  llvm::SmallSetVector<Type, 2> elements;
  for (Type type : function.getArgumentTypes())
    if (auto buffer = dyn_cast<MemRefType>(type))
      if (isa<FloatType>(buffer.getElementType()))
        elements.insert(buffer.getElementType());
  const bool isHalf = elements.size() == 1 &&
                      (elements.front().isF16() || elements.front().isBF16());
  return isHalf ? elements.front() : Type();
}

void BlockOutliner::describeThreads() {
  if (shape.threads == 0)
    return;
  bool isRow = info.kernel.getLowering() == mp::Lowering::sparse;
  function->setAttr(mp::kThreadsAttr, builder.getI64IntegerAttr(shape.threads));
  function->setAttr(mp::kRowsAttr,
                    builder.getI64IntegerAttr(isRow ? 0 : shape.rows));
  if (isRow)
    return;
  function.setArgAttr(0, mp::kFirstDestinationAttr, builder.getUnitAttr());
  if (Type half = getStoredHalf(function))
    function->setAttr(mp::kProductTypeAttr, TypeAttr::get(half));
}

//===----------------------------------------------------------------------===//
// What the kernel reads
//===----------------------------------------------------------------------===//

Value BlockOutliner::asTensor(Value value, Value buffer) {
  Value tensor = bufferization::ToTensorOp::create(
      builder, getLoc(), memref::getTensorTypeFromMemRefType(buffer.getType()),
      buffer, /*restrict=*/true);
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && KernelInfo::getSource(value) != value
             ? takeHead(slice, tensor)
             : tensor;
}

void BlockOutliner::mapInputs(ValueRange buffers) {
  for (auto [input, buffer] : llvm::zip_equal(getInputs(info), buffers)) {
    // A value may come in two roles: the first one serves both.
    if (mapping.contains(input))
      continue;
    Value tensor = asTensor(input, buffer);
    if (isa<mp::EdgesType>(input.getType()))
      tensor =
          mp::ToEdgesOp::create(builder, getLoc(), input.getType(), tensor);
    mapping.map(input, tensor);
  }
}

Value BlockOutliner::narrow(Value tensor, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type == tensor.getType())
    return tensor;
  if (isa<FloatType>(type.getElementType()))
    return arith::TruncFOp::create(builder, getLoc(), type, tensor);
  return arith::TruncIOp::create(builder, getLoc(), type, tensor);
}

void BlockOutliner::mapCapture(Value capture, BlockArgument argument) {
  if (!isa<RankedTensorType>(capture.getType())) {
    mapping.map(capture, argument);
    return;
  }
  Type stored = getElementTypeOrSelf(capture.getType());
  if (isa<FloatType>(stored) &&
      stored != getElementTypeOrSelf(argument.getType()))
    function.setArgAttr(argument.getArgNumber(), mp::kWidenedFromAttr,
                        TypeAttr::get(stored));
  mapping.map(capture,
              narrow(makeContiguous(asTensor(capture, argument)), capture));
}

void BlockOutliner::mapConstants() {
  // One that is an input too comes from memory: of a constant there are no rows
  // for threads to read.
  for (Value constant : info.constants)
    if (!mapping.contains(constant))
      mapping.map(constant,
                  builder.clone(*constant.getDefiningOp())
                      ->getResult(cast<OpResult>(constant).getResultNumber()));
  // What sums over nodes begin with.
  for (linalg::GenericOp sum : getNodeSums(info.kernel)) {
    Value init = sum.getDpsInits().front();
    auto type = cast<RankedTensorType>(init.getType());
    Value zero = arith::ConstantOp::create(
        builder, getLoc(), builder.getZeroAttr(type.getElementType()));
    Value empty =
        tensor::EmptyOp::create(builder, getLoc(), type, ValueRange());
    mapping.map(
        init,
        linalg::FillOp::create(builder, getLoc(), zero, empty).getResult(0));
  }
}

void BlockOutliner::cloneKernel() {
  Block &body = block.getBody().emplaceBlock();
  if (Value graph = info.kernel.getGraph())
    mapping.map(graph, body.addArgument(graph.getType(), getLoc()));
  builder.setInsertionPointToStart(&body);
  TypeRange types = info.kernel.getHeads()
                        ? TypeRange(info.kernel.getYield().getOperandTypes())
                        : TypeRange(info.kernel->getResultTypes());
  auto kernel = mp::KernelOp::create(
      builder, getLoc(), types, info.kernel.getSymAttr(),
      info.kernel.getLoweringAttr(), /*heads=*/IntegerAttr(), kind.schedule);
  mp::YieldOp::create(builder, getLoc(), kernel.getResults());
  builder.setInsertionPointToStart(&kernel.getBody().emplaceBlock());
  for (Operation &op : info.kernel.getBody().front())
    if (!isa<tensor::ExtractSliceOp, affine::AffineDelinearizeIndexOp>(op))
      builder.clone(op, mapping);
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

Value BlockOutliner::makeContiguous(Value tensor) {
  if (!tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  Value packed = tensor::EmptyOp::create(builder, getLoc(), type.getShape(),
                                         type.getElementType());
  return linalg::CopyOp::create(builder, getLoc(), tensor, packed)
      ->getResult(0);
}

Value BlockOutliner::getHeadIndex(Value index) {
  auto pair = index.getDefiningOp<affine::AffineDelinearizeIndexOp>();
  if (!pair)
    return head;
  Value whole = getHeadIndex(pair.getLinearIndex());
  Value size = arith::ConstantIndexOp::create(builder, getLoc(),
                                              pair.getStaticBasis().back());
  if (index == pair.getResult(0))
    return arith::DivUIOp::create(builder, getLoc(), whole, size);
  return arith::RemUIOp::create(builder, getLoc(), whole, size);
}

Value BlockOutliner::takeHead(tensor::ExtractSliceOp slice, Value whole) {
  // Of several unit dimensions the slice's type does not say which are dropped:
  // those that a head is an index of.
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, getLoc(), whole);
  for (auto [offset, size] : llvm::zip_equal(offsets, sizes)) {
    if (auto index = dyn_cast<Value>(offset)) {
      offset = getHeadIndex(index);
      size = builder.getIndexAttr(1);
    }
  }
  auto type =
      RankedTensorType::get(slice.getType().getShape(),
                            cast<ShapedType>(whole.getType()).getElementType());
  return tensor::ExtractSliceOp::create(builder, getLoc(), type, whole, offsets,
                                        sizes, slice.getMixedStrides());
}

Value BlockOutliner::getHeadOfOutput(Value output) {
  auto type = cast<MemRefType>(output.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      strides(type.getRank(), builder.getIndexAttr(1)),
      sizes = memref::getMixedSizes(builder, getLoc(), output);
  offsets[1] = head;
  sizes[1] = builder.getIndexAttr(1);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + 1);
  auto part = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides));
  return memref::SubViewOp::create(builder, getLoc(), part, output, offsets,
                                   sizes, strides);
}
