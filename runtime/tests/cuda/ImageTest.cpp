//===- ImageTest.cpp - The code for a GPU ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which image is taken, and what a driver reports, on GPUs that are not there:
// see FakeDriver.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/cuda/CudaTestUtil.h"

using namespace clique::test;

/// The devices of the fake driver.
enum FakeDevice { kSm75, kSm80, kSm86, kSm90, kSm100, kSm121 };

/// Launches on a device; the images are texts that name themselves. Returns the
/// message of the launch, which always fails.
static std::string launchOn(FakeDevice device,
                            const std::vector<const char *> &archs,
                            int64_t sharedBytes = 0) {
  std::vector<clique_device_image> images;
  images.reserve(archs.size());
  for (const char *arch : archs)
    images.push_back({arch, arch, 0});
  clique_device_code code = {int32_t(images.size()), 0, images.data(), nullptr};
  clique_set_cuda_device(device);
  const int64_t sizes[6] = {1, 1, 1, 32, 1, 1};
  EXPECT_NE(inLayer([&] {
              clique_rt_launch(&code, "k", sizes, sharedBytes, nullptr);
            }),
            CLIQUE_OK);
  clique_rt_unload(&code);
  clique_set_cuda_device(0);
  return clique_last_error();
}

#define EXPECT_RUNS(DEVICE, IMAGE, ...)                                        \
  do {                                                                         \
    const std::string message = launchOn(DEVICE, __VA_ARGS__);                 \
    EXPECT_NE(message.find("ran [" IMAGE "]"), std::string::npos) << message;  \
  } while (false)

using Archs = std::vector<const char *>;

TEST(CudaImage, MadeForTheGpuItself) {
  const Archs all = {"compute_80", "sm_80",  "sm_90", "sm_90a",
                     "sm_100a",    "sm_120", "sm_86"};
  EXPECT_RUNS(kSm80, "sm_80", all);
  EXPECT_RUNS(kSm86, "sm_86", all);
  EXPECT_RUNS(kSm90, "sm_90a", all);
  EXPECT_RUNS(kSm100, "sm_100a", all);
}

TEST(CudaImage, OfAnEarlierGpuOfItsGeneration) {
  EXPECT_RUNS(kSm86, "sm_80", Archs{"compute_86", "sm_80", "sm_90"});
  EXPECT_RUNS(kSm121, "sm_120", Archs{"compute_80", "sm_100a", "sm_120"});
  EXPECT_RUNS(kSm121, "sm_120f", Archs{"sm_120", "sm_120f", "sm_120a"});
}

TEST(CudaImage, PtxForAnyLaterGpu) {
  EXPECT_RUNS(kSm100, "compute_90",
              Archs{"compute_80", "compute_90", "compute_90a", "sm_90a",
                    "compute_120"});
  EXPECT_RUNS(kSm90, "compute_90a", Archs{"compute_90", "compute_90a"});
}

TEST(CudaImage, None) {
  EXPECT_EQ(launchOn(kSm75, {"sm_80", "compute_80", "sm_75a1", "sm", ""}),
            "layer: the layer has no code for CUDA device 0 (fake sm_75), "
            "which needs 'sm_75'; it was compiled for 'sm_80', 'compute_80', "
            "'sm_75a1', 'sm', '': compile it again for this device");
  // What is special to one GPU runs on no other.
  EXPECT_NE(launchOn(kSm100, {"sm_90a", "sm_90", "compute_90a", "emulated"})
                .find("has no code for"),
            std::string::npos);
}

TEST(CudaImage, PtxThatTheDriverRefuses) {
  const clique_device_image image = {"compute_80", "bad", 4};
  clique_device_code code = {1, 0, &image, nullptr};
  clique_set_cuda_device(kSm90);
  const int64_t sizes[6] = {1, 1, 1, 1, 1, 1};
  EXPECT_EQ(inLayer([&] { clique_rt_launch(&code, "k", sizes, 0, nullptr); }),
            CLIQUE_INCOMPATIBLE);
  EXPECT_STREQ(clique_last_error(),
               "layer: the layer's code for 'compute_80' cannot be loaded on "
               "CUDA device 3 (fake sm_90): CUDA_ERROR_INVALID_PTX: unknown to "
               "this driver: line 7: unknown instruction; update the driver, "
               "or compile the layer again for this device");
  clique_rt_unload(&code);
  clique_set_cuda_device(0);
}

TEST(CudaImage, PtxWhereTheDriverRefusesMachineCode) {
  const clique_device_image images[] = {{"compute_80", "compute_80", 0},
                                        {"sm_86", "bad", 0},
                                        {"sm_80", "bad", 0}};
  clique_device_code code = {3, 0, images, nullptr};
  clique_set_cuda_device(kSm86);
  const int64_t sizes[6] = {1, 1, 1, 32, 1, 1};
  const auto launch = [&] {
    return inLayer([&] { clique_rt_launch(&code, "k", sizes, 0, nullptr); });
  };
  EXPECT_EQ(launch(), CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("ran [compute_80]"));
  clique_rt_unload(&code);
  // The best one's error, if there is no other.
  code.images = images + 1;
  code.num_images = 2;
  EXPECT_EQ(launch(), CLIQUE_INCOMPATIBLE);
  EXPECT_TRUE(lastErrorHas("the layer's code for 'sm_86' cannot be loaded on"));
  clique_rt_unload(&code);
  clique_set_cuda_device(0);
}

TEST(CudaImage, SharedMemoryAndStream) {
  const Archs archs = {"sm_80"};
  EXPECT_NE(launchOn(kSm80, archs, 48 << 10).find("stream 0, allowed 0"),
            std::string::npos);
  clique_set_cuda_stream(reinterpret_cast<void *>(uintptr_t(77)));
  EXPECT_NE(launchOn(kSm80, archs, 60 << 10).find("stream 77, allowed 61440"),
            std::string::npos);
  clique_set_cuda_stream(nullptr);
  EXPECT_NE(launchOn(kSm80, archs, 101 << 10)
                .find("needs 103424 bytes of shared memory, a block of CUDA "
                      "device 1 (fake sm_80) has 102400"),
            std::string::npos);
}

TEST(CudaImage, FailuresOfEarlierWorkShow) {
  EXPECT_EQ(clique_cuda_synchronize(), CLIQUE_DEVICE_ERROR);
  EXPECT_STREQ(clique_last_error(),
               "CUDA device 0 (fake sm_75): work that was started earlier "
               "failed: CUDA_ERROR_ILLEGAL_ADDRESS: unknown to this driver");
  // Not to be taken for code that the driver refuses, where there is other.
  const clique_device_image images[] = {{"sm_80", "late", 0},
                                        {"compute_80", "compute_80", 0}};
  clique_device_code code = {2, 0, images, nullptr};
  clique_set_cuda_device(kSm80);
  const int64_t sizes[6] = {1, 1, 1, 32, 1, 1};
  EXPECT_EQ(inLayer([&] { clique_rt_launch(&code, "k", sizes, 0, nullptr); }),
            CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("the layer's code for 'sm_80' on CUDA device 1 "
                           "(fake sm_80): CUDA_ERROR_ILLEGAL_ADDRESS"));
  clique_rt_unload(&code);
  clique_set_cuda_device(0);
  // Not to be taken for a lack of memory.
  EXPECT_EQ(inLayer([] { allocate<char>(100); }), CLIQUE_DEVICE_ERROR);
  EXPECT_TRUE(lastErrorHas("CUDA_ERROR_ILLEGAL_ADDRESS"));
}

TEST(CudaImage, OrderOfStreams) {
  EXPECT_EQ(clique_cuda_order_streams(nullptr, nullptr), CLIQUE_DEVICE_ERROR);
  EXPECT_STREQ(clique_last_error(),
               "order of two streams of CUDA device 0 (fake sm_75): "
               "CUDA_ERROR_ILLEGAL_ADDRESS: unknown to this driver");
}

/// Ends with the status of an invocation, and prints its error.
static void printFailure() {
  setenv("FAKE_NO_GPU", "1", 1);
  const clique_status status = inLayer([] {});
  std::fprintf(stderr, "%s\n", clique_last_error());
  std::exit(status);
}

TEST(CudaImageDeathTest, NoGpu) {
  EXPECT_EXIT(printFailure(), ::testing::ExitedWithCode(CLIQUE_DEVICE_ERROR),
              "layer: no GPU: the CUDA driver .* finds none; check that "
              "nvidia-smi lists one");
}
