//===- Native.h - The extension module of the Python package ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python objects over runtime/clique.h, written against CPython's limited API
// of 3.10: one binary serves every later version. What is called often is here;
// everything else is Python.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_PYTHON_NATIVE_NATIVE_H
#define CLIQUE_PYTHON_NATIVE_NATIVE_H

#define Py_LIMITED_API 0x030A0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "runtime/clique.h"

#include <string>
#include <utility>

namespace clique::python {

/// An owned reference.
class Ref {
public:
  Ref() = default;
  /// Takes over a new reference.
  explicit Ref(PyObject *object) : object(object) {}
  static Ref borrowed(PyObject *object) {
    Py_XINCREF(object);
    return Ref(object);
  }
  Ref(Ref &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
  Ref &operator=(Ref &&other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Ref() { Py_XDECREF(object); }

  PyObject *get() const { return object; }
  PyObject *release() { return std::exchange(object, nullptr); }
  explicit operator bool() const { return object; }

private:
  PyObject *object = nullptr;
};

/// What remains of an object's deallocation once its fields are cleared.
void freeObject(PyObject *self);

/// Makes the exceptions of the package and adds them to the module.
bool addErrors(PyObject *module);
/// The exception for a status; clique.Error, the base of all, for CLIQUE_OK.
PyObject *errorType(clique_status status);
/// Sets the exception for a status, with the runtime's message; nullptr.
PyObject *raise(clique_status status);
/// The same with another message.
PyObject *raise(clique_status status, const std::string &message);

/// Takes the interpreter's lock back. Once the interpreter ends, they do not
/// return: such a thread waits for the end of the process.
void takeLock(PyThreadState *thread);
PyGILState_STATE takeLock();

/// Releases the interpreter's lock while it lives. What runs then, on this
/// thread, is interrupted by what a signal's handler raises.
class WithoutLock {
public:
  WithoutLock();
  ~WithoutLock();
  WithoutLock(const WithoutLock &) = delete;
  WithoutLock &operator=(const WithoutLock &) = delete;

private:
  static int32_t handleSignals(void *data);
  PyThreadState *thread;
};

bool addGraphType(PyObject *module);
/// The graph of a Graph object; nullptr if it is none.
const clique_graph *graphOf(PyObject *object);
/// The type itself.
PyObject *graphType();

bool addTensorType(PyObject *module);
/// A Tensor object that takes over `tensor`; `stream`: where that of a CUDA
/// device is made.
Ref wrapTensor(DLManagedTensor *tensor, void *stream = nullptr);
/// The DLPack tensor of a Tensor object; nullptr if it is none.
const DLTensor *tensorOf(PyObject *object);
/// The stream that makes the tensor of a Tensor object.
void *streamOf(PyObject *object);
/// The whole of it, which the caller now owns.
DLManagedTensor *takeTensor(PyObject *object);

/// "f32", "bf16", "i64" ...
std::string typeName(DLDataType type);

bool addLibraryType(PyObject *module);
PyObject *libraryType();
/// A layer of a Library object; nullptr with an exception set.
const clique_layer *findLayer(PyObject *library, const char *name);

bool addLayerType(PyObject *module);

/// A capsule of the function that XLA calls layers by.
PyObject *xlaHandler(PyObject *module, PyObject *arguments);

} // namespace clique::python

#endif // CLIQUE_PYTHON_NATIVE_NATIVE_H
