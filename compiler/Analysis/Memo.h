//===- Memo.h - What is found out of values, of each once -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For functions that ask the operands of a value's op first: the paths to a
// value may be exponentially many, as in x1 = x0 + x0, x2 = x1 + x1 ...
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_MEMO_H
#define CLIQUE_COMPILER_ANALYSIS_MEMO_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clique {

template <typename Result>
class Memo {
public:
  /// What `compute` returned for this value, which it is called for once.
  Result get(mlir::Value value, llvm::function_ref<Result()> compute) {
    if (auto known = results.find(value); known != results.end())
      return known->second;
    Result result = compute();
    results.try_emplace(value, result);
    return result;
  }

private:
  llvm::DenseMap<mlir::Value, Result> results;
};

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_MEMO_H
