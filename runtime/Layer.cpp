//===- Layer.cpp - Invocation of a compiled layer -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From DLPack to MLIR's memref descriptors, through the entry of the variant
// that this CPU can run, and back.
//
//===----------------------------------------------------------------------===//
#include "runtime/Arguments.h"
#include "runtime/Cpu.h"
#include "runtime/Donation.h"
#include "runtime/Invocation.h"
#include "runtime/Tensor.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace clique;

namespace {

/// MLIR's descriptor of a ranked memref, of any rank: {allocated, aligned,
/// offset, sizes[rank], strides[rank]}, each word 64 bits. The words are the
/// caller's.
class Descriptor {
public:
  static size_t countWords(int32_t rank) { return 3 + 2 * size_t(rank); }

  Descriptor(int64_t *words, int32_t rank) : rank(rank), words(words) {}
  Descriptor(int64_t *words, const DLTensor &tensor);

  void *address() { return words; }
  void *allocated() const { return pointerAt(0); }
  void setAllocated(void *p) { words[0] = reinterpret_cast<intptr_t>(p); }
  char *data(int64_t bytes) const {
    return static_cast<char *>(pointerAt(1)) + words[2] * bytes;
  }
  int64_t *sizes() const { return words + 3; }
  int64_t *strides() const { return words + 3 + rank; }

private:
  void *pointerAt(size_t word) const {
    void *pointer;
    std::memcpy(&pointer, &words[word], sizeof(pointer));
    return pointer;
  }

  int32_t rank;
  int64_t *words;
};

/// The results while it is not yet known that all of them can be handed out.
class Results {
public:
  Results(const clique_layer &layer, Invocation &invocation,
          std::vector<Descriptor> &descriptors)
      : layer(layer), invocation(invocation), descriptors(descriptors) {}
  ~Results();

  void handOut(DLManagedTensor **out);

private:
  TensorPtr wrap(int32_t k);
  /// Whether it is this invocation's, and no argument's from then on.
  bool takeOver(const void *block) const {
    invocation.takeArgument(block);
    return invocation.memory().owns(invocation.identity(), block);
  }

  const clique_layer &layer;
  Invocation &invocation;
  std::vector<Descriptor> &descriptors;
};

} // namespace

Descriptor::Descriptor(int64_t *words, const DLTensor &tensor)
    : Descriptor(words, tensor.ndim) {
  setAllocated(tensorData(tensor));
  words[1] = words[0];
  int64_t stride = 1;
  for (int32_t d = rank - 1; d >= 0; --d) {
    words[3 + d] = tensor.shape[d];
    words[3 + rank + d] = stride;
    stride *= tensor.shape[d];
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Frees what was not taken over. Results may share a block; what this
/// invocation did not allocate (an argument, a constant) is left alone.
Results::~Results() {
  for (Descriptor &descriptor : descriptors)
    if (takeOver(descriptor.allocated()))
      invocation.memory().free(descriptor.allocated());
}

namespace {
/// Copies the elements of a strided view in row-major order.
class StridedCopy {
public:
  StridedCopy(Device *device, char *to, int64_t elementBytes)
      : device(device), to(to), elementBytes(elementBytes) {}

  void run(const char *from, const DLTensor &view, int32_t dimension = 0) {
    DLTensor inner = view;
    inner.ndim -= dimension;
    inner.shape += dimension;
    inner.strides += dimension;
    if (isContiguous(inner)) {
      append(from, countElements(inner.shape, inner.ndim) * elementBytes);
      return;
    }
    for (int64_t i = 0; i < inner.shape[0]; ++i)
      run(from + i * inner.strides[0] * elementBytes, view, dimension + 1);
  }

private:
  void append(const char *from, int64_t bytes) {
    if (device)
      device->copy(to, from, size_t(bytes));
    else
      std::memcpy(to, from, size_t(bytes));
    to += bytes;
  }

  Device *device;
  char *to;
  int64_t elementBytes;
};
} // namespace

/// A result that is alone in its block takes it over; any other is copied.
TensorPtr Results::wrap(int32_t k) {
  Descriptor &descriptor = descriptors[k];
  const DLDataType dtype = layer.results[k].dtype;
  const int64_t bytes = elementBytes(dtype);
  const int32_t rank = layer.results[k].rank;
  const std::vector<int64_t> sizes(descriptor.sizes(),
                                   descriptor.sizes() + rank);
  const int64_t count = countElements(sizes.data(), rank);

  const DLTensor view = {nullptr, {kDLCPU, 0},        rank,
                         dtype,   descriptor.sizes(), descriptor.strides(),
                         0};
  void *block = descriptor.allocated();
  const auto sharers =
      std::count_if(descriptors.begin(), descriptors.end(),
                    [&](auto &other) { return other.allocated() == block; });
  Device *device = invocation.device();
  if (sharers == 1 && isContiguous(view) && takeOver(block)) {
    TensorPtr tensor =
        adoptBlock(device, dtype, sizes, block, descriptor.data(bytes));
    descriptor.setAllocated(nullptr);
    return tensor;
  }
  TensorPtr tensor = makeTensor(device, dtype, sizes);
  if (count > 0)
    StridedCopy(device, tensorData(tensor->dl_tensor), bytes)
        .run(descriptor.data(bytes), view);
  return tensor;
}

void Results::handOut(DLManagedTensor **out) {
  std::vector<TensorPtr> tensors;
  tensors.reserve(layer.num_results);
  for (int32_t k = 0; k < layer.num_results; ++k)
    tensors.push_back(wrap(k));
  for (int32_t k = 0; k < layer.num_results; ++k)
    out[k] = tensors[k].release();
}

//===----------------------------------------------------------------------===//
// Invocation
//===----------------------------------------------------------------------===//

static void checkVersion(const clique_layer &layer) {
  // The version comes first in every layout; nothing else may be read before.
  if (layer.abi_version != CLIQUE_ABI_VERSION)
    fail(CLIQUE_INCOMPATIBLE,
         "layer compiled for ABI version {}, this runtime has version {}; "
         "compile the layer again",
         layer.abi_version, CLIQUE_ABI_VERSION);
}

static const clique_variant &chooseVariant(const clique_layer &layer) {
  const char *features = nullptr;
  for (int32_t k = 0; k < layer.num_variants; ++k) {
    features = layer.variants[k].features;
    if (hasFeatures(features))
      return layer.variants[k];
  }
  fail(CLIQUE_INCOMPATIBLE,
       "{}: this CPU lacks '{}', which the layer was compiled for; compile it "
       "again for this CPU",
       layer.name, firstMissingFeature(features));
}

/// The device that the layer was compiled for; nullptr if it is the CPU.
static std::unique_ptr<Device> openFor(const clique_layer &layer) {
  try {
    return openDevice(layer.device_type);
  } catch (const Error &error) {
    fail(error.status(), "{}: {}", layer.name, error.what());
  }
}

namespace {
/// What the entry of a layer takes, in one block of memory: pointers, and the
/// descriptors and graphs that they point to.
class PackedArguments {
public:
  PackedArguments(const clique_layer &layer, const clique_value *args);

  void **pointers() { return reinterpret_cast<void **>(words.data()); }
  std::vector<Descriptor> &results() { return outputs; }

private:
  static size_t countWords(const clique_layer &layer);

  std::vector<int64_t> words;
  std::vector<Descriptor> outputs;
};
} // namespace

size_t PackedArguments::countWords(const clique_layer &layer) {
  size_t count = 0;
  for (int32_t k = 0; k < layer.num_args; ++k)
    count += 1 + Descriptor::countWords(layer.args[k].rank);
  for (int32_t k = 0; k < layer.num_results; ++k)
    count += 1 + Descriptor::countWords(layer.results[k].rank);
  return count;
}

PackedArguments::PackedArguments(const clique_layer &layer,
                                 const clique_value *args)
    : words(countWords(layer), 0) {
  static_assert(sizeof(void *) == sizeof(int64_t), "a pointer is a word");
  void **pointer = pointers();
  int64_t *next = words.data() + layer.num_args + layer.num_results;
  for (int32_t k = 0; k < layer.num_args; ++k) {
    const clique_arg &arg = layer.args[k];
    if (arg.kind == CLIQUE_ARG_GRAPH)
      std::memcpy(next, &args[k].graph, sizeof *next);
    else if (arg.kind != CLIQUE_ARG_SCALAR)
      Descriptor(next, *args[k].tensor);
    *pointer++ = arg.kind == CLIQUE_ARG_SCALAR ? tensorData(*args[k].tensor)
                                               : static_cast<void *>(next);
    next += Descriptor::countWords(arg.rank);
  }
  outputs.reserve(layer.num_results);
  for (int32_t k = 0; k < layer.num_results; ++k) {
    outputs.emplace_back(next, layer.results[k].rank);
    *pointer++ = next;
    next += Descriptor::countWords(layer.results[k].rank);
  }
}

namespace {
/// The arguments as kernels take them: whole buffers begin at multiples of 16
/// bytes there, for accesses of several elements at once. A tensor that is a
/// view of another one's middle may not, and is copied.
class AlignedArguments {
public:
  AlignedArguments(const clique_layer &layer, Device &device,
                   const clique_value *args);

  const clique_value *values() const { return aligned.data(); }

private:
  void align(Device &device, clique_value &value);

  std::vector<clique_value> aligned;
  /// Memory that is freed is taken again for the same stream only.
  std::vector<TensorPtr> copies;
};
} // namespace

AlignedArguments::AlignedArguments(const clique_layer &layer, Device &device,
                                   const clique_value *args)
    : aligned(args, args + layer.num_args) {
  for (int32_t k = 0; k < layer.num_args; ++k)
    if (layer.args[k].kind != CLIQUE_ARG_GRAPH &&
        layer.args[k].kind != CLIQUE_ARG_SCALAR)
      align(device, aligned[k]);
}

void AlignedArguments::align(Device &device, clique_value &value) {
  constexpr uintptr_t alignment = 16;
  const DLTensor &tensor = *value.tensor;
  const int64_t bytes =
      countElements(tensor.shape, tensor.ndim) * elementBytes(tensor.dtype);
  if (bytes == 0 ||
      reinterpret_cast<uintptr_t>(tensorData(tensor)) % alignment == 0)
    return;
  copies.push_back(makeTensor(&device, tensor.dtype,
                              {tensor.shape, tensor.shape + tensor.ndim}));
  value.tensor = &copies.back()->dl_tensor;
  device.copy(tensorData(*value.tensor), tensorData(tensor), size_t(bytes));
}

static void invoke(const clique_layer &layer, std::unique_ptr<Device> device,
                   const clique_value *args, Donation &donation,
                   DLManagedTensor **results) {
  const clique_variant &variant = chooseVariant(layer);
  std::optional<AlignedArguments> aligned;
  if (device)
    args = aligned.emplace(layer, *device, args).values();
  PackedArguments packed(layer, args);
  Invocation invocation(layer.name, threadsInUse(), std::move(device));
  donation.giveTo(invocation);
  invocation.run(variant.entry, packed.pointers());
  Results(layer, invocation, packed.results()).handOut(results);
}

clique_status clique_layer_invoke(const clique_layer *layer,
                                  const clique_value *args, int32_t num_args,
                                  DLManagedTensor **results,
                                  int32_t num_results) {
  return clique_layer_invoke_donating(layer, args, num_args,
                                      /*donated=*/nullptr, results,
                                      num_results);
}

clique_status clique_layer_invoke_donating(const clique_layer *layer,
                                           const clique_value *args,
                                           int32_t num_args,
                                           DLManagedTensor *const *donated,
                                           DLManagedTensor **results,
                                           int32_t num_results) {
  return guarded([&] {
    // First of all, so that it is let go whatever is wrong with the rest.
    Donation donation(donated, num_args);
    requireNonNull(layer, "clique_layer_invoke", "layer");
    checkVersion(*layer);
    checkThreadSetting();
    if (num_args)
      requireNonNull(args, "clique_layer_invoke", "args");
    if (num_results)
      requireNonNull(results, "clique_layer_invoke", "results");
    std::unique_ptr<Device> device = openFor(*layer);
    checkArguments(*layer, device ? device->id() : DLDevice{kDLCPU, 0}, args,
                   num_args, num_results);
    donation.check(*layer, args);
    invoke(*layer, std::move(device), args, donation, results);
  });
}
