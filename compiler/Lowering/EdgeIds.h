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
  /// Reads the factors at the beginning of the function.
  explicit EdgeIds(BlockFunction &function);

  /// The number of the edge at `position` of all, from `source` to `row`.
  mlir::Value load(mlir::Value row, mlir::Value position, mlir::Value source);
  /// The same of an edge whose source stands at `standsAt` in the array of
  /// sources, which is read only if need be.
  mlir::Value loadWithSource(mlir::Value row, mlir::Value position,
                             mlir::Value standsAt);

private:
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value add(mlir::Value x, mlir::Value y);

  BlockFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// out[0] to out[3] there.
  mlir::Value positionInList, sourceInList, positionFactor, rowFactor;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_EDGEIDS_H
