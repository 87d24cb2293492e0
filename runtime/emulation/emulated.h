//===- emulated.h - What emulated kernels call ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's functions for kernels that run in the emulated CUDA driver. An
// image is an ELF shared object that exports, for each kernel,
//   void clique_emu_kernel_NAME(void **params)
// the body of one thread; params[k] points to parameter k. The functions below
// are resolved from the driver when the image is loaded.
//
// The driver is made to find faults: see docs/runtime.md.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_EMULATED_H
#define CLIQUE_RUNTIME_EMULATION_EMULATED_H

#include <stdint.h>

#define CLIQUE_EMU_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* Coordinates; dim is 0 (x) to 2 (z). */
CLIQUE_EMU_API int64_t clique_emu_thread_id(int32_t dim);
CLIQUE_EMU_API int64_t clique_emu_block_id(int32_t dim);
CLIQUE_EMU_API int64_t clique_emu_block_dim(int32_t dim);
CLIQUE_EMU_API int64_t clique_emu_grid_dim(int32_t dim);

/* All threads of the block wait for each other. */
CLIQUE_EMU_API void clique_emu_barrier(void);
/* The lanes in `mask` of a warp wait for each other. */
CLIQUE_EMU_API void clique_emu_warp_sync(int32_t mask);

/* What another lane of the warp hands in; a lane whose source is outside its
   group of `width` (a power of two) gets its own. The lanes in `mask` meet. */
enum clique_emu_shuffle_mode {
  CLIQUE_EMU_SHUFFLE_XOR = 0,
  CLIQUE_EMU_SHUFFLE_UP = 1,
  CLIQUE_EMU_SHUFFLE_DOWN = 2,
  CLIQUE_EMU_SHUFFLE_IDX = 3
};
CLIQUE_EMU_API int64_t clique_emu_shuffle(int64_t bits, int32_t offset_or_lane,
                                          int32_t width, int32_t mode,
                                          int32_t mask);

/* The block's dynamic shared memory: as large as the launch asked, all ones
   (NaN) at the start. */
CLIQUE_EMU_API void *clique_emu_shared(void);

/* d = a b + c over the warp: m16n8k16 of f16 and bf16, m16n8k8 of tf32, with
   f32 accumulators. Each points to this lane's fragment in the register order
   of PTX's mma.sync; d may be c. */
enum clique_emu_mma_type {
  CLIQUE_EMU_MMA_F16 = 0,
  CLIQUE_EMU_MMA_BF16 = 1,
  CLIQUE_EMU_MMA_TF32 = 2
};
CLIQUE_EMU_API void clique_emu_mma(const void *a, const void *b, const void *c,
                                   void *d, int32_t m, int32_t n, int32_t k,
                                   int32_t type);
/* d = a b + c by a warp of a warpgroup (wgmma.mma_async of m64nNk16), f32
   accumulators: 16 rows, `columns` of them, `depth` summed. a: depth / 16
   fragments of this lane one after the other; c may be null, for zero. b is
   shared memory, at a multiple of 1024 bytes from its start: a row for each
   step of the depth, or if `transposed` for each column, in panels of `width`
   elements (16, 32 or 64) one behind the other, swizzled as by the
   instruction's descriptor of this width. */
CLIQUE_EMU_API void clique_emu_wgmma(const void *a, const void *b,
                                     const void *c, void *d, int32_t columns,
                                     int32_t depth, int32_t width,
                                     int32_t transposed, int32_t type);
/* PTX's ldmatrix.m8n8.xNUM.b16: `row` is the address that this lane gives,
   `out` takes NUM registers of 32 bits. */
CLIQUE_EMU_API void clique_emu_ldmatrix(const void *row, void *out, int32_t num,
                                        int32_t transpose);

/* cp.async of 4, 8 or 16 bytes, of which `source_bytes` are read and the rest
   is zero. It lands when the thread waits for its group, not earlier; until
   then the destination holds no value. */
CLIQUE_EMU_API void clique_emu_copy_async(void *shared, const void *global,
                                          int32_t bytes, int32_t source_bytes);
CLIQUE_EMU_API void clique_emu_copy_commit(void);
/* Until at most the `groups_left` latest groups of this thread are missing. */
CLIQUE_EMU_API void clique_emu_copy_wait(int32_t groups_left);

/* Why the thread's last call of the driver failed, in words; "" if it did not.
   No CUDA driver has this function: it tells the emulated one. */
CLIQUE_EMU_API const char *clique_emu_last_error(void);

#ifdef __cplusplus
}
#endif
#endif /* CLIQUE_RUNTIME_EMULATION_EMULATED_H */
