//===- Report.cpp - What clique-run prints --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything on standard output but the help.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Report.h"
#include "tools/clique-run/DeviceTensors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clique;

void clique::reportLine(StringRef kind, const Twine &text) {
  outs() << left_justify(kind, 9) << text << "\n";
  outs().flush();
}

static std::string describeCount(int64_t count, StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

std::string clique::describeGraph(const clique_graph_info &info) {
  std::string text = info.num_dst == info.num_src
                         ? describeCount(info.num_dst, "node")
                         : describeCount(info.num_dst, "destination") + ", " +
                               describeCount(info.num_src, "source");
  text += ", " + describeCount(info.num_edges, "edge") + ", " +
          clique_topology_name(info.topology);
  if (info.topology == CLIQUE_TOPOLOGY_WINDOW ||
      info.topology == CLIQUE_TOPOLOGY_BLOCKS)
    text += " " + std::to_string(info.param);
  if (info.topology == CLIQUE_TOPOLOGY_CLIQUES ||
      info.topology == CLIQUE_TOPOLOGY_CAUSAL_CLIQUES)
    text += " (" + std::to_string(info.num_components) + ")";
  if (info.no_self)
    text += ", no self-loops";
  return text;
}

Error clique::reportGraphs(const LayerSignature &signature,
                           ArrayRef<GraphArgument> graphs) {
  for (const GraphArgument &graph : graphs) {
    clique_graph_info info;
    if (clique_graph_inspect(graph.graph.get(), &info) != CLIQUE_OK)
      return makeRuntimeError(graph.source + ": ");
    std::string prefix =
        graphs.size() > 1 ? signature.args[graph.argument].name + " = " : "";
    reportLine("graph", prefix + graph.source + ": " + describeGraph(info));
  }
  return Error::success();
}

Error clique::reportDevice(const clique_layer &layer) {
  if (!runsOnGpu(layer))
    return Error::success();
  const char *name = clique_cuda_device_name();
  if (!name)
    return makeRuntimeError(Twine(layer.name) + ": ");
  reportLine("device", name);
  return Error::success();
}

void clique::reportKernels(bool explain) {
  SmallVector<StringRef> lines;
  StringRef(clique_last_decisions()).split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    // "KERNEL: DECISION: REASON".
    auto [kernel, rest] = line.split(": ");
    reportLine("kernel", explain
                             ? line.str()
                             : (kernel + ": " + rest.split(": ").first).str());
  }
  if (!explain)
    return;
  std::string text;
  raw_string_ostream(text) << format("%.1f KiB at most, results included",
                                     double(clique_peak_memory()) / 1024);
  reportLine("memory", text);
}

void clique::reportResults(const LayerSignature &signature,
                           ArrayRef<TensorHandle> results) {
  for (auto [description, result] : zip_equal(signature.results, results)) {
    const DLTensor &tensor = result->dl_tensor;
    std::string text = description.name + ": " + getTypeName(tensor.dtype);
    if (tensor.ndim > 0) {
      auto sizes = map_range(ArrayRef(tensor.shape, tensor.ndim),
                             [](int64_t size) { return std::to_string(size); });
      text += " [" + join(sizes, ", ") + "]";
    }
    reportLine("result", text);
  }
}

void clique::reportTimes(RunTimes times) {
  std::vector<double> &warm = times.warm;
  std::string text;
  raw_string_ostream out(text);
  if (warm.empty()) {
    out << format("%.3f ms (first run)", times.first * 1e3);
  } else {
    llvm::sort(warm);
    size_t count = warm.size();
    double median = (warm[(count - 1) / 2] + warm[count / 2]) / 2;
    out << format("%.3f ms (median of ", median * 1e3)
        << describeCount(int64_t(count), "warm run")
        << format(", min %.3f; first run %.3f)", warm.front() * 1e3,
                  times.first * 1e3);
  }
  reportLine("time", text);
}
