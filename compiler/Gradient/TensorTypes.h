//===- TensorTypes.h - Types of node features and weights -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_TENSORTYPES_H
#define CLIQUE_COMPILER_GRADIENT_TENSORTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLExtras.h"

namespace clique {

inline mlir::RankedTensorType getTensor(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Node features with static dimensions after the first.
inline bool isNodeTensor(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.getRank() > 0 && tensor.isDynamicDim(0) &&
         llvm::none_of(tensor.getShape().drop_front(),
                       mlir::ShapedType::isDynamic);
}

} // namespace clique
#endif // CLIQUE_COMPILER_GRADIENT_TENSORTYPES_H
