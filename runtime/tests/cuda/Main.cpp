//===- Main.cpp - The tests of CUDA layers --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They run on a driver of ours, whatever the machine has.
//
//===----------------------------------------------------------------------===//
#include "gtest/gtest.h"
#include <cstdlib>

int main(int argc, char **argv) {
  setenv("CLIQUE_CUDA_DRIVER", TEST_DRIVER, /*overwrite=*/1);
  setenv("CLIQUE_EMULATION_MEMORY_MIB", "64", /*overwrite=*/1);
  unsetenv("CLIQUE_CUDA_CACHE_MIB");
  unsetenv("CLIQUE_EMULATION_ORDER");
  ::testing::InitGoogleTest(&argc, argv);
  // Each in a process of its own, where no driver is open.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  return RUN_ALL_TESTS();
}
