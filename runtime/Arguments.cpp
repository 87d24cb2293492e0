//===- Arguments.cpp - Arguments of an invocation -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of what a caller hands to a layer against the layer's description.
//
//===----------------------------------------------------------------------===//
#include "runtime/Arguments.h"
#include "runtime/Error.h"
#include "runtime/Graph.h"
#include "runtime/Tensor.h"
#include "runtime/Topology.h"

using namespace clique;

namespace {
/// One argument being checked; opens every message with where it stands.
class ArgumentCheck {
public:
  ArgumentCheck(const clique_layer &layer, DLDevice device,
                const clique_value *values, int32_t index)
      : layer(layer), device(device), values(values), arg(layer.args[index]),
        value(values[index]) {}

  void run() const;

private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format,
                           Args &&...args) const {
    throw Error(CLIQUE_INVALID_ARGUMENT,
                place() + ": " +
                    fmt::format(format, std::forward<Args>(args)...));
  }
  std::string place() const {
    return fmt::format("{}: argument '{}'", layer.name, arg.name);
  }

  void checkGraph() const;
  void checkTensor() const;
  void checkDevice() const;
  void checkShape() const;
  void checkExtent() const;
  void checkMemory() const;
  std::string expectedShape() const;

  const clique_layer &layer;
  const DLDevice device;
  const clique_value *values;
  const clique_arg &arg;
  const clique_value &value;
};
} // namespace

void ArgumentCheck::run() const {
  if (arg.kind == CLIQUE_ARG_GRAPH)
    return checkGraph();
  checkTensor();
}

void ArgumentCheck::checkGraph() const {
  if (!value.graph)
    refuse("is NULL, expected a graph");
  const auto topology = clique_topology(arg.topology);
  if (topology == CLIQUE_TOPOLOGY_UNKNOWN || topology == CLIQUE_TOPOLOGY_SPARSE)
    return;
  if (belongsTo(*value.graph, topology, arg.param, arg.no_self != 0))
    return;
  const clique_graph_info &info = value.graph->info();
  refuse("the layer was compiled for the topology '{}', but the graph of {} "
         "nodes and {} edges is '{}'; hand in a graph of that class, or "
         "compile the layer with '!mp.graph', which takes any",
         describeTopology(topology, arg.param, arg.no_self != 0), info.num_dst,
         info.num_edges, describeTopology(info));
}

void ArgumentCheck::checkTensor() const {
  if (!value.tensor)
    refuse("is NULL, expected a tensor of {}", dtypeName(arg.dtype));
  const DLTensor &tensor = *value.tensor;
  requireShape(tensor, place());
  checkDevice();
  if (!sameType(tensor.dtype, arg.dtype))
    refuse("has element type {}, expected {}", dtypeName(tensor.dtype),
           dtypeName(arg.dtype));
  checkShape();
  checkExtent();
  checkMemory();
}

static std::string deviceName(DLDevice device) {
  switch (device.device_type) {
  case kDLCPU:
    return "the CPU";
  case kDLCUDA:
    return fmt::format("CUDA device {}", device.device_id);
  default:
    return fmt::format("device type {}", int(device.device_type));
  }
}

void ArgumentCheck::checkDevice() const {
  const DLDevice actual = value.tensor->device;
  // A scalar's value is read by the host.
  const DLDevice expected =
      arg.kind == CLIQUE_ARG_SCALAR ? DLDevice{kDLCPU, 0} : device;
  const bool isCpu = expected.device_type == kDLCPU;
  if (actual.device_type != expected.device_type)
    refuse("is on {}, expected {}: {}; copy it there, with clique_tensor_copy "
           "for example",
           deviceName(actual), deviceName(expected),
           arg.kind == CLIQUE_ARG_SCALAR ? "scalars stay on the host"
           : isCpu                       ? "the layer was compiled for the CPU"
                                         : "the layer was compiled for CUDA");
  if (!isCpu && actual.device_id != expected.device_id)
    refuse("is on {}, but the layer runs on {}; choose the device with "
           "clique_set_cuda_device({}), or copy the tensor",
           deviceName(actual), deviceName(expected), actual.device_id);
}

/// "[n, 64]": what is counted by a graph is named, what is free is '?'.
std::string ArgumentCheck::expectedShape() const {
  std::string text;
  for (int32_t d = 0; d < arg.rank; ++d) {
    text += d ? ", " : "";
    if (arg.shape[d] != CLIQUE_DYNAMIC)
      text += std::to_string(arg.shape[d]);
    else if (d == 0 && arg.extent != CLIQUE_EXTENT_NONE)
      text += arg.extent == CLIQUE_EXTENT_EDGES ? "edges" : "n";
    else
      text += "?";
  }
  return "[" + text + "]";
}

void ArgumentCheck::checkShape() const {
  const DLTensor &tensor = *value.tensor;
  bool matches = tensor.ndim == arg.rank;
  for (int32_t d = 0; d < arg.rank && matches; ++d)
    matches = arg.shape[d] == CLIQUE_DYNAMIC || tensor.shape[d] == arg.shape[d];
  if (!matches)
    refuse("has shape {}, expected {}", shapeText(tensor.shape, tensor.ndim),
           expectedShape());
}

void ArgumentCheck::checkExtent() const {
  if (arg.extent == CLIQUE_EXTENT_NONE || arg.graph < 0 || arg.rank == 0)
    return;
  const clique_graph *graph = values[arg.graph].graph;
  const char *graphName = layer.args[arg.graph].name;
  if (!graph)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: argument '{}': is NULL, expected a graph", layer.name, graphName);
  int64_t expected = graph->numDst;
  const char *what = "destinations";
  if (arg.extent == CLIQUE_EXTENT_SRC) {
    expected = graph->numSrc;
    what = "sources";
  } else if (arg.extent == CLIQUE_EXTENT_EDGES) {
    expected = graph->numEdges;
    what = "edges";
  }
  if (graph->numDst == graph->numSrc && arg.extent != CLIQUE_EXTENT_EDGES)
    what = "nodes";
  if (value.tensor->shape[0] != expected)
    refuse("has {} rows, expected {}: graph '{}' has {} {}",
           value.tensor->shape[0], expected, graphName, expected, what);
}

void ArgumentCheck::checkMemory() const {
  const DLTensor &tensor = *value.tensor;
  if (!isContiguous(tensor))
    refuse("has strides {}, expected a contiguous row-major tensor; copy it "
           "first",
           shapeText(tensor.strides, tensor.ndim));
  const int64_t count = countElements(tensor.shape, tensor.ndim);
  if (count == 0)
    return;
  if (!tensor.data)
    refuse("has no data, expected {} elements", count);
  if (reinterpret_cast<uintptr_t>(tensorData(tensor)) %
      elementBytes(tensor.dtype))
    refuse("its data is not aligned to the {} bytes of an element; copy it "
           "to aligned memory",
           elementBytes(tensor.dtype));
}

void clique::checkArguments(const clique_layer &layer, DLDevice device,
                            const clique_value *args, int32_t numArgs,
                            int32_t numResults) {
  if (numArgs != layer.num_args || numResults != layer.num_results)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: called with {} arguments and memory for {} results, expected {} "
         "and {}",
         layer.name, numArgs, numResults, layer.num_args, layer.num_results);
  for (int32_t k = 0; k < numArgs; ++k)
    ArgumentCheck(layer, device, args, k).run();
}
