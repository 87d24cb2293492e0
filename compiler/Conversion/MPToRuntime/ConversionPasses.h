//===- ConversionPasses.h - Graphs to calls of the runtime ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction and registration of the pass convert-mp-to-runtime.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_CONVERSIONPASSES_H
#define CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_CONVERSIONPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/MPToRuntime/ConversionPasses.h.inc"
} // namespace clique

#endif // CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_CONVERSIONPASSES_H
