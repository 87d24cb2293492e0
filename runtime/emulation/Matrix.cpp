//===- Matrix.cpp - mma.sync and ldmatrix ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Block.h"
#include "runtime/emulation/Fragments.h"
#include "runtime/emulation/emulated.h"

#include <cstring>
#include <fmt/format.h>

using namespace clique::emulation;

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

namespace {
struct Mma : WarpCall {
  const void *a, *b, *c;
  void *d;
  int32_t type;
};
} // namespace

static void multiply(const WarpCall::Lanes &lanes) {
  constexpr int rows = 16, columns = 8, maxDepth = 16;
  double a[rows][maxDepth], b[maxDepth][columns];
  int32_t type = -1;
  requireAllLanes(lanes);
  for (int lane = 0; lane < WarpCall::kLanes; ++lane) {
    const auto *call = static_cast<const Mma *>(lanes[lane]);
    if (type >= 0 && call->type != type)
      throw KernelError(
          fmt::format("an mma: lane {} has element type {}, lane 0 has {}",
                      lane, call->type, type));
    type = call->type;
    const int perThread = type == CLIQUE_EMU_MMA_TF32 ? 4 : 8;
    for (int k = 0; k < perThread; ++k) {
      Position at = getPositionInA(lane, k, type);
      a[at.row][at.column] = getElement(call->a, k, type);
    }
    for (int k = 0; k < perThread / 2; ++k) {
      Position at = getPositionInB(lane, k, type);
      b[at.row][at.column] = getElement(call->b, k, type);
    }
  }
  const int depth = type == CLIQUE_EMU_MMA_TF32 ? 8 : 16;
  for (int lane = 0; lane < WarpCall::kLanes; ++lane) {
    auto *call = static_cast<Mma *>(lanes[lane]);
    for (int k = 0; k < 4; ++k) {
      const Position at = getPositionInC(lane, k);
      float value;
      std::memcpy(&value, static_cast<const char *>(call->c) + 4 * k, 4);
      double sum = value;
      for (int p = 0; p < depth; ++p)
        sum += a[at.row][p] * b[p][at.column];
      value = float(sum);
      std::memcpy(static_cast<char *>(call->d) + 4 * k, &value, 4);
    }
  }
}

void clique_emu_mma(const void *a, const void *b, const void *c, void *d,
                    int32_t m, int32_t n, int32_t k, int32_t type) {
  Block &block = *Block::current();
  const bool isTf32 = type == CLIQUE_EMU_MMA_TF32;
  if (m != 16 || n != 8 || k != (isTf32 ? 8 : 16) || type < 0 || type > 2)
    block.fail(fmt::format("an mma of m{}n{}k{} and element type {}, expected "
                           "m16n8k16 of type 0 or 1, or m16n8k8 of type 2",
                           m, n, k, type));
  Mma call;
  call.name = "an mma";
  call.mask = ~0u;
  call.perform = multiply;
  call.a = a;
  call.b = b;
  call.c = c;
  call.d = d;
  call.type = type;
  block.waitForLanes(call);
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

namespace {
struct LoadMatrix : WarpCall {
  const void *row;
  void *out;
  int32_t num, transpose;
};
} // namespace

static void checkLanes(const WarpCall::Lanes &lanes) {
  requireAllLanes(lanes);
  const auto *first = static_cast<const LoadMatrix *>(lanes[0]);
  for (int lane = 0; lane < WarpCall::kLanes; ++lane) {
    const auto *call = static_cast<const LoadMatrix *>(lanes[lane]);
    if (call->num != first->num || call->transpose != first->transpose)
      throw KernelError(fmt::format(
          "an ldmatrix: lane {} does not load what lane 0 loads", lane));
  }
}

/// Lanes 8 k to 8 k + 7 give the rows of matrix k; every lane gets two
/// neighbours of row lane / 4, or of that column.
static void loadMatrices(const WarpCall::Lanes &lanes) {
  checkLanes(lanes);
  const auto *first = static_cast<const LoadMatrix *>(lanes[0]);
  for (int k = 0; k < first->num; ++k) {
    uint16_t matrix[8][8];
    for (int row = 0; row < 8; ++row)
      std::memcpy(matrix[row],
                  static_cast<const LoadMatrix *>(lanes[8 * k + row])->row,
                  sizeof(matrix[row]));
    for (int lane = 0; lane < WarpCall::kLanes; ++lane) {
      auto *call = static_cast<LoadMatrix *>(lanes[lane]);
      const int row = lane / 4, column = lane % 4 * 2;
      uint16_t pair[2] = {matrix[row][column], matrix[row][column + 1]};
      if (call->transpose) {
        pair[0] = matrix[column][row];
        pair[1] = matrix[column + 1][row];
      }
      std::memcpy(static_cast<char *>(call->out) + 4 * k, pair, sizeof(pair));
    }
  }
}

void clique_emu_ldmatrix(const void *row, void *out, int32_t num,
                         int32_t transpose) {
  Block &block = *Block::current();
  if (num != 1 && num != 2 && num != 4)
    block.fail(
        fmt::format("an ldmatrix of {} matrices, expected 1, 2 or 4", num));
  // Lanes beyond the last row may give any address.
  const bool isUsed = block.lane() < 8 * num;
  if (isUsed && (!block.shared().contains(row, 16) ||
                 reinterpret_cast<uintptr_t>(row) % 16 != 0))
    block.fail(fmt::format("an ldmatrix of a row at {}, expected 16 bytes of "
                           "the block's shared memory at a multiple of 16",
                           row));
  LoadMatrix call;
  call.name = "an ldmatrix";
  call.mask = ~0u;
  call.perform = loadMatrices;
  call.row = row;
  call.out = out;
  call.num = num;
  call.transpose = transpose;
  block.waitForLanes(call);
}
