//===- OuterProducts.h - Sums of outer products of edges --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sum_e a_e b_e^T, as weights' gradients are. One edge after the other, all of
// the sum is read and written for each; for a chunk of edges it is the product
// of two matrices, whose sums stay in registers.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_OUTERPRODUCTS_H
#define CLIQUE_COMPILER_LOWERING_OUTERPRODUCTS_H

#include "compiler/Analysis/KernelInfo.h"

namespace clique {

/// A value that messages give to a sum.
struct OuterProduct {
  /// In the message's region: each has some of the value's dimensions, in
  /// order, and the value's elements are their products.
  struct Factor {
    mlir::Value value;
    llvm::SmallVector<int64_t> dims;
  };

  mlir::Block *region = nullptr; ///< of the message
  unsigned state = 0;            ///< which one it is of all values summed
  Factor factors[2];

  /// Elements of the value.
  int64_t getSize() const;
};

/// Those of a kernel; none where it has other aggregations than sums and means.
llvm::SmallVector<OuterProduct> findOuterProducts(const KernelInfo &info);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_OUTERPRODUCTS_H
