//===- DevicePasses.h - Kernels of a gpu.module to code ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_DEVICE_DEVICEPASSES_H
#define CLIQUE_COMPILER_DEVICE_DEVICEPASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

#endif // CLIQUE_COMPILER_DEVICE_DEVICEPASSES_H
