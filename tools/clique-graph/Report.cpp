//===- Report.cpp - What clique-graph inspect prints ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-graph/Report.h"
#include "tools/clique-run/Report.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace clique;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printLine(raw_ostream &out, StringRef kind, const Twine &text) {
  out << left_justify(kind, 12) << text << "\n";
}

static void printDegrees(raw_ostream &out, StringRef kind,
                         const Degrees &degrees) {
  printLine(out, kind,
            formatv("min {0}, median {1:f1}, mean {2:f2}, max {3}", degrees.min,
                    degrees.median, degrees.mean, degrees.max));
}

static void printPairs(raw_ostream &out, const GraphStatistics &graph) {
  printLine(out, "parallel",
            formatv("{0} edges repeat another one", graph.numParallel));
  if (!graph.isSquare)
    return;
  printLine(out, "self-loops", Twine(graph.numSelfLoops));
  if (graph.isSymmetric())
    return printLine(out, "symmetric", "yes");
  printLine(out, "symmetric",
            formatv("no: {0} of {1} edges have a reverse", graph.numReciprocal,
                    graph.info.num_edges));
}

static void printBlocks(raw_ostream &out, const BlockFill &blocks) {
  const double share =
      blocks.all ? 100.0 * double(blocks.occupied) / double(blocks.all) : 0;
  printLine(out, "blocks",
            formatv("{0} of {1} ({2:f1} %) of {3} x {3} pairs hold an edge; "
                    "{4} are full, {5:f2} % of the pairs of all of them are "
                    "edges",
                    blocks.occupied, blocks.all, share, BlockFill::size,
                    blocks.full, 100 * blocks.fill));
}

static void printHistogram(raw_ostream &out, const Degrees &degrees) {
  constexpr int64_t longest = 40;
  int64_t most = 1;
  for (const DegreeBin &bin : degrees.bins)
    most = std::max(most, bin.nodes);
  auto isEmpty = [](const DegreeBin &bin) { return bin.nodes == 0; };
  for (const DegreeBin &bin : ArrayRef(degrees.bins).drop_while(isEmpty)) {
    std::string range = std::to_string(bin.first);
    if (bin.last > bin.first)
      range += "-" + std::to_string(bin.last);
    // A node is seen among a million.
    const int64_t length = (bin.nodes * longest + most - 1) / most;
    out << left_justify("  " + range, 26)
        << right_justify(std::to_string(bin.nodes), 11) << (length ? " " : "")
        << std::string(size_t(length), '#') << "\n";
  }
}

void clique::printText(const GraphReport &report, raw_ostream &out) {
  const GraphStatistics &graph = report.statistics;
  printLine(out, "graph", report.graph + ": " + describeGraph(graph.info));
  printLine(out, "density",
            formatv("{0:f4} % of all pairs are edges", 100 * graph.density));
  printDegrees(out, "in-degree", graph.in);
  printDegrees(out, "out-degree", graph.out);
  printLine(out, "isolated",
            formatv("{0} nodes without any edge, {1} without an incoming one",
                    graph.numIsolated, graph.info.num_isolated));
  printLine(out, "components",
            formatv("{0}, the largest of {1} nodes", graph.numComponents,
                    graph.largestComponent));
  printPairs(out, graph);
  printBlocks(out, graph.blocks);
  for (const std::string &kernel : report.kernels)
    printLine(out, "kernel", kernel);
  printLine(out, "in-degrees", "and how many nodes have them");
  printHistogram(out, graph.in);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void printDegrees(json::OStream &json, StringRef name,
                         const Degrees &degrees) {
  json.attributeObject(name, [&] {
    json.attribute("min", degrees.min);
    json.attribute("median", degrees.median);
    json.attribute("mean", degrees.mean);
    json.attribute("max", degrees.max);
    json.attributeArray("histogram", [&] {
      for (const DegreeBin &bin : degrees.bins)
        json.object([&] {
          json.attribute("first", bin.first);
          json.attribute("last", bin.last);
          json.attribute("nodes", bin.nodes);
        });
    });
  });
}

static void printTopology(json::OStream &json, const clique_graph_info &info) {
  json.attribute("topology", clique_topology_name(info.topology));
  if (info.topology == CLIQUE_TOPOLOGY_WINDOW)
    json.attribute("half_width", info.param);
  if (info.topology == CLIQUE_TOPOLOGY_BLOCKS)
    json.attribute("block_size", info.param);
  if (info.topology == CLIQUE_TOPOLOGY_CLIQUES ||
      info.topology == CLIQUE_TOPOLOGY_CAUSAL_CLIQUES)
    json.attribute("cliques", info.num_components);
  json.attribute("no_self", info.no_self != 0);
}

static void printBlocks(json::OStream &json, const BlockFill &blocks) {
  json.attributeObject("blocks", [&] {
    json.attribute("size", BlockFill::size);
    json.attribute("all", blocks.all);
    json.attribute("occupied", blocks.occupied);
    json.attribute("full", blocks.full);
    json.attribute("fill", blocks.fill);
  });
}

void clique::printJson(const GraphReport &report, raw_ostream &out) {
  const GraphStatistics &graph = report.statistics;
  json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("graph", json::fixUTF8(report.graph));
    printTopology(json, graph.info);
    json.attribute("destinations", graph.info.num_dst);
    json.attribute("sources", graph.info.num_src);
    json.attribute("edges", graph.info.num_edges);
    json.attribute("density", graph.density);
    printDegrees(json, "in_degree", graph.in);
    printDegrees(json, "out_degree", graph.out);
    json.attribute("isolated", graph.numIsolated);
    json.attribute("without_incoming", graph.info.num_isolated);
    json.attribute("components", graph.numComponents);
    json.attribute("largest_component", graph.largestComponent);
    json.attribute("parallel_edges", graph.numParallel);
    if (graph.isSquare) {
      json.attribute("self_loops", graph.numSelfLoops);
      json.attribute("reciprocal_edges", graph.numReciprocal);
      json.attribute("symmetric", graph.isSymmetric());
    }
    printBlocks(json, graph.blocks);
    if (!report.kernels.empty())
      json.attributeArray("kernels", [&] {
        for (const std::string &kernel : report.kernels)
          json.value(json::fixUTF8(kernel));
      });
  });
  out << "\n";
}
