//===- Library.cpp - Compiled libraries as Python objects -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loaded library; its layers keep it.
//
//===----------------------------------------------------------------------===//
#include "python/native/Native.h"

#include <cstring>

using namespace clique::python;

namespace {
struct LibraryObject {
  PyObject_HEAD clique_library *library;
  const clique_layer *const *layers;
};
} // namespace

static PyObject *theType = nullptr;

static LibraryObject *asLibrary(PyObject *object) {
  return reinterpret_cast<LibraryObject *>(object);
}

static void closeLibrary(PyObject *self) {
  if (asLibrary(self)->library)
    clique_library_close(asLibrary(self)->library);
  freeObject(self);
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
  takeLock(thread);
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

PyObject *clique::python::libraryType() { return theType; }

const clique_layer *clique::python::findLayer(PyObject *library,
                                              const char *name) {
  const clique_layer *const *layer = asLibrary(library)->layers;
  while (*layer && std::strcmp((*layer)->name, name) != 0)
    ++layer;
  if (!*layer)
    PyErr_Format(PyExc_KeyError, "%s", name);
  return *layer;
}

bool clique::python::addLibraryType(PyObject *module) {
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
  theType = PyType_FromSpec(&spec);
  return theType && PyModule_AddObjectRef(module, "Library", theType) == 0;
}
