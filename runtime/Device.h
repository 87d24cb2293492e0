//===- Device.h - Where an invocation runs ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device and the stream of one invocation, as the rest of the runtime sees
// them. There is none for the CPU: a null Device is the host.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_DEVICE_H
#define CLIQUE_RUNTIME_DEVICE_H

#include "runtime/Memory.h"
#include "runtime/clique.h"

#include <memory>
#include <string>

namespace clique {

/// Made for an invocation, on its thread; gone with it. Everything is ordered
/// by the stream. Failures are thrown.
class Device {
public:
  virtual ~Device() = default;

  virtual DLDevice id() const = 0;
  virtual void *stream() const = 0;
  /// For scratch and results. Outlives this, and every tensor in it.
  virtual BlockCache &memory() = 0;
  /// For what other streams use too: freed memory waits for all of them.
  virtual BlockCache &sharedMemory() = 0;
  /// "CUDA device 0 (NVIDIA H200), 3 MiB of 143771 MiB free".
  virtual std::string describe() = 0;

  /// Waits until the bytes are there.
  virtual void read(void *host, const void *device, size_t bytes) = 0;
  /// The host's bytes may change when this returns.
  virtual void write(void *device, const void *host, size_t bytes) = 0;
  virtual void copy(void *to, const void *from, size_t bytes) = 0;
  /// Waits for everything that was put into the stream.
  virtual void wait() = 0;

  /// Starts a kernel; see clique_rt_launch.
  virtual void launch(clique_device_code &code, const char *kernel,
                      const int64_t *gridAndBlock, int64_t sharedBytes,
                      void **params) = 0;
  /// See clique_rt_constant.
  virtual const void *constant(clique_device_code &code, const void *host,
                               size_t bytes) = 0;
};

/// The device that the user chose, of the type that a layer asks for; nullptr
/// for the CPU.
std::unique_ptr<Device> openDevice(int32_t deviceType);

/// Forgets what was loaded for the code of a library that is closed.
void unloadDeviceCode(clique_device_code *code) noexcept;

/// A block of the device's memory() for a request that must not fail: throws an
/// error that says how much there is. `memory`: of that instead.
void *allocateOrFail(Device *device, const BlockRequest &request,
                     BlockCache *memory = nullptr);
/// Throws that error for so many bytes of the host's memory.
[[noreturn]] void failForMemory(uint64_t size);

} // namespace clique

#endif // CLIQUE_RUNTIME_DEVICE_H
