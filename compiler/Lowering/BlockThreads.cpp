//===- BlockThreads.cpp - Block functions that threads share --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a block function says to compiler/Threads.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"
#include "dialect/IR/MPTargets.h"

using namespace mlir;
using namespace clique;

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

void BlockFunction::describeThreads() {
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
