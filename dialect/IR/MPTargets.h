//===- MPTargets.h - Descriptions of machines -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How passes ask for the machine that their module is compiled for.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPTARGETS_H
#define CLIQUE_DIALECT_IR_MPTARGETS_H

#include "dialect/IR/MPDialect.h"

namespace clique::mp {

/// The attribute of a module: #mp.cpu<...> or #mp.gpu<...>.
constexpr llvm::StringLiteral kTargetAttr = "mp.target";

/// The element type that an argument of a block function has in memory, where
/// its elements were widened before: what is written here of each is exact.
constexpr llvm::StringLiteral kWidenedFromAttr = "mp.widened_from";

/// Of an argument that is an array of row numbers, an i64: rows are fetched
/// into the caches while the entry that many before theirs is read.
constexpr llvm::StringLiteral kPrefetchAttr = "mp.prefetch";

/// Of a block function whose rows are computed by several threads of a GPU: how
/// many, and how many destinations its tiles have.
constexpr llvm::StringLiteral kThreadsAttr = "mp.threads";
constexpr llvm::StringLiteral kRowsAttr = "mp.rows";
/// Of its argument that is the first row of these destinations.
constexpr llvm::StringLiteral kFirstDestinationAttr = "mp.first_destination";
/// The half precision in which all floats are stored that the function reads
/// and writes: what it multiplies may be rounded to it.
constexpr llvm::StringLiteral kProductTypeAttr = "mp.product_type";
/// How much shared memory these threads take, in bytes.
constexpr llvm::StringLiteral kSharedBytesAttr = "mp.shared_bytes";

/// The GPU that the module around `op` is for; null if it is for a CPU.
GpuAttr getGpu(mlir::Operation *op);
/// The same; the default of a module that does not say.
GpuAttr getGpuOrDefault(mlir::Operation *op);

/// The CPU that the module around `op` is for: of a module for a GPU, which
/// says nothing of its host, and of one that says nothing, the default.
CpuAttr getCpu(mlir::Operation *op);

/// 32 registers of 512 bits.
CpuAttr getDefaultCpu(mlir::MLIRContext *context);
/// Shared memory as from sm_90 on, and the matrix instructions that all have.
GpuAttr getDefaultGpu(mlir::MLIRContext *context);

mlir::LogicalResult verifyTarget(mlir::Operation *op,
                                 mlir::NamedAttribute attr);
/// Of what a block function says of its threads; any other attribute is right.
mlir::LogicalResult verifyThreads(mlir::Operation *op,
                                  mlir::NamedAttribute attr);

/// Of what a function says of an argument.
mlir::LogicalResult verifyArgument(mlir::Operation *op, mlir::Type type,
                                   mlir::NamedAttribute attr);

} // namespace clique::mp
#endif // CLIQUE_DIALECT_IR_MPTARGETS_H
