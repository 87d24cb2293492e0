//===- ArrayInterface.h - NumPy's arrays without NumPy ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `__array_struct__` points to (NumPy's array interface, version 3).
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_PYTHON_NATIVE_ARRAYINTERFACE_H
#define CLIQUE_PYTHON_NATIVE_ARRAYINTERFACE_H

#include <Python.h>

namespace clique::python {

struct ArrayInterface {
  int two = 0;       ///< 2: a check
  int nd = 0;        ///< the rank
  char typekind = 0; ///< 'f', 'i', 'u', 'b', 'c', 'V' ...
  int itemsize = 0;
  int flags = 0;
  Py_ssize_t *shape = nullptr;
  Py_ssize_t *strides = nullptr; ///< in bytes
  void *data = nullptr;
  PyObject *descr = nullptr;
};

constexpr int kArrayContiguous = 0x1;
constexpr int kArrayAligned = 0x100;
constexpr int kArrayNotSwapped = 0x200;
constexpr int kArrayWriteable = 0x400;

} // namespace clique::python

#endif // CLIQUE_PYTHON_NATIVE_ARRAYINTERFACE_H
