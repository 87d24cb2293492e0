//===- Grid.cpp - All blocks of a launch ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread of the host takes one block after the other.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Grid.h"
#include "runtime/emulation/DeviceMemory.h"
#include "runtime/emulation/Faults.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <thread>

using namespace clique::emulation;

//===----------------------------------------------------------------------===//
// Workplaces
//===----------------------------------------------------------------------===//

namespace {
/// Stacks and shared memory that no launch uses at the moment.
struct Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<Workplace>> idle;
};

/// A workplace on loan.
class Loan {
public:
  Loan();
  ~Loan();
  Loan(const Loan &) = delete;
  Loan &operator=(const Loan &) = delete;
  Workplace &operator*() const { return *workplace; }

private:
  std::unique_ptr<Workplace> workplace;
};
} // namespace

static Pool &pool() {
  static auto *instance = new Pool;
  return *instance;
}

Loan::Loan() {
  {
    std::lock_guard<std::mutex> lock(pool().mutex);
    if (!pool().idle.empty()) {
      workplace = std::move(pool().idle.back());
      pool().idle.pop_back();
      return;
    }
  }
  workplace = std::make_unique<Workplace>();
}

Loan::~Loan() {
  std::lock_guard<std::mutex> lock(pool().mutex);
  pool().idle.push_back(std::move(workplace));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
class Grid {
public:
  explicit Grid(const Launch &launch)
      : launch(launch),
        numBlocks(launch.grid[0] * launch.grid[1] * launch.grid[2]) {}

  void run();

private:
  void work() noexcept;
  void runBlock(int64_t number, Workplace &workplace);

  const Launch &launch;
  const int64_t numBlocks;
  std::atomic<int64_t> next{0};
  std::mutex mutex;
  int64_t failedBlock = -1;
  std::string error;
};
} // namespace

void Grid::runBlock(int64_t number, Workplace &workplace) {
  const int64_t x = launch.grid[0], y = launch.grid[1];
  Block(launch, {number % x, number / x % y, number / (x * y)}, workplace)
      .run();
}

void Grid::work() noexcept {
  SignalStack signalStack;
  Loan workplace;
  const bool isReversed = launch.order.kind == Order::Descending;
  for (int64_t k = next++; k < numBlocks; k = next++) {
    try {
      runBlock(isReversed ? numBlocks - 1 - k : k, *workplace);
    } catch (const std::exception &failure) {
      // The first block's, so that the message does not depend on timing.
      std::lock_guard<std::mutex> lock(mutex);
      if (failedBlock < 0 || k < failedBlock) {
        failedBlock = k;
        error = failure.what();
      }
      next = numBlocks;
    }
  }
}

void Grid::run() {
  const int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> helpers;
  for (int64_t k = 1; k < std::min(cores, numBlocks); ++k)
    helpers.emplace_back([this] { work(); });
  work();
  for (std::thread &helper : helpers)
    helper.join();
  if (!error.empty())
    throw KernelError(error);
}

void clique::emulation::runGrid(const Launch &launch) {
  DeviceAccess access;
  Grid(launch).run();
  if (std::string overrun = DeviceMemory::get().findOverrun(); !overrun.empty())
    throw KernelError(fmt::format("kernel '{}': {}", launch.kernel, overrun));
}
