//===- Warp.cpp - Coordinates, barriers and shuffles ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels call to know who they are and to meet others.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Block.h"
#include "runtime/emulation/emulated.h"

#include <fmt/format.h>

using namespace clique::emulation;

int64_t clique_emu_thread_id(int32_t dim) {
  return Block::current()->threadIndex()[dim];
}
int64_t clique_emu_block_id(int32_t dim) {
  return Block::current()->index()[dim];
}
int64_t clique_emu_block_dim(int32_t dim) {
  return Block::current()->launch().block[dim];
}
int64_t clique_emu_grid_dim(int32_t dim) {
  return Block::current()->launch().grid[dim];
}

void *clique_emu_shared(void) { return Block::current()->shared().data(); }

void clique_emu_barrier(void) { Block::current()->waitAtBarrier(); }

void clique_emu_warp_sync(int32_t mask) {
  WarpCall call = {"a synchronisation", uint32_t(mask),
                   [](const WarpCall::Lanes &) {}};
  Block::current()->waitForLanes(call);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {
struct Shuffle : WarpCall {
  int64_t bits;
  int32_t operand, width, mode;
  int64_t result;

  /// The lane that `lane` reads; outside of its group if there is none.
  int source(int lane) const {
    switch (mode) {
    case CLIQUE_EMU_SHUFFLE_XOR:
      return lane ^ operand;
    case CLIQUE_EMU_SHUFFLE_UP:
      return lane - operand;
    case CLIQUE_EMU_SHUFFLE_DOWN:
      return lane + operand;
    default:
      return (lane & ~(width - 1)) | (operand & (width - 1));
    }
  }
};
} // namespace

static void exchange(const WarpCall::Lanes &lanes) {
  for (int lane = 0; lane < WarpCall::kLanes; ++lane) {
    if (!lanes[lane])
      continue;
    auto *call = static_cast<Shuffle *>(lanes[lane]);
    const int from = call->source(lane);
    const bool isInside = from >= 0 && from < WarpCall::kLanes &&
                          from / call->width == lane / call->width;
    if (isInside && !lanes[from])
      throw KernelError(fmt::format(
          "a shuffle: lane {} reads lane {}, which is not there", lane, from));
    call->result =
        isInside ? static_cast<Shuffle *>(lanes[from])->bits : call->bits;
  }
}

int64_t clique_emu_shuffle(int64_t bits, int32_t offset_or_lane, int32_t width,
                           int32_t mode, int32_t mask) {
  Block &block = *Block::current();
  if (width < 1 || width > WarpCall::kLanes || (width & (width - 1)) != 0 ||
      mode < CLIQUE_EMU_SHUFFLE_XOR || mode > CLIQUE_EMU_SHUFFLE_IDX)
    block.fail(fmt::format("a shuffle of width {} and mode {}, expected a "
                           "power of two up to 32 and a mode from 0 to 3",
                           width, mode));
  Shuffle call;
  call.name = "a shuffle";
  call.mask = uint32_t(mask);
  call.perform = exchange;
  call.bits = call.result = bits;
  call.operand = offset_or_lane;
  call.width = width;
  call.mode = mode;
  block.waitForLanes(call);
  return call.result;
}
