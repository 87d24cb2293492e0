//===- TypedProduct.h - Sums of products with weights per type --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A relational layer sums W_{r_ij} z_ij over the edges of i. As products are
// linear, edges of one type r can share theirs:
//
//   sum_j W_{r_ij} z_ij = sum_r W_r (sum_{j: r_ij = r} z_ij)
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TYPEDPRODUCT_H
#define CLIQUE_COMPILER_LOWERING_TYPEDPRODUCT_H

#include "compiler/Analysis/KernelInfo.h"

namespace clique {

struct TypedProduct {
  /// Found where all that a kernel does with its edges is to sum, or to
  /// average, z_ij W_{r_ij}, with r_ij a feature i32 of the edge.
  static std::optional<TypedProduct> find(const KernelInfo &info);
  /// The same of a kernel with a schedule for it; an error if there is none.
  static mlir::FailureOr<TypedProduct> get(const KernelInfo &info);

  mp::MessageOp message;
  /// z_ij, in the message.
  mlir::Value input;
  /// [types, in, out], from outside.
  mlir::Value weights;
  /// r_ij, for all edges.
  mlir::Value types;
  /// Whether z_ij reads features of the edge, or its number.
  bool readsEdges;

  int64_t getNumTypes() const { return getShape()[0]; }
  int64_t getInSize() const { return getShape()[1]; }
  int64_t getOutSize() const { return getShape()[2]; }

private:
  llvm::ArrayRef<int64_t> getShape() const {
    return llvm::cast<mlir::RankedTensorType>(weights.getType()).getShape();
  }
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TYPEDPRODUCT_H
