//===- Block.h - A block of emulated threads --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the threads of one block on one thread of the host. A thread runs until
// it has to meet others; then it is the turn of the next in the chosen order.
// Each order is one that a GPU may take: a kernel whose result depends on it
// lacks a barrier.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_BLOCK_H
#define CLIQUE_RUNTIME_EMULATION_BLOCK_H

#include "runtime/emulation/AsyncCopies.h"
#include "runtime/emulation/Fiber.h"
#include "runtime/emulation/SharedMemory.h"

#include <array>
#include <cstdint>
#include <random>
#include <setjmp.h> // NOLINT: sigsetjmp is POSIX
#include <stdexcept>
#include <string>
#include <vector>

namespace clique::emulation {

/// A kernel did what it must not do.
class KernelError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

using Coordinates = std::array<int64_t, 3>;

/// The order in which threads run between two points where they meet.
struct Order {
  enum Kind { Ascending, Descending, Random } kind = Ascending;
  uint64_t seed = 0;

  /// From CLIQUE_EMULATION_ORDER: ascending, descending, random or random:SEED.
  static Order fromEnvironment();
};

/// What cuLaunchKernel asks for.
struct Launch {
  std::string kernel;
  void (*entry)(void **params) = nullptr;
  void **params = nullptr;
  Coordinates grid, block;
  int64_t sharedBytes = 0;
  Order order;
};

/// A point where lanes of a warp meet; on the stack of the waiting thread.
struct WarpCall {
  static constexpr int kLanes = 32;
  using Lanes = std::array<WarpCall *, kLanes>;

  const char *name; ///< for messages: "a shuffle"
  uint32_t mask;    ///< the lanes that meet
  /// Does the work of all lanes; null for those that are not in the mask.
  void (*perform)(const Lanes &lanes);
};

/// What a host thread runs blocks with, kept between launches.
struct Workplace {
  std::vector<Stack> stacks;
  SharedMemory shared;
};

class Block {
public:
  Block(const Launch &launch, const Coordinates &index, Workplace &workplace);
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  /// Throws KernelError.
  void run();

  /// The block that this host thread runs; nullptr if none.
  static Block *current();

  // For the thread whose turn it is.
  const Launch &launch() const { return request; }
  const Coordinates &index() const { return position; }
  Coordinates threadIndex() const { return coordinates(running); }
  int lane() const { return running % WarpCall::kLanes; }
  SharedMemory &shared() const { return workplace.shared; }
  AsyncCopies &copies() { return threads[running].copies; }
  void waitAtBarrier();
  void waitForLanes(WarpCall &call);
  /// Ends the block with an error of the running thread.
  [[noreturn]] void fail(std::string message);
  /// The same from a signal handler, for an access to `address`.
  [[noreturn]] void failAccess(void *address);

private:
  enum class State : uint8_t { Ready, AtBarrier, InWarp, Ended };
  struct Thread {
    Fiber fiber;
    Block *block = nullptr;
    State state = State::Ready;
    WarpCall *call = nullptr;
    AsyncCopies copies;
  };

  static void runThread(void *thread);
  Coordinates coordinates(int thread) const;
  std::string name(int thread) const;
  std::string where() const;
  std::string describeAccess(void *address) const;
  int numThreads() const { return int(threads.size()); }
  int numLanes(int warp) const;
  void markReady(int thread);
  int takeNext();
  int pickWarp();
  static int pickBit(uint32_t bits, const Order &order,
                     std::minstd_rand &random);
  void schedule();
  void step(int thread);
  void meetWarp(int thread);
  void openBarrier();
  std::string describeWait(int thread) const;

  const Launch &request;
  const Coordinates position;
  Workplace &workplace;
  std::vector<Thread> threads;
  std::vector<uint32_t> readyLanes; ///< by warp
  uint32_t readyWarps = 0;
  std::minstd_rand random;
  bool warpsRunOn = true; ///< in random order, until the next barrier
  int lastWarp = 0;
  int running = -1;
  int numEnded = 0, numAtBarrier = 0;
  std::string error; ///< of the running thread
  void *faultAddress = nullptr;
  sigjmp_buf faultExit;
};

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_BLOCK_H
