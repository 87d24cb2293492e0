/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel of cuda_layer.cpp, for the emulated driver. */
#include "runtime/emulation/emulated.h"

CLIQUE_EMU_API void clique_emu_kernel_twice(void **params) {
  float *out = *(float **)params[0];
  const float *in = *(const float **)params[1];
  const int64_t count = *(const int64_t *)params[2];
  const int64_t i = clique_emu_block_id(0) * clique_emu_block_dim(0) +
                    clique_emu_thread_id(0);
  if (i < count)
    out[i] = 2 * in[i];
}
