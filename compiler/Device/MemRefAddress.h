//===- MemRefAddress.h - Where an element of a buffer is --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For calls of C functions that take plain pointers.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_DEVICE_MEMREFADDRESS_H
#define CLIQUE_COMPILER_DEVICE_MEMREFADDRESS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace clique {

/// Bytes of an element in memory.
int64_t getElementBytes(mlir::Type type);

/// The address of the element at `indices`, an index.
mlir::Value getAddressAsIndex(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value buffer, mlir::ValueRange indices);

/// The same, an !llvm.ptr.
mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value buffer, mlir::ValueRange indices);

/// The address of the first element of a buffer without an offset.
mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value buffer);

/// Stack space, allocated at the start of the function around the builder's
/// place.
mlir::Value createScratch(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::MemRefType type);

} // namespace clique
#endif // CLIQUE_COMPILER_DEVICE_MEMREFADDRESS_H
