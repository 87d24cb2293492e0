//===- Graph.cpp - Graphs of the runtime as Python objects ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base of clique.Graph, which owns a clique_graph.
//
//===----------------------------------------------------------------------===//
#include "python/native/Graph.h"

#include <unordered_map>

using namespace clique::python;

namespace {
struct GraphObject {
  PyObject_HEAD clique_graph *graph;
  long long number;
};
} // namespace

static PyObject *theType = nullptr;
/// The graphs that live, by their numbers: what stands for them where only
/// numbers go, as in operators of PyTorch. The interpreter's lock guards it.
static std::unordered_map<long long, PyObject *> &getLiving() {
  static std::unordered_map<long long, PyObject *> living;
  return living;
}
static long long lastNumber = 0;

static clique_graph *&slotOf(PyObject *self) {
  return reinterpret_cast<GraphObject *>(self)->graph;
}

const clique_graph *clique::python::graphOf(PyObject *object) {
  if (!PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject *>(theType)))
    return nullptr;
  return slotOf(object);
}

PyObject *clique::python::graphType() { return theType; }

static void deallocate(PyObject *self) {
  getLiving().erase(reinterpret_cast<GraphObject *>(self)->number);
  clique_graph_free(slotOf(self));
  freeObject(self);
}

static PyObject *refuseNew(PyTypeObject *, PyObject *, PyObject *) {
  PyErr_SetString(PyExc_TypeError,
                  "a graph is made by clique.Graph.from_csr, from_coo, "
                  "from_edge_index, from_scipy, read, complete, causal ...");
  return nullptr;
}

PyObject *clique::python::wrapGraph(PyObject *type, clique_graph *graph) {
  auto *allocate = reinterpret_cast<allocfunc>(
      PyType_GetSlot(reinterpret_cast<PyTypeObject *>(type), Py_tp_alloc));
  PyObject *self = allocate(reinterpret_cast<PyTypeObject *>(type), 0);
  if (!self) {
    clique_graph_free(graph);
    return nullptr;
  }
  slotOf(self) = graph;
  reinterpret_cast<GraphObject *>(self)->number = ++lastNumber;
  getLiving()[lastNumber] = self;
  return self;
}

static PyObject *getNumber(PyObject *self, void *) {
  return PyLong_FromLongLong(reinterpret_cast<GraphObject *>(self)->number);
}

static PyObject *findByNumber(PyObject *, PyObject *args) {
  long long number = 0;
  if (!PyArg_ParseTuple(args, "L", &number))
    return nullptr;
  auto found = getLiving().find(number);
  // One whose attributes are being destroyed is still listed.
  if (found != getLiving().end() && Py_REFCNT(found->second) > 0)
    return Ref::borrowed(found->second).release();
  return raise(CLIQUE_INVALID_ARGUMENT,
               "graph " + std::to_string(number) +
                   " is gone: keep it as long as layers are called on it");
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static PyObject *getCount(PyObject *self, void *which) {
  const clique_graph *graph = slotOf(self);
  auto *count = reinterpret_cast<int64_t (*)(const clique_graph *)>(which);
  return PyLong_FromLongLong(count(graph));
}

static PyObject *addressOf(PyObject *self, void *) {
  return PyLong_FromVoidPtr(slotOf(self));
}

static PyObject *inspect(PyObject *self, PyObject *) {
  clique_graph_info info;
  clique_status status;
  {
    WithoutLock unlocked;
    status = clique_graph_inspect(slotOf(self), &info);
  }
  if (status != CLIQUE_OK)
    return raise(status);
  return Py_BuildValue(
      "(sLiLLL)", clique_topology_name(info.topology), (long long)info.param,
      int(info.no_self), (long long)info.num_components,
      (long long)info.max_degree, (long long)info.num_isolated);
}

/// An array of a graph as a Tensor, which keeps the graph.
template <typename T>
static Ref lendArray(PyObject *self, const T *data, int64_t count) {
  struct Owner {
    DLManagedTensor managed = {};
    PyObject *graph = nullptr;
    int64_t shape = 0;
  };
  auto *owner = new Owner();
  owner->shape = count;
  owner->graph = Ref::borrowed(self).release();
  DLTensor &tensor = owner->managed.dl_tensor;
  tensor.data = const_cast<T *>(data);
  tensor.device = {kDLCPU, 0};
  tensor.ndim = 1;
  tensor.dtype = {kDLInt, sizeof(T) * 8, 1};
  tensor.shape = &owner->shape;
  owner->managed.manager_ctx = owner;
  owner->managed.deleter = [](DLManagedTensor *managed) {
    auto *owner = static_cast<Owner *>(managed->manager_ctx);
    const PyGILState_STATE state = takeLock();
    Py_DECREF(owner->graph);
    PyGILState_Release(state);
    delete owner;
  };
  return wrapTensor(&owner->managed);
}

static PyObject *getCsr(PyObject *self, PyObject *) {
  const clique_graph *graph = slotOf(self);
  const int64_t *indptr = nullptr, *ids = nullptr;
  const int32_t *indices = nullptr;
  clique_status status;
  {
    WithoutLock unlocked;
    status = clique_graph_csr(graph, &indptr, &indices, &ids);
  }
  if (status != CLIQUE_OK)
    return raise(status);
  const int64_t edges = clique_graph_num_edges(graph);
  Ref rows = lendArray(self, indptr, clique_graph_num_dst(graph) + 1);
  Ref columns = lendArray(self, indices, edges);
  Ref numbers = ids ? lendArray(self, ids, edges) : Ref::borrowed(Py_None);
  if (!rows || !columns || !numbers)
    return nullptr;
  return PyTuple_Pack(3, rows.get(), columns.get(), numbers.get());
}

/// O(nodes) of any graph, whose edges are not listed for it.
static PyObject *getRowPointers(PyObject *self, PyObject *) {
  const clique_graph *graph = slotOf(self);
  const int64_t *indptr = nullptr;
  clique_status status;
  {
    WithoutLock unlocked;
    status = clique_graph_csr(graph, &indptr, nullptr, nullptr);
  }
  if (status != CLIQUE_OK)
    return raise(status);
  return lendArray(self, indptr, clique_graph_num_dst(graph) + 1).release();
}

bool clique::python::addGraphType(PyObject *module) {
  constexpr int onClass = METH_VARARGS | METH_CLASS;
  static PyMethodDef methods[] = {
      {"_from_csr", graphFromCsr, onClass, nullptr},
      {"_from_coo", graphFromCoo, onClass, nullptr},
      {"_regular", makeRegularGraph, onClass, nullptr},
      {"_cliques", makeCliques, onClass, nullptr},
      {"_read", readGraphFile, METH_O | METH_CLASS, nullptr},
      {"_of_number", findByNumber, METH_VARARGS | METH_STATIC, nullptr},
      {"_reversed", reverseGraph, METH_NOARGS, nullptr},
      {"_with_self_loops", addSelfLoops, METH_NOARGS, nullptr},
      {"_reorder", reorderGraph, METH_VARARGS, nullptr},
      {"_inspect", inspect, METH_NOARGS, nullptr},
      {"_csr", getCsr, METH_NOARGS, nullptr},
      {"_row_pointers", getRowPointers, METH_NOARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef properties[] = {
      {"num_dst", getCount, nullptr, "Destinations.",
       reinterpret_cast<void *>(clique_graph_num_dst)},
      {"num_src", getCount, nullptr, "Sources.",
       reinterpret_cast<void *>(clique_graph_num_src)},
      {"num_edges", getCount, nullptr, "Edges.",
       reinterpret_cast<void *>(clique_graph_num_edges)},
      {"_address", addressOf, nullptr, "Of its clique_graph.", nullptr},
      {"_number", getNumber, nullptr, "No other graph has it.", nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void *>(refuseNew)},
      {Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
      {Py_tp_methods, methods},
      {Py_tp_getset, properties},
      {0, nullptr}};
  static PyType_Spec spec = {"clique._native.Graph", sizeof(GraphObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  theType = PyType_FromSpec(&spec);
  return theType && PyModule_AddObjectRef(module, "Graph", theType) == 0;
}
