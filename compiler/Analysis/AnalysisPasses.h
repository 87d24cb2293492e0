//===- AnalysisPasses.h - What all passes ask -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_ANALYSISPASSES_H
#define CLIQUE_COMPILER_ANALYSIS_ANALYSISPASSES_H

#include "dialect/IR/MPDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Analysis/AnalysisPasses.h.inc"

/// Describes the machine of `module`, if that does not do so itself. Fails,
/// with an error, where it describes one of another kind.
mlir::LogicalResult attachTarget(mlir::ModuleOp module, mlir::Attribute target);
} // namespace clique

#endif // CLIQUE_COMPILER_ANALYSIS_ANALYSISPASSES_H
