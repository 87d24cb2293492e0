//===- Memory.h - Memory of compiled layers ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch and result memory: 64-byte-aligned blocks that are kept for reuse, so
// that a layer called again neither asks the system nor touches fresh pages.
// The allocator knows its live blocks: a pointer that is not one of them is
// left alone. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_MEMORY_H
#define CLIQUE_RUNTIME_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace clique {

/// Vectors of AVX-512 and cache lines.
constexpr size_t kBlockAlignment = 64;

/// A block of at least `size` bytes, also for 0; nullptr if there is none.
/// `owner` names the invocation that asks, 0 for none.
void *allocateBlock(size_t size, size_t alignment, uint64_t owner) noexcept;
/// Gives a block back. Ignores what is not a live block.
void freeBlock(void *block) noexcept;
/// Whether `pointer` is the start of a live block that `owner` asked for.
bool ownsBlock(uint64_t owner, const void *pointer) noexcept;
/// Gives back all live blocks of an invocation that was ended early.
void freeBlocksOf(uint64_t owner) noexcept;

} // namespace clique

#endif // CLIQUE_RUNTIME_MEMORY_H
