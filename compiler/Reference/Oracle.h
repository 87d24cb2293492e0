//===- Oracle.h - What a call should give -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter's results of one call, and comparisons with them that know
// what rounding alone does to each.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_ORACLE_H
#define CLIQUE_COMPILER_REFERENCE_ORACLE_H

#include "compiler/Reference/Compare.h"
#include "compiler/Reference/Interpreter.h"

namespace clique {

class Oracle {
public:
  /// `f32Bits`: significant bits of f32 in what is compared (11 for tf32).
  Oracle(mlir::func::FuncOp function, llvm::ArrayRef<ReferenceValue> arguments,
         unsigned f32Bits = 24)
      : function(function), arguments(arguments), f32Bits(f32Bits) {}

  /// Evaluates the function. Errors are emitted at their ops.
  mlir::LogicalResult evaluate();
  /// Of what was evaluated.
  llvm::ArrayRef<ReferenceTensor> getResults() const { return results; }

  /// Compares a tensor with result `index`. If it differs by more than the
  /// tolerance, and `mayRound`, it is compared with up to seven runs with
  /// random rounding as well, until they explain it; should one of them fail,
  /// its error is emitted, and the difference stands.
  llvm::Expected<ReferenceComparison>
  compare(unsigned index, const DLTensor &actual,
          const ReferenceTolerance &tolerance, bool mayRound = true);

private:
  /// One more run with rounding.
  mlir::LogicalResult evaluateRounded();

  mlir::func::FuncOp function;
  llvm::SmallVector<ReferenceValue> arguments;
  unsigned f32Bits;
  llvm::SmallVector<ReferenceTensor> results;
  /// Of each run with rounding that was asked for so far.
  std::vector<llvm::SmallVector<ReferenceTensor>> rounded;
};

} // namespace clique

#endif // CLIQUE_COMPILER_REFERENCE_ORACLE_H
