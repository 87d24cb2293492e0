//===- KernelCaller.cpp - The caller's side of a kernel -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/KernelCaller.h"
#include "compiler/Analysis/Tuning.h"
#include "dialect/IR/MPNodeTypes.h"
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

Value KernelCaller::getNoArray(GraphArray array) {
  return create<memref::AllocaOp>(
      cast<MemRefType>(mp::getArrayType(builder.getContext(), array)),
      constantIndex(0));
}

Value KernelCaller::getArray(GraphArray array) {
  switch (array) {
  case GraphArray::indptr:
    return create<mp::IndptrOp>(graph);
  case GraphArray::rowSources:
    return create<mp::RowSourcesOp>(graph);
  case GraphArray::sources:
    return create<mp::SourcesOp>(graph);
  case GraphArray::edgeIds:
    return info.usesEdgeFeatures() ? create<mp::EdgeIdsOp>(graph)
                                   : getNoArray(array);
  default:
    llvm_unreachable("an array of tiles alone");
  }
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

Value KernelCaller::orderBlock(Value block, Value blocks) {
  // On a GPU blocks begin in the order of their numbers. Where later rows have
  // more sources they go first, so that the last to end are short.
  auto type =
      graph ? cast<mp::MPGraphType>(graph.getType()) : mp::MPGraphType();
  if (shape.threads == 0 || !type || type.getTopology() != mp::Topology::causal)
    return block;
  Value last = arith::SubIOp::create(builder, loc, blocks, constantIndex(1));
  return arith::SubIOp::create(builder, loc, last, block);
}

KernelCaller::Bounds KernelCaller::splitJob(Value job, Value blocks,
                                            Value headsFirst) {
  std::optional<int64_t> heads = info.kernel.getHeads();
  if (!heads)
    return {orderBlock(job, blocks), Value()};
  Value inner = arith::SelectOp::create(builder, loc, headsFirst,
                                        constantIndex(*heads), blocks);
  Value outerPart = arith::DivUIOp::create(builder, loc, job, inner);
  Value innerPart = arith::RemUIOp::create(builder, loc, job, inner);
  Value block =
      arith::SelectOp::create(builder, loc, headsFirst, outerPart, innerPart);
  return {
      orderBlock(block, blocks),
      arith::SelectOp::create(builder, loc, headsFirst, innerPart, outerPart)};
}

Value KernelCaller::countBlocks(Value split) {
  Value bounds = memref::DimOp::create(builder, loc, split, int64_t(0));
  return arith::SubIOp::create(builder, loc, bounds, constantIndex(1));
}

Value KernelCaller::emitSplit() {
  return arith::CeilDivSIOp::create(builder, loc, numRows,
                                    constantIndex(shape.rows));
}

KernelCaller::Bounds KernelCaller::getBounds(Value block) {
  Value first =
      arith::MulIOp::create(builder, loc, block, constantIndex(shape.rows));
  Value last =
      arith::AddIOp::create(builder, loc, first, constantIndex(shape.rows));
  return {first, arith::MinSIOp::create(builder, loc, last, numRows)};
}

KernelCaller::Bounds KernelCaller::loadBounds(Value array, Value number) {
  auto load = [&](Value position) -> Value {
    Value entry = memref::LoadOp::create(builder, loc, array, position);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      entry);
  };
  Value next = arith::AddIOp::create(builder, loc, number, constantIndex(1));
  return {load(number), load(next)};
}

Value KernelCaller::getBlocks() {
  if (!blocks)
    blocks = emitSplit();
  return blocks;
}

Value KernelCaller::getPartBlocks() {
  if (partBlocks)
    return partBlocks;
  auto divide = [&](int64_t parts) -> Value {
    return arith::CeilDivSIOp::create(builder, loc, getBlocks(),
                                      constantIndex(parts));
  };
  Value least = constantIndex(1);
  // Threads of a GPU are many.
  if (shape.threads == 0)
    least = arith::MaxSIOp::create(
        builder, loc, least,
        arith::MinSIOp::create(builder, loc, divide(tuning::leastSumParts),
                               constantIndex(tuning::partBlocks)));
  partBlocks =
      arith::MaxSIOp::create(builder, loc, divide(tuning::nodeSumParts), least);
  return partBlocks;
}

Value KernelCaller::emitOutput(MemRefType type, Value yielded, Value numEdges) {
  if (isSourceSum(yielded)) {
    Value rows = create<mp::NumSrcOp>(graph);
    sourceOutputs.push_back(memref::AllocOp::create(builder, loc, type, rows));
    return sourceOutputs.back();
  }
  if (!isNodeSum(yielded)) {
    Value rows = isa<mp::EdgesType>(yielded.getType()) ? numEdges : numRows;
    return memref::AllocOp::create(builder, loc, type, rows);
  }
  Value parts =
      arith::CeilDivSIOp::create(builder, loc, getBlocks(), getPartBlocks());
  auto ofPart = cast<RankedTensorType>(yielded.getType());
  Value output = memref::AllocOp::create(
      builder, loc, getBufferType(mp::getNodesType(ofPart)), parts);
  Value zero =
      create<arith::ConstantOp>(builder.getZeroAttr(type.getElementType()));
  linalg::FillOp::create(builder, loc, zero, output);
  return output;
}

Value KernelCaller::emitNext(Value number, Value end) {
  Value one = constantIndex(1);
  return arith::MinUIOp::create(
      builder, loc, arith::AddIOp::create(builder, loc, number, one),
      arith::SubIOp::create(builder, loc, end, one));
}

void KernelCaller::emitCall(func::FuncOp function, const Job &job,
                            ValueRange args) {
  auto [first, last] = getBounds(job.block);
  SmallVector<Value> callArgs = {first, getLast(first, last)};
  if (job.head)
    callArgs.push_back(job.head);
  llvm::append_range(callArgs, args);
  llvm::append_range(callArgs, getLastArgs(job));
  func::CallOp::create(builder, loc, function, callArgs);
}

void KernelCaller::emitParts(func::FuncOp function, const PartedArgs &args) {
  Value zero = constantIndex(0), one = constantIndex(1);
  auto parts = scf::ParallelOp::create(builder, loc, zero,
                                       args.countParts(builder, loc), one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parts.getBody());
  Value part = parts.getInductionVars().front();
  SmallVector<Value> own = args.take(builder, loc, part);
  Value begin = arith::MulIOp::create(builder, loc, part, getPartBlocks());
  Value end = arith::AddIOp::create(builder, loc, begin, getPartBlocks());
  end = arith::MinSIOp::create(builder, loc, end, getBlocks());
  auto loop = scf::ForOp::create(builder, loc, begin, end, one);
  builder.setInsertionPointToStart(loop.getBody());
  Value block = loop.getInductionVar();
  emitCall(function, {block, {}, emitNext(block, end), {}, {}}, own);
}

void KernelCaller::emitJobs(func::FuncOp function, ValueRange args) {
  PartedArgs parted(function, info.kernel.getHeads() ? 3 : 2, args);
  if (parted.hasSums()) {
    emitBeforeBlocks(args);
    emitParts(function, parted);
    return;
  }
  Value zero = constantIndex(0), one = constantIndex(1);
  Value blocks = getBlocks(), jobs = blocks, headsFirst;
  if (std::optional<int64_t> heads = info.kernel.getHeads()) {
    jobs = arith::MulIOp::create(builder, loc, blocks, constantIndex(*heads));
    headsFirst = emitHeadsFirst();
  }
  emitBeforeBlocks(args);
  auto loop = scf::ParallelOp::create(builder, loc, ValueRange{zero},
                                      ValueRange{jobs}, ValueRange{one});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value job = loop.getInductionVars().front();
  auto [block, head] = splitJob(job, blocks, headsFirst);
  auto [nextBlock, nextHead] =
      splitJob(emitNext(job, jobs), blocks, headsFirst);
  emitJob(function, {block, head, nextBlock, nextHead, headsFirst}, args);
}

Value KernelCaller::toResult(Type type, Value output) {
  Value tensor = bufferization::ToTensorOp::create(
      builder, loc, memref::getTensorTypeFromMemRefType(output.getType()),
      output, /*restrict=*/true, /*writable=*/true);
  if (isa<mp::EdgesType>(type))
    return create<mp::ToEdgesOp>(type, tensor);
  // Sums for sources are rounded when all are added up.
  Type element = getElementTypeOrSelf(type);
  if (element != getElementTypeOrSelf(tensor.getType()))
    tensor = arith::TruncFOp::create(
        builder, loc, cast<RankedTensorType>(tensor.getType()).clone(element),
        tensor);
  if (type != tensor.getType())
    return create<tensor::CastOp>(type, tensor);
  return tensor;
}

void KernelCaller::replaceWithCalls(func::FuncOp function) {
  mp::KernelOp kernel = info.kernel;
  Value numEdges;
  if (info.isNodeKernel()) {
    numRows =
        tensor::DimOp::create(builder, loc, info.dstInputs.front(), int64_t(0));
  } else {
    graph = kernel.getGraph();
    numRows = create<mp::NumDstOp>(graph);
    if (info.usesEdgeFeatures())
      numEdges = create<mp::NumEdgesOp>(graph);
  }

  emitGraphReads();
  SmallVector<Value> args;
  for (GraphArray array : mp::getGraphArrays(*kernel.getLowering()))
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
  // What is yielded twice is written once.
  DenseMap<Value, Value> written;
  for (auto [yielded, type] : llvm::zip_equal(
           kernel.getYield().getValues(),
           function.getArgumentTypes().slice(before, kernel.getNumResults()))) {
    Value &output = written[yielded];
    if (!output)
      output = emitOutput(cast<MemRefType>(type), yielded, numEdges);
    outputs.push_back(output);
  }
  llvm::append_range(args, outputs);

  emitJobs(function, args);

  DenseMap<Value, Value> tensors;
  for (auto [result, output] : llvm::zip_equal(kernel.getResults(), outputs)) {
    Value &tensor = tensors[output];
    if (!tensor)
      tensor = toResult(result.getType(), output);
    result.replaceAllUsesWith(tensor);
  }
  kernel.erase();
}
