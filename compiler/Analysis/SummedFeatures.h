//===- SummedFeatures.h - Source features that are summed -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_SUMMEDFEATURES_H
#define CLIQUE_COMPILER_ANALYSIS_SUMMEDFEATURES_H

#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace clique {

/// Whether this use of an argument of a message only makes a value that is
/// aggregated: the argument as it is, or, in sums and means, times a factor
/// that its innermost elements share, or sums of such a product over other
/// dimensions. A sum of it over sources is a product of matrices, for which
/// each source's elements lie next to each other. All other uses want the
/// sources next to each other.
bool isAggregatedAsItLies(mlir::OpOperand &use);

/// Whether a value is such a product that is only summed over edges, or the
/// factor, repeated for nothing else: tiles have none of them, but the product
/// of the factors' matrix and the features'.
bool isWeightedTerm(mlir::Value value);

/// A product with a factor that its innermost elements share. What an edge
/// carries is its sum over the dimensions `summed`, none of them the innermost.
struct ProductWithShared {
  mlir::arith::MulFOp product;
  llvm::ArrayRef<int64_t> summed;
};

/// What makes an edge value that is such a product or a sum of its elements.
std::optional<ProductWithShared> getProductWithShared(mlir::Value edges);

/// Whether elements that lie next to each other are reduced to one.
bool reducesInnermost(mp::ReduceOp reduce);

/// Whether what edges carry is a feature of their sources as it is.
bool isSourceFeature(mlir::Value edges);

} // namespace clique
#endif // CLIQUE_COMPILER_ANALYSIS_SUMMEDFEATURES_H
