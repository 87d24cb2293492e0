//===- Distribution.cpp - Tensors spread over threads ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a function, control flow, and the layouts that values get.
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/Distribution.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;

static bool hasTensor(TypeRange types) {
  return llvm::any_of(types, llvm::IsaPred<RankedTensorType>);
}

Distribution::Distribution(func::FuncOp function, int64_t threads, int64_t rows,
                           int64_t stages, bool tf32)
    : function(function), rows(rows), stages(stages),
      cores(function, threads, rows, tf32), axes(function),
      b(function, threads) {
  // The largest state of the aggregations: what depends on a part of its
  // dimensions is best held where they are. The more of these it has, the more
  // may depend on a part.
  std::pair<int64_t, int64_t> largest;
  function.walk([&](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return;
    for (Value state : loop.getRegionIterArgs())
      if (auto type = dyn_cast<RankedTensorType>(state.getType()))
        if (type.hasStaticShape() &&
            std::pair(type.getRank(), type.getNumElements()) > largest) {
          largest = {type.getRank(), type.getNumElements()};
          anchor = state;
        }
  });
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

ThreadLayout Distribution::getLayout(ArrayRef<int64_t> shape,
                                     ArrayRef<TileAxes::Class> classes) {
  auto getOwn = [&](ArrayRef<int64_t> shape,
                    ArrayRef<TileAxes::Class> classes) {
    if (std::optional<unsigned> dim = axes.findDestinations(classes))
      return ThreadLayout::getTile(shape, *dim, b.getThreadBits());
    return ThreadLayout::getLinear(shape, b.getThreadBits(),
                                   tuning::gpuThreadElements);
  };
  if (anchor && !classes.empty()) {
    SmallVector<TileAxes::Class> all = axes.getClasses(anchor);
    if (classes.size() < all.size() &&
        ArrayRef(all).take_front(classes.size()) == classes)
      return getOwn(getShape(anchor), all)
          .project(llvm::to_vector(llvm::seq<unsigned>(0, shape.size())));
  }
  return getOwn(shape, classes);
}

ThreadLayout Distribution::getCopyLayout(ArrayRef<int64_t> shape,
                                         Type element) {
  constexpr int64_t bits = 128;
  int64_t width = getBits(element);
  int64_t perThread = std::min<int64_t>(
      bits / width, shape.empty() ? 1 : llvm::PowerOf2Ceil(shape.back()));
  // Few whole copies are better than parts of them by all threads.
  int64_t numbers = 1;
  for (int64_t size : shape)
    numbers *= int64_t(llvm::PowerOf2Ceil(size));
  int threads = int(llvm::Log2_64(std::max<int64_t>(1, numbers / perThread)));
  return ThreadLayout::getLinear(shape, std::min(threads, b.getThreadBits()),
                                 perThread);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Distribution::getRegisters(Location loc, Value tensor,
                                 const ThreadLayout &layout) {
  const ThreadValue value = get(tensor);
  auto type = VectorType::get(layout.getNumRegisters(), getElement(tensor));
  switch (value.kind) {
  case ThreadValue::Kind::undefined:
    return ub::PoisonOp::create(b, loc, type);
  case ThreadValue::Kind::splat:
    return b.splat(loc, value.value, type.getNumElements());
  case ThreadValue::Kind::registers:
    return b.convert(loc, value.value, value.layout, layout, getShape(tensor));
  case ThreadValue::Kind::memory:
  case ThreadValue::Kind::window: {
    SmallVector<BufferIndex> all = getAllDims(getShape(tensor).size());
    if (value.limit)
      all.front().limit = value.limit;
    Value loaded = b.load(loc, value.value, layout, all, value.otherwise);
    if (loaded.getType() == type)
      return loaded;
    return arith::ExtFOp::create(b, loc, type, loaded);
  }
  }
  llvm_unreachable("unknown kind");
}

Value Distribution::getMemory(Location loc, Value tensor) {
  const ThreadValue &value = get(tensor);
  if (value.kind == ThreadValue::Kind::memory)
    return value.value;
  Value buffer = stage(loc, tensor);
  finishCopies(loc); // It is read now.
  return buffer;
}

Value Distribution::loadElement(Location loc, Value buffer, ValueRange position,
                                Type type) {
  Value element = memref::LoadOp::create(b, loc, buffer, position);
  if (element.getType() == type)
    return element;
  return arith::ExtFOp::create(b, loc, type, element);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult Distribution::visitBranch(Block &from, Block &to,
                                        ValueRange results) {
  b.setInsertionPointToEnd(&to);
  // What leaves the block, leaves it in registers.
  int64_t mark = b.markShared();
  Operation *yield = from.getTerminator();
  to.getOperations().splice(to.end(), from.getOperations(), from.begin(),
                            std::prev(from.end()));
  if (failed(visitBlock(to)))
    return failure();
  b.setInsertionPointToEnd(&to);
  finishCopies(yield->getLoc());
  SmallVector<Value> yielded;
  for (auto [value, result] : llvm::zip_equal(yield->getOperands(), results))
    yielded.push_back(
        isa<RankedTensorType>(value.getType())
            ? getRegisters(yield->getLoc(), value, getLayout(result))
            : value);
  scf::YieldOp::create(b, yield->getLoc(), yielded);
  b.releaseShared(mark);
  return success();
}

LogicalResult Distribution::visitFor(scf::ForOp op) {
  Location loc = op.getLoc();
  int64_t mark = b.markShared();
  DenseMap<Value, Value> outer = sliced;
  stageSliced(op);
  if (op->getParentOp() == function)
    b.startLoop();
  SmallVector<Value> initial;
  for (auto [init, result] : llvm::zip_equal(op.getInitArgs(), op.getResults()))
    initial.push_back(isa<RankedTensorType>(init.getType())
                          ? getRegisters(loc, init, getLayout(result))
                          : init);
  auto loop = scf::ForOp::create(b, loc, op.getLowerBound(), op.getUpperBound(),
                                 op.getStep(), initial);
  loop.getBody()->clear();
  op.getInductionVar().replaceAllUsesWith(loop.getInductionVar());
  auto bind = [&](ValueRange olds, ValueRange news) {
    for (auto [old, value] : llvm::zip_equal(olds, news)) {
      if (isa<RankedTensorType>(old.getType()))
        setRegisters(old, value, getLayout(old));
      else
        old.replaceAllUsesWith(value);
    }
  };
  bind(op.getRegionIterArgs(), loop.getRegionIterArgs());
  bind(op.getResults(), loop.getResults());
  OpBuilder::InsertionGuard guard(b);
  LogicalResult visited =
      visitBranch(*op.getBody(), *loop.getBody(), op.getResults());
  sliced = std::move(outer);
  b.releaseShared(mark);
  return visited;
}

LogicalResult Distribution::visitIf(scf::IfOp op) {
  Location loc = op.getLoc();
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(isa<RankedTensorType>(result.getType())
                        ? VectorType::get(getLayout(result).getNumRegisters(),
                                          getElement(result))
                        : result.getType());
  bool hasElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(b, loc, types, op.getCondition(),
                                  /*addThenBlock=*/true, hasElse);
  for (auto [old, value] :
       llvm::zip_equal(op.getResults(), branch.getResults())) {
    if (isa<RankedTensorType>(old.getType()))
      setRegisters(old, value, getLayout(old));
    else
      old.replaceAllUsesWith(value);
  }
  OpBuilder::InsertionGuard guard(b);
  branch.thenBlock()->clear();
  if (failed(
          visitBranch(*op.thenBlock(), *branch.thenBlock(), op.getResults())))
    return failure();
  if (!hasElse)
    return success();
  branch.elseBlock()->clear();
  return visitBranch(*op.elseBlock(), *branch.elseBlock(), op.getResults());
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult Distribution::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op))
    return setMemory(toTensor.getResult(), toTensor.getBuffer()), success();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return set(empty.getResult(), {}), success();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return visitExtractSlice(slice);
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return visitInsertSlice(slice);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op))
    return visitReshape(op);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return visitExtract(extract);
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op))
    return visitFromElements(elements);
  if (auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return visitStore(store);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return visitConstant(constant);
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return visitFill(fill);
  if (auto generic = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(generic);
  return op->emitOpError("cannot be spread over threads");
}

bool Distribution::onlyNames(Operation *op) {
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return !insertion.getSourceType().hasStaticShape();
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return get(op->getOperand(0)).kind == ThreadValue::Kind::memory;
  return isa<bufferization::ToTensorOp, tensor::EmptyOp, tensor::CastOp,
             tensor::ExtractSliceOp, linalg::FillOp, linalg::TransposeOp>(op) ||
         isExtension(op);
}

LogicalResult Distribution::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!hasTensor(op.getOperandTypes()) && !hasTensor(op.getResultTypes()) &&
        op.getNumRegions() == 0)
      continue;
    b.setInsertionPoint(&op);
    // Weights are copied together with what is under way.
    auto product = dyn_cast<linalg::LinalgOp>(op);
    int64_t mark = b.markShared();
    weights =
        product && isOnTensorCores(product) ? stageWeights(product) : Value();
    if (!onlyNames(&op))
      finishCopies(op.getLoc());
    if (failed(visit(&op)))
      return failure();
    // The copies of a loop run ahead of what comes behind the product.
    if (weights && op.getParentOp() == function)
      b.releaseShared(mark);
    rewritten.push_back(&op);
  }
  return success();
}

LogicalResult Distribution::run() {
  if (failed(visitBlock(function.getBody().front())))
    return failure();
  // They use each other across regions.
  for (Operation *op : rewritten) {
    op->dropAllReferences();
    op->dropAllUses();
  }
  for (Operation *op : rewritten)
    op->erase();
  return success();
}
