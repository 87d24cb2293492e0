//===- LowerToNodes.cpp - Functions of every node -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel without messages: its updates, a block of nodes at a time.
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/BlockFunction.h"

using namespace mlir;
using namespace clique;

FailureOr<func::FuncOp> clique::lowerToNodes(const KernelInfo &info,
                                             TileShape shape) {
  BlockFunction function(info, "_nodes", shape,
                         getGraphArrays(mp::Lowering::nodes));
  if (failed(function.finish(function.getRows(), {})))
    return failure();
  function.createReturn();
  return function.getFunction();
}
