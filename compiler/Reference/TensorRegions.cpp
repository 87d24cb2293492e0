//===- TensorRegions.cpp - Tensors whose elements a region makes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/TensorRegions.h"
#include "compiler/Reference/Program.h"
#include "compiler/Reference/Strided.h"

using namespace clique::reference;
using namespace mlir;

namespace {
/// A region of positions, in one thread.
class ElementMaker {
public:
  ElementMaker(const Program &body, const double *const *captures, size_t rank)
      : frame(body), position(rank) {
    frame.setCaptures(captures);
    for (size_t dim = 0; dim < rank; ++dim)
      frame.set(dim, &position[dim]);
  }

  double make(ArrayRef<int64_t> index) {
    llvm::copy(index, position.begin());
    frame.run();
    return *frame.getResult(0);
  }

private:
  Frame frame;
  SmallVector<double> position;
};
} // namespace

FailureOr<Kernel> clique::reference::makeGenerate(tensor::GenerateOp op,
                                                  const ValueInfo &info) {
  Builder builder(op.getContext());
  auto type = cast<RankedTensorType>(op.getType());
  FailureOr<Shape> shape = resolveSizes(
      op, getMixedValues(type.getShape(), op.getDynamicExtents(), builder),
      info);
  FailureOr<Program> body =
      Program::compile(op.getBody().front(), info.getPrecision(), &info);
  if (failed(shape) || failed(body))
    return failure();
  Kernel kernel;
  for (auto [capture, slot] : body->captures)
    kernel.inputs.push_back(capture);
  kernel.resultShapes = {*shape};
  kernel.run = [body = std::move(*body), shape = *shape](
                   const double *const *inputs, double *const *results) {
    ElementMaker elements(body, inputs, shape.size());
    double *result = results[0];
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      *result++ = elements.make(index);
    });
  };
  return kernel;
}

FailureOr<Kernel> clique::reference::makePad(tensor::PadOp op,
                                             const ValueInfo &info) {
  FailureOr<Shape> low = resolveSizes(op, op.getMixedLowPad(), info);
  FailureOr<Shape> high = resolveSizes(op, op.getMixedHighPad(), info);
  FailureOr<Program> body =
      Program::compile(op.getRegion().front(), info.getPrecision(), &info);
  if (failed(low) || failed(high) || failed(body))
    return failure();
  const Shape inner = info.getShape(op.getSource());
  Shape outer = inner;
  for (auto [size, before, after] : llvm::zip_equal(outer, *low, *high))
    size += before + after;
  Kernel kernel;
  kernel.inputs = {op.getSource()};
  for (auto [capture, slot] : body->captures)
    kernel.inputs.push_back(capture);
  kernel.resultShapes = {outer};
  kernel.run = [body = std::move(*body), low = *low, inner,
                outer](const double *const *inputs, double *const *results) {
    ElementMaker elements(body, inputs + 1, outer.size());
    const double *source = inputs[0];
    double *result = results[0];
    forEachIndex(outer, [&](ArrayRef<int64_t> index) {
      const bool isInside = llvm::all_of(
          llvm::zip_equal(index, low, inner), [](const auto &dimension) {
            auto [position, before, size] = dimension;
            return position >= before && position - before < size;
          });
      // The last dimension is fastest in both.
      *result++ = isInside ? *source++ : elements.make(index);
    });
  };
  return kernel;
}
