//===- ThreadPasses.h - Block functions for threads of a device -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_THREADS_THREADPASSES_H
#define CLIQUE_COMPILER_THREADS_THREADPASSES_H

#include "compiler/Analysis/PositiveSize.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace clique {
#define GEN_PASS_DECL
#include "compiler/Threads/ThreadPasses.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/Threads/ThreadPasses.h.inc"

using mp::kRowsAttr;
using mp::kSharedBytesAttr;
using mp::kThreadsAttr;
} // namespace clique
#endif // CLIQUE_COMPILER_THREADS_THREADPASSES_H
