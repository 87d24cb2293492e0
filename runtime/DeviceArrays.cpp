//===- DeviceArrays.cpp - The host's arrays on devices --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A caller's graph serves any stream, as constants do, so its arrays are
// complete before they are handed out, and go back to the device, which waits
// for the kernels that read them. A graph that a layer made lives and dies on
// one stream.
//
//===----------------------------------------------------------------------===//
#include "runtime/DeviceArrays.h"

using namespace clique;

const void *DeviceArrays::get(Device &device, const void *host, size_t bytes,
                              bool isShared) {
  if (bytes == 0)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  BlockCache &memory = device.sharedMemory();
  Copy &copy = copies[{&memory, host}];
  if (copy.block)
    return copy.block;
  BlockRequest request;
  request.size = bytes;
  request.stream = device.stream();
  request.isCounted = false; // as on the host: not the layer's memory
  void *block = allocateOrFail(&device, request, &memory);
  try {
    device.write(block, host, bytes);
    if (isShared)
      device.wait();
  } catch (...) {
    memory.discard(block);
    throw;
  }
  copy = {block, isShared};
  return block;
}

DeviceArrays::~DeviceArrays() {
  for (auto &[key, copy] : copies) {
    if (copy.isShared)
      key.first->discard(copy.block);
    else
      key.first->free(copy.block);
  }
}
