//===- Integer.h - Integers kept in doubles ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To and from APInt, and the maximum and minimum that hand a NaN on.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_INTEGER_H
#define CLIQUE_COMPILER_REFERENCE_INTEGER_H

#include "compiler/Reference/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APInt.h"

#include <cmath>

namespace clique::reference {

/// The width of an integer or of a tensor of them; an index has 64 bits.
inline unsigned getIntegerWidth(mlir::Value value) {
  mlir::Type type = mlir::getElementTypeOrSelf(value.getType());
  return type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
}

inline llvm::APInt toAPInt(double value, unsigned width) {
  return llvm::APInt(64, toInteger(value)).sextOrTrunc(width);
}

inline double fromAPInt(const llvm::APInt &value) {
  if (value.getBitWidth() == 1)
    return value.getBoolValue();
  return static_cast<double>(value.getSExtValue());
}

inline double maximum(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

inline double minimum(double a, double b) {
  return std::isnan(a) || a < b ? a : b;
}

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_INTEGER_H
