//===- Scatter.cpp - One slice written into a tensor ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Scatter.h"

using namespace clique::reference;
using namespace mlir;

FailureOr<Kernel> clique::reference::makeScatter(tensor::ScatterOp op,
                                                 const ValueInfo &info) {
  Shape whole = info.getShape(op.getDest());
  const int64_t dim = op.getScatterDims().front(), size = whole[dim];
  if (op.getScatterDims().size() != 1 || size == 0 ||
      getNumElements(info.getShape(op.getIndices())) != 1)
    return emitNotSupported(op);
  Shape source = info.getShape(op.getSource()), slice = whole;
  slice.erase(slice.begin() + dim);
  if (source != slice)
    return op.emitOpError("writes a tensor of shape ")
           << describeShape(source) << " as a slice of shape "
           << describeShape(slice);
  // The slice is `outer` blocks, which are `size` blocks apart.
  const int64_t outer = getNumElements(ArrayRef(whole).take_front(dim)),
                block = getNumElements(ArrayRef(whole).drop_front(dim + 1));
  Kernel kernel;
  kernel.inputs = {op.getSource(), op.getDest(), op.getIndices()};
  kernel.resultShapes = {whole};
  kernel.run = [=](const double *const *inputs, double *const *results) {
    int64_t index =
        std::max<int64_t>(0, std::min(toInteger(inputs[2][0]), size - 1));
    std::copy_n(inputs[1], outer * size * block, results[0]);
    for (int64_t i = 0; i < outer; ++i)
      std::copy_n(inputs[0] + i * block, block,
                  results[0] + (i * size + index) * block);
  };
  return kernel;
}
