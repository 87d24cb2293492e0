//===- InitAll.h - Everything the tools register ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One place that names every dialect, interface and pass, so that all tools
// understand the same IR.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_INITALL_H
#define CLIQUE_COMPILER_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace clique {

/// Registers the `mp` dialect, and the upstream dialects and extensions that a
/// spec or any stage of its compilation may hold.
void registerAll(mlir::DialectRegistry &registry);

/// Registers Clique's passes and pipelines by name.
void registerPasses();

} // namespace clique

#endif // CLIQUE_COMPILER_INITALL_H
