//===- Layer.cpp - Compiled layers as Python objects ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base of clique.Layer: makes, calls and describes a layer of a library.
//
//===----------------------------------------------------------------------===//
#include "python/native/Call.h"

using namespace clique::python;

namespace {
struct LayerObject {
  PyObject_HEAD PyObject *library;
  const clique_layer *layer;
  PyObject *names; ///< of the arguments, interned
};
} // namespace

static LayerObject *asLayer(PyObject *object) {
  return reinterpret_cast<LayerObject *>(object);
}

//===----------------------------------------------------------------------===//
// Making a layer
//===----------------------------------------------------------------------===//

static void freeLayer(PyObject *self) {
  Py_CLEAR(asLayer(self)->library);
  Py_CLEAR(asLayer(self)->names);
  freeObject(self);
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
  if (!PyArg_ParseTuple(args, "O!s", libraryType(), &library, &name))
    return nullptr;
  const clique_layer *layer = findLayer(library, name);
  if (!layer)
    return nullptr;
  auto *allocate =
      reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  Ref self(allocate(type, 0));
  if (!self)
    return nullptr;
  asLayer(self.get())->library = Ref::borrowed(library).release();
  asLayer(self.get())->layer = layer;
  asLayer(self.get())->names = makeNames(*layer);
  return asLayer(self.get())->names ? self.release() : nullptr;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static PyObject *callLayer(PyObject *self, PyObject *args, PyObject *keywords) {
  Call call(*asLayer(self)->layer, asLayer(self)->names);
  if (!call.bind(args, keywords) || !call.invoke())
    return nullptr;
  PyObject *out = call.findOut(keywords);
  if (!out || out == Py_None)
    return PyErr_Occurred() ? nullptr : call.handOut();
  return call.copyTo(out) ? Ref::borrowed(out).release() : nullptr;
}

/// A call whose results are clique.Tensor: (arguments, keywords but `out`).
static PyObject *callForTensors(PyObject *self, PyObject *args) {
  PyObject *positional = nullptr, *keywords = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &positional, &PyDict_Type,
                        &keywords))
    return nullptr;
  Call call(*asLayer(self)->layer, asLayer(self)->names);
  if (call.findOut(keywords))
    PyErr_Format(PyExc_TypeError, "%s: takes no 'out' here",
                 asLayer(self)->layer->name);
  call.returnTensors();
  if (PyErr_Occurred() || !call.bind(positional, keywords) || !call.invoke())
    return nullptr;
  return call.handOut();
}

/// A call that takes some arguments over, clique.Tensor each: (arguments, the
/// numbers of those).
static PyObject *callGiving(PyObject *self, PyObject *args) {
  PyObject *positional = nullptr, *numbers = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &positional, &PyTuple_Type,
                        &numbers))
    return nullptr;
  Call call(*asLayer(self)->layer, asLayer(self)->names);
  if (!call.give(numbers) || !call.bind(positional, nullptr) || !call.invoke())
    return nullptr;
  return call.handOut();
}

/// Calls clique_compile_verify, whose library Python has loaded.
static PyObject *verifyLayer(PyObject *self, PyObject *args) {
  unsigned long long function = 0, request = 0, messages = 0;
  PyObject *positional = nullptr, *keywords = nullptr;
  if (!PyArg_ParseTuple(args, "KKKO!O!", &function, &request, &messages,
                        &PyTuple_Type, &positional, &PyDict_Type, &keywords))
    return nullptr;
  Call call(*asLayer(self)->layer, asLayer(self)->names);
  if (!call.bind(positional, keywords) || !call.invoke())
    return nullptr;
  return call.verify(function, request, messages);
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

static PyObject *addressOf(PyObject *self, void *) {
  return PyLong_FromVoidPtr(const_cast<clique_layer *>(asLayer(self)->layer));
}

bool clique::python::addLayerType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"_describe", describeLayer, METH_NOARGS, nullptr},
      {"_call_for_tensors", callForTensors, METH_VARARGS, nullptr},
      {"_call_giving", callGiving, METH_VARARGS, nullptr},
      {"_verify", verifyLayer, METH_VARARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef properties[] = {
      {"name", nameOf, nullptr, "The function of the spec.", nullptr},
      {"_address", addressOf, nullptr, "Of its clique_layer.", nullptr},
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
  Ref type(PyType_FromSpec(&spec));
  return type && PyModule_AddObjectRef(module, "Layer", type.get()) == 0;
}
