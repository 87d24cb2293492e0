//===- BlockNames.cpp - Where a kernel went wrong -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, blocks and addresses in words.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Block.h"
#include "runtime/emulation/DeviceMemory.h"

#include <algorithm>
#include <fmt/format.h>

using namespace clique::emulation;

static std::string text(const Coordinates &at) {
  return fmt::format("({}, {}, {})", at[0], at[1], at[2]);
}

Coordinates Block::coordinates(int thread) const {
  const int64_t x = request.block[0], y = request.block[1];
  return {thread % x, thread / x % y, thread / (x * y)};
}

std::string Block::where() const {
  return fmt::format("kernel '{}', block {}", request.kernel, text(position));
}

std::string Block::name(int thread) const {
  return fmt::format("{}, thread {} (warp {}, lane {})", where(),
                     text(coordinates(thread)), thread / WarpCall::kLanes,
                     thread % WarpCall::kLanes);
}

std::string Block::describeAccess(void *address) const {
  const std::string access = fmt::format("accesses {}: ", address);
  if (std::string memory = workplace.shared.describe(address); !memory.empty())
    return access + memory;
  if (std::any_of(workplace.stacks.begin(), workplace.stacks.end(),
                  [&](const Stack &stack) { return stack.isGuard(address); }))
    return access +
           fmt::format("its stack of {} KiB is full", Stack::kBytes >> 10);
  if (std::string memory = DeviceMemory::get().describe(address);
      !memory.empty())
    return access + memory;
  return access + "no memory of the device";
}
