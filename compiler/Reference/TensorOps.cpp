//===- TensorOps.cpp - Kernels of the tensor dialect ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Scatter.h"
#include "compiler/Reference/Strided.h"
#include "compiler/Reference/TensorRegions.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>
#include <mutex>

using namespace clique::reference;
using namespace mlir;

static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

FailureOr<Shape> clique::reference::resolve(Operation *op,
                                            ArrayRef<OpFoldResult> mixed,
                                            const ValueInfo &info) {
  Shape numbers;
  for (OpFoldResult entry : mixed) {
    std::optional<int64_t> number = getConstantIntValue(entry);
    if (!number)
      number = info.getIndex(cast<Value>(entry));
    if (!number)
      return op->emitOpError("has sizes or offsets that are computed inside a "
                             "region, which is not supported by the reference "
                             "interpreter: use constants");
    numbers.push_back(*number);
  }
  return numbers;
}

FailureOr<Shape> clique::reference::resolveSizes(Operation *op,
                                                 ArrayRef<OpFoldResult> mixed,
                                                 const ValueInfo &info) {
  FailureOr<Shape> sizes = resolve(op, mixed, info);
  if (failed(sizes))
    return failure();
  for (int64_t size : *sizes)
    if (size < 0)
      return op->emitOpError("has size ") << size << ": expected 0 or more";
  return sizes;
}

//===----------------------------------------------------------------------===//
// Whole tensors
//===----------------------------------------------------------------------===//

/// Same elements in the same order, another shape.
static FailureOr<Kernel> makeCopy(Operation *op, const ValueInfo &info,
                                  const Shape &shape) {
  Value source = op->getOperand(0);
  int64_t count = getNumElements(info.getShape(source));
  if (getNumElements(shape) != count)
    return op->emitOpError("makes a tensor of shape ")
           << describeShape(shape) << " from one of shape "
           << describeShape(info.getShape(source))
           << ": expected as many elements";
  Kernel kernel;
  kernel.inputs = {source};
  kernel.resultShapes = {shape};
  kernel.run = [count](const double *const *inputs, double *const *results) {
    std::copy_n(inputs[0], count, results[0]);
  };
  return kernel;
}

static FailureOr<Kernel> makeCollapse(tensor::CollapseShapeOp op,
                                      const ValueInfo &info) {
  Shape from = info.getShape(op.getSrc()), shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t size = 1;
    for (int64_t dim : group)
      size *= from[dim];
    shape.push_back(size);
  }
  return makeCopy(op, info, shape);
}

static FailureOr<Kernel> makeExpand(tensor::ExpandShapeOp op,
                                    const ValueInfo &info) {
  FailureOr<Shape> shape = resolveSizes(op, op.getMixedOutputShape(), info);
  if (failed(shape))
    return failure();
  return makeCopy(op, info, *shape);
}

/// A result that is known already: a size, a rank, elements all alike.
static Kernel makeFill(Shape shape, double value) {
  Kernel kernel;
  kernel.run = [count = getNumElements(shape), value](const double *const *,
                                                      double *const *results) {
    std::fill_n(results[0], count, value);
  };
  kernel.resultShapes = {std::move(shape)};
  return kernel;
}

static FailureOr<Kernel> makeDim(tensor::DimOp op, const ValueInfo &info) {
  Shape shape = info.getShape(op.getSource());
  std::optional<int64_t> dim = info.getIndex(op.getIndex());
  if (!dim || *dim < 0 || *dim >= static_cast<int64_t>(shape.size()))
    return op.emitOpError("asks for ")
           << (dim ? "dimension " + std::to_string(*dim)
                   : "a computed dimension")
           << " of a tensor of rank " << shape.size()
           << ": expected a constant from 0 to the rank - 1";
  return makeFill(Shape(), shape[*dim]);
}

/// Elements are NaN until someone writes them, so that reading one shows.
static FailureOr<Kernel> makeEmpty(tensor::EmptyOp op, const ValueInfo &info) {
  FailureOr<Shape> shape = resolveSizes(op, op.getMixedSizes(), info);
  if (failed(shape))
    return failure();
  return makeFill(*shape, kNaN);
}

/// The result's shape, with `dynamic` for its dynamic sizes.
static SmallVector<OpFoldResult> getMixedShape(Type type, ValueRange dynamic) {
  Builder builder(type.getContext());
  return getMixedValues(cast<RankedTensorType>(type).getShape(), dynamic,
                        builder);
}

static FailureOr<Kernel> makeSplat(tensor::SplatOp op, const ValueInfo &info) {
  FailureOr<Shape> shape =
      resolveSizes(op, getMixedShape(op.getType(), op.getDynamicSizes()), info);
  if (failed(shape))
    return failure();
  Kernel kernel;
  kernel.inputs = {op.getInput()};
  kernel.resultShapes = {*shape};
  kernel.run = [count = getNumElements(*shape)](const double *const *inputs,
                                                double *const *results) {
    std::fill_n(results[0], count, inputs[0][0]);
  };
  return kernel;
}

static Kernel makeFromElements(tensor::FromElementsOp op) {
  Kernel kernel;
  kernel.inputs = llvm::to_vector(op->getOperands());
  kernel.resultShapes = {getStaticShape(op.getType())};
  kernel.run = [count = kernel.inputs.size()](const double *const *inputs,
                                              double *const *results) {
    for (size_t i = 0; i < count; ++i)
      results[0][i] = inputs[i][0];
  };
  return kernel;
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

static FailureOr<Kernel> makeConcat(tensor::ConcatOp op,
                                    const ValueInfo &info) {
  Kernel kernel;
  kernel.inputs = llvm::to_vector(op->getOperands());
  size_t dim = op.getDim();
  Shape shape = info.getShape(kernel.inputs[0]);
  // Each input is `outer` blocks; those of all inputs alternate in the result.
  int64_t outer = getNumElements(ArrayRef(shape).take_front(dim));
  SmallVector<int64_t> blocks;
  int64_t total = 0;
  for (Value input : kernel.inputs) {
    Shape other = info.getShape(input);
    total += other[dim];
    blocks.push_back(getNumElements(ArrayRef(other).drop_front(dim)));
    other[dim] = shape[dim];
    if (other != shape)
      return op.emitOpError("joins tensors along dimension ")
             << dim << " whose other dimensions differ: "
             << describeShape(info.getShape(kernel.inputs[0])) << " and "
             << describeShape(info.getShape(input));
  }
  shape[dim] = total;
  kernel.resultShapes = {shape};
  kernel.run = [=](const double *const *inputs, double *const *results) {
    double *result = results[0];
    for (int64_t i = 0; i < outer; ++i)
      for (auto [block, input] : llvm::zip(blocks, llvm::seq(blocks.size())))
        result = std::copy_n(inputs[input] + i * block, block, result);
  };
  return kernel;
}

/// The element of a `whole` tensor behind each element of a slice.
static FailureOr<std::vector<int64_t>>
getSliceElements(OffsetSizeAndStrideOpInterface op, ArrayRef<int64_t> whole,
                 const ValueInfo &info, Shape &sizes) {
  FailureOr<Shape> offsets = resolve(op, op.getMixedOffsets(), info);
  FailureOr<Shape> strides = resolve(op, op.getMixedStrides(), info);
  FailureOr<Shape> resolved = resolveSizes(op, op.getMixedSizes(), info);
  if (failed(offsets) || failed(strides) || failed(resolved))
    return failure();
  sizes = *resolved;
  for (size_t dim = 0; dim < whole.size(); ++dim) {
    if (sizes[dim] == 0)
      continue;
    int64_t first = (*offsets)[dim];
    int64_t last = first + (sizes[dim] - 1) * (*strides)[dim];
    if (std::min(first, last) < 0 || std::max(first, last) >= whole[dim])
      return op->emitOpError("takes the elements ")
             << first << " to " << last << " of dimension " << dim
             << ", which has " << whole[dim];
  }
  std::vector<int64_t> elements;
  elements.reserve(getNumElements(sizes));
  Shape steps = getRowMajorStrides(whole);
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    int64_t element = 0;
    for (size_t dim = 0; dim < whole.size(); ++dim)
      element += ((*offsets)[dim] + index[dim] * (*strides)[dim]) * steps[dim];
    elements.push_back(element);
  });
  return elements;
}

static FailureOr<Kernel> makeExtractSlice(tensor::ExtractSliceOp op,
                                          const ValueInfo &info) {
  Shape sizes;
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op.getOperation());
  FailureOr<std::vector<int64_t>> elements =
      getSliceElements(slice, info.getShape(op.getSource()), info, sizes);
  if (failed(elements))
    return failure();
  Shape shape;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!dropped[dim])
      shape.push_back(size);
  Kernel kernel;
  kernel.inputs = {op.getSource()};
  kernel.resultShapes = {shape};
  kernel.run = [elements = std::move(*elements)](const double *const *inputs,
                                                 double *const *results) {
    for (auto [i, element] : llvm::enumerate(elements))
      results[0][i] = inputs[0][element];
  };
  return kernel;
}

static FailureOr<Kernel> makeInsertSlice(tensor::InsertSliceOp op,
                                         const ValueInfo &info) {
  Shape sizes, whole = info.getShape(op.getDest());
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op.getOperation());
  FailureOr<std::vector<int64_t>> elements =
      getSliceElements(slice, whole, info, sizes);
  if (failed(elements))
    return failure();
  Shape source = info.getShape(op.getSource());
  if (getNumElements(source) != static_cast<int64_t>(elements->size()))
    return op.emitOpError("inserts a tensor of shape ")
           << describeShape(source) << " into a slice of shape "
           << describeShape(sizes);
  Kernel kernel;
  kernel.inputs = {op.getSource(), op.getDest()};
  kernel.resultShapes = {whole};
  kernel.run = [elements = std::move(*elements), count = getNumElements(whole)](
                   const double *const *inputs, double *const *results) {
    std::copy_n(inputs[1], count, results[0]);
    for (auto [i, element] : llvm::enumerate(elements))
      results[0][element] = inputs[0][i];
  };
  return kernel;
}

namespace {
/// Finds the element that an op's indices name. One outside is an error, the
/// first time that it happens.
class ElementFinder {
public:
  ElementFinder(Operation *op, Shape shape, const char *what)
      : op(op), shape(std::move(shape)), what(what) {}

  std::optional<int64_t> find(const double *const *indices) const {
    int64_t element = 0;
    for (auto [dim, size] : llvm::enumerate(shape)) {
      int64_t index = toInteger(indices[dim][0]);
      if (index < 0 || index >= size) {
        report(index, size);
        return std::nullopt;
      }
      element = element * size + index;
    }
    return element;
  }

private:
  void report(int64_t index, int64_t size) const {
    std::call_once(*reported, [&] {
      op->emitOpError(what)
          << " element " << index << " of a dimension that has " << size
          << " elements: expected a position from 0 to the size - 1";
    });
  }

  Operation *op;
  Shape shape;
  const char *what;
  std::shared_ptr<std::once_flag> reported = std::make_shared<std::once_flag>();
};
} // namespace

static Kernel makeExtract(tensor::ExtractOp op, const ValueInfo &info) {
  Kernel kernel;
  kernel.inputs = llvm::to_vector(op->getOperands());
  kernel.resultShapes = {Shape()};
  kernel.run = [finder =
                    ElementFinder(op, info.getShape(op.getTensor()), "takes")](
                   const double *const *inputs, double *const *results) {
    std::optional<int64_t> element = finder.find(inputs + 1);
    results[0][0] = element ? inputs[0][*element] : kNaN;
  };
  return kernel;
}

static Kernel makeInsert(tensor::InsertOp op, const ValueInfo &info) {
  Kernel kernel;
  kernel.inputs = llvm::to_vector(op->getOperands());
  Shape shape = info.getShape(op.getDest());
  const int64_t size = getNumElements(shape);
  kernel.resultShapes = {shape};
  kernel.run = [size, finder = ElementFinder(op, shape, "writes")](
                   const double *const *inputs, double *const *results) {
    std::copy_n(inputs[1], size, results[0]);
    if (std::optional<int64_t> element = finder.find(inputs + 2))
      results[0][*element] = inputs[0][0];
  };
  return kernel;
}

FailureOr<Kernel> clique::reference::makeTensorKernel(Operation *op,
                                                      const ValueInfo &info) {
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case([&](tensor::CastOp) {
        return makeCopy(op, info, info.getShape(op->getOperand(0)));
      })
      .Case([&](tensor::CollapseShapeOp op) { return makeCollapse(op, info); })
      .Case([&](tensor::ConcatOp op) { return makeConcat(op, info); })
      .Case([&](tensor::DimOp op) { return makeDim(op, info); })
      .Case([&](tensor::EmptyOp op) { return makeEmpty(op, info); })
      .Case([&](tensor::ExpandShapeOp op) { return makeExpand(op, info); })
      .Case([&](tensor::ExtractOp op) { return makeExtract(op, info); })
      .Case(
          [&](tensor::ExtractSliceOp op) { return makeExtractSlice(op, info); })
      .Case([&](tensor::FromElementsOp op) { return makeFromElements(op); })
      .Case([&](tensor::GenerateOp op) { return makeGenerate(op, info); })
      .Case([&](tensor::InsertOp op) { return makeInsert(op, info); })
      .Case([&](tensor::InsertSliceOp op) { return makeInsertSlice(op, info); })
      .Case([&](tensor::PadOp op) { return makePad(op, info); })
      .Case([&](tensor::RankOp op) {
        return makeFill(Shape(), info.getShape(op.getTensor()).size());
      })
      .Case([&](tensor::ScatterOp op) { return makeScatter(op, info); })
      .Case([&](tensor::SplatOp op) { return makeSplat(op, info); })
      .Default([](Operation *op) -> FailureOr<Kernel> {
        return emitNotSupported(op);
      });
}
