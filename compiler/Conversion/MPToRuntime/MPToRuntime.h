//===- MPToRuntime.h - Graphs to calls of the runtime -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of convert-mp-to-runtime: the lifetime of graphs, and the patterns
// for the ops on them.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_MPTORUNTIME_H
#define CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_MPTORUNTIME_H

#include "compiler/Conversion/RuntimeCalls.h"
#include "mlir/Transforms/DialectConversion.h"

namespace clique {

/// Releases each graph that an op of `module` makes at the end of its block. An
/// error if the graph is used after that.
mlir::LogicalResult releaseGraphs(mlir::ModuleOp module,
                                  const RuntimeCalls &runtime);

/// Adds the patterns for the ops that make, change and measure graphs, and
/// makes those ops illegal.
void populateGraphOpConversion(const mlir::TypeConverter &converter,
                               const RuntimeCalls &runtime,
                               mlir::RewritePatternSet &patterns,
                               mlir::ConversionTarget &target);

/// The same for what loops read of graphs, and for edge features as tensors.
void populateAccessOpConversion(const mlir::TypeConverter &converter,
                                const RuntimeCalls &runtime,
                                mlir::RewritePatternSet &patterns,
                                mlir::ConversionTarget &target);

} // namespace clique

#endif // CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_MPTORUNTIME_H
