//===- NodeSums.h - Sums over the nodes of a kernel -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a kernel with such sums (mp-fuse-sums) are divided into parts,
// each of which one thread takes block by block. A part has memory of its own
// for a sum, to which a block function adds that of its rows, so that the
// number of threads changes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_NODESUMS_H
#define CLIQUE_COMPILER_LOWERING_NODESUMS_H

#include "compiler/Lowering/BlockFunction.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace clique {

/// The sums over nodes of a kernel's body.
llvm::SmallVector<mlir::linalg::GenericOp> getNodeSums(mp::KernelOp kernel);

/// Whether a value that a kernel yields is one.
bool isNodeSum(mlir::Value yielded);

/// That of one part among those of all, a memref of `type`.
mlir::MemRefType getPartType(mlir::MemRefType type);

/// Adds the sums over nodes of the function's kernel for some rows, in which
/// `getRows` makes the tensor [dst, feature...] of each operand.
void addNodeSums(BlockFunction &function, const RowRange &rows,
                 llvm::function_ref<mlir::Value(mlir::Value)> getRows);

/// The tensor with zeros in the rows [from, to).
mlir::Value zeroRows(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor,
                     mlir::Value from, mlir::Value to);

/// The caller's side: arguments for block functions, of which some are the sums
/// of all parts where the function takes that of one.
class PartedArgs {
public:
  /// `args` are for `callee` from its argument `begin` on.
  PartedArgs(mlir::func::FuncOp callee, size_t begin, mlir::ValueRange args);

  bool hasSums() const { return !sums.empty(); }
  /// How many parts there are.
  mlir::Value countParts(mlir::OpBuilder &b, mlir::Location loc) const;
  /// The arguments in a part.
  llvm::SmallVector<mlir::Value> take(mlir::OpBuilder &b, mlir::Location loc,
                                      mlir::Value part) const;

private:
  mlir::ValueRange args;
  /// Positions of the sums.
  llvm::SmallVector<size_t> sums;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_NODESUMS_H
