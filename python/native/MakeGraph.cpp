//===- MakeGraph.cpp - Graphs from arrays, files, sizes and graphs --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The methods of clique.Graph's base that make graphs. Python has checked the
// types of arrays.
//
//===----------------------------------------------------------------------===//
#include "python/native/Arrays.h"
#include "python/native/Graph.h"

#include <cstdarg>
#include <memory>

using namespace clique::python;

/// Calls `make` without the interpreter's lock, and wraps its graph as `type`.
template <typename Make>
static PyObject *build(PyObject *type, Make &&make) {
  clique_graph *graph = nullptr;
  clique_status status;
  {
    WithoutLock unlocked;
    status = make(&graph);
  }
  return status == CLIQUE_OK ? wrapGraph(type, graph) : raise(status);
}

/// As PyArg_ParseTuple; a size that 64 bits do not hold is a wrong argument.
static bool parseSizes(PyObject *args, const char *format, ...) {
  va_list places;
  va_start(places, format);
  const bool isParsed = PyArg_VaParse(args, format, places) != 0;
  va_end(places);
  if (!isParsed && PyErr_ExceptionMatches(PyExc_OverflowError)) {
    PyErr_Clear();
    raise(CLIQUE_INVALID_ARGUMENT, "a number of nodes does not fit 64 bits");
  }
  return isParsed;
}

/// An array of integers that Python made sure of.
static const void *dataOf(const InputArray &array) {
  return static_cast<const char *>(array.get()->data) +
         array.get()->byte_offset;
}

static bool readIntegers(InputArray &array, PyObject *object, uint8_t bits) {
  const Adapter *adapter = findAdapter(object);
  if (!adapter || !array.read(*adapter, object, {kDLInt, bits, 1}))
    return false;
  const DLTensor &tensor = *array.get();
  if (tensor.ndim == 1 && tensor.dtype.code == kDLInt &&
      tensor.dtype.bits == bits && tensor.device.device_type == kDLCPU)
    return true;
  PyErr_Format(PyExc_TypeError, "expected a row of integers of %d bits",
               int(bits));
  return false;
}

namespace {
/// Arrays that a graph is made of.
struct CsrArrays {
  InputArray indptr, indices;
};
} // namespace

/// From any thread, with the interpreter's lock or without.
static void releaseArrays(void *arrays) {
  const PyGILState_STATE state = takeLock();
  delete static_cast<CsrArrays *>(arrays);
  PyGILState_Release(state);
}

PyObject *clique::python::graphFromCsr(PyObject *type, PyObject *args) {
  long long numDst = 0, numSrc = 0;
  PyObject *rows = nullptr, *columns = nullptr;
  auto arrays = std::make_unique<CsrArrays>();
  InputArray &indptr = arrays->indptr, &indices = arrays->indices;
  if (!parseSizes(args, "LLOO", &numDst, &numSrc, &rows, &columns) ||
      !readIntegers(indptr, rows, 64) || !readIntegers(indices, columns, 32))
    return nullptr;
  const auto *pointers = static_cast<const int64_t *>(dataOf(indptr));
  if (indptr.get()->shape[0] != numDst + 1 ||
      pointers[numDst] != indices.get()->shape[0])
    return raise(CLIQUE_INVALID_ARGUMENT,
                 "indptr has " + std::to_string(indptr.get()->shape[0]) +
                     " entries for " + std::to_string(numDst) +
                     " destinations and must end with the number of indices, " +
                     std::to_string(indices.get()->shape[0]));
  return build(type, [&](clique_graph **graph) {
    return clique_graph_adopt_csr(numDst, numSrc, pointers,
                                  static_cast<const int32_t *>(dataOf(indices)),
                                  releaseArrays, arrays.release(), graph);
  });
}

PyObject *clique::python::graphFromCoo(PyObject *type, PyObject *args) {
  long long numDst = 0, numSrc = 0;
  PyObject *destinations = nullptr, *sources = nullptr;
  InputArray dst, src;
  if (!parseSizes(args, "LLOO", &numDst, &numSrc, &destinations, &sources) ||
      !readIntegers(dst, destinations, 32) || !readIntegers(src, sources, 32))
    return nullptr;
  const int64_t count = dst.get()->shape[0];
  if (count != src.get()->shape[0])
    return raise(CLIQUE_INVALID_ARGUMENT,
                 std::to_string(count) + " destinations and " +
                     std::to_string(src.get()->shape[0]) +
                     " sources, expected one of each for every edge");
  return build(type, [&](clique_graph **graph) {
    return clique_graph_from_coo(
        numDst, numSrc, count, static_cast<const int32_t *>(dataOf(dst)),
        static_cast<const int32_t *>(dataOf(src)), graph);
  });
}

PyObject *clique::python::makeRegularGraph(PyObject *type, PyObject *args) {
  const char *kind = nullptr;
  long long a = 0, b = 0;
  int noSelf = 0;
  if (!parseSizes(args, "sLLp", &kind, &a, &b, &noSelf))
    return nullptr;
  const std::string name = kind;
  return build(type, [&](clique_graph **graph) {
    if (name == "complete")
      return clique_graph_complete(a, noSelf, graph);
    if (name == "bipartite")
      return clique_graph_bipartite(a, b, graph);
    if (name == "causal")
      return clique_graph_causal(a, noSelf, graph);
    return clique_graph_window(a, b, noSelf, graph);
  });
}

PyObject *clique::python::makeCliques(PyObject *type, PyObject *args) {
  PyObject *object = nullptr;
  int causal = 0, noSelf = 0;
  InputArray offsets;
  if (!PyArg_ParseTuple(args, "Opp", &object, &causal, &noSelf) ||
      !readIntegers(offsets, object, 64))
    return nullptr;
  return build(type, [&](clique_graph **graph) {
    return clique_graph_cliques(offsets.get()->shape[0] - 1,
                                static_cast<const int64_t *>(dataOf(offsets)),
                                causal, noSelf, graph);
  });
}

PyObject *clique::python::readGraphFile(PyObject *type, PyObject *path) {
  PyObject *bytes = nullptr;
  if (!PyUnicode_FSConverter(path, &bytes))
    return nullptr;
  Ref keep(bytes);
  const char *name = PyBytes_AsString(bytes);
  return build(type, [&](clique_graph **graph) {
    return clique_graph_read(name, graph);
  });
}

PyObject *clique::python::reverseGraph(PyObject *self, PyObject *) {
  return build(reinterpret_cast<PyObject *>(Py_TYPE(self)),
               [&](clique_graph **graph) {
                 return clique_graph_reverse(graphOf(self), graph);
               });
}

PyObject *clique::python::addSelfLoops(PyObject *self, PyObject *) {
  return build(reinterpret_cast<PyObject *>(Py_TYPE(self)),
               [&](clique_graph **graph) {
                 return clique_graph_add_self_loops(graphOf(self), graph);
               });
}

/// (order, bytes of a node, numbers): writes a row of as many int32 as there
/// are nodes; returns the name of the order taken and the graph, None if it is
/// the given one.
PyObject *clique::python::reorderGraph(PyObject *self, PyObject *args) {
  const clique_graph *graph = graphOf(self);
  int order = 0;
  long long bytes = 0;
  PyObject *object = nullptr;
  InputArray numbers;
  if (!PyArg_ParseTuple(args, "iLO", &order, &bytes, &object) ||
      !readIntegers(numbers, object, 32))
    return nullptr;
  if (numbers.get()->shape[0] != clique_graph_num_dst(graph))
    return raise(CLIQUE_INVALID_ARGUMENT,
                 "expected a number for each destination");
  auto *newOfOld = static_cast<int32_t *>(const_cast<void *>(dataOf(numbers)));
  clique_order_info info = {};
  clique_graph *made = nullptr;
  clique_status status;
  {
    WithoutLock unlocked;
    status = clique_graph_reorder(graph, clique_node_order(order), bytes,
                                  newOfOld, &info, &made);
  }
  if (status != CLIQUE_OK)
    return raise(status);
  Ref reordered(
      made ? wrapGraph(reinterpret_cast<PyObject *>(Py_TYPE(self)), made)
           : Ref::borrowed(Py_None).release());
  if (!reordered)
    return nullptr;
  return Py_BuildValue("(sO)", clique_node_order_name(info.order),
                       reordered.get());
}
