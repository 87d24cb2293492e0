//===- RowLines.cpp - Cache lines of a row that are fetched ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/RowLines.h"
#include "compiler/Analysis/FeatureCost.h"
#include "compiler/Analysis/Tuning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace clique;

SmallVector<int64_t> clique::getLineElements(MemRefType buffer,
                                             int64_t bytesPerLine,
                                             int64_t first, int64_t last,
                                             bool withLast) {
  const int64_t ofLine = bytesPerLine * 8 / getBits(buffer.getElementType());
  const int64_t from = first / ofLine;
  const int64_t past = std::min<int64_t>(llvm::divideCeil(last, ofLine),
                                         from + tuning::prefetchLines);
  SmallVector<int64_t> elements;
  for (int64_t line = from; line < past; ++line)
    elements.push_back(line * ofLine);
  // Arguments begin where their owner says, and so do their rows.
  if (withLast && past * ofLine >= last && last - 1 > elements.back())
    elements.push_back(last - 1);
  return elements;
}

void clique::prefetchElement(OpBuilder &builder, Location loc, Value buffer,
                             Value row, int64_t element, unsigned level,
                             ArrayRef<Value> offsets) {
  constexpr unsigned kFirstLevel = 4; // of the hint that means all levels
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> position = {row};
  for (auto [dim, index] : llvm::enumerate(delinearize(
           element, computeStrides(type.getShape().drop_front())))) {
    Value at = arith::ConstantIndexOp::create(builder, loc, index);
    if (!offsets.empty() && offsets[dim])
      at = arith::AddIOp::create(builder, loc, at, offsets[dim]);
    position.push_back(at);
  }
  memref::PrefetchOp::create(builder, loc, buffer, position,
                             /*isWrite=*/false, kFirstLevel - level,
                             /*isDataCache=*/true);
}
