//===- Reordering.cpp - Graphs with renumbered nodes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that count the nodes of a graph move along with them.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Reordering.h"
#include "tools/clique-run/Report.h"
#include "tools/support/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <cstring>

using namespace llvm;
using namespace clique;

static bool countsNodes(const LayerArgument &arg, unsigned graph) {
  return arg.graph == int32_t(graph) && !arg.shape.empty() &&
         (arg.extent == CLIQUE_EXTENT_DST || arg.extent == CLIQUE_EXTENT_SRC);
}

static int64_t getRowBytes(const DLDataType &type, ArrayRef<int64_t> shape) {
  int64_t bytes = type.bits / 8;
  for (int64_t size : shape.drop_front())
    bytes *= size;
  return bytes;
}

/// What an edge reads of its source: at most, the widest feature there is.
static int64_t findWidestRow(const LayerSignature &signature, unsigned graph) {
  int64_t widest = 1;
  for (ArrayRef<LayerArgument> list :
       {ArrayRef(signature.args), ArrayRef(signature.results)})
    for (const LayerArgument &arg : list)
      if (countsNodes(arg, graph))
        widest = std::max(widest, getRowBytes(arg.dtype, arg.shape));
  return widest;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Why an order was taken, and what it took to find it.
static std::string explain(const clique_order_info &info, int64_t bytes,
                           double seconds) {
  const double given = info.gather[CLIQUE_ORDER_GIVEN];
  if (given == 0)
    return "the graph has no other";
  SmallVector<std::string> promises;
  for (clique_node_order order : {CLIQUE_ORDER_DEGREE, CLIQUE_ORDER_RCM})
    if (info.gather[order] > 0)
      promises.push_back(formatv("{0} {1:f2}", clique_node_order_name(order),
                                 info.gather[order] / given));
  return formatv("{0} of the time that reading {1} bytes of each source takes "
                 "in the given order; found in {2:f1} ms, estimates included",
                 join(promises, " and "), bytes, seconds * 1e3);
}

/// What the inspector finds in the graph now, if it was of no class before.
static Expected<std::string> explainClass(const clique_graph *reordered) {
  clique_graph_info info;
  if (!reordered)
    return "";
  if (clique_graph_inspect(reordered, &info) != CLIQUE_OK)
    return makeRuntimeError();
  if (info.topology == CLIQUE_TOPOLOGY_SPARSE)
    return "";
  return "the graph is then " + describeGraph(info) + "; ";
}

Error Reordering::add(const GraphArgument &given, clique_node_order order,
                      bool explains) {
  const LayerArgument &arg = signature.args[given.argument];
  std::string where =
      std::string("--reorder=") + clique_node_order_name(order) + ": ";
  auto report = [&](clique_node_order taken, const Twine &why) {
    bool isOnly = count_if(signature.args, [](const LayerArgument &other) {
                    return other.kind == CLIQUE_ARG_GRAPH;
                  }) == 1;
    std::string name = isOnly ? "" : arg.name + " = ";
    reportLine("order", name + clique_node_order_name(taken) +
                            (explains ? ": " + why : Twine()));
  };
  if (!arg.numberUse.empty()) {
    std::string why = "nodes must keep their numbers: " + arg.numberUse;
    if (order != CLIQUE_ORDER_AUTO)
      return createStringError(where + "layer '" + signature.name +
                               "', graph '" + arg.name + "': " + why +
                               "; leave the option out");
    report(CLIQUE_ORDER_GIVEN, why);
    return Error::success();
  }

  Progress progress("reordering " + given.source);
  auto start = std::chrono::steady_clock::now();
  Renumbering &renumbered = graphs[given.argument];
  renumbered.newOfOld.resize(clique_graph_num_dst(given.graph.get()));
  const int64_t bytes = findWidestRow(signature, given.argument);
  clique_order_info info = {order, {0, 0, 0}};
  clique_graph *made = nullptr;
  if (clique_graph_reorder(given.graph.get(), order, bytes,
                           renumbered.newOfOld.data(), &info,
                           &made) != CLIQUE_OK)
    return makeRuntimeError(where + given.source + ": ");
  renumbered.graph.reset(made);
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  Expected<std::string> found = explainClass(made);
  if (!found)
    return found.takeError();
  report(info.order, *found + explain(info, bytes, taken.count()));
  return Error::success();
}

Expected<Reordering> Reordering::create(const LayerSignature &signature,
                                        ArrayRef<GraphArgument> graphs,
                                        clique_node_order order,
                                        bool explains) {
  Reordering result(signature);
  if (order == CLIQUE_ORDER_GIVEN)
    return result;
  for (const GraphArgument &given : graphs)
    if (Error error = result.add(given, order, explains))
      return std::move(error);
  return result;
}

const clique_graph *Reordering::getGraph(const GraphArgument &given) const {
  auto found = graphs.find(given.argument);
  return found != graphs.end() && found->second.graph
             ? found->second.graph.get()
             : given.graph.get();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

ArrayRef<int32_t> Reordering::findMoves(const LayerArgument &arg,
                                        const DLTensor &tensor) const {
  for (const auto &[graph, renumbered] : graphs)
    // A wrong number of rows is for the layer to refuse.
    if (renumbered.graph && countsNodes(arg, graph) && tensor.ndim > 0 &&
        tensor.shape[0] == int64_t(renumbered.newOfOld.size()))
      return renumbered.newOfOld;
  return {};
}

/// A copy of a tensor whose rows go to their new numbers, or come back.
static Expected<TensorHandle>
moveRows(const DLTensor &tensor, ArrayRef<int32_t> newOfOld, bool isInput) {
  ArrayRef<int64_t> shape(tensor.shape, tensor.ndim);
  Expected<TensorHandle> moved = makeTensor(tensor.dtype, shape);
  if (!moved)
    return moved;
  const auto bytes = size_t(getRowBytes(tensor.dtype, shape));
  const auto *from =
      static_cast<const char *>(tensor.data) + tensor.byte_offset;
  auto *to = static_cast<char *>((*moved)->dl_tensor.data);
  for (auto [old, number] : enumerate(newOfOld)) {
    size_t target = isInput ? size_t(number) : old;
    size_t source = isInput ? old : size_t(number);
    std::memcpy(to + target * bytes, from + source * bytes, bytes);
  }
  return moved;
}

Expected<std::vector<TensorHandle>>
Reordering::moveInputs(ArrayRef<TensorHandle> inputs) const {
  std::vector<TensorHandle> moved(inputs.size());
  for (auto [arg, input, copy] : zip_equal(signature.args, inputs, moved)) {
    if (!input)
      continue;
    ArrayRef<int32_t> moves = findMoves(arg, input->dl_tensor);
    if (moves.empty())
      continue;
    Expected<TensorHandle> rows =
        moveRows(input->dl_tensor, moves, /*isInput=*/true);
    if (!rows)
      return rows.takeError();
    copy = std::move(*rows);
  }
  return moved;
}

Error Reordering::restore(MutableArrayRef<TensorHandle> results) const {
  for (auto [arg, result] : zip_equal(signature.results, results)) {
    ArrayRef<int32_t> moves = findMoves(arg, result->dl_tensor);
    if (moves.empty())
      continue;
    Expected<TensorHandle> rows =
        moveRows(result->dl_tensor, moves, /*isInput=*/false);
    if (!rows)
      return rows.takeError();
    result = std::move(*rows);
  }
  return Error::success();
}
