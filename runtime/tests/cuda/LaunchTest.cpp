//===- LaunchTest.cpp - Launches ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters, coordinates, shared memory, and what is wrong with a launch.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/cuda/CudaTestUtil.h"

using namespace clique::test;

TEST(CudaLaunch, PassesParameters) {
  Code code;
  ASSERT_OK(inLayer([&] {
    float *in = upload<float>({1, 2, 3, 4, 5});
    float *out = upload<float>({0, 0, 0, 0, -1});
    launch(code, "twice", {{3, 1, 1}, {2, 1, 1}}, out, in, int64_t(4));
    EXPECT_EQ(download(out, 5), (std::vector<float>{2, 4, 6, 8, -1}));
  }));
}

TEST(CudaLaunch, ConstantsAreCopiedOnce) {
  const std::vector<float> values = {1, 2, 3, 4};
  Code code, other;
  const auto find = [&](Code &code) {
    const void *copy = nullptr;
    EXPECT_OK(inLayer([&] {
      copy = clique_rt_constant(code.get(), values.data(), 16);
      float *out = allocate<float>(4);
      launch(code, "twice", {{2, 1, 1}, {2, 1, 1}}, out, copy, int64_t(4));
      EXPECT_EQ(download(out, 4), (std::vector<float>{2, 4, 6, 8}));
    }));
    return copy;
  };
  const void *copy = find(code);
  EXPECT_NE(find(other), copy);
  int stream = 0;
  clique_set_cuda_stream(&stream);
  EXPECT_EQ(find(code), copy);
  clique_set_cuda_stream(nullptr);
}

TEST(CudaLaunch, ConstantsGoWithTheCode) {
  // Of the 64 MiB of the device, one at a time.
  const std::vector<char> values(40 << 20);
  for (int k = 0; k < 2; ++k) {
    Code code;
    EXPECT_OK(inLayer([&] {
      clique_rt_constant(code.get(), values.data(), int64_t(values.size()));
    }));
  }
}

TEST(CudaLaunch, EachThreadKnowsItsCoordinates) {
  const Shape shape = {{2, 3, 2}, {4, 2, 3}};
  auto seen = run<int64_t>("coordinates", shape, 12 * 12 * 24);
  size_t number = 0;
  for (int64_t bz = 0; bz < 2; ++bz)
    for (int64_t by = 0; by < 3; ++by)
      for (int64_t bx = 0; bx < 2; ++bx)
        for (int64_t tz = 0; tz < 3; ++tz)
          for (int64_t ty = 0; ty < 2; ++ty)
            for (int64_t tx = 0; tx < 4; ++tx) {
              const int64_t *row = &seen[12 * number++];
              EXPECT_EQ(std::vector<int64_t>(row, row + 12),
                        (std::vector<int64_t>{tx, ty, tz, bx, by, bz, 4, 2, 3,
                                              2, 3, 2}));
            }
}

TEST(CudaLaunch, EmptyGridDoesNothing) {
  Code code;
  // Not even the kernel is looked for.
  EXPECT_OK(inLayer([&] { launch(code, "none", {{0, 1, 1}, {32, 1, 1}}); }));
}

TEST(CudaLaunch, LargeSharedMemory) {
  // More than the 48 KiB that a kernel is allowed at first.
  for (int64_t bytes : {1000, 48 << 10, 100 << 10, 227 << 10}) {
    auto seen = run<int32_t>("neighbour", oneBlock(64, bytes), 64, 1);
    EXPECT_EQ(seen[0], 163);
    EXPECT_EQ(seen[63], 162);
  }
}

TEST(CudaLaunch, Errors) {
  Code code;
  EXPECT_EQ(inLayer([&] { launch(code, "no_such", oneBlock(1)); }),
            CLIQUE_INCOMPATIBLE);
  EXPECT_STREQ(clique_last_error(), "layer: kernel 'no_such': is not in the "
                                    "layer's code; compile the layer again");
  EXPECT_EQ(
      inLayer([&] { launch(code, "poke", oneBlock(32, (227 << 10) + 1)); }),
      CLIQUE_INCOMPATIBLE);
  EXPECT_TRUE(lastErrorHas("needs 232449 bytes of shared memory, a block of "
                           "CUDA device 0 (Clique's emulation) has 232448"));
  EXPECT_EQ(inLayer([&] { launch(code, "poke", oneBlock(2000)); }),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("kernel 'poke': 2000 threads in dimension x, "
                           "expected 1 to 1024"));
  EXPECT_EQ(inLayer([&] { launch(code, "poke", {{1, 1, 1}, {512, 4, 1}}); }),
            CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("kernel 'poke' on CUDA device 0 (Clique's "
                           "emulation), 1x1x1 blocks of 512x4x1 threads"));
}

TEST(CudaLaunch, CodeIsLoadedOnceAndAgainAfterUnloading) {
  Code code;
  const void *loaded[3];
  for (int k = 0; k < 3; ++k) {
    ASSERT_OK(inLayer([&] {
      launch(code, "twice", oneBlock(1), nullptr, nullptr, int64_t(0));
    }));
    loaded[k] = code.get()->loaded;
    if (k == 1) {
      clique_rt_unload(code.get());
      EXPECT_EQ(code.get()->loaded, nullptr);
    }
  }
  EXPECT_NE(loaded[0], nullptr);
  EXPECT_EQ(loaded[0], loaded[1]);
  EXPECT_NE(loaded[2], nullptr);
}

TEST(CudaLaunch, CodeOfAnotherArchitecture) {
  Code code("sm_80");
  EXPECT_EQ(inLayer([&] { launch(code, "twice", oneBlock(1)); }),
            CLIQUE_INCOMPATIBLE);
  EXPECT_STREQ(clique_last_error(),
               "layer: the layer has no code for CUDA device 0 (Clique's "
               "emulation), which needs 'emulated'; it was compiled for "
               "'sm_80': compile it again for this device");
}

TEST(CudaLaunch, CodeThatCannotBeLoaded) {
  const char text[64] = "no code";
  const clique_device_image image = {"emulated", text, sizeof(text)};
  clique_device_code code = {1, 0, &image, nullptr};
  const int64_t sizes[6] = {1, 1, 1, 1, 1, 1};
  EXPECT_EQ(inLayer([&] { clique_rt_launch(&code, "k", sizes, 0, nullptr); }),
            CLIQUE_INCOMPATIBLE);
  EXPECT_TRUE(lastErrorHas("the image is no shared object for x86-64"));
  clique_rt_unload(&code);
}

TEST(CudaLaunch, NotFromALayerOfTheCpu) {
  Code code;
  EXPECT_EQ(invokeAs([&](void **) { launch(code, "twice", oneBlock(1)); }, {},
                     {}, {}, nullptr, kDLCPU),
            CLIQUE_INCOMPATIBLE);
  EXPECT_TRUE(lastErrorHas("compiled for the CPU"));
}
