//===- cuda_layer.cpp - A CUDA layer written by hand ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twice(h) = 2 h, with a kernel for the emulated driver: the file kernels.so.
//
//===----------------------------------------------------------------------===//
#include "runtime/compiled.h"

__asm__(".section .rodata\n"
        ".balign 64\n"
        "image: .incbin \"kernels.so\"\n"
        ".previous\n");

extern "C" const char image[];

namespace {
struct Matrix {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};
} // namespace

static const clique_device_image images[] = {{"emulated", image, 0}};
static clique_device_code code = {1, 0, images, nullptr};

static void run(void **args) {
  const Matrix &in = *static_cast<const Matrix *>(args[0]);
  Matrix &out = *static_cast<Matrix *>(args[1]);
  int64_t count = in.sizes[0] * in.sizes[1];
  out = in;
  out.allocated = out.aligned =
      static_cast<float *>(_mlir_memref_to_llvm_alloc(count * sizeof(float)));
  const float *from = in.aligned;
  void *params[] = {&out.aligned, &from, &count};
  const int64_t sizes[] = {(count + 63) / 64, 1, 1, 64, 1, 1};
  clique_rt_launch(&code, "twice", sizes, 0, params);
}

static const int64_t shape[] = {CLIQUE_DYNAMIC, 4};
static const DLDataType f32 = {kDLFloat, 32, 1};
static const clique_arg h = {
    "h", CLIQUE_ARG_TENSOR, CLIQUE_EXTENT_NONE, -1, 7, 0, 0, f32, 2, 0, shape};
static const clique_arg out = {
    "out", CLIQUE_ARG_TENSOR, CLIQUE_EXTENT_NONE, -1, 7, 0, 0, f32, 2, 0,
    shape};
static const clique_variant variant = {"", run};
static const clique_layer twice = {
    CLIQUE_ABI_VERSION, 1,       1, 1,    "twice", &h, &out,
    &variant,           kDLCUDA, 0, &code};

extern "C" {
CLIQUE_API extern const clique_layer *const clique_layers[];
const clique_layer *const clique_layers[] = {&twice, nullptr};
}
