//===- Block.cpp - A block of emulated threads ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scheduler: whose turn it is, and who may go on.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Block.h"

#include <cstdlib>
#include <fmt/format.h>

using namespace clique::emulation;

/// Fibers never change their host thread.
static thread_local Block *currentBlock = nullptr;

Block *Block::current() { return currentBlock; }

Block::Block(const Launch &launch, const Coordinates &index,
             Workplace &workplace)
    : request(launch), position(index), workplace(workplace),
      threads(launch.block[0] * launch.block[1] * launch.block[2]),
      readyLanes((threads.size() + WarpCall::kLanes - 1) / WarpCall::kLanes, 0),
      random(uint32_t(launch.order.seed * 1000003 + index[0] * 31 +
                      index[1] * 17 + index[2] + 1)) {
  while (workplace.stacks.size() < threads.size())
    workplace.stacks.emplace_back();
  workplace.shared.reset(launch.sharedBytes);
  for (int k = 0; k < numThreads(); ++k) {
    threads[k].block = this;
    threads[k].fiber.start(workplace.stacks[k], runThread, &threads[k]);
    markReady(k);
  }
}

Order Order::fromEnvironment() {
  Order order;
  const char *text = std::getenv("CLIQUE_EMULATION_ORDER");
  const std::string name = text ? text : "ascending";
  if (name == "descending") {
    order.kind = Descending;
  } else if (name == "random") {
    order.kind = Random;
  } else if (name.compare(0, 7, "random:") == 0 && name.size() > 7 &&
             name.find_first_not_of("0123456789", 7) == std::string::npos) {
    order.kind = Random;
    order.seed = std::strtoull(name.c_str() + 7, nullptr, 10);
  } else if (name != "ascending" && !name.empty()) {
    throw KernelError(fmt::format(
        "CLIQUE_EMULATION_ORDER: '{}', expected ascending, descending, random "
        "or random:SEED",
        name));
  }
  return order;
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

void Block::markReady(int thread) {
  threads[thread].state = State::Ready;
  readyLanes[thread / WarpCall::kLanes] |= 1u << (thread % WarpCall::kLanes);
  readyWarps |= 1u << (thread / WarpCall::kLanes);
}

int Block::pickBit(uint32_t bits, const Order &order,
                   std::minstd_rand &random) {
  if (order.kind == Order::Ascending)
    return __builtin_ctz(bits);
  if (order.kind == Order::Descending)
    return 31 - __builtin_clz(bits);
  for (int skip = int(random() % __builtin_popcount(bits)); skip > 0; --skip)
    bits &= bits - 1;
  return __builtin_ctz(bits);
}

/// In random order warps run on as far as they can between most barriers, and
/// take turns between others: where all take turns, each has come as far as the
/// others when they exchange data, and no missing barrier shows.
int Block::pickWarp() {
  if (request.order.kind != Order::Random)
    return pickBit(readyWarps, request.order, random);
  const bool isReady = readyWarps >> lastWarp & 1;
  if (!warpsRunOn || !isReady)
    lastWarp = pickBit(readyWarps, request.order, random);
  return lastWarp;
}

/// The next thread to run, which is ready no longer; -1 if there is none.
int Block::takeNext() {
  if (!readyWarps)
    return -1;
  const int warp = pickWarp();
  const int lane = pickBit(readyLanes[warp], request.order, random);
  readyLanes[warp] &= ~(1u << lane);
  if (!readyLanes[warp])
    readyWarps &= ~(1u << warp);
  return warp * WarpCall::kLanes + lane;
}

void Block::runThread(void *argument) {
  auto *thread = static_cast<Thread *>(argument);
  thread->block->request.entry(thread->block->request.params);
  thread->state = State::Ended;
  thread->fiber.giveWay();
}

void Block::step(int thread) {
  running = thread;
  threads[thread].fiber.resume();
  if (!error.empty())
    throw KernelError(error);
  switch (threads[thread].state) {
  case State::AtBarrier:
    ++numAtBarrier;
    break;
  case State::InWarp:
    meetWarp(thread);
    break;
  case State::Ended:
    ++numEnded;
    break;
  case State::Ready:
    break;
  }
}

void Block::schedule() {
  while (numEnded < numThreads()) {
    if (int thread = takeNext(); thread >= 0)
      step(thread);
    else
      openBarrier();
  }
  if (std::string overrun = workplace.shared.findOverrun(); !overrun.empty())
    throw KernelError(where() + ": " + overrun);
}

namespace {
/// Tells the thread's signal handler and the device's functions whose turn it
/// is.
class CurrentBlock {
public:
  explicit CurrentBlock(Block &block) : outer(currentBlock) {
    currentBlock = &block;
  }
  ~CurrentBlock() { currentBlock = outer; }
  CurrentBlock(const CurrentBlock &) = delete;
  CurrentBlock &operator=(const CurrentBlock &) = delete;

private:
  Block *outer;
};
} // namespace

void Block::run() {
  CurrentBlock current(*this);
  if (sigsetjmp(faultExit, /*savemask=*/1) == 0)
    schedule();
  else
    throw KernelError(
        fmt::format("{}: {}", name(running), describeAccess(faultAddress)));
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

void Block::waitAtBarrier() {
  threads[running].state = State::AtBarrier;
  threads[running].fiber.giveWay();
}

void Block::waitForLanes(WarpCall &call) {
  threads[running].state = State::InWarp;
  threads[running].call = &call;
  threads[running].fiber.giveWay();
}

int Block::numLanes(int warp) const {
  const int rest = numThreads() - warp * WarpCall::kLanes;
  return rest < WarpCall::kLanes ? rest : WarpCall::kLanes;
}

/// Lets the lanes of a warp go on if this one was the last to come.
void Block::meetWarp(int thread) {
  const int warp = thread / WarpCall::kLanes, first = warp * WarpCall::kLanes;
  const WarpCall &call = *threads[thread].call;
  if (!(call.mask >> (thread - first) & 1))
    throw KernelError(
        fmt::format("{}: meets the lanes {:#x} in {}, but is not one of them",
                    name(thread), call.mask, call.name));
  WarpCall::Lanes lanes = {};
  bool isComplete = true;
  for (int lane = 0; lane < numLanes(warp); ++lane) {
    if (!(call.mask >> lane & 1))
      continue;
    const Thread &other = threads[first + lane];
    if (other.state != State::InWarp) {
      isComplete = false;
      continue;
    }
    if (other.call->perform != call.perform || other.call->mask != call.mask)
      throw KernelError(fmt::format(
          "{}: meets the lanes {:#x} in {}, while lane {} meets the lanes "
          "{:#x} in {}; all lanes of a warp have to take the same way there",
          name(thread), call.mask, call.name, lane, other.call->mask,
          other.call->name));
    lanes[lane] = other.call;
  }
  if (!isComplete)
    return;
  try {
    call.perform(lanes);
  } catch (const KernelError &failure) {
    throw KernelError(
        fmt::format("{}, warp {}: {}", where(), warp, failure.what()));
  }
  for (int lane = 0; lane < WarpCall::kLanes; ++lane)
    if (lanes[lane])
      markReady(first + lane);
}

std::string Block::describeWait(int thread) const {
  switch (threads[thread].state) {
  case State::AtBarrier:
    return "waits at a barrier of the block";
  case State::Ended:
    return "has ended";
  case State::InWarp: // then others wait for it there
  case State::Ready:
    break;
  }
  return "runs";
}

/// No thread can run: either all of them are at the barrier, or never will be.
void Block::openBarrier() {
  if (numAtBarrier == numThreads()) {
    numAtBarrier = 0;
    warpsRunOn = random() % 4 != 0;
    for (int k = 0; k < numThreads(); ++k)
      markReady(k);
    return;
  }
  // A warp that waits for its lanes explains more than the barrier behind it.
  int waiting = -1, missing = -1;
  for (int k = 0; k < numThreads() && waiting < 0; ++k)
    if (threads[k].state == State::InWarp)
      waiting = k;
  int last = numThreads(), first = 0, expected = 0, reached = 0;
  const char *meeting = "a barrier of the block";
  State there = State::AtBarrier;
  uint32_t mask = ~0u;
  if (waiting >= 0) {
    first = waiting / WarpCall::kLanes * WarpCall::kLanes;
    last = first + numLanes(waiting / WarpCall::kLanes);
    meeting = threads[waiting].call->name;
    there = State::InWarp;
    mask = threads[waiting].call->mask;
  }
  for (int k = first; k < last; ++k) {
    if (!(mask >> (k % WarpCall::kLanes) & 1))
      continue;
    const bool isThere = threads[k].state == there;
    ++expected;
    reached += isThere;
    if (!isThere && missing < 0)
      missing = k;
  }
  throw KernelError(fmt::format(
      "{}: {} of {} threads reached {}, and wait for ever: {} {}", where(),
      reached, expected, meeting, missing < 0 ? "another lane" : name(missing),
      missing < 0 ? "is missing" : describeWait(missing)));
}

void Block::fail(std::string message) {
  error = fmt::format("{}: {}", name(running), message);
  // Never resumed: the scheduler leaves the block, and this frame stays.
  std::string().swap(message);
  threads[running].fiber.giveWay();
  std::abort();
}

void Block::failAccess(void *address) {
  faultAddress = address;
  siglongjmp(faultExit, 1);
}
