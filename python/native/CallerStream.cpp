//===- CallerStream.cpp - Where a CUDA layer is put -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "python/native/CallerStream.h"

using namespace clique::python;

/// Where arrays of libraries that tell no stream are used; 0: the default one.
static thread_local void *chosenStream = nullptr;

PyObject *clique::python::setCudaStream(PyObject *, PyObject *stream) {
  void *value = PyLong_AsVoidPtr(stream);
  if (!value && PyErr_Occurred())
    return nullptr;
  chosenStream = value;
  Py_RETURN_NONE;
}

//===----------------------------------------------------------------------===//
// The library's memory
//===----------------------------------------------------------------------===//

/// The runtime says what there is too little of.
static void ignoreError(void *, const char *, const char *) {}

/// A tensor of bytes, which the library keeps for its own use once it is freed.
static void *allocateBytes(void *data, int32_t device, void *, size_t bytes,
                           size_t, void **handle) {
  const auto *functions = static_cast<const ExchangeFunctions *>(data);
  int64_t shape = int64_t(bytes);
  DLTensor prototype = {};
  prototype.device = {kDLCUDA, device};
  prototype.ndim = 1;
  prototype.dtype = {kDLUInt, 8, 1};
  prototype.shape = &shape;
  VersionedTensor *made = nullptr;
  if (functions->allocate(&prototype, &made, nullptr, ignoreError) != 0)
    return nullptr;
  *handle = made;
  return static_cast<char *>(made->tensor.data) + made->tensor.byte_offset;
}

static void freeBytes(void *, void *handle) {
  auto *made = static_cast<VersionedTensor *>(handle);
  made->deleter(made);
}

//===----------------------------------------------------------------------===//
// The stream
//===----------------------------------------------------------------------===//

CallerStream::CallerStream() : stream(chosenStream) {
  clique_set_cuda_device(device);
  clique_set_cuda_stream(stream);
  clique_set_cuda_allocator(nullptr);
}

/// The library's current stream; `own` stays what it is where it tells none.
bool CallerStream::ask(const Adapter &adapter, DLDevice device, void *&own) {
  if (adapter.functions && adapter.functions->getStream) {
    if (adapter.functions->getStream(device.device_type, device.device_id,
                                     &own) == 0)
      return true;
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_RuntimeError,
                      "the library of this array tells no current stream");
    return false;
  }
  if (!adapter.stream)
    return true;
  Ref answer(
      PyObject_CallFunction(adapter.stream.get(), "i", int(device.device_id)));
  own = answer ? PyLong_AsVoidPtr(answer.get()) : nullptr;
  return !PyErr_Occurred();
}

/// False with an exception set.
static bool order(void *before, void *after) {
  return clique_cuda_order_streams(before, after) == CLIQUE_OK ||
         raise(CLIQUE_DEVICE_ERROR);
}

void CallerStream::choose(const Adapter &adapter, int32_t number, void *own) {
  isChosen = true;
  stream = own;
  device = number;
  clique_set_cuda_device(device);
  clique_set_cuda_stream(stream);
  const ExchangeFunctions *functions = adapter.functions;
  const clique_cuda_allocator allocator = {
      const_cast<ExchangeFunctions *>(functions), allocateBytes, freeBytes};
  clique_set_cuda_allocator(functions && functions->allocate ? &allocator
                                                             : nullptr);
}

bool CallerStream::follow(const Adapter &adapter, PyObject *array,
                          const DLTensor &tensor) {
  const bool isElsewhere = tensor.device.device_type != kDLCUDA ||
                           (isChosen && tensor.device.device_id != device);
  if (isElsewhere)
    return true; // the runtime refuses it
  void *own = stream;
  if (!ask(adapter, tensor.device, own))
    return false;
  if (!isChosen)
    choose(adapter, tensor.device.device_id, own);
  if (adapter.kind == Adapter::native)
    own = streamOf(array);
  if (own == stream)
    return true;
  // What another stream holds comes first.
  others.push_back(own);
  return order(own, stream);
}

bool CallerStream::lead(const Adapter &adapter) {
  void *own = stream;
  return ask(adapter, {kDLCUDA, device}, own) &&
         (own == stream || order(stream, own));
}

bool CallerStream::release() {
  bool isOrdered = true;
  for (void *other : others)
    isOrdered &= clique_cuda_order_streams(stream, other) == CLIQUE_OK;
  return isOrdered;
}
