//===- EdgeFunctions.h - Functions of a chunk of edges ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function such as exp of few elements, a weight per head, leaves most of a
// vector empty, and stands between two halves of a message that have whole
// rows: each edge is one chain of dependent steps. Rows take such edges in
// chunks: the arguments of all edges, one edge after the other, the functions
// of all in whole vectors, and then the rest, again edge by edge.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_EDGEFUNCTIONS_H
#define CLIQUE_COMPILER_LOWERING_EDGEFUNCTIONS_H

#include "compiler/Analysis/KernelInfo.h"
#include "compiler/Lowering/Lifting.h"

namespace clique {

class EdgeFunctions {
public:
  EdgeFunctions() = default;
  /// Those of a kernel's messages whose arguments are work enough. Functions of
  /// other ones' results are not among them.
  explicit EdgeFunctions(const KernelInfo &info);

  bool empty() const { return functions.empty(); }

  /// What a chunk has of its edges, each a tensor [src, feature...], before the
  /// first one; `count`: how many there will be.
  llvm::SmallVector<mlir::Value> create(Lifter &lifter, mlir::Location loc,
                                        mlir::Value count) const;
  /// The tensors with edge `place`, whose messages `edge` has lifted.
  llvm::SmallVector<mlir::Value> insert(Lifter &edge, mlir::Location loc,
                                        mlir::ValueRange tensors,
                                        mlir::Value place) const;
  /// The tensors with results of functions in place of arguments.
  llvm::SmallVector<mlir::Value> apply(Lifter &lifter, mlir::ValueRange tensors,
                                       mlir::Value count) const;
  /// Makes what the tensors have of edge `place` known to `edge`.
  void map(Lifter &edge, mlir::Location loc, mlir::ValueRange tensors,
           mlir::Value place) const;

private:
  void find(mp::MessageOp message);

  /// Of one operand and one result each.
  llvm::SmallVector<mlir::Operation *> functions;
  /// Small sums over features that what follows needs: computed before it, too.
  llvm::SetVector<mlir::Value> sums;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_EDGEFUNCTIONS_H
