//===- Context.h - One CUDA device ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device's primary context, which other libraries of the process share, its
// memory and what has to be known about it. One per device, never destroyed.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_CUDA_CONTEXT_H
#define CLIQUE_RUNTIME_CUDA_CONTEXT_H

#include "runtime/Memory.h"
#include "runtime/cuda/Driver.h"

namespace clique::cuda {

class Context : private BlockSource {
public:
  /// The device with this number. Throws if there is none.
  static Context &get(int32_t ordinal);

  Driver &driver() const { return api; }
  int32_t ordinal() const { return number; }
  const std::string &name() const { return deviceName; }
  /// 90 is sm_90.
  int32_t capability() const { return computeCapability; }
  /// Bytes of shared memory that a block can have.
  int64_t maxSharedBytes() const { return sharedLimit; }
  CUcontext handle() const { return context; }
  BlockCache &memory() { return blocks; }
  /// "CUDA device 0 (NVIDIA H200)".
  std::string describe() const;

private:
  Context(Driver &driver, int32_t ordinal);
  int64_t attribute(DeviceAttribute which, CUdevice device);
  size_t bytesToKeep(CUdevice device);
  void *take(size_t bytes, size_t alignment, void *stream) override;
  void give(void *memory) noexcept override;
  /// Not in the default streams of threads, which share a name.
  bool isInOrder(void *stream) const override {
    return reinterpret_cast<uintptr_t>(stream) != CU_STREAM_PER_THREAD;
  }

  Driver &api;
  int32_t number;
  CUdevice device;
  std::string deviceName;
  int32_t computeCapability = 0;
  int64_t sharedLimit = 0;
  CUcontext context = nullptr;
  BlockCache blocks;
};

/// Makes a context the thread's current one, and puts the former back.
class CurrentContext {
public:
  explicit CurrentContext(const Context &context);
  ~CurrentContext();
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

private:
  Driver &driver;
  bool isPushed = false;
};

} // namespace clique::cuda

#endif // CLIQUE_RUNTIME_CUDA_CONTEXT_H
