//===- Module.cpp - The module clique._native -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "python/native/CallerStream.h"

#include <algorithm>
#include <dlfcn.h>

using namespace clique::python;

void clique::python::freeObject(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  auto *release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DECREF(type);
}

static PyObject *setThreads(PyObject *, PyObject *count) {
  int overflow = 0; // -1 or 1, with the value -1
  const long value = PyLong_AsLongAndOverflow(count, &overflow);
  if (value == -1 && PyErr_Occurred())
    return nullptr;
  // What is no int32_t is beyond the limits as well.
  constexpr long beyond = INT32_MAX;
  const auto threads = int32_t(overflow ? overflow * beyond
                                        : std::clamp(value, -beyond, beyond));
  if (const clique_status status = clique_set_num_threads(threads))
    return raise(status);
  Py_RETURN_NONE;
}

static PyObject *setLowering(PyObject *, PyObject *lowering) {
  const long value = PyLong_AsLong(lowering);
  if (value == -1 && PyErr_Occurred())
    return nullptr;
  if (const clique_status status = clique_set_lowering(clique_lowering(value)))
    return raise(status);
  Py_RETURN_NONE;
}

static PyObject *lastDecisions(PyObject *, PyObject *) {
  return PyUnicode_FromString(clique_last_decisions());
}

static PyObject *peakMemory(PyObject *, PyObject *) {
  return PyLong_FromLongLong(clique_peak_memory());
}

static PyObject *resetPeakMemory(PyObject *, PyObject *) {
  clique_reset_peak_memory();
  Py_RETURN_NONE;
}

static PyObject *runtimePath(PyObject *, PyObject *) {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(clique_abi_version), &info))
    Py_RETURN_NONE;
  return PyUnicode_DecodeFSDefault(info.dli_fname);
}

static PyMethodDef functions[] = {
    {"set_num_threads", setThreads, METH_O, nullptr},
    {"set_lowering", setLowering, METH_O, nullptr},
    {"set_cuda_stream", setCudaStream, METH_O, nullptr},
    {"last_decisions", lastDecisions, METH_NOARGS, nullptr},
    {"peak_memory", peakMemory, METH_NOARGS, nullptr},
    {"reset_peak_memory", resetPeakMemory, METH_NOARGS, nullptr},
    {"xla_handler", xlaHandler, METH_NOARGS, nullptr},
    {"runtime_path", runtimePath, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                 "clique._native",
                                 "The runtime of Clique, for Python.",
                                 -1,
                                 functions,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr};

PyMODINIT_FUNC PyInit__native(void) {
  Ref module(PyModule_Create(&definition));
  if (!module || !addErrors(module.get()) || !addTensorType(module.get()) ||
      !addGraphType(module.get()) || !addLibraryType(module.get()) ||
      !addLayerType(module.get()) || !addArrayFunctions(module.get()) ||
      PyModule_AddIntConstant(module.get(), "ABI_VERSION", CLIQUE_ABI_VERSION) <
          0)
    return nullptr;
  return module.release();
}
