//===- clique-device.cpp - Runs a layer on the GPU ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a layer, reads or makes its inputs, calls it, compares, times. What it
// prints is meant for a script.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/device/driver/Measure.h"
#include "benchmarks/device/driver/Options.h"
#include "tools/graphs/GraphDescription.h"

#include <cstdio>
#include <cstring>
#include <fmt/format.h>

using namespace clique::device;

namespace {
enum ExitStatus { kGood = 0, kFailed = 1, kUsage = 2, kNoDevice = 3 };

struct CloseLibrary {
  void operator()(clique_library *library) const {
    clique_library_close(library);
  }
};
using LibraryHandle = std::unique_ptr<clique_library, CloseLibrary>;

/// What is handed to the layer; `tensors` and `graph` keep it alive.
struct Arguments {
  clique::GraphHandle graph;
  std::vector<TensorHandle> tensors;
  std::vector<clique_value> values;
};
} // namespace

/// False, with the reason printed, if there is none.
static bool describeDevice() {
  const char *name = clique_cuda_device_name();
  const char *architecture = name ? clique_cuda_architecture() : nullptr;
  if (!architecture) {
    fmt::print(stderr, "clique-device: {}\n", clique_last_error());
    return false;
  }
  fmt::print("device {}\narchitecture {}\n", name, architecture);
  return true;
}

static const clique_layer &openLayer(const Options &options,
                                     LibraryHandle &library) {
  clique_library *opened = nullptr;
  const clique_layer *const *layers = nullptr;
  check(clique_library_open(options.library.c_str(), &opened, &layers));
  library.reset(opened);
  for (; *layers; ++layers)
    if (options.entry == (*layers)->name)
      return **layers;
  throw UsageError(
      fmt::format("{} has no layer '{}'", options.library, options.entry));
}

static TensorHandle makeInput(const Options &options, const clique_arg &arg,
                              const std::vector<const clique_graph *> &graphs) {
  if (options.caseFolder.empty())
    return makeRandom(arg, graphs);
  return readTensor(fmt::format("{}/{}.npy", options.caseFolder, arg.name),
                    arg);
}

static Arguments makeArguments(const Options &options,
                               const clique_layer &layer) {
  Arguments arguments;
  std::vector<const clique_graph *> graphs(size_t(layer.num_args), nullptr);
  for (int32_t k = 0; k < layer.num_args; ++k) {
    if (layer.args[k].kind != CLIQUE_ARG_GRAPH)
      continue;
    if (options.graph.empty())
      throw UsageError(
          fmt::format("argument '{}' is a graph; give it with --graph",
                      layer.args[k].name));
    if (!arguments.graph) {
      clique::DescribedGraph described = clique::makeGraph(options.graph);
      if (!described.graph)
        throw UsageError(described.error);
      arguments.graph = std::move(described.graph);
    }
    graphs[size_t(k)] = arguments.graph.get();
  }
  if (const clique_graph *graph = arguments.graph.get())
    fmt::print("graph {} {} {}\n", clique_graph_num_dst(graph),
               clique_graph_num_src(graph), clique_graph_num_edges(graph));

  arguments.values.resize(graphs.size());
  for (int32_t k = 0; k < layer.num_args; ++k) {
    const clique_arg &arg = layer.args[k];
    if (arg.kind == CLIQUE_ARG_GRAPH) {
      arguments.values[size_t(k)].graph = graphs[size_t(k)];
      continue;
    }
    TensorHandle tensor = makeInput(options, arg, graphs);
    // Scalars stay on the host.
    if (arg.kind != CLIQUE_ARG_SCALAR && layer.device_type == kDLCUDA)
      tensor = copyTensor(tensor->dl_tensor, kDLCUDA);
    arguments.values[size_t(k)].tensor = &tensor->dl_tensor;
    arguments.tensors.push_back(std::move(tensor));
  }
  return arguments;
}

/// False if a result is wrong.
static bool compare(const Options &options, const clique_layer &layer,
                    const std::vector<TensorHandle> &results) {
  bool isRight = true;
  for (int32_t k = 0; k < layer.num_results; ++k) {
    const clique_arg &result = layer.results[k];
    clique_arg stored = result;
    if (result.dtype.code != kDLInt && result.dtype.bits == 16)
      stored.dtype = {kDLFloat, 32, 1};
    TensorHandle expected = readTensor(
        fmt::format("{}/{}.expected.npy", options.caseFolder, result.name),
        stored);
    TensorHandle actual = copyTensor(results[size_t(k)]->dl_tensor, kDLCPU);
    const double error = findError(actual->dl_tensor, expected->dl_tensor);
    const double tolerance =
        options.tolerance.value_or(getDefaultTolerance(result.dtype));
    fmt::print("error {} {:.1e} {:.1e}\n", result.name, error, tolerance);
    isRight &= error <= tolerance;
  }
  return isRight;
}

static void printDecisions() {
  const std::string text = clique_last_decisions();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at)
      fmt::print("decision {}\n", text.substr(at, end - at));
    at = end + 1;
  }
}

static ExitStatus run(const Options &options) {
  if (options.describeDevice)
    return describeDevice() ? kGood : kNoDevice;
  clique_set_lowering(options.lowering);
  LibraryHandle library;
  const clique_layer &layer = openLayer(options, library);
  if (layer.device_type == kDLCUDA && !describeDevice())
    return kNoDevice;
  const Arguments arguments = makeArguments(options, layer);
  const std::vector<TensorHandle> results = invoke(layer, arguments.values);
  printDecisions();
  if (!options.caseFolder.empty() && !compare(options, layer, results)) {
    fmt::print(stderr, "clique-device: the results are wrong\n");
    return kFailed;
  }
  if (options.timeBudget) {
    const Measurement found =
        measure(layer, arguments.values, *options.timeBudget);
    fmt::print("time {:.6g} {}\n", found.milliseconds, found.calls);
  }
  return kGood;
}

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(getUsage(), stdout);
    return kGood;
  }
  try {
    return run(parseOptions(argc, argv));
  } catch (const UsageError &error) {
    std::fprintf(stderr, "clique-device: %s\n", error.what());
    return kUsage;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "clique-device: %s\n", error.what());
    return kFailed;
  }
}
