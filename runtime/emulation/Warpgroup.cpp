//===- Warpgroup.cpp - wgmma ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warp of a warpgroup has 16 rows of a product of 64, and nothing of the
// others: they need not meet here.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Block.h"
#include "runtime/emulation/Fragments.h"
#include "runtime/emulation/emulated.h"

#include <cstring>
#include <fmt/format.h>
#include <vector>

using namespace clique::emulation;

/// Of a warp; and bytes of an element.
constexpr int kRows = 16, kHalfBytes = 2;

namespace {
struct Wgmma : WarpCall {
  const void *a;
  const char *b;
  const void *c;
  void *d;
  int64_t start; ///< of b in the block's shared memory
  int32_t columns, depth, width, transposed, type;

  bool isAs(const Wgmma &other) const {
    return b == other.b && columns == other.columns && depth == other.depth &&
           width == other.width && transposed == other.transposed &&
           type == other.type && !c == !other.c;
  }
  float getRight(int deep, int column) const;
};
} // namespace

/// An element of b, wherever the instruction's swizzle has it.
float Wgmma::getRight(int deep, int column) const {
  const int row = transposed ? column : deep;
  const int place = transposed ? deep : column;
  const int rows = transposed ? columns : depth;
  int64_t bytes =
      (int64_t(place / width) * rows * width + row * width + place % width) *
      kHalfBytes;
  // Of an address, bits 4 to 6 are combined with bits 7 to 9; narrower panels
  // have fewer of them.
  const int64_t bits = width * kHalfBytes / 16 - 1;
  bytes ^= ((start + bytes) >> 7 & bits) << 4;
  return getElement(b + bytes, 0, type);
}

static void checkWarp(const WarpCall::Lanes &lanes) {
  requireAllLanes(lanes);
  const auto *first = static_cast<const Wgmma *>(lanes[0]);
  for (int lane = 0; lane < WarpCall::kLanes; ++lane) {
    const auto *call = static_cast<const Wgmma *>(lanes[lane]);
    if (!call->isAs(*first))
      throw KernelError(fmt::format(
          "a wgmma: lane {} does not multiply what lane 0 multiplies", lane));
  }
}

static void multiplyPanels(const WarpCall::Lanes &lanes) {
  checkWarp(lanes);
  const auto *first = static_cast<const Wgmma *>(lanes[0]);
  const int depth = first->depth, columns = first->columns;
  constexpr int perFragment = 8, fragmentDepth = 16;
  std::vector<double> a(size_t(kRows) * depth), b(size_t(depth) * columns);
  for (int lane = 0; lane < WarpCall::kLanes; ++lane)
    for (int k = 0; k < depth / fragmentDepth * perFragment; ++k) {
      const Position at = getPositionInA(lane, k % perFragment, first->type);
      a[size_t(at.row) * depth + k / perFragment * fragmentDepth + at.column] =
          getElement(static_cast<Wgmma *>(lanes[lane])->a, k, first->type);
    }
  for (int deep = 0; deep < depth; ++deep)
    for (int column = 0; column < columns; ++column)
      b[size_t(deep) * columns + column] = first->getRight(deep, column);
  constexpr int perPart = 4, partColumns = 8;
  for (int lane = 0; lane < WarpCall::kLanes; ++lane) {
    auto *call = static_cast<Wgmma *>(lanes[lane]);
    for (int k = 0; k < columns / 2; ++k) {
      const Position at = getPositionInC(lane, k % perPart);
      const int column = k / perPart * partColumns + at.column;
      float value = 0;
      if (call->c)
        std::memcpy(&value, static_cast<const char *>(call->c) + 4 * k, 4);
      double sum = value;
      for (int p = 0; p < depth; ++p)
        sum += a[size_t(at.row) * depth + p] * b[size_t(p) * columns + column];
      value = float(sum);
      std::memcpy(static_cast<char *>(call->d) + 4 * k, &value, 4);
    }
  }
}

void clique_emu_wgmma(const void *a, const void *b, const void *c, void *d,
                      int32_t columns, int32_t depth, int32_t width,
                      int32_t transposed, int32_t type) {
  Block &block = *Block::current();
  constexpr int perGroup = 4 * WarpCall::kLanes;
  const Coordinates &threads = block.launch().block;
  if (threads[0] * threads[1] * threads[2] % perGroup != 0)
    block.fail(fmt::format("a wgmma in a block of {} threads, expected a "
                           "multiple of 128",
                           threads[0] * threads[1] * threads[2]));
  if (columns < 8 || columns > 256 || columns % 8 != 0 || depth < 16 ||
      depth % 16 != 0 || (width != 16 && width != 32 && width != 64) ||
      (transposed ? depth : columns) % width != 0 ||
      (type != CLIQUE_EMU_MMA_F16 && type != CLIQUE_EMU_MMA_BF16))
    block.fail(fmt::format("a wgmma of m64n{}k{} with panels of {} and element "
                           "type {}, expected columns up to 256, a depth of 16 "
                           "each, panels of 16, 32 or 64 that divide one of "
                           "them, and type 0 or 1",
                           columns, depth, width, type));
  const auto *right = static_cast<const char *>(b);
  const int64_t bytes = int64_t(columns) * depth * kHalfBytes;
  constexpr int64_t alignment = 1024;
  const int64_t start = right - block.shared().data();
  if (!block.shared().contains(right, bytes) || start % alignment != 0)
    block.fail(fmt::format("a wgmma with {} bytes at {}, expected the block's "
                           "shared memory at a multiple of 1024",
                           bytes, b));
  Wgmma call;
  call.name = "a wgmma";
  call.mask = ~0u;
  call.perform = multiplyPanels;
  call.a = a;
  call.b = right;
  call.c = c;
  call.d = d;
  call.start = start;
  call.columns = columns;
  call.depth = depth;
  call.width = width;
  call.transposed = transposed;
  call.type = type;
  block.waitForLanes(call);
}
