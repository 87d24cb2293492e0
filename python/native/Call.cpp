//===- Call.cpp - One call of a layer from Python -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "python/native/Call.h"
#include "compiler/CApi/clique_compiler.h"

#include <cstring>

using namespace clique::python;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The keyword that results are copied into.
static PyObject *outName() {
  static PyObject *name = PyUnicode_InternFromString("out");
  return name;
}

Call::Call(const clique_layer &layer, PyObject *names)
    : layer(layer), names(names), objects(layer.num_args),
      values(layer.num_args), isGiven(layer.num_args),
      arrays(new InputArray[layer.num_args]) {
  for (int32_t k = 0; k < layer.num_args; ++k)
    takesOut |= PyTuple_GetItem(names, k) == outName(); // both are interned
  if (layer.device_type == kDLCUDA)
    stream.emplace();
}

Call::~Call() {
  for (DLManagedTensor *result : results)
    if (result)
      result->deleter(result);
}

bool Call::give(PyObject *numbers) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(numbers); ++i) {
    const long k = PyLong_AsLong(PyTuple_GetItem(numbers, i));
    if (k < 0 || k >= layer.num_args) {
      if (!PyErr_Occurred())
        PyErr_Format(PyExc_IndexError, "%s: has no argument number %ld",
                     layer.name, k);
      return false;
    }
    isGiven[k] = true;
  }
  return true;
}

/// Says which keyword is one too many.
bool Call::refuseKeyword(Py_ssize_t numPositional, PyObject *keywords) {
  PyObject *name = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  while (PyDict_Next(keywords, &position, &name, &value)) {
    if (!takesOut && PyUnicode_Compare(name, outName()) == 0)
      continue;
    const Py_ssize_t k = PySequence_Index(names, name);
    PyErr_Clear();
    if (k < 0)
      PyErr_Format(PyExc_TypeError, "%s: has no argument '%U'; there are: %R",
                   layer.name, name, names);
    else if (k < numPositional)
      PyErr_Format(PyExc_TypeError,
                   "%s: argument '%U' is given by position and by name",
                   layer.name, name);
    if (PyErr_Occurred())
      return false;
  }
  return true;
}

PyObject *Call::findOut(PyObject *keywords) const {
  if (!keywords || takesOut)
    return nullptr;
  return PyDict_GetItemWithError(keywords, outName());
}

bool Call::bindKeywords(PyObject *args, PyObject *keywords) {
  Py_ssize_t taken = findOut(keywords) ? 1 : 0;
  const Py_ssize_t numPositional = PyTuple_Size(args);
  for (int32_t k = int32_t(numPositional); k < layer.num_args; ++k) {
    PyObject *name = PyTuple_GetItem(names, k);
    objects[k] = PyDict_GetItemWithError(keywords, name);
    taken += objects[k] != nullptr;
  }
  if (PyErr_Occurred())
    return false;
  return taken == PyDict_Size(keywords) ||
         refuseKeyword(numPositional, keywords);
}

bool Call::refuseMissing(int32_t k) {
  PyErr_Format(PyExc_TypeError, "%s: argument '%s' is missing; there are: %R",
               layer.name, layer.args[k].name, names);
  return false;
}

bool Call::bind(PyObject *args, PyObject *keywords) {
  const Py_ssize_t count = PyTuple_Size(args);
  if (count > layer.num_args) {
    PyErr_Format(PyExc_TypeError,
                 "%s: called with %zd arguments, it has %d: %R", layer.name,
                 count, layer.num_args, names);
    return false;
  }
  for (Py_ssize_t k = 0; k < count; ++k)
    objects[k] = PyTuple_GetItem(args, k);
  if (keywords && PyDict_Size(keywords) > 0 && !bindKeywords(args, keywords))
    return false;
  for (int32_t k = 0; k < layer.num_args; ++k) {
    if (!objects[k])
      return refuseMissing(k);
    if (!read(k))
      return explain("argument", layer.args[k].name);
  }
  return true;
}

bool Call::read(int32_t k) {
  if (layer.args[k].kind != CLIQUE_ARG_GRAPH)
    return readArray(k);
  values[k].graph = graphOf(objects[k]);
  if (!values[k].graph)
    PyErr_Format(PyExc_TypeError,
                 "expected a clique.Graph, not a '%R'; make one with "
                 "clique.Graph.from_scipy, from_edge_index, from_csr ...",
                 reinterpret_cast<PyObject *>(Py_TYPE(objects[k])));
  return values[k].graph;
}

bool Call::readArray(int32_t k) {
  const Adapter *adapter = findAdapter(objects[k]);
  if (adapter && isGiven[k] && adapter->kind != Adapter::native) {
    PyErr_SetString(PyExc_TypeError, "is given away, expected a clique.Tensor");
    return false;
  }
  if (!adapter ||
      !arrays[k].read(*adapter, objects[k], layer.args[k].dtype,
                      /*mayCopy=*/true, stream ? &*stream : nullptr))
    return false;
  values[k].tensor = arrays[k].get();
  if (stream && !stream->follow(*adapter, objects[k], *values[k].tensor))
    return false;
  const bool isNumPy = adapter->kind == Adapter::arrayStruct;
  const bool isResultLike =
      adapter->kind != Adapter::number && !isGiven[k] &&
      values[k].tensor->device.device_type == layer.device_type;
  if (isResultLike &&
      (!style || (style->kind == Adapter::arrayStruct && !isNumPy)))
    style = adapter;
  return true;
}

/// What it is an error of to read an argument: one of the package's, where the
/// library of an array or a conversion raised it. Null: the error stays as it
/// is, as a MemoryError or what a signal's handler raised.
static PyObject *errorOfArgument(PyObject *type) {
  if (PyErr_GivenExceptionMatches(type, PyExc_TypeError))
    return PyExc_TypeError;
  PyObject *argument = errorType(CLIQUE_INVALID_ARGUMENT);
  if (PyErr_GivenExceptionMatches(type, argument))
    return argument;
  if (PyErr_GivenExceptionMatches(type, errorType(CLIQUE_OK)))
    return nullptr; // of a device
  for (PyObject *other : {PyExc_ValueError, PyExc_OverflowError,
                          PyExc_RuntimeError, PyExc_BufferError})
    if (PyErr_GivenExceptionMatches(type, other))
      return argument;
  return nullptr;
}

/// Says of which value an exception was raised: "argument", 'h'.
bool Call::explain(const char *what, const char *name) {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *error = errorOfArgument(type);
  Ref text(error && value ? PyObject_Str(value) : nullptr);
  if (!text) {
    PyErr_Restore(type, value, traceback);
    return false;
  }
  PyErr_Format(error, "%s: %s '%s': %U", layer.name, what, name, text.get());
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  return false;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

bool Call::invoke() {
  results.assign(layer.num_results, nullptr);
  std::vector<DLManagedTensor *> donated(layer.num_args, nullptr);
  for (int32_t k = 0; k < layer.num_args; ++k)
    if (isGiven[k]) {
      donated[k] = takeTensor(objects[k]);
      values[k].tensor = &donated[k]->dl_tensor;
    }
  clique_status status;
  {
    WithoutLock unlocked;
    status = clique_layer_invoke_donating(&layer, values.data(), layer.num_args,
                                          donated.data(), results.data(),
                                          layer.num_results);
  }
  // Of a layer that fails kernels may be under way.
  if (stream && !stream->release())
    status = CLIQUE_DEVICE_ERROR;
  if (status != CLIQUE_OK)
    raise(status);
  return status == CLIQUE_OK;
}

Ref Call::makeResult(const Adapter &adapter, int32_t k) {
  return makeArray(adapter, std::exchange(results[k], nullptr),
                   stream ? stream->get() : nullptr);
}

PyObject *Call::handOut() {
  if (!style)
    style =
        layer.device_type == kDLCPU ? findNumPyAdapter() : findTensorAdapter();
  if (layer.num_results == 1)
    return makeResult(*style, 0).release();
  Ref tuple(PyTuple_New(layer.num_results));
  for (int32_t k = 0; tuple && k < layer.num_results; ++k) {
    Ref array = makeResult(*style, k);
    if (!array || PyTuple_SetItem(tuple.get(), k, array.release()) < 0)
      return nullptr;
  }
  return tuple.release();
}

static int64_t countElements(const DLTensor &tensor) {
  int64_t count = 1;
  for (int d = 0; d < tensor.ndim; ++d)
    count *= tensor.shape[d];
  return count;
}

static bool hasSameForm(const DLTensor &a, const DLTensor &b) {
  return a.dtype.code == b.dtype.code && a.dtype.bits == b.dtype.bits &&
         a.ndim == b.ndim && std::equal(a.shape, a.shape + a.ndim, b.shape);
}

static std::string describe(const DLTensor &tensor) {
  std::string text = typeName(tensor.dtype) + " [";
  for (int d = 0; d < tensor.ndim; ++d)
    text += (d ? ", " : "") + std::to_string(tensor.shape[d]);
  return text + "]";
}

/// Whether a result of a layer for CPUs can be copied into this array.
bool Call::checkTarget(int32_t k, const InputArray &target) {
  const DLTensor &result = results[k]->dl_tensor;
  if (!hasSameForm(*target.get(), result))
    raise(CLIQUE_INVALID_ARGUMENT,
          "is " + describe(*target.get()) + ", expected " + describe(result));
  else if (!target.isWriteable())
    raise(CLIQUE_INVALID_ARGUMENT,
          "is read-only, expected an array to write to");
  return !PyErr_Occurred();
}

const Adapter *Call::readTarget(int32_t k, PyObject *target, InputArray &into) {
  const Adapter *adapter = findAdapter(target);
  if (!adapter)
    return nullptr;
  const clique_arg &description = layer.results[k];
  if (adapter->kind == Adapter::number || adapter->kind == Adapter::none) {
    PyErr_Format(PyExc_TypeError, "%s: out for '%s' is no array: %R",
                 layer.name, description.name, target);
    return nullptr;
  }
  if (stream)
    return adapter;
  const bool fits = into.read(*adapter, target, description.dtype,
                              /*mayCopy=*/false) &&
                    checkTarget(k, into);
  return fits || explain("out for", description.name) ? adapter : nullptr;
}

bool Call::copyResult(int32_t k, PyObject *target, const Adapter &adapter,
                      const InputArray &into) {
  if (stream && !stream->lead(adapter))
    return false;
  if (stream || adapter.kind != Adapter::arrayStruct || into.get()->strides) {
    Ref array = makeResult(adapter, k);
    return array && PyObject_SetItem(target, Py_Ellipsis, array.get()) == 0;
  }
  const DLTensor &result = results[k]->dl_tensor;
  std::memcpy(into.get()->data,
              static_cast<char *>(result.data) + result.byte_offset,
              size_t(countElements(result)) * (result.dtype.bits / 8));
  return true;
}

bool Call::copyTo(PyObject *out) {
  const int32_t count = layer.num_results;
  if (count != 1 && (!PyTuple_Check(out) || PyTuple_Size(out) != count)) {
    PyErr_Format(PyExc_TypeError, "%s: out must be a tuple of %d arrays",
                 layer.name, count);
    return false;
  }
  auto targetOf = [&](int32_t k) {
    return count == 1 ? out : PyTuple_GetItem(out, k);
  };
  // Where one does not fit, none is written.
  std::unique_ptr<InputArray[]> arrays(new InputArray[count]);
  std::vector<const Adapter *> adapters;
  for (int32_t k = 0; k < count; ++k) {
    adapters.push_back(readTarget(k, targetOf(k), arrays[k]));
    if (!adapters.back())
      return false;
  }
  for (int32_t k = 0; k < count; ++k)
    if (!copyResult(k, targetOf(k), *adapters[k], arrays[k]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

using VerifyFunction = decltype(clique_compile_verify);

namespace {
/// Tensors where the reference interpreter reads them.
class HostCopies {
public:
  ~HostCopies() {
    for (DLManagedTensor *copy : copies)
      copy->deleter(copy);
  }
  /// The tensor, or a copy of it on the host; nullptr with an exception set.
  const DLTensor *get(const DLTensor *tensor) {
    if (tensor->device.device_type == kDLCPU)
      return tensor;
    DLManagedTensor *copy = nullptr;
    const clique_status status = clique_tensor_copy(tensor, kDLCPU, &copy);
    if (status != CLIQUE_OK) {
      raise(status);
      return nullptr;
    }
    copies.push_back(copy);
    return &copy->dl_tensor;
  }

private:
  std::vector<DLManagedTensor *> copies;
};
} // namespace

PyObject *Call::verify(unsigned long long function, unsigned long long request,
                       unsigned long long messages) {
  auto *compare = reinterpret_cast<VerifyFunction *>(uintptr_t(function));
  HostCopies host;
  std::vector<clique_value> given = values;
  std::vector<const DLTensor *> tensors;
  for (int32_t k = 0; k < layer.num_args; ++k)
    if (layer.args[k].kind != CLIQUE_ARG_GRAPH &&
        !(given[k].tensor = host.get(values[k].tensor)))
      return nullptr;
  for (DLManagedTensor *result : results) {
    tensors.push_back(host.get(&result->dl_tensor));
    if (!tensors.back())
      return nullptr;
  }
  std::vector<clique_deviation> deviations(results.size());
  PyThreadState *thread = PyEval_SaveThread();
  const clique_status status = compare(
      reinterpret_cast<const clique_compile_request *>(uintptr_t(request)),
      layer.name, given.data(), layer.num_args, tensors.data(),
      layer.num_results, deviations.data(),
      reinterpret_cast<clique_buffer *>(uintptr_t(messages)));
  takeLock(thread);
  Ref list(PyList_New(0));
  for (const clique_deviation &found : deviations) {
    Ref item(list ? Py_BuildValue("(dddd)", found.error, found.tolerance,
                                  found.actual, found.expected)
                  : nullptr);
    if (!item || PyList_Append(list.get(), item.get()) < 0)
      return nullptr;
  }
  return list ? Py_BuildValue("(iO)", int(status), list.get()) : nullptr;
}
