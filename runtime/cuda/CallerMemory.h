//===- CallerMemory.h - Device memory of another library --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch and results in memory of the library that the caller's tensors are
// from. That library keeps what is freed, so nothing is kept here.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_CUDA_CALLERMEMORY_H
#define CLIQUE_RUNTIME_CUDA_CALLERMEMORY_H

#include "runtime/Memory.h"
#include "runtime/clique.h"

namespace clique::cuda {

/// The memory of an allocator on a device; never destroyed. Thread-safe.
BlockCache &callerMemory(const clique_cuda_allocator &allocator,
                         int32_t ordinal);

} // namespace clique::cuda

#endif // CLIQUE_RUNTIME_CUDA_CALLERMEMORY_H
