//===- Kernels.cpp - Kernels for the emulated driver ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image written by hand: the bodies of one thread. The faulty ones are what
// the emulation is there to find.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/emulated.h"

#include <cstring>

#define KERNEL(NAME)                                                           \
  extern "C" CLIQUE_EMU_API void clique_emu_kernel_##NAME(void **params);      \
  extern "C" void clique_emu_kernel_##NAME(void **params)

template <typename T>
static T param(void **params, int k) {
  T value;
  std::memcpy(&value, params[k], sizeof(value));
  return value;
}

static int32_t thread() { return int32_t(clique_emu_thread_id(0)); }

/// out[i] = 2 in[i] of f32, i < n.
KERNEL(twice) {
  auto *out = param<float *>(params, 0);
  auto *in = param<const float *>(params, 1);
  const auto n = param<int64_t>(params, 2);
  const int64_t i = clique_emu_block_id(0) * clique_emu_block_dim(0) + thread();
  if (i < n)
    out[i] = 2 * in[i];
}

/// Writes all twelve coordinates of each thread of a 3D launch.
KERNEL(coordinates) {
  auto *out = param<int64_t *>(params, 0);
  int64_t number = 0;
  for (int dim = 2; dim >= 0; --dim)
    number = number * clique_emu_grid_dim(dim) + clique_emu_block_id(dim);
  for (int dim = 2; dim >= 0; --dim)
    number = number * clique_emu_block_dim(dim) + clique_emu_thread_id(dim);
  for (int dim = 0; dim < 3; ++dim) {
    out[12 * number + dim] = clique_emu_thread_id(dim);
    out[12 * number + 3 + dim] = clique_emu_block_id(dim);
    out[12 * number + 6 + dim] = clique_emu_block_dim(dim);
    out[12 * number + 9 + dim] = clique_emu_grid_dim(dim);
  }
}

/// out[t] = what thread t - 1 (cyclically) put into shared memory; a barrier
/// in between if asked for.
KERNEL(neighbour) {
  auto *out = param<int32_t *>(params, 0);
  const auto hasBarrier = param<int32_t>(params, 1);
  auto *shared = static_cast<int32_t *>(clique_emu_shared());
  const auto n = int32_t(clique_emu_block_dim(0));
  shared[thread()] = 100 + thread();
  if (hasBarrier)
    clique_emu_barrier();
  out[thread()] = shared[(thread() + n - 1) % n];
}

/// out[t] = the shuffled number of thread t, whose own is 10 t.
KERNEL(shuffle) {
  auto *out = param<int64_t *>(params, 0);
  out[thread()] = clique_emu_shuffle(10 * thread(), param<int32_t>(params, 1),
                                     param<int32_t>(params, 2),
                                     param<int32_t>(params, 3), -1);
}

/// out[t] = the sum of the numbers of four lanes, which group k of a warp's
/// eight adds up k times: what `mask` gives group 0 meets, shifted or not.
KERNEL(groups) {
  auto *out = param<int64_t *>(params, 0);
  const auto mask = param<int32_t>(params, 1);
  const auto isShifted = param<int32_t>(params, 2);
  const int32_t first = thread() % 32 / 4 * 4;
  const auto lanes = int32_t(uint32_t(mask) << (isShifted ? first : 0));
  for (int32_t k = 0; k < first / 4; ++k) {
    int64_t sum = thread();
    for (int32_t bit = 1; bit <= 2; ++bit)
      sum += clique_emu_shuffle(sum, bit, 4, CLIQUE_EMU_SHUFFLE_XOR, lanes);
    out[thread()] = sum;
  }
}

/// Lane 3 does not take part.
KERNEL(divergent_shuffle) {
  if (thread() != 3)
    clique_emu_shuffle(0, 1, 32, CLIQUE_EMU_SHUFFLE_XOR, -1);
}

/// Even lanes shuffle, odd ones synchronise.
KERNEL(different_meetings) {
  if (thread() % 2)
    clique_emu_warp_sync(-1);
  else
    clique_emu_shuffle(0, 1, 32, CLIQUE_EMU_SHUFFLE_XOR, -1);
}

/// Thread 40 leaves before the barrier.
KERNEL(early_exit) {
  if (thread() != 40)
    clique_emu_barrier();
}

/// Lane pairs exchange through shared memory behind a synchronisation of half
/// of the warp.
KERNEL(half_warp) {
  auto *out = param<int32_t *>(params, 0);
  auto *shared = static_cast<int32_t *>(clique_emu_shared());
  const int32_t lane = thread() % 32;
  shared[thread()] = thread();
  clique_emu_warp_sync(lane < 16 ? 0xffff : int32_t(0xffff0000u));
  out[thread()] = shared[thread() ^ 1];
}

/// Copies 16 bytes per thread to shared memory; `waits` before reading them.
KERNEL(async_copy) {
  auto *out = param<int32_t *>(params, 0);
  auto *in = param<const int32_t *>(params, 1);
  const auto waits = param<int32_t>(params, 2);
  const auto sourceBytes = param<int32_t>(params, 3);
  auto *mine = static_cast<int32_t *>(clique_emu_shared()) + 8 * thread();
  clique_emu_copy_async(mine, in + 4 * thread(), 16, sourceBytes);
  clique_emu_copy_commit();
  clique_emu_copy_async(mine + 4, in + 4 * thread(), 16, 16);
  clique_emu_copy_commit();
  if (waits)
    clique_emu_copy_wait(1); // the first group is there, the second is not
  std::memcpy(out + 8 * thread(), mine, 32);
}

/// Writes where it must not: `where` bytes into shared memory (0) or a block of
/// the device (1).
KERNEL(poke) {
  const auto where = param<int64_t>(params, 1);
  auto *target = param<int32_t>(params, 2)
                     ? param<char *>(params, 0)
                     : static_cast<char *>(clique_emu_shared());
  static_cast<volatile char *>(target)[where] = 1;
}

static int recurse(volatile char *outer, int depth) {
  volatile char frame[1024] = {};
  frame[0] = outer[0];
  return depth ? recurse(frame, depth - 1) + frame[0] : frame[0];
}

KERNEL(deep_stack) {
  volatile char start = 1;
  const int sum = recurse(&start, param<int32_t>(params, 1));
  *param<int32_t *>(params, 0) = sum;
}

/// d = a b over one warp, as kernels do it: a (m x k) and b (n x k, or k x n
/// and transposed while loading) of 16 bits go through ldmatrix.
KERNEL(matrix_product) {
  auto *d = param<float *>(params, 0);
  auto *a = param<const uint16_t *>(params, 1);
  auto *b = param<const uint16_t *>(params, 2);
  const auto type = param<int32_t>(params, 3);
  const auto transposed = param<int32_t>(params, 4);
  auto *sharedA = static_cast<uint16_t *>(clique_emu_shared());
  auto *sharedB = sharedA + 16 * 16;
  const int lane = thread();
  for (int k = lane; k < 16 * 16; k += 32)
    sharedA[k] = a[k];
  for (int k = lane; k < 8 * 16; k += 32)
    sharedB[k] = b[k];
  clique_emu_warp_sync(-1);

  uint32_t fragmentA[4], fragmentB[2];
  clique_emu_ldmatrix(sharedA + lane % 16 * 16 + lane / 16 * 8, fragmentA, 4,
                      0);
  const uint16_t *row = transposed ? sharedB + lane % 16 * 8
                                   : sharedB + lane % 8 * 16 + lane / 8 % 2 * 8;
  clique_emu_ldmatrix(row, fragmentB, 2, transposed);
  float c[4] = {1, 1, 1, 1};
  clique_emu_mma(fragmentA, fragmentB, c, c, 16, 8, 16, type);
  for (int k = 0; k < 4; ++k)
    d[(lane / 4 + k / 2 * 8) * 8 + lane % 4 * 2 + k % 2] = c[k];
}

/// The same for tf32, whose fragments are read from memory one by one.
KERNEL(matrix_product_tf32) {
  auto *d = param<float *>(params, 0);
  auto *a = param<const float *>(params, 1); // 16 x 8
  auto *b = param<const float *>(params, 2); // 8 x 8, k x n
  const int lane = thread(), group = lane / 4, inGroup = lane % 4;
  const float fragmentA[4] = {
      a[group * 8 + inGroup], a[(group + 8) * 8 + inGroup],
      a[group * 8 + inGroup + 4], a[(group + 8) * 8 + inGroup + 4]};
  const float fragmentB[2] = {b[inGroup * 8 + group],
                              b[(inGroup + 4) * 8 + group]};
  float c[4] = {1, 1, 1, 1};
  clique_emu_mma(fragmentA, fragmentB, c, c, 16, 8, 8, CLIQUE_EMU_MMA_TF32);
  for (int k = 0; k < 4; ++k)
    d[(group + k / 2 * 8) * 8 + inGroup * 2 + k % 2] = c[k];
}

/// d = a b + 1 by the four warps of a warpgroup: a 64 x depth, b in panels of
/// `width`, one behind the other, as it is in memory.
KERNEL(warpgroup_product) {
  auto *d = param<float *>(params, 0); // 64 x columns
  auto *a = param<const uint16_t *>(params, 1);
  auto *b = param<const uint16_t *>(params, 2);
  const auto columns = param<int32_t>(params, 3);
  const auto depth = param<int32_t>(params, 4);
  const auto width = param<int32_t>(params, 5);
  const auto transposed = param<int32_t>(params, 6);
  auto *shared = static_cast<uint16_t *>(clique_emu_shared());
  const int lane = thread() % 32, row = thread() / 32 * 16 + lane / 4;
  for (int k = thread(); k < columns * depth; k += 128)
    shared[k] = b[k];
  uint16_t fragments[64];
  for (int k = 0; k < depth / 16; ++k)
    for (int e = 0; e < 8; ++e)
      fragments[8 * k + e] = a[(row + e / 2 % 2 * 8) * depth + 16 * k +
                               lane % 4 * 2 + e % 2 + e / 4 * 8];
  float c[128];
  for (float &sum : c)
    sum = 1;
  clique_emu_barrier();
  clique_emu_wgmma(fragments, shared, c, c, columns, depth, width, transposed,
                   CLIQUE_EMU_MMA_BF16);
  for (int k = 0; k < columns / 2; ++k)
    d[(row + k / 2 % 2 * 8) * columns + k / 4 * 8 + lane % 4 * 2 + k % 2] =
        c[k];
}

/// What no kernel may do; `what` says which of it.
KERNEL(wrong_use) {
  const auto what = param<int32_t>(params, 0);
  auto *global = param<const char *>(params, 1);
  auto *shared = static_cast<char *>(clique_emu_shared());
  const int lane = thread() % 32;
  uint32_t words[4] = {};
  switch (what) {
  case 0:
    clique_emu_shuffle(0, 1, 3, CLIQUE_EMU_SHUFFLE_XOR, -1);
    break;
  case 1:
    clique_emu_shuffle(0, 20, 32, CLIQUE_EMU_SHUFFLE_IDX, 0xffff);
    break;
  case 2:
    clique_emu_mma(words, words, words, words, 8, 8, 16, 0);
    break;
  case 3:
    clique_emu_mma(words, words, words, words, 16, 8, 16, lane == 5);
    break;
  case 4:
    clique_emu_ldmatrix(shared, words, 3, 0);
    break;
  case 5:
    clique_emu_ldmatrix(shared, words, 1, lane == 5);
    break;
  case 6:
    clique_emu_copy_async(shared, global + 1, 4, 4);
    break;
  case 8:
    clique_emu_wgmma(words, shared, words, words, 8, 16, 48, 1, 0);
    break;
  case 9:
    clique_emu_wgmma(words, shared, words, words, 8, 16, 16, 1, lane == 5);
    break;
  case 10:
    clique_emu_wgmma(words, shared + 32, words, words, 8, 16, 16, 1, 0);
    break;
  default:
    if (lane == 5)
      clique_emu_shuffle(0, 1, 32, CLIQUE_EMU_SHUFFLE_XOR, -1);
    else
      clique_emu_barrier();
  }
}

/// One 8 x 8 matrix, as each lane gets it.
KERNEL(load_matrix) {
  auto *out = param<uint32_t *>(params, 0);
  auto *shared = static_cast<uint16_t *>(clique_emu_shared());
  if (thread() < 8)
    for (int k = 0; k < 8; ++k)
      shared[8 * thread() + k] = uint16_t(8 * thread() + k);
  clique_emu_warp_sync(-1);
  clique_emu_ldmatrix(shared + 8 * (thread() % 8), out + thread(), 1,
                      param<int32_t>(params, 1));
}
