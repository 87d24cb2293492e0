//===- OnceTest.cpp - What is computed when it is first asked for --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that ask at the same time, and computations that fail.
//
//===----------------------------------------------------------------------===//
#include "runtime/Once.h"

#include "gtest/gtest.h"
#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>

using namespace clique;

/// One type for what each thread computes.
using Compute = std::function<void()>;

TEST(Once, OthersWaitForTheFirst) {
  Once once;
  int computed = 0;
  std::atomic<bool> hasBegun{false};
  std::thread first([&] {
    once(Compute([&] {
      hasBegun = true;
      // Until the other thread waits.
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ++computed;
    }));
  });
  while (!hasBegun)
    std::this_thread::yield();
  once(Compute([&] { computed += 100; }));
  EXPECT_EQ(computed, 1);
  first.join();
}

TEST(Once, TheNextOneTriesAgain) {
  Once once;
  int computed = 0;
  EXPECT_THROW(once(Compute([] { throw std::runtime_error("not yet"); })),
               std::runtime_error);
  for (int k = 0; k < 2; ++k)
    once(Compute([&] { ++computed; }));
  EXPECT_EQ(computed, 1);
}

TEST(Once, TheThreadThatComputesGetsAnError) {
  Once once;
  int computed = 0;
  const Compute add([&] { ++computed; });
  for (int k = 0; k < 2; ++k)
    EXPECT_THROW(once(Compute([&] { once(add); })), Error);
  once(add);
  EXPECT_EQ(computed, 1);
}
