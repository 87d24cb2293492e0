//===- Errors.cpp - Exceptions of the Python package ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exception per clique_status, each also what Python calls such an error.
//
//===----------------------------------------------------------------------===//
#include "python/native/Native.h"

#include <unistd.h>

using namespace clique::python;

namespace {
struct ErrorClass {
  clique_status status;
  const char *name;
  const char *doc;
  PyObject **builtin;
};
} // namespace

static PyObject *baseError = nullptr;
static PyObject *errors[CLIQUE_DEVICE_ERROR + 1] = {};

static bool addError(PyObject *module, const ErrorClass &description) {
  const std::string name = std::string("clique.") + description.name;
  Ref bases(PyTuple_Pack(2, baseError, *description.builtin));
  if (!bases)
    return false;
  PyObject *error = PyErr_NewExceptionWithDoc(name.c_str(), description.doc,
                                              bases.get(), nullptr);
  errors[description.status] = error;
  return error && PyModule_AddObjectRef(module, description.name, error) == 0;
}

/// Before 3.14 CPython ends a thread that asks for the lock too late by
/// pthread_exit, which unwinds the stack: through destructors that need the
/// lock, or that nothing may leave.
template <typename Fn>
static auto askForLock(Fn &&ask) {
  try {
    return ask();
  } catch (...) {
    while (true)
      pause(); // as later versions do
  }
}

void clique::python::takeLock(PyThreadState *thread) {
  askForLock([&] { PyEval_RestoreThread(thread); });
}

PyGILState_STATE clique::python::takeLock() {
  return askForLock([] { return PyGILState_Ensure(); });
}

WithoutLock::WithoutLock() : thread(PyEval_SaveThread()) {
  clique_set_interrupt(handleSignals, &thread);
}

WithoutLock::~WithoutLock() {
  clique_set_interrupt(nullptr, nullptr);
  takeLock(thread);
}

/// Runs the handlers of signals that came since: what they raise ends the work.
int32_t WithoutLock::handleSignals(void *data) {
  auto **thread = static_cast<PyThreadState **>(data);
  takeLock(*thread);
  const int raised = PyErr_CheckSignals();
  *thread = PyEval_SaveThread();
  return raised;
}

bool clique::python::addErrors(PyObject *module) {
  const ErrorClass classes[] = {
      {CLIQUE_INVALID_ARGUMENT, "ArgumentError",
       "A value, shape, type or index is wrong.", &PyExc_ValueError},
      {CLIQUE_IO_ERROR, "FileError", "A file cannot be read or written.",
       &PyExc_OSError},
      {CLIQUE_FORMAT_ERROR, "FormatError", "A file's contents are wrong.",
       &PyExc_ValueError},
      {CLIQUE_OUT_OF_MEMORY, "OutOfMemoryError", "There is too little memory.",
       &PyExc_MemoryError},
      {CLIQUE_INCOMPATIBLE, "IncompatibleError",
       "Compiled for another version of the runtime, or another processor.",
       &PyExc_RuntimeError},
      {CLIQUE_DEVICE_ERROR, "DeviceError",
       "There is no GPU, or it reports a failure.", &PyExc_RuntimeError}};
  baseError = PyErr_NewExceptionWithDoc(
      "clique.Error", "What all errors of this package are.", nullptr, nullptr);
  if (!baseError || PyModule_AddObjectRef(module, "Error", baseError) < 0)
    return false;
  for (const ErrorClass &description : classes)
    if (!addError(module, description))
      return false;
  return true;
}

PyObject *clique::python::errorType(clique_status status) {
  const bool known = status > CLIQUE_OK && status <= CLIQUE_DEVICE_ERROR;
  return known ? errors[status] : baseError;
}

PyObject *clique::python::raise(clique_status status,
                                const std::string &message) {
  // What the handler of a signal raised, as it ended the work.
  if (PyErr_Occurred())
    return nullptr;
  // Names of files, and what is quoted of them, may be no UTF-8.
  Ref text(PyUnicode_DecodeUTF8(message.data(), Py_ssize_t(message.size()),
                                "backslashreplace"));
  if (text)
    PyErr_SetObject(errorType(status), text.get());
  return nullptr;
}

PyObject *clique::python::raise(clique_status status) {
  return raise(status, clique_last_error());
}
