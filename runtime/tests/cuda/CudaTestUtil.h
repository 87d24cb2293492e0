//===- CudaTestUtil.h - Helpers of the tests of CUDA layers -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code of a CUDA layer as a function of the test, kernels by name, and
// device memory as vectors.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TESTS_CUDA_CUDATESTUTIL_H
#define CLIQUE_RUNTIME_TESTS_CUDA_CUDATESTUTIL_H

#include "runtime/tests/TestUtil.h"

#include <array>
#include <functional>
#include <sstream>

namespace clique::test {

/// The image of Kernels.cpp as a layer has it; unloaded at the end.
class Code {
public:
  explicit Code(const char *arch = "emulated") {
    std::ifstream file(TEST_KERNELS, std::ios::binary);
    std::stringstream stream;
    stream << file.rdbuf();
    bytes = stream.str();
    image = {arch, bytes.data(), bytes.size()};
  }
  ~Code() { clique_rt_unload(&code); }
  Code(const Code &) = delete;
  Code &operator=(const Code &) = delete;
  clique_device_code *get() { return &code; }

private:
  std::string bytes;
  clique_device_image image;
  clique_device_code code = {1, 0, &image, nullptr};
};

/// Runs `body` as the host code of a layer, with these arguments and results.
inline clique_status invokeAs(const std::function<void(void **)> &body,
                              const std::vector<clique_arg> &args = {},
                              const std::vector<clique_value> &values = {},
                              const std::vector<clique_arg> &results = {},
                              std::vector<DLManagedTensor *> *outputs = nullptr,
                              int32_t deviceType = kDLCUDA) {
  static const std::function<void(void **)> *current = nullptr;
  current = &body;
  const clique_variant variant = {"", [](void **p) { (*current)(p); }};
  const clique_layer layer = {CLIQUE_ABI_VERSION,
                              int32_t(args.size()),
                              int32_t(results.size()),
                              1,
                              "layer",
                              args.data(),
                              results.data(),
                              &variant,
                              deviceType,
                              0,
                              nullptr};
  std::vector<DLManagedTensor *> out(results.size(), nullptr);
  const clique_status status =
      clique_layer_invoke(&layer, values.data(), int32_t(values.size()),
                          out.data(), int32_t(out.size()));
  if (outputs)
    *outputs = out;
  return status;
}

inline clique_status inLayer(const std::function<void()> &body) {
  return invokeAs([&](void **) { body(); });
}

struct Shape {
  std::array<int64_t, 3> grid, block;
  int64_t sharedBytes = 0;
};

template <typename... Args>
void launch(Code &code, const char *kernel, const Shape &shape, Args... args) {
  void *params[] = {&args..., nullptr};
  const int64_t sizes[6] = {shape.grid[0],  shape.grid[1],  shape.grid[2],
                            shape.block[0], shape.block[1], shape.block[2]};
  clique_rt_launch(code.get(), kernel, sizes, shape.sharedBytes, params);
}

/// Memory of the layer under way.
template <typename T>
T *allocate(size_t count) {
  return static_cast<T *>(_mlir_memref_to_llvm_alloc(count * sizeof(T)));
}

template <typename T>
T *upload(const std::vector<T> &values) {
  T *memory = allocate<T>(values.size());
  clique_rt_write(memory, values.data(), int64_t(values.size() * sizeof(T)));
  return memory;
}

template <typename T>
std::vector<T> download(const T *memory, size_t count) {
  std::vector<T> values(count);
  clique_rt_read(values.data(), memory, int64_t(count * sizeof(T)));
  return values;
}

/// One warp or block of `threads` threads.
inline Shape oneBlock(int64_t threads, int64_t sharedBytes = 0) {
  return {{1, 1, 1}, {threads, 1, 1}, sharedBytes};
}

/// Runs a kernel whose first parameter takes `count` values, and returns them.
template <typename T, typename... Args>
std::vector<T> run(const char *kernel, const Shape &shape, size_t count,
                   Args... args) {
  Code code;
  std::vector<T> values;
  EXPECT_OK(inLayer([&] {
    T *out = allocate<T>(count);
    launch(code, kernel, shape, out, args...);
    values = download(out, count);
  }));
  return values;
}

/// The message of a kernel that fails.
template <typename... Args>
std::string failure(const char *kernel, const Shape &shape, Args... args) {
  Code code;
  EXPECT_EQ(inLayer([&] { launch(code, kernel, shape, args...); }),
            CLIQUE_DEVICE_ERROR);
  return clique_last_error();
}

/// Sets the order of threads for a test.
class ThreadOrder {
public:
  explicit ThreadOrder(const char *order) {
    setenv("CLIQUE_EMULATION_ORDER", order, 1);
  }
  ~ThreadOrder() { unsetenv("CLIQUE_EMULATION_ORDER"); }
};

} // namespace clique::test

#endif // CLIQUE_RUNTIME_TESTS_CUDA_CUDATESTUTIL_H
