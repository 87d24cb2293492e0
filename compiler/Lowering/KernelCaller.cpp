//===- KernelCaller.cpp - The caller's side of a kernel -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/KernelCaller.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/HubCalls.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

Value KernelCaller::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value KernelCaller::asTensor(Value feature) {
  auto edges = dyn_cast<mp::EdgesType>(feature.getType());
  return edges ? create<mp::ToTensorOp>(mp::getEdgeTensorType(edges), feature)
               : feature;
}

Value KernelCaller::asBuffer(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return bufferization::ToBufferOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      tensor, /*read_only=*/true);
}

Value KernelCaller::getArray(GraphArray array) {
  switch (array) {
  case GraphArray::rowBegin:
    return create<mp::RowBeginOp>(graph);
  case GraphArray::rowEnd:
    return create<mp::RowEndOp>(graph);
  case GraphArray::noSelf:
    return create<mp::NoSelfOp>(graph);
  case GraphArray::areTilesListed:
    return tiles.getListed();
  case GraphArray::tileList:
    return tiles.getTiles();
  case GraphArray::tileRegisterBlocks:
    return tiles.getRegisterBlocks();
  case GraphArray::tileWords:
    return tiles.getWords();
  case GraphArray::indptr:
    return create<mp::IndptrOp>(graph);
  case GraphArray::rowSources:
    return create<mp::RowSourcesOp>(graph);
  case GraphArray::sources:
    return create<mp::SourcesOp>(graph);
  case GraphArray::tileFirstEdges:
  case GraphArray::edgeIds:
    if (info.usesEdgeFeatures())
      return array == GraphArray::edgeIds ? create<mp::EdgeIdsOp>(graph)
                                          : tiles.getFirstEdges();
    // Unused: nothing to materialise.
    return create<memref::AllocaOp>(
        MemRefType::get(ShapedType::kDynamic, builder.getI64Type()),
        constantIndex(0));
  }
  llvm_unreachable("unknown array");
}

Value KernelCaller::getCapture(Value capture) {
  auto type = dyn_cast<RankedTensorType>(capture.getType());
  if (!type)
    return capture;
  Type element = getCaptureType(type, shape).getElementType();
  Value tensor = capture;
  if (element != type.getElementType()) {
    auto converted = RankedTensorType::get(type.getShape(), element);
    if (isa<FloatType>(element))
      tensor = arith::ExtFOp::create(builder, loc, converted, tensor);
    else
      tensor = arith::ExtUIOp::create(builder, loc, converted, tensor);
  }
  return asBuffer(tensor);
}

Value KernelCaller::emitHeadsFirst() {
  // All heads of a block first, where its sources are few enough to stay in
  // the cache and their memory pages at hand; else a head's sources are what
  // blocks share.
  Value edges = create<mp::NumEdgesOp>(graph);
  Value few = arith::MulIOp::create(builder, loc, numRows,
                                    constantIndex(tuning::fewSources));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, edges,
                               few);
}

std::pair<Value, Value> KernelCaller::splitJob(Value job, Value blocks,
                                               Value headsFirst) {
  std::optional<int64_t> heads = info.kernel.getHeads();
  if (!heads)
    return {job, Value()};
  Value inner = arith::SelectOp::create(builder, loc, headsFirst,
                                        constantIndex(*heads), blocks);
  Value outerPart = arith::DivUIOp::create(builder, loc, job, inner);
  Value innerPart = arith::RemUIOp::create(builder, loc, job, inner);
  return {
      arith::SelectOp::create(builder, loc, headsFirst, outerPart, innerPart),
      arith::SelectOp::create(builder, loc, headsFirst, innerPart, outerPart)};
}

Value KernelCaller::emitDenseRows() {
  // Short blocks on small graphs, so that there is work for several threads;
  // the number of threads must not matter for the result. Each block lays its
  // sources out anew, which a few register blocks must be worth.
  const int64_t jobs = mp::getCpu(info.kernel).getCores();
  auto divide = [&](Value count, Value size) -> Value {
    return arith::CeilDivUIOp::create(builder, loc, count, size);
  };
  Value registerBlock = constantIndex(shape.tileRows);
  Value heads = constantIndex(info.kernel.getHeads().value_or(1));
  Value all = arith::MulIOp::create(builder, loc, numRows, heads);
  const int64_t most = shape.rows / shape.tileRows;
  Value registerBlocks = divide(all, constantIndex(jobs * shape.tileRows));
  registerBlocks = arith::MaxUIOp::create(
      builder, loc, registerBlocks,
      constantIndex(std::min(tuning::leastBlockTiles, most)));
  registerBlocks =
      arith::MinUIOp::create(builder, loc, registerBlocks, constantIndex(most));
  // As many blocks as that makes, of equal size.
  Value blocks =
      divide(numRows, arith::MulIOp::create(builder, loc, registerBlocks,
                                            registerBlock));
  blocks = arith::MaxUIOp::create(builder, loc, blocks, constantIndex(1));
  registerBlocks = divide(
      numRows, arith::MulIOp::create(builder, loc, blocks, registerBlock));
  registerBlocks =
      arith::MaxUIOp::create(builder, loc, registerBlocks, constantIndex(1));
  return arith::MulIOp::create(builder, loc, registerBlocks, registerBlock);
}

Value KernelCaller::emitSplit() {
  Value blocks;
  if (isEven()) {
    blocks = arith::CeilDivSIOp::create(builder, loc, numRows,
                                        constantIndex(shape.rows));
  } else {
    // Tiles are of equal work whatever the edges; rows are split by edges.
    bool sparse = lowering == mp::Lowering::sparse;
    // A tile with rows of two cliques would be half empty.
    split = create<mp::RowBlocksOp>(
        graph, sparse ? constantIndex(shape.rows) : denseRows,
        sparse ? blockEdges : constantIndex(0), /*aligned=*/!sparse);
    Value bounds = memref::DimOp::create(builder, loc, split, int64_t(0));
    blocks = arith::SubIOp::create(builder, loc, bounds, constantIndex(1));
  }
  return blocks;
}

std::pair<Value, Value> KernelCaller::loadBounds(Value array, Value number) {
  auto load = [&](Value position) -> Value {
    Value entry = memref::LoadOp::create(builder, loc, array, position);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      entry);
  };
  Value next = arith::AddIOp::create(builder, loc, number, constantIndex(1));
  return {load(number), load(next)};
}

std::pair<Value, Value> KernelCaller::getBounds(Value block) {
  if (isEven()) {
    Value first =
        arith::MulIOp::create(builder, loc, block, constantIndex(shape.rows));
    Value last =
        arith::AddIOp::create(builder, loc, first, constantIndex(shape.rows));
    return {first, arith::MinSIOp::create(builder, loc, last, numRows)};
  }
  return loadBounds(split, block);
}

std::pair<Value, Value> KernelCaller::getTileBounds(Value block) {
  // Of tiles that are not listed there are two entries, whatever the block.
  Value known = arith::SelectOp::create(builder, loc, tiles.getListed(), block,
                                        constantIndex(0));
  return loadBounds(tiles.getBlocks(), known);
}

Value KernelCaller::emitTypedBlockEdges() {
  // Long blocks, whose weights come from memory once, but some for each thread.
  const int64_t jobs = tuning::jobsPerCore * mp::getCpu(info.kernel).getCores();
  Value edges = arith::CeilDivUIOp::create(
      builder, loc, create<mp::NumEdgesOp>(graph), constantIndex(jobs));
  edges = arith::MaxUIOp::create(builder, loc, edges, blockEdges);
  return arith::MinUIOp::create(builder, loc, edges,
                                constantIndex(tuning::mostTypedEdges));
}

SmallVector<Value> KernelCaller::emitTypedArrays() {
  Value types = asBuffer(asTensor(KernelInfo::getSource(typed->types)));
  auto edges = mp::EdgesByTypeOp::create(
      builder, loc, graph, types, constantIndex(shape.rows), blockEdges,
      shape.groups, typed->getNumTypes(), typed->readsEdges);
  typeBlocks = edges.getBlocks();
  return {edges.getChunks(), edges.getGroupList(), edges.getSources(),
          edges.getIds()};
}

void KernelCaller::emitJobs(func::FuncOp function, ValueRange args,
                            const std::optional<HubFunctions> &hubs) {
  Value zero = constantIndex(0), one = constantIndex(1);
  Value blocks = emitSplit(), jobs = blocks, headsFirst;
  if (std::optional<int64_t> heads = info.kernel.getHeads()) {
    jobs = arith::MulIOp::create(builder, loc, blocks, constantIndex(*heads));
    headsFirst = emitHeadsFirst();
  }
  std::optional<HubCalls> hubCalls;
  if (hubs) {
    hubCalls.emplace(builder, loc, *hubs, blockEdges);
    hubCalls->emit(graph, args);
  }
  SmallVector<Value> typedArrays;
  if (typed)
    typedArrays = emitTypedArrays();
  auto loop = scf::ParallelOp::create(builder, loc, ValueRange{zero},
                                      ValueRange{jobs}, ValueRange{one});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  auto [block, head] =
      splitJob(loop.getInductionVars().front(), blocks, headsFirst);
  auto [first, last] = getBounds(block);
  if (hubs)
    last = hubCalls->getLast(first, last);
  if (hubs && shape.rows == 1) {
    // Nothing in the function looks whether there is a row.
    Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        first, last);
    auto guarded = scf::IfOp::create(builder, loc, isAny, /*withElse=*/false);
    builder.setInsertionPointToStart(guarded.thenBlock());
  }
  SmallVector<Value> callArgs = {first, last};
  if (head)
    callArgs.push_back(head);
  llvm::append_range(callArgs, args);
  if (lowering == mp::Lowering::dense) {
    auto [firstTile, pastTile] = getTileBounds(block);
    callArgs.append({firstTile, pastTile});
  }
  if (typed) {
    auto [firstChunk, pastChunk] = loadBounds(typeBlocks, block);
    callArgs.append({firstChunk, pastChunk});
    llvm::append_range(callArgs, typedArrays);
  }
  func::CallOp::create(builder, loc, function, callArgs);
}

void KernelCaller::replaceWithCalls(func::FuncOp function,
                                    const std::optional<HubFunctions> &hubs) {
  mp::KernelOp kernel = info.kernel;
  Value numEdges;
  if (lowering == mp::Lowering::nodes) {
    numRows =
        tensor::DimOp::create(builder, loc, info.dstInputs.front(), int64_t(0));
  } else {
    graph = kernel.getGraph();
    numRows = create<mp::NumDstOp>(graph);
    if (info.usesEdgeFeatures())
      numEdges = create<mp::NumEdgesOp>(graph);
  }

  if (typed)
    blockEdges = emitTypedBlockEdges();
  if (lowering == mp::Lowering::dense) {
    denseRows = emitDenseRows();
    tiles = mp::TileListOp::create(builder, loc, graph, denseRows,
                                   shape.tileRows, shape.columns);
  }
  SmallVector<Value> args;
  for (GraphArray array : getGraphArrays(lowering))
    args.push_back(getArray(array));
  for (Value input : llvm::concat<const Value>(info.dstInputs.getArrayRef(),
                                               info.srcInputs.getArrayRef(),
                                               info.edgeInputs.getArrayRef()))
    args.push_back(asBuffer(asTensor(KernelInfo::getSource(input))));
  for (Value capture : info.captures)
    args.push_back(getCapture(KernelInfo::getSource(capture)));
  SmallVector<Value> outputs;
  // Behind the rows, the head and what there is by now.
  size_t before = (kernel.getHeads() ? 3 : 2) + args.size();
  for (auto [result, type] : llvm::zip_equal(
           kernel.getResults(),
           function.getArgumentTypes().slice(before, kernel.getNumResults()))) {
    Value rows = isa<mp::EdgesType>(result.getType()) ? numEdges : numRows;
    outputs.push_back(
        memref::AllocOp::create(builder, loc, cast<MemRefType>(type), rows));
  }
  llvm::append_range(args, outputs);

  emitJobs(function, args, hubs);

  for (auto [result, output] : llvm::zip_equal(kernel.getResults(), outputs)) {
    Value tensor = bufferization::ToTensorOp::create(
        builder, loc, memref::getTensorTypeFromMemRefType(output.getType()),
        output, /*restrict=*/true, /*writable=*/true);
    if (isa<mp::EdgesType>(result.getType()))
      tensor = create<mp::ToEdgesOp>(result.getType(), tensor);
    else if (result.getType() != tensor.getType())
      tensor = create<tensor::CastOp>(result.getType(), tensor);
    result.replaceAllUsesWith(tensor);
  }
  kernel.erase();
}
