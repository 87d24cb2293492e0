//===- Graph.h - Graphs of the runtime as Python objects --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_PYTHON_NATIVE_GRAPH_H
#define CLIQUE_PYTHON_NATIVE_GRAPH_H

#include "python/native/Native.h"

namespace clique::python {

/// A new object of `type`, clique.Graph or what derives from it, which owns the
/// graph.
PyObject *wrapGraph(PyObject *type, clique_graph *graph);

// Methods of the type, which take it and a tuple: see clique/_native.pyi.
PyObject *graphFromCsr(PyObject *type, PyObject *args);
PyObject *graphFromCoo(PyObject *type, PyObject *args);
PyObject *makeRegularGraph(PyObject *type, PyObject *args);
PyObject *makeCliques(PyObject *type, PyObject *args);
PyObject *readGraphFile(PyObject *type, PyObject *path);

// Methods of graphs.
PyObject *reverseGraph(PyObject *self, PyObject *);
PyObject *addSelfLoops(PyObject *self, PyObject *);
PyObject *reorderGraph(PyObject *self, PyObject *args);

} // namespace clique::python
#endif // CLIQUE_PYTHON_NATIVE_GRAPH_H
