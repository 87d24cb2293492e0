//===- EdgeIds.h - The caller's numbers of edges ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the runtime need not list them they are computed: clique_rt_edge_ids in
// runtime/compiled.h says how. The factors come from memory, so that LLVM makes
// no conditions of them: multiples of a position are sums in its loops.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_EDGEIDS_H
#define CLIQUE_COMPILER_LOWERING_EDGEIDS_H

#include "compiler/Lowering/BlockFunction.h"

namespace clique {

class EdgeIds {
public:
  explicit EdgeIds(BlockFunction &function)
      : function(function), builder(function.getBuilder()),
        loc(function.getLoc()) {}

  /// The number of the edge at `position` of all, which is one of `row`.
  mlir::Value load(mlir::Value row, mlir::Value position);

private:
  mlir::Value getEntry(mlir::Value number) {
    return function.load(GraphArray::edgeIds, number);
  }
  mlir::Value getEntry(int64_t number);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value add(mlir::Value x, mlir::Value y);

  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_EDGEIDS_H
