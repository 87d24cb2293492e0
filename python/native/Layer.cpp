//===- Layer.cpp - Compiled layers as Python objects ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The road of a call: arguments by position or name, arrays to DLPack, the
// runtime without the interpreter's lock, and results to the caller's library.
//
//===----------------------------------------------------------------------===//
#include "python/native/Arrays.h"

#include <cstring>
#include <memory>
#include <structmember.h>

using namespace clique::python;

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

namespace {
/// A loaded library; its layers keep it.
struct LibraryObject {
  PyObject_HEAD clique_library *library;
  const clique_layer *const *layers;
};

struct LayerObject {
  PyObject_HEAD PyObject *library;
  const clique_layer *layer;
  PyObject *names; ///< of the arguments, interned
};
} // namespace

static PyObject *libraryType = nullptr;
static PyObject *outName = nullptr;

static LibraryObject *asLibrary(PyObject *object) {
  return reinterpret_cast<LibraryObject *>(object);
}
static LayerObject *asLayer(PyObject *object) {
  return reinterpret_cast<LayerObject *>(object);
}

static void release(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  auto *function = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  function(self);
  Py_DECREF(type);
}

static void closeLibrary(PyObject *self) {
  if (asLibrary(self)->library)
    clique_library_close(asLibrary(self)->library);
  release(self);
}

static PyObject *openLibrary(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *bytes = nullptr;
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &bytes))
    return nullptr;
  Ref path(bytes);
  const char *name = PyBytes_AsString(bytes);
  clique_library *library = nullptr;
  const clique_layer *const *layers = nullptr;
  PyThreadState *thread = PyEval_SaveThread();
  const clique_status status = clique_library_open(name, &library, &layers);
  PyEval_RestoreThread(thread);
  if (status != CLIQUE_OK)
    return raise(status);
  PyObject *self = PyType_GenericAlloc(type, 0);
  if (!self) {
    clique_library_close(library);
    return nullptr;
  }
  asLibrary(self)->library = library;
  asLibrary(self)->layers = layers;
  return self;
}

static PyObject *listLayers(PyObject *self, PyObject *) {
  Ref names(PyList_New(0));
  for (auto *layer = asLibrary(self)->layers; names && *layer; ++layer) {
    Ref name(PyUnicode_FromString((*layer)->name));
    if (!name || PyList_Append(names.get(), name.get()) < 0)
      return nullptr;
  }
  return names.release();
}

static bool addLibraryType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"names", listLayers, METH_NOARGS, "The names of the layers."},
      {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char *>("A compiled library: Library(path).")},
      {Py_tp_new, reinterpret_cast<void *>(openLibrary)},
      {Py_tp_dealloc, reinterpret_cast<void *>(closeLibrary)},
      {Py_tp_methods, methods},
      {0, nullptr}};
  static PyType_Spec spec = {"clique._native.Library", sizeof(LibraryObject), 0,
                             Py_TPFLAGS_DEFAULT, slots};
  libraryType = PyType_FromSpec(&spec);
  return libraryType &&
         PyModule_AddObjectRef(module, "Library", libraryType) == 0;
}

//===----------------------------------------------------------------------===//
// Making a layer
//===----------------------------------------------------------------------===//

static void freeLayer(PyObject *self) {
  Py_CLEAR(asLayer(self)->library);
  Py_CLEAR(asLayer(self)->names);
  release(self);
}

static PyObject *makeNames(const clique_layer &layer) {
  Ref names(PyTuple_New(layer.num_args));
  for (int32_t k = 0; names && k < layer.num_args; ++k) {
    PyObject *name = PyUnicode_InternFromString(layer.args[k].name);
    if (!name || PyTuple_SetItem(names.get(), k, name) < 0)
      return nullptr;
  }
  return names.release();
}

static PyObject *newLayer(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *library = nullptr;
  const char *name = nullptr;
  if (!PyArg_ParseTuple(args, "O!s", libraryType, &library, &name))
    return nullptr;
  const clique_layer *const *layer = asLibrary(library)->layers;
  while (*layer && std::strcmp((*layer)->name, name) != 0)
    ++layer;
  if (!*layer) {
    PyErr_Format(PyExc_KeyError, "%s", name);
    return nullptr;
  }
  auto *allocate =
      reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  Ref self(allocate(type, 0));
  if (!self)
    return nullptr;
  asLayer(self.get())->library = Ref::borrowed(library).release();
  asLayer(self.get())->layer = *layer;
  asLayer(self.get())->names = makeNames(**layer);
  return asLayer(self.get())->names ? self.release() : nullptr;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
/// The arguments of one call while it is under way.
class Call {
public:
  explicit Call(PyObject *self)
      : layer(*asLayer(self)->layer), names(asLayer(self)->names),
        objects(layer.num_args), values(layer.num_args),
        arrays(new InputArray[layer.num_args]) {}

  /// All but `out`.
  bool bind(PyObject *args, PyObject *keywords);
  /// Runs the layer; the results are this object's until they are taken.
  bool invoke();
  PyObject *handOut();
  bool copyTo(PyObject *out);
  /// By a function of the compiler: (status, a deviation for each result).
  PyObject *verify(unsigned long long function, unsigned long long request,
                   unsigned long long messages);

  ~Call();

private:
  bool bindKeywords(PyObject *args, PyObject *keywords);
  bool refuseKeyword(Py_ssize_t numPositional, PyObject *keywords);
  bool refuseMissing(int32_t k);
  bool read(int32_t k);
  bool readArray(int32_t k);
  bool explain(int32_t k);
  bool chooseStream();
  bool copyResult(int32_t k, PyObject *target);

  const clique_layer &layer;
  PyObject *names;
  std::vector<PyObject *> objects; ///< borrowed
  std::vector<clique_value> values;
  std::unique_ptr<InputArray[]> arrays;
  std::vector<DLManagedTensor *> results;
  /// Whose arrays the results are: those of the first argument that is one,
  /// NumPy's where another library's are beside it the others'.
  const Adapter *style = nullptr;
};
} // namespace

Call::~Call() {
  for (DLManagedTensor *result : results)
    if (result)
      result->deleter(result);
}

/// Says which keyword is one too many.
bool Call::refuseKeyword(Py_ssize_t numPositional, PyObject *keywords) {
  PyObject *name = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  while (PyDict_Next(keywords, &position, &name, &value)) {
    if (PyUnicode_Compare(name, outName) == 0)
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

bool Call::bindKeywords(PyObject *args, PyObject *keywords) {
  Py_ssize_t taken = PyDict_GetItemWithError(keywords, outName) ? 1 : 0;
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
      return explain(k);
  }
  return chooseStream();
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
  if (!adapter || !arrays[k].read(*adapter, objects[k], layer.args[k].dtype))
    return false;
  values[k].tensor = arrays[k].get();
  const bool isNumPy = adapter->kind == Adapter::arrayStruct;
  if (adapter->kind != Adapter::number &&
      (!style || (style->kind == Adapter::arrayStruct && !isNumPy)))
    style = adapter;
  return true;
}

/// Says at which argument an exception was raised.
bool Call::explain(int32_t k) {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  Ref text(value ? PyObject_Str(value) : nullptr);
  const bool isOurs = type == PyExc_TypeError || type == PyExc_OverflowError;
  if (!text || !isOurs) {
    PyErr_Restore(type, value, traceback);
    return false;
  }
  PyErr_Format(type, "%s: argument '%s': %U", layer.name, layer.args[k].name,
               text.get());
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  return false;
}

/// A layer on a GPU runs where its tensors are, in the caller's stream.
bool Call::chooseStream() {
  if (layer.device_type == kDLCPU)
    return true;
  for (int32_t k = 0; k < layer.num_args; ++k) {
    const clique_arg &arg = layer.args[k];
    if (arg.kind == CLIQUE_ARG_GRAPH || arg.kind == CLIQUE_ARG_SCALAR)
      continue;
    const DLDevice device = values[k].tensor->device;
    if (device.device_type == kDLCPU)
      continue;
    clique_set_cuda_device(device.device_id);
    void *stream = nullptr;
    if (style && style->functions && style->functions->getStream)
      style->functions->getStream(device.device_type, device.device_id,
                                  &stream);
    clique_set_cuda_stream(stream);
    return !PyErr_Occurred();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

bool Call::invoke() {
  results.assign(layer.num_results, nullptr);
  PyThreadState *thread = PyEval_SaveThread();
  const clique_status status = clique_layer_invoke(
      &layer, values.data(), layer.num_args, results.data(), layer.num_results);
  PyEval_RestoreThread(thread);
  if (status != CLIQUE_OK)
    raise(status);
  return status == CLIQUE_OK;
}

PyObject *Call::handOut() {
  if (!style)
    style = findNumPyAdapter();
  if (layer.num_results == 1)
    return makeArray(*style, std::exchange(results[0], nullptr)).release();
  Ref tuple(PyTuple_New(layer.num_results));
  for (int32_t k = 0; tuple && k < layer.num_results; ++k) {
    Ref array = makeArray(*style, std::exchange(results[k], nullptr));
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

bool Call::copyResult(int32_t k, PyObject *target) {
  const clique_arg &description = layer.results[k];
  const Adapter *adapter = findAdapter(target);
  InputArray room;
  if (!adapter)
    return false;
  if (adapter->kind != Adapter::arrayStruct || layer.device_type != kDLCPU) {
    Ref array = makeArray(*adapter, std::exchange(results[k], nullptr));
    return array && PyObject_SetItem(target, Py_Ellipsis, array.get()) == 0;
  }
  const DLTensor &result = results[k]->dl_tensor;
  if (!room.read(*adapter, target, description.dtype, /*mayCopy=*/false))
    return false;
  if (!room.isWriteable() || !hasSameForm(*room.get(), result)) {
    PyErr_Format(PyExc_ValueError,
                 "%s: out for '%s' is read-only, or not of the type and shape "
                 "of the result",
                 layer.name, description.name);
    return false;
  }
  if (room.get()->strides) {
    Ref array = makeArray(*adapter, std::exchange(results[k], nullptr));
    return array && PyObject_SetItem(target, Py_Ellipsis, array.get()) == 0;
  }
  std::memcpy(room.get()->data,
              static_cast<char *>(result.data) + result.byte_offset,
              size_t(countElements(result)) * (result.dtype.bits / 8));
  return true;
}

bool Call::copyTo(PyObject *out) {
  if (layer.num_results == 1)
    return copyResult(0, out);
  if (!PyTuple_Check(out) || PyTuple_Size(out) != layer.num_results) {
    PyErr_Format(PyExc_TypeError, "%s: out must be a tuple of %d arrays",
                 layer.name, layer.num_results);
    return false;
  }
  for (int32_t k = 0; k < layer.num_results; ++k)
    if (!copyResult(k, PyTuple_GetItem(out, k)))
      return false;
  return true;
}

static PyObject *callLayer(PyObject *self, PyObject *args, PyObject *keywords) {
  Call call(self);
  if (!call.bind(args, keywords) || !call.invoke())
    return nullptr;
  PyObject *out =
      keywords ? PyDict_GetItemWithError(keywords, outName) : nullptr;
  if (!out || out == Py_None)
    return PyErr_Occurred() ? nullptr : call.handOut();
  return call.copyTo(out) ? Ref::borrowed(out).release() : nullptr;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

using VerifyFunction = clique_status (*)(const void *request, const char *layer,
                                         const clique_value *args,
                                         int32_t numArgs,
                                         const DLTensor *const *results,
                                         int32_t numResults, double *deviations,
                                         void *messages);

/// Calls clique_compile_verify, whose library Python has loaded.
static PyObject *verifyLayer(PyObject *self, PyObject *args) {
  unsigned long long function = 0, request = 0, messages = 0;
  PyObject *positional = nullptr, *keywords = nullptr;
  if (!PyArg_ParseTuple(args, "KKKO!O!", &function, &request, &messages,
                        &PyTuple_Type, &positional, &PyDict_Type, &keywords))
    return nullptr;
  Call call(self);
  if (!call.bind(positional, keywords) || !call.invoke())
    return nullptr;
  return call.verify(function, request, messages);
}

PyObject *Call::verify(unsigned long long function, unsigned long long request,
                       unsigned long long messages) {
  auto *compare = reinterpret_cast<VerifyFunction>(uintptr_t(function));
  std::vector<const DLTensor *> tensors;
  for (DLManagedTensor *result : results)
    tensors.push_back(&result->dl_tensor);
  constexpr int32_t kFields = 4; // of clique_deviation
  std::vector<double> deviations(kFields * results.size());
  PyThreadState *thread = PyEval_SaveThread();
  const clique_status status =
      compare(reinterpret_cast<const void *>(uintptr_t(request)), layer.name,
              values.data(), layer.num_args, tensors.data(), layer.num_results,
              deviations.data(), reinterpret_cast<void *>(uintptr_t(messages)));
  PyEval_RestoreThread(thread);
  Ref list(PyList_New(0));
  for (size_t k = 0; list && k < deviations.size(); k += kFields) {
    Ref item(Py_BuildValue("(dddd)", deviations[k], deviations[k + 1],
                           deviations[k + 2], deviations[k + 3]));
    if (!item || PyList_Append(list.get(), item.get()) < 0)
      return nullptr;
  }
  return list ? Py_BuildValue("(iO)", int(status), list.get()) : nullptr;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

static Ref describeShape(const clique_arg &arg) {
  Ref shape(PyTuple_New(arg.rank));
  for (int32_t d = 0; shape && d < arg.rank; ++d) {
    PyObject *size = arg.shape[d] == CLIQUE_DYNAMIC
                         ? Ref::borrowed(Py_None).release()
                         : PyLong_FromLongLong(arg.shape[d]);
    if (!size || PyTuple_SetItem(shape.get(), d, size) < 0)
      return Ref();
  }
  return shape;
}

/// (name, kind, type, shape, extent, graph, topology, param, no_self)
static Ref describeArgument(const clique_arg &arg) {
  Ref shape = describeShape(arg);
  if (!shape)
    return shape;
  const bool isGraph = arg.kind == CLIQUE_ARG_GRAPH;
  return Ref(Py_BuildValue(
      "(sisOiisLi)", arg.name, int(arg.kind),
      isGraph ? "graph" : typeName(arg.dtype).c_str(), shape.get(),
      int(arg.extent), int(arg.graph),
      isGraph ? clique_topology_name(clique_topology(arg.topology)) : "",
      (long long)arg.param, int(arg.no_self)));
}

static Ref describeAll(const clique_arg *args, int32_t count) {
  Ref list(PyTuple_New(count));
  for (int32_t k = 0; list && k < count; ++k) {
    Ref item = describeArgument(args[k]);
    if (!item || PyTuple_SetItem(list.get(), k, item.release()) < 0)
      return Ref();
  }
  return list;
}

static PyObject *describeLayer(PyObject *self, PyObject *) {
  const clique_layer &layer = *asLayer(self)->layer;
  Ref args = describeAll(layer.args, layer.num_args);
  Ref results = describeAll(layer.results, layer.num_results);
  if (!args || !results)
    return nullptr;
  return Py_BuildValue("(siOO)", layer.name, int(layer.device_type), args.get(),
                       results.get());
}

static PyObject *nameOf(PyObject *self, void *) {
  return PyUnicode_FromString(asLayer(self)->layer->name);
}

bool clique::python::addLayerTypes(PyObject *module) {
  static PyMethodDef methods[] = {
      {"_describe", describeLayer, METH_NOARGS, nullptr},
      {"_verify", verifyLayer, METH_VARARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef properties[] = {
      {"name", nameOf, nullptr, "The function of the spec.", nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void *>(newLayer)},
      {Py_tp_dealloc, reinterpret_cast<void *>(freeLayer)},
      {Py_tp_call, reinterpret_cast<void *>(callLayer)},
      {Py_tp_methods, methods},
      {Py_tp_getset, properties},
      {0, nullptr}};
  static PyType_Spec spec = {"clique._native.Layer", sizeof(LayerObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  outName = PyUnicode_InternFromString("out");
  Ref type(PyType_FromSpec(&spec));
  return addLibraryType(module) && type && outName &&
         PyModule_AddObjectRef(module, "Layer", type.get()) == 0;
}
