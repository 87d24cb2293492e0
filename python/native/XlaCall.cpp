//===- XlaCall.cpp - Layers as foreign functions of XLA -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler that clique.jax registers. Its attributes are the addresses of a
// layer and of graphs, which clique.jax keeps; its buffers are the layer's
// tensors. No interpreter is needed while it runs.
//
//===----------------------------------------------------------------------===//
#include "python/native/Native.h"
#include "python/native/XlaInterface.h"

#include <cstring>
#include <stdexcept>
#include <vector>

using namespace clique::python;
using xla::CallFrame;

static DLDataType typeOf(xla::DataType type) {
  switch (type) {
  case xla::DataType::pred:
    return {CLIQUE_DL_BOOL, 8, 1};
  case xla::DataType::s8:
    return {kDLInt, 8, 1};
  case xla::DataType::s32:
    return {kDLInt, 32, 1};
  case xla::DataType::s64:
    return {kDLInt, 64, 1};
  case xla::DataType::f16:
    return {kDLFloat, 16, 1};
  case xla::DataType::f32:
    return {kDLFloat, 32, 1};
  case xla::DataType::f64:
    return {kDLFloat, 64, 1};
  case xla::DataType::bf16:
    return {kDLBfloat, 16, 1};
  }
  throw std::runtime_error("an element type that no layer has");
}

static const void *findAttribute(const CallFrame &frame, const char *name) {
  for (int64_t k = 0; k < frame.attributes.count; ++k) {
    const xla::Text &text = *frame.attributes.names[k];
    if (std::string(text.data, text.size) == name)
      return frame.attributes.values[k];
  }
  throw std::runtime_error(std::string("attribute '") + name + "' is missing");
}

template <typename T>
static T *pointerTo(int64_t address) {
  return reinterpret_cast<T *>(static_cast<uintptr_t>(address));
}

static int64_t countBytes(const DLTensor &tensor) {
  int64_t bytes = tensor.dtype.bits / 8;
  for (int32_t d = 0; d < tensor.ndim; ++d)
    bytes *= tensor.shape[d];
  return bytes;
}

namespace {
/// Results of the runtime, freed with this object.
struct Results {
  explicit Results(int64_t count) : tensors(count, nullptr) {}
  ~Results() {
    for (DLManagedTensor *tensor : tensors)
      if (tensor)
        tensor->deleter(tensor);
  }
  std::vector<DLManagedTensor *> tensors;
};
} // namespace

static void copyTo(const xla::Buffer &buffer, const DLTensor &result) {
  const bool isAlike =
      buffer.rank == result.ndim &&
      std::equal(buffer.dims, buffer.dims + buffer.rank, result.shape);
  if (!isAlike)
    throw std::runtime_error("a result has another shape than was declared");
  std::memcpy(buffer.data,
              static_cast<const char *>(result.data) + result.byte_offset,
              size_t(countBytes(result)));
}

static void call(const CallFrame &frame) {
  const auto &address =
      *static_cast<const xla::Scalar *>(findAttribute(frame, "layer"));
  const auto &graphs =
      *static_cast<const xla::Array *>(findAttribute(frame, "graphs"));
  const auto *layer = pointerTo<const clique_layer>(
      *static_cast<const int64_t *>(address.value));
  const auto *graph = static_cast<const int64_t *>(graphs.data);
  const int64_t numTensors = frame.arguments.count;
  if (int64_t(graphs.size) + numTensors != layer->num_args ||
      frame.results.count != layer->num_results)
    throw std::runtime_error("another number of arguments than the layer has");

  std::vector<DLTensor> tensors(numTensors);
  std::vector<clique_value> values(layer->num_args);
  int64_t next = 0;
  for (int32_t k = 0; k < layer->num_args; ++k) {
    if (layer->args[k].kind == CLIQUE_ARG_GRAPH) {
      values[k].graph = pointerTo<const clique_graph>(*graph++);
      continue;
    }
    const xla::Buffer &buffer = *frame.arguments.buffers[next];
    tensors[next] = {buffer.data,
                     {kDLCPU, 0},
                     int32_t(buffer.rank),
                     typeOf(buffer.dtype),
                     buffer.dims,
                     nullptr,
                     0};
    values[k].tensor = &tensors[next++];
  }
  Results results(layer->num_results);
  if (clique_layer_invoke(layer, values.data(), layer->num_args,
                          results.tensors.data(),
                          layer->num_results) != CLIQUE_OK)
    throw std::runtime_error(clique_last_error());
  for (int32_t k = 0; k < layer->num_results; ++k)
    copyTo(*frame.results.buffers[k], results.tensors[k]->dl_tensor);
}

static xla::Error *handle(CallFrame *frame) {
  constexpr int32_t metadata = 1, invalidArgument = 3;
  if (frame->extensions && frame->extensions->type == metadata) {
    auto *asked = reinterpret_cast<xla::MetadataExtension *>(frame->extensions);
    asked->metadata->version.major = frame->api->version.major;
    asked->metadata->version.minor = frame->api->version.minor;
    asked->metadata->traits = 0;
    return nullptr;
  }
  if (frame->stage != xla::Stage::execute)
    return nullptr;
  try {
    call(*frame);
    return nullptr;
  } catch (const std::exception &error) {
    xla::ErrorArguments arguments = {sizeof(xla::ErrorArguments), nullptr,
                                     error.what(), invalidArgument};
    return frame->api->makeError(&arguments);
  }
}

PyObject *clique::python::xlaHandler(PyObject *, PyObject *) {
  return PyCapsule_New(reinterpret_cast<void *>(handle), nullptr, nullptr);
}
