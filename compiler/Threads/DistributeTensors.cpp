//===- DistributeTensors.cpp - Slices, shapes and stores ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/Distribution.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;

/// The part of a buffer that a slice of a tensor takes from the tensor.
static Value viewSlice(OpBuilder &b, Location loc, Value buffer,
                       OffsetSizeAndStrideOpInterface slice,
                       ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(buffer.getType());
  auto transposed = buffer.getDefiningOp<memref::TransposeOp>();
  if (transposed && int64_t(shape.size()) == type.getRank()) {
    // The part of what was transposed, transposed.
    AffineMap order = inversePermutation(transposed.getPermutation());
    auto view = memref::SubViewOp::create(
        b, loc, transposed.getIn(),
        applyPermutationMap(order, ArrayRef(slice.getMixedOffsets())),
        applyPermutationMap(order, ArrayRef(slice.getMixedSizes())),
        applyPermutationMap(order, ArrayRef(slice.getMixedStrides())));
    return memref::TransposeOp::create(b, loc, view,
                                       transposed.getPermutationAttr());
  }
  auto part = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      shape, type, slice.getMixedOffsets(), slice.getMixedSizes(),
      slice.getMixedStrides()));
  return memref::SubViewOp::create(
      b, loc, part, buffer, slice.getMixedOffsets(), slice.getMixedSizes(),
      slice.getMixedStrides());
}

static bool isDynamic(Value tensor) {
  return !cast<RankedTensorType>(tensor.getType()).hasStaticShape();
}

/// Whether a slice is of the first rows of a tensor, and all of its features.
static bool isOfFirstRows(OffsetSizeAndStrideOpInterface slice,
                          ArrayRef<int64_t> whole) {
  return llvm::all_of(slice.getMixedOffsets(), isZeroInteger) &&
         slice.getMixedSizes().size() == whole.size() &&
         llvm::all_of(llvm::drop_begin(llvm::enumerate(slice.getMixedSizes())),
                      [&](auto size) {
                        return getConstantIntValue(size.value()) ==
                               whole[size.index()];
                      });
}

/// The rows of a tile that hold nothing yet, as a slice of it: there is nothing
/// to do until they are filled and put back.
static bool isDeferred(Value tensor, const ThreadValue &source) {
  return isDynamic(tensor) && source.kind != ThreadValue::Kind::memory;
}

LogicalResult Distribution::visitExtractSlice(tensor::ExtractSliceOp op) {
  ThreadValue source = get(op.getSource());
  Value result = op.getResult();
  if (isDeferred(result, source))
    return success();
  Location loc = op.getLoc();
  if (source.kind == ThreadValue::Kind::undefined ||
      source.kind == ThreadValue::Kind::splat) {
    set(result, source);
    return success();
  }
  Value buffer = sliced.lookup(op.getSource());
  if (!buffer)
    buffer = getMemory(loc, op.getSource());
  setMemory(result, viewSlice(b, loc, buffer, op, getShape(result)));
  return success();
}

LogicalResult Distribution::visitInsertSlice(tensor::InsertSliceOp op) {
  Location loc = op.getLoc();
  ThreadValue dest = get(op.getDest());
  Value result = op.getResult();
  if (isDynamic(op.getSource())) {
    // Rows from memory, then filled up: a window.
    OpFoldResult size = op.getMixedSizes().front();
    if (get(op.getSource()).kind == ThreadValue::Kind::memory &&
        isOfFirstRows(op, getShape(result)) && isa<Value>(size)) {
      Value otherwise =
          dest.kind == ThreadValue::Kind::splat ? dest.value : Value();
      set(result, {ThreadValue::Kind::window,
                   get(op.getSource()).value,
                   {},
                   cast<Value>(size),
                   otherwise});
    } else if (auto fill = op.getSource().getDefiningOp<linalg::FillOp>();
               fill && dest.kind == ThreadValue::Kind::window) {
      dest.otherwise = fill.getInputs().front();
      set(result, dest);
    } else {
      return op.emitOpError("cannot be spread over threads: rows of a dynamic "
                            "number come from memory or are filled");
    }
    // What others read element by element, or in each round of a loop anew,
    // lies in shared memory. Only the last insertion completes the tile: rows
    // that are filled will be inserted, others are results.
    bool isComplete = llvm::none_of(result.getUsers(), [](Operation *user) {
      return isa<tensor::InsertSliceOp>(user) ||
             (isa<tensor::ExtractSliceOp>(user) &&
              isDynamic(user->getResult(0)) &&
              llvm::any_of(user->getUsers(), llvm::IsaPred<linalg::FillOp>));
    });
    if (!isComplete)
      return success();
    if (rows > 0 && (op->getParentOp() != function || isReadByLoops(result)))
      setMemory(result, stage(loc, result));
    else
      setRegisters(result, getRegisters(loc, result, getLayout(result)),
                   getLayout(result));
    return success();
  }
  ArrayRef<int64_t> shape = getShape(result);
  Type element = getElement(result);
  ThreadLayout layout = dest.kind == ThreadValue::Kind::registers
                            ? dest.layout
                            : getLayout(result);
  SmallVector<BufferIndex> all = getAllDims(shape.size());
  ThreadLayout sourceLayout = getLayout(op.getSource());
  if (get(op.getSource()).kind == ThreadValue::Kind::registers)
    sourceLayout = get(op.getSource()).layout;
  // Both must be in registers before scratch is written.
  Value part = getRegisters(loc, op.getSource(), sourceLayout);
  Value whole = dest.kind == ThreadValue::Kind::undefined
                    ? Value()
                    : getRegisters(loc, op.getDest(), layout);
  Value buffer = b.getScratch(loc, shape, element);
  b.synchronise(loc);
  if (whole) {
    b.store(loc, whole, buffer, layout, all);
    b.synchronise(loc);
  }
  Value view = viewSlice(b, loc, buffer, op, getShape(op.getSource()));
  b.store(loc, part, view, sourceLayout,
          getAllDims(getShape(op.getSource()).size()));
  b.synchronise(loc);
  setRegisters(result, b.load(loc, buffer, layout, all), layout);
  return success();
}

/// Whether the elements of a buffer can be regrouped where they are: those of a
/// slice with strides, or of a transposed buffer, may not.
static bool canReshape(Value buffer, Operation *reshape) {
  auto type = cast<MemRefType>(buffer.getType());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape))
    return memref::CollapseShapeOp::isGuaranteedCollapsible(
        type, collapse.getReassociationIndices());
  auto expand = cast<tensor::ExpandShapeOp>(reshape);
  return succeeded(memref::ExpandShapeOp::computeExpandedType(
      type, expand.getResultType().getShape(),
      expand.getReassociationIndices()));
}

LogicalResult Distribution::visitReshape(Operation *op) {
  Location loc = op->getLoc();
  Value source = op->getOperand(0), result = op->getResult(0);
  ThreadValue value = get(source);
  if (value.kind == ThreadValue::Kind::undefined ||
      value.kind == ThreadValue::Kind::splat || isa<tensor::CastOp>(op)) {
    set(result, value);
    return success();
  }
  auto groups =
      isa<tensor::CollapseShapeOp>(op)
          ? cast<tensor::CollapseShapeOp>(op).getReassociationIndices()
          : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();
  // Where every size is a power of two, only the names of bits change.
  auto arePowers = [](ArrayRef<int64_t> shape) {
    return llvm::all_of(shape,
                        [](int64_t size) { return llvm::isPowerOf2_64(size); });
  };
  if (value.kind == ThreadValue::Kind::registers &&
      arePowers(getShape(source)) && arePowers(getShape(result))) {
    SmallVector<IndexBit> bits;
    for (unsigned dim = getShape(source).size(); dim-- > 0;)
      llvm::append_range(bits, value.layout.getBits(dim));
    ThreadLayout::Dims dims(getShape(result).size());
    ArrayRef<IndexBit> rest = bits;
    for (unsigned dim = dims.size(); dim-- > 0;) {
      unsigned count = llvm::Log2_64(getShape(result)[dim]);
      dims[dim].assign(rest.begin(), rest.begin() + count);
      rest = rest.drop_front(count);
    }
    setRegisters(result, value.value, ThreadLayout(std::move(dims)));
    return success();
  }
  Value buffer = value.value;
  if (value.kind != ThreadValue::Kind::memory) {
    buffer = stage(loc, source);
  } else if (!canReshape(buffer, op)) {
    finishCopies(loc); // of what is read here
    buffer = stage(loc, source);
  }
  if (isa<tensor::CollapseShapeOp>(op)) {
    setMemory(result, memref::CollapseShapeOp::create(b, loc, buffer, groups));
    return success();
  }
  auto type = memref::ExpandShapeOp::computeExpandedType(
      cast<MemRefType>(buffer.getType()), getShape(result), groups);
  assert(succeeded(type) && "a buffer with strides can be expanded");
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : getShape(result))
    sizes.push_back(b.getIndexAttr(size));
  setMemory(result, memref::ExpandShapeOp::create(b, loc, *type, buffer, groups,
                                                  sizes));
  return success();
}

LogicalResult Distribution::visitExtract(tensor::ExtractOp op) {
  Location loc = op.getLoc();
  ThreadValue value = get(op.getTensor());
  Value scalar;
  if (value.kind == ThreadValue::Kind::splat)
    scalar = value.value;
  else if (value.kind == ThreadValue::Kind::registers &&
           op.getIndices().empty())
    scalar = getRegister(b, loc, value.value, 0);
  else
    scalar = loadElement(loc, getMemory(loc, op.getTensor()), op.getIndices(),
                         op.getType());
  op.getResult().replaceAllUsesWith(scalar);
  return success();
}

LogicalResult Distribution::visitFromElements(tensor::FromElementsOp op) {
  Location loc = op.getLoc();
  if (op.getElements().size() == 1) {
    set(op.getResult(), {ThreadValue::Kind::splat, op.getElements().front()});
    return success();
  }
  // Everyone has all elements in registers.
  ArrayRef<int64_t> shape = getShape(op.getResult());
  ThreadLayout layout = ThreadLayout::getLinear(shape, /*threadBits=*/0, 1);
  SmallVector<Value> elements;
  for (int64_t number = 0; number < layout.getNumRegisters(); ++number) {
    int64_t place = 0;
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      place = place * shape[dim] +
              std::min(layout.getOffset(dim, number), shape[dim] - 1);
    elements.push_back(op.getElements()[place]);
  }
  auto type =
      VectorType::get(layout.getNumRegisters(), getElement(op.getResult()));
  setRegisters(op.getResult(),
               vector::FromElementsOp::create(b, loc, type, elements), layout);
  return success();
}

LogicalResult
Distribution::visitStore(bufferization::MaterializeInDestinationOp op) {
  Location loc = op.getLoc();
  Value source = op.getSource();
  Value limit;
  if (isDynamic(source)) {
    auto slice = source.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !isOfFirstRows(slice, getShape(slice.getSource())))
      return op.emitOpError("cannot be spread over threads: it stores no first "
                            "rows of a tile");
    source = slice.getSource();
    limit =
        getValueOrCreateConstantIndexOp(b, loc, slice.getMixedSizes().front());
  }
  const ThreadValue &value = get(source);
  ThreadLayout layout = value.kind == ThreadValue::Kind::registers
                            ? value.layout
                            : getLayout(source);
  SmallVector<BufferIndex> all = getAllDims(getShape(source).size());
  if (limit)
    all.front().limit = limit;
  b.store(loc, getRegisters(loc, source, layout), op.getDest(), layout, all);
  return success();
}

LogicalResult Distribution::visitConstant(arith::ConstantOp op) {
  Location loc = op.getLoc();
  auto elements = cast<DenseElementsAttr>(op.getValue());
  if (elements.isSplat()) {
    auto scalar = elements.getSplatValue<TypedAttr>();
    set(op.getResult(),
        {ThreadValue::Kind::splat, arith::ConstantOp::create(b, loc, scalar)});
    return success();
  }
  auto module = function->getParentOfType<ModuleOp>();
  auto type =
      MemRefType::get(getShape(op.getResult()), getElement(op.getResult()));
  OpBuilder global(module.getContext());
  global.setInsertionPoint(function);
  auto table = memref::GlobalOp::create(
      global, loc, "constant",
      /*sym_visibility=*/global.getStringAttr("private"), type, elements,
      /*constant=*/true, /*alignment=*/global.getI64IntegerAttr(16));
  SymbolTable(module).insert(table);
  setMemory(op.getResult(),
            memref::GetGlobalOp::create(b, loc, type, table.getSymName()));
  return success();
}
