//===- Compiled.cpp - What compiled code calls in the runtime -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of compiled.h that decide, check, allocate, launch and copy.
//
//===----------------------------------------------------------------------===//
#include "runtime/Caches.h"
#include "runtime/CompiledArrays.h"
#include "runtime/CostModel.h"
#include "runtime/Decisions.h"

#include <cstring>

using namespace clique;

//===----------------------------------------------------------------------===//
// Decisions and checks
//===----------------------------------------------------------------------===//

bool clique_rt_choose_dense(const clique_graph *g, const char *kernel,
                            int64_t versions, int64_t edge, int64_t far_edge,
                            int64_t source_bytes, int64_t row, int64_t pair,
                            int64_t masked_pair, int64_t tile_edge,
                            int64_t tile_rows, int64_t register_block,
                            int64_t even_saving) {
  return guardedForLayer([&] {
    Choice choice =
        chooseLowering(*g, kernel, versions,
                       {edge, far_edge, source_bytes, row, pair, masked_pair,
                        tile_edge, tile_rows, register_block, even_saving});
    recordDecision(kernel, *g, choice);
    return choice.dense;
  });
}

bool clique_rt_outgrows_caches(int64_t bytes) {
  return bytes >= cacheSizes().last / 2;
}

int64_t _mlir_ciface_clique_rt_check_offsets(Memref1D<const int64_t> *offsets,
                                             int64_t total) {
  return guardedForLayer([&] {
    Elements<int64_t> values(*offsets);
    const int64_t count = values.size() - 1;
    if (count < 0)
      fail(CLIQUE_INVALID_ARGUMENT,
           "batch: offsets are empty, expected one offset more than "
           "graphs");
    checkOffsets("batch", count, values.data());
    if (values.data()[count] != total)
      fail(CLIQUE_INVALID_ARGUMENT,
           "batch: the last offset is {}, expected {}, the number of "
           "nodes",
           values.data()[count], total);
    return count;
  });
}

static std::string describeRange(int64_t least, int64_t most) {
  if (most < least)
    return "none";
  if (most == least)
    return std::to_string(least);
  if (most == INT64_MAX)
    return fmt::format("{} or more", least);
  if (least == INT64_MIN)
    return fmt::format("at most {}", most);
  return fmt::format("{} to {}", least, most);
}

void clique_rt_check(int64_t actual, int64_t least, int64_t most,
                     const char *what) {
  if (least <= actual && actual <= most)
    return;
  guardedForLayer([&] {
    fail(CLIQUE_INVALID_ARGUMENT, "{}: given {}, expected {}", what, actual,
         describeRange(least, most));
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment, uint64_t size) {
  // A null pointer would be written to.
  return guardedForLayer([&] {
    Device *device = Invocation::currentDevice();
    BlockRequest request;
    request.size = size;
    request.alignment = alignment;
    request.owner = Invocation::currentId();
    request.stream = device ? device->stream() : nullptr;
    return allocateOrFail(device, request);
  });
}

void *_mlir_memref_to_llvm_alloc(uint64_t size) {
  return _mlir_memref_to_llvm_aligned_alloc(kBlockAlignment, size);
}

void *clique_rt_try_alloc(uint64_t alignment, uint64_t size) {
  BlockRequest request;
  request.size = size;
  request.alignment = alignment;
  try {
    return hostMemory().allocate(request);
  } catch (...) {
    return nullptr;
  }
}

void clique_rt_out_of_memory(uint64_t size) {
  guardedForLayer([&] { failForMemory(size); });
}

void _mlir_memref_to_llvm_free(void *ptr) {
  const Invocation *invocation = Invocation::current();
  (invocation ? invocation->memory() : hostMemory()).free(ptr);
}

bool clique_rt_take_argument(const void *argument, int64_t size) {
  Invocation *invocation = Invocation::current();
  return invocation && invocation->takeArgument(argument, size_t(size));
}

void clique_rt_free_argument(const void *argument) {
  if (clique_rt_take_argument(argument, 0))
    _mlir_memref_to_llvm_free(const_cast<void *>(argument));
}

//===----------------------------------------------------------------------===//
// Kernels and copies
//===----------------------------------------------------------------------===//

void clique_rt_launch(clique_device_code *code, const char *kernel,
                      const int64_t *grid_and_block, int64_t shared_bytes,
                      void **params) {
  guardedForLayer([&] {
    Device *device = Invocation::currentDevice();
    if (!device || !code)
      fail(CLIQUE_INCOMPATIBLE,
           "kernel '{}': started by a layer that was compiled for the CPU; "
           "compile it again",
           kernel);
    failIfInterrupted(clique_rt_interruption());
    device->launch(*code, kernel, grid_and_block, shared_bytes, params);
  });
}

void clique_rt_unload(clique_device_code *code) { unloadDeviceCode(code); }

/// Copies on the invocation's device, or on the host if there is none.
template <typename Fn>
static void copyBytes(void *to, const void *from, int64_t bytes,
                      Fn &&onDevice) {
  if (bytes <= 0)
    return;
  guardedForLayer([&] {
    if (Device *device = Invocation::currentDevice())
      onDevice(*device);
    else
      std::memmove(to, from, size_t(bytes));
  });
}

void clique_rt_read(void *host, const void *device, int64_t bytes) {
  copyBytes(host, device, bytes,
            [&](Device &d) { d.read(host, device, size_t(bytes)); });
}

void clique_rt_write(void *device, const void *host, int64_t bytes) {
  copyBytes(device, host, bytes,
            [&](Device &d) { d.write(device, host, size_t(bytes)); });
}

const void *clique_rt_constant(clique_device_code *code, const void *host,
                               int64_t bytes) {
  return guardedForLayer([&]() -> const void * {
    Device *device = Invocation::currentDevice();
    return device ? device->constant(*code, host, size_t(bytes)) : host;
  });
}

void clique_rt_copy(void *device_to, const void *device_from, int64_t bytes) {
  copyBytes(device_to, device_from, bytes,
            [&](Device &d) { d.copy(device_to, device_from, size_t(bytes)); });
}
