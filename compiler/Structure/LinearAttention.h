//===- LinearAttention.h - Sums weighted by inner products ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sum_j (q_i . k_j) b_j = q_i . (sum_j k_j b_j^T) over all sources: a product
// over the nodes, and a map of each destination by the result (Katharopoulos et
// al.: Transformers are RNNs, ICML 2020).
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_LINEARATTENTION_H
#define CLIQUE_COMPILER_STRUCTURE_LINEARATTENTION_H

#include "compiler/Structure/MessageSeparation.h"

namespace clique {

/// Whether a value of this type is such a sum, of few enough heads.
bool canMapByProduct(const SeparatedValue &value,
                     mlir::RankedTensorType feature);

/// The sum at all destinations, without factor and divisor.
mlir::Value mapByProduct(mlir::OpBuilder &builder, mp::MessageOp message,
                         const SeparatedValue &value);

/// Whether sums of k_j b_j^T over parts of the nodes are small enough to be
/// kept for each part.
bool canKeepStates(const SeparatedValue &value, mlir::RankedTensorType feature);

/// sum_j k_j b_j^T of each head over the sources of each destination of
/// `graph`.
llvm::SmallVector<mlir::Value> sumStates(mlir::OpBuilder &builder,
                                         mlir::Value graph,
                                         mp::MessageOp message,
                                         const SeparatedValue &value);

/// q_i . S_j, of the states S_j of the sources that each destination has in
/// `graph`.
mlir::Value applyStates(mlir::OpBuilder &builder, mlir::Value graph,
                        mlir::ValueRange states, mp::MessageOp message,
                        const SeparatedValue &value);

} // namespace clique
#endif // CLIQUE_COMPILER_STRUCTURE_LINEARATTENTION_H
