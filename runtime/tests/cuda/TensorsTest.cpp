//===- TensorsTest.cpp - Tensors of CUDA layers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments and results on the device, and refusals of those that are not.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/cuda/CudaTestUtil.h"

using namespace clique::test;

namespace {
constexpr DLDataType kF32 = {kDLFloat, 32, 1};
constexpr int64_t kDynamic[2] = {CLIQUE_DYNAMIC, CLIQUE_DYNAMIC};

clique_arg matrixArg(const char *name) {
  clique_arg arg = {};
  arg.name = name;
  arg.kind = CLIQUE_ARG_TENSOR;
  arg.graph = -1;
  arg.dtype = kF32;
  arg.rank = 2;
  arg.shape = kDynamic;
  return arg;
}

/// MLIR's descriptor of a matrix.
struct Matrix {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

/// A matrix 0, 1, 2 ... on the host.
class HostMatrix {
public:
  HostMatrix(int64_t rows, int64_t columns) : shape{rows, columns} {
    for (int64_t k = 0; k < rows * columns; ++k)
      values.push_back(float(k));
    tensor = {values.data(), {kDLCPU, 0}, 2, kF32, shape, nullptr, 0};
  }
  const DLTensor *get() const { return &tensor; }

  int64_t shape[2];
  std::vector<float> values;
  DLTensor tensor;
};

Tensor copyTo(DLDeviceType device, const DLTensor *from) {
  DLManagedTensor *copy = nullptr;
  EXPECT_OK(clique_tensor_copy(from, device, &copy));
  return Tensor(copy);
}

std::vector<float> fetch(const DLTensor &tensor) {
  Tensor host = copyTo(kDLCPU, &tensor);
  auto *first = static_cast<float *>(host->dl_tensor.data);
  return {first, first + host->dl_tensor.shape[0] * host->dl_tensor.shape[1]};
}

/// A layer from one matrix to one.
std::pair<clique_status, Tensor>
apply(const std::function<void(const Matrix &in, Matrix &out)> &body,
      const DLTensor *in, int32_t deviceType = kDLCUDA) {
  clique_value value;
  value.tensor = in;
  std::vector<DLManagedTensor *> outputs;
  const clique_status status = invokeAs(
      [&](void **args) {
        body(*static_cast<Matrix *>(args[0]), *static_cast<Matrix *>(args[1]));
      },
      {matrixArg("x")}, {value}, {matrixArg("y")}, &outputs, deviceType);
  return {status, Tensor(outputs[0])};
}
} // namespace

static void makeTwice(Code &code, const Matrix &in, Matrix &out) {
  const int64_t count = in.sizes[0] * in.sizes[1];
  out = in;
  out.allocated = out.aligned = allocate<float>(size_t(count));
  launch(code, "twice", {{count, 1, 1}, {1, 1, 1}}, out.aligned, in.aligned,
         count);
}

TEST(CudaTensors, ResultsAreOnTheDevice) {
  Code code;
  HostMatrix x(2, 3);
  Tensor in = copyTo(kDLCUDA, x.get());
  EXPECT_EQ(in->dl_tensor.device.device_type, kDLCUDA);
  auto [status, out] =
      apply([&](const Matrix &a, Matrix &b) { makeTwice(code, a, b); },
            &in->dl_tensor);
  ASSERT_OK(status);
  EXPECT_EQ(out->dl_tensor.device.device_type, kDLCUDA);
  EXPECT_EQ(out->dl_tensor.device.device_id, 0);
  EXPECT_EQ(fetch(out->dl_tensor), (std::vector<float>{0, 2, 4, 6, 8, 10}));
}

TEST(CudaTensors, AReturnedArgumentIsCopied) {
  HostMatrix x(2, 3);
  Tensor in = copyTo(kDLCUDA, x.get());
  auto [status, out] =
      apply([](const Matrix &a, Matrix &b) { b = a; }, &in->dl_tensor);
  ASSERT_OK(status);
  EXPECT_NE(out->dl_tensor.data, in->dl_tensor.data);
  EXPECT_EQ(fetch(out->dl_tensor), x.values);
}

TEST(CudaTensors, AnArgumentIsAlignedForWideAccesses) {
  HostMatrix x(3, 3);
  Tensor in = copyTo(kDLCUDA, x.get());
  // Behind the first element.
  int64_t shape[2] = {2, 4};
  DLTensor view = in->dl_tensor;
  view.shape = shape;
  view.byte_offset = sizeof(float);
  float *seen = nullptr;
  auto [status, out] = apply(
      [&](const Matrix &a, Matrix &b) {
        seen = a.aligned;
        b = a;
      },
      &view);
  ASSERT_OK(status);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(seen) % 16, 0U);
  EXPECT_EQ(fetch(out->dl_tensor),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  // What begins where kernels want it is taken as it is.
  view.byte_offset = 16;
  shape[1] = 2;
  auto [again, other] = apply(
      [&](const Matrix &a, Matrix &b) {
        seen = a.aligned;
        b = a;
      },
      &view);
  ASSERT_OK(again);
  EXPECT_EQ(seen, static_cast<float *>(view.data) + 4);
}

TEST(CudaTensors, AStridedResultIsCopied) {
  HostMatrix x(3, 4);
  Tensor in = copyTo(kDLCUDA, x.get());
  auto [status, out] = apply(
      [](const Matrix &a, Matrix &b) {
        b = a;
        b.offset = 1;
        b.sizes[0] = 2;
        b.sizes[1] = 2;
      },
      &in->dl_tensor);
  ASSERT_OK(status);
  EXPECT_EQ(fetch(out->dl_tensor), (std::vector<float>{1, 2, 5, 6}));
}

TEST(CudaTensors, HostTensorForACudaLayer) {
  HostMatrix x(2, 3);
  auto [status, out] = apply([](const Matrix &, Matrix &) {}, x.get());
  EXPECT_EQ(status, CLIQUE_INVALID_ARGUMENT);
  EXPECT_STREQ(clique_last_error(),
               "layer: argument 'x': is on the CPU, expected CUDA device 0: "
               "the layer was compiled for CUDA; copy it there, with "
               "clique_tensor_copy for example");
}

TEST(CudaTensors, DeviceTensorForALayerOfTheCpu) {
  HostMatrix x(2, 3);
  Tensor in = copyTo(kDLCUDA, x.get());
  auto [status, out] =
      apply([](const Matrix &, Matrix &) {}, &in->dl_tensor, kDLCPU);
  EXPECT_EQ(status, CLIQUE_INVALID_ARGUMENT);
  EXPECT_STREQ(clique_last_error(),
               "layer: argument 'x': is on CUDA device 0, expected the CPU: "
               "the layer was compiled for the CPU; copy it there, with "
               "clique_tensor_copy for example");
}

TEST(CudaTensors, TensorOfAnotherDevice) {
  HostMatrix x(2, 3);
  Tensor in = copyTo(kDLCUDA, x.get());
  DLTensor other = in->dl_tensor;
  other.device.device_id = 3;
  auto [status, out] = apply([](const Matrix &, Matrix &) {}, &other);
  EXPECT_EQ(status, CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("is on CUDA device 3, but the layer runs on CUDA "
                           "device 0; choose the device with "
                           "clique_set_cuda_device(3)"));
}

TEST(CudaTensors, ScalarsStayOnTheHost) {
  clique_arg arg = {};
  arg.name = "n";
  arg.kind = CLIQUE_ARG_SCALAR;
  arg.graph = -1;
  arg.dtype = {kDLInt, 64, 1};
  int64_t number = 42, seen = 0;
  DLTensor scalar = {&number, {kDLCPU, 0}, 0, arg.dtype, nullptr, nullptr, 0};
  clique_value value;
  value.tensor = &scalar;
  ASSERT_OK(
      invokeAs([&](void **args) { seen = *static_cast<int64_t *>(args[0]); },
               {arg}, {value}));
  EXPECT_EQ(seen, 42);
  Tensor onDevice = copyTo(kDLCUDA, &scalar);
  value.tensor = &onDevice->dl_tensor;
  EXPECT_EQ(invokeAs([](void **) {}, {arg}, {value}), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("expected the CPU: scalars stay on the host"));
}

TEST(CudaTensors, EmptyTensorsCopy) {
  HostMatrix x(0, 3);
  Tensor in = copyTo(kDLCUDA, x.get());
  EXPECT_EQ(in->dl_tensor.shape[0], 0);
  EXPECT_TRUE(fetch(in->dl_tensor).empty());
}

TEST(CudaTensors, CopiesOnTheDevice) {
  HostMatrix x(2, 3);
  Tensor in = copyTo(kDLCUDA, x.get());
  Tensor again = copyTo(kDLCUDA, &in->dl_tensor);
  EXPECT_NE(again->dl_tensor.data, in->dl_tensor.data);
  in.reset();
  EXPECT_EQ(fetch(again->dl_tensor), x.values);
}

TEST(CudaTensors, CopiesFromAnotherDeviceAreRefused) {
  HostMatrix x(2, 3);
  Tensor in = copyTo(kDLCUDA, x.get());
  DLTensor other = in->dl_tensor;
  other.device.device_id = 3;
  DLManagedTensor *copy = nullptr;
  EXPECT_EQ(clique_tensor_copy(&other, kDLCPU, &copy), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("clique_tensor_copy: the tensor is on CUDA device "
                           "3, this thread uses device 0; choose the device "
                           "with clique_set_cuda_device"));
  EXPECT_EQ(copy, nullptr);
}

//===----------------------------------------------------------------------===//
// Memory of the caller's library
//===----------------------------------------------------------------------===//

namespace {
/// An allocator that knows what it gave, of memory that the driver made.
class Lender {
public:
  Lender() {
    const clique_cuda_allocator allocator = {this, allocate, free};
    clique_set_cuda_allocator(&allocator);
  }
  ~Lender() { clique_set_cuda_allocator(nullptr); }
  Lender(const Lender &) = delete;
  Lender &operator=(const Lender &) = delete;

  std::map<void *, void *> lent; ///< handles, by address
  void *stream = nullptr;        ///< of the last request
  size_t offset = 0;             ///< what addresses are moved by

private:
  static void *allocate(void *data, int32_t device, void *stream, size_t bytes,
                        size_t alignment, void **handle) {
    auto *self = static_cast<Lender *>(data);
    EXPECT_EQ(device, 0);
    EXPECT_LE(alignment, 256U);
    self->stream = stream;
    if (bytes > 1 << 20)
      return nullptr;
    const clique_cuda_allocator lender = {data, allocate, free};
    clique_set_cuda_allocator(nullptr);
    int64_t shape = int64_t(bytes + self->offset);
    std::vector<char> host(size_t(shape), 0);
    const DLTensor tensor = {host.data(), {kDLCPU, 0}, 1, {kDLUInt, 8, 1},
                             &shape,      nullptr,     0};
    DLManagedTensor *made = nullptr;
    EXPECT_OK(clique_tensor_copy(&tensor, kDLCUDA, &made));
    clique_set_cuda_allocator(&lender);
    *handle = made;
    void *memory = static_cast<char *>(made->dl_tensor.data) + self->offset;
    self->lent[memory] = made;
    return memory;
  }
  static void free(void *data, void *handle) {
    auto *self = static_cast<Lender *>(data);
    auto *made = static_cast<DLManagedTensor *>(handle);
    void *memory = static_cast<char *>(made->dl_tensor.data) + self->offset;
    EXPECT_EQ(self->lent.erase(memory), 1U);
    made->deleter(made);
  }
};
} // namespace

TEST(CudaTensors, MemoryOfAnotherLibrary) {
  Code code;
  HostMatrix x(2, 3);
  Tensor in = copyTo(kDLCUDA, x.get());
  auto twice = [&](const Matrix &a, Matrix &b) { makeTwice(code, a, b); };
  Lender lender;
  clique_set_cuda_stream(reinterpret_cast<void *>(uintptr_t(5)));
  {
    auto [status, out] = apply(twice, &in->dl_tensor);
    ASSERT_OK(status);
    EXPECT_EQ(lender.lent.count(out->dl_tensor.data), 1U);
    EXPECT_EQ(lender.lent.size(), 1U);
    EXPECT_EQ(lender.stream, reinterpret_cast<void *>(uintptr_t(5)));
  }
  EXPECT_TRUE(lender.lent.empty());
  clique_set_cuda_stream(nullptr);
  // What ends early gives everything back.
  EXPECT_EQ(inLayer([] {
              allocate<char>(10);
              allocate<char>(2 << 20);
            }),
            CLIQUE_OUT_OF_MEMORY);
  EXPECT_TRUE(lastErrorHas("no memory for 2097152 bytes on CUDA device 0"));
  EXPECT_TRUE(lender.lent.empty());
  lender.offset = 4;
  EXPECT_EQ(inLayer([] { allocate<char>(10); }), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("the allocator of clique_set_cuda_allocator "
                           "returned 0x"));
  EXPECT_TRUE(lastErrorHas(", expected a multiple of 64"));
  EXPECT_TRUE(lender.lent.empty());
}

TEST(CudaTensors, AnAllocatorHasBothFunctions) {
  clique_cuda_allocator none = {};
  EXPECT_EQ(clique_set_cuda_allocator(&none), CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("clique_set_cuda_allocator: the allocator's "
                           "allocate is NULL, expected a function"));
}
