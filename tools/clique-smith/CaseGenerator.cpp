//===- CaseGenerator.cpp - A whole spec with its graphs -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/TargetCpu.h"
#include "tools/clique-smith/Case.h"
#include "tools/clique-smith/ConstructedGraphs.h"
#include "tools/clique-smith/FunctionOps.h"
#include "tools/clique-smith/LayerGenerator.h"
#include "tools/clique-smith/LibraryNames.h"
#include "tools/clique-smith/RareForms.h"
#include "tools/clique-smith/StructuredLayers.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"

using namespace clique::smith;
using llvm::formatv;

namespace {
class CaseGenerator {
public:
  CaseGenerator(uint64_t seed, const Restrictions &restrictions)
      : session(seed), random(session.random), restrictions(restrictions),
        names(seed, 0.4 * restrictions.rareShare),
        hasRareForm(Random(seed ^ 0x72617265).chance(restrictions.rareShare)) {
    result.seed = seed;
    // Not at random: that would make other cases of the same seeds.
    if (seed % 2 == 1)
      result.gpuArch = "emulated_90a";
  }
  Case generate();

private:
  /// Sums of so many numbers that adding them one by one loses digits.
  Case generateLongSum();
  void chooseElement();
  void chooseRun();
  void addParts(Scope &scope, const GraphValue &graph);
  /// A private function with a layer, and a call of it.
  void addCall(Scope &scope, const GraphValue &graph, const GraphPlan &plan);

  Session session;
  Random &random;
  const Restrictions &restrictions;
  LibraryNames names;
  /// Not of the one stream, so that the other cases are what they were.
  bool hasRareForm;
  Case result;
  std::string helpers;
};
} // namespace

void CaseGenerator::chooseElement() {
  static constexpr Element kElements[] = {Element::f32, Element::bf16,
                                          Element::f16, Element::f64};
  session.usual = kElements[random.weighted({60, 14, 12, 14})];
  for (Element element : kElements)
    if (restrictions.element == getName(element))
      session.usual = element;
}

/// Whether this machine has what code for `cpu` asks for; one of its own levels
/// of `multi` always runs.
static bool runsHere(llvm::StringRef cpu) {
  if (cpu == "native" || cpu == "multi")
    return true;
  auto targets = clique::selectTargetCpus(cpu, "");
  if (!targets) { // levels of another architecture
    llvm::consumeError(targets.takeError());
    return false;
  }
  static const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  return llvm::all_of(llvm::split(targets->front().required, ','),
                      [](llvm::StringRef name) { return host.lookup(name); });
}

void CaseGenerator::chooseRun() {
  if (restrictions.isSmall) {
    result.optimises = result.runsSparseOnly = false;
    result.isSparseOnly = random.chance(0.75);
    return;
  }
  result.linksLibrary = random.chance(0.08);
  result.optimises = random.chance(0.15);
  // Each stage's end is verified always.
  result.verifiesEach = random.chance(0.1);
  static constexpr const char *kCpus[] = {"native", "x86-64-v4", "x86-64-v3",
                                          "x86-64-v2", "multi"};
  result.cpu = kCpus[random.weighted({78, 8, 8, 5, 1})];
  if (!runsHere(result.cpu))
    result.cpu = "native";
  // Another compilation each.
  result.runsSparseOnly = random.chance(0.5);
  result.changesTopology = random.chance(0.06);
  result.callsTwice = random.chance(0.02);
  const bool isSmall =
      result.graphs.empty() || result.graphs[0].second.dst.size() < 3000;
  result.emulatesGpu = isSmall && random.chance(restrictions.gpuShare);
  result.differentiates = isSmall && random.chance(restrictions.gradientShare);
}

void CaseGenerator::addCall(Scope &scope, const GraphValue &graph,
                            const GraphPlan &plan) {
  Scope inner(session);
  GraphValue innerGraph = inner.addGraph(plan);
  // The same sets of nodes as outside.
  innerGraph.src = graph.isSquare() ? innerGraph.dst : innerGraph.src;
  LayerGenerator(inner).addLayer(innerGraph);
  LayerGenerator(inner).addLinks(innerGraph);
  std::vector<Argument> results;
  std::string name =
      names.getPartName("part" + std::to_string(session.numNames++));
  helpers += inner.finish("func.func private @" + name, results) + "\n";

  std::string operands, types, made, resultTypes;
  for (const Argument &argument : inner.arguments) {
    Value given = {graph.name, {}, 0};
    if (argument.extent == kStatic)
      given = scope.getWeight(argument.value.type);
    else if (argument.extent != kGraph)
      given = scope.getFeature(argument.value.type,
                               argument.isEdges                    ? graph.edges
                               : argument.extent == innerGraph.dst ? graph.dst
                                                                   : graph.src,
                               argument.isEdges);
    operands += (operands.empty() ? "" : ", ") + given.name;
    types += (types.empty() ? "" : ", ") + argument.type;
  }
  std::vector<Value> outer;
  for (const Argument &part : results) {
    outer.push_back({session.fresh("k"), part.value.type, part.value.size});
    made += (made.empty() ? "" : ", ") + outer.back().name;
    resultTypes += (resultTypes.empty() ? "" : ", ") + part.type;
  }
  scope.text += formatv("  {0} = func.call @{1}({2}) : ({3}) -> ({4})\n", made,
                        name, operands, types, resultTypes);
  session.record("func.call", outer[0].type);
  for (auto [part, value] : llvm::zip_equal(results, outer))
    scope.define(value,
                 part.extent == kStatic          ? kStatic
                 : part.isEdges                  ? graph.edges
                 : part.extent == innerGraph.dst ? graph.dst
                                                 : graph.src,
                 part.isEdges);
}

void CaseGenerator::addParts(Scope &scope, const GraphValue &graph) {
  LayerGenerator layers(scope);
  if (random.chance(0.08))
    addDegree(scope, graph);
  if (random.chance(0.1))
    addFunctionOp(scope, graph.src);
  if (random.chance(0.1))
    layers.addUpdate(graph.src);
  if (random.chance(0.2) && !scope.closed.count(graph.dst) &&
      !scope.closed.count(graph.src))
    addStructuredLayer(scope, graph);
  else
    layers.addLayer(graph);
  while (random.chance(0.15))
    addFunctionOp(scope, graph.dst);
  if (random.chance(0.05))
    addNodeLookup(scope, graph);
  if (random.chance(0.05))
    layers.addScan(graph);
  if (random.chance(0.05))
    layers.addLoop(graph);
  if (random.chance(0.4))
    layers.addLevels(graph);
  if (random.chance(0.07))
    addReadout(scope, graph);
}

Case CaseGenerator::generateLongSum() {
  const bool isEdges = random.chance(0.4);
  GraphPlan plan;
  plan.type = "!mp.graph";
  plan.topology = "long";
  plan.numDst = isEdges ? 1 : 1000000;
  plan.numSrc = isEdges ? 300000 : 0;
  plan.description = formatv("bipartite:{0}x{1}", plan.numDst, plan.numSrc);
  result.graphs.emplace_back("g", plan);
  const double c = double(random.between(1, 9)) / 10;
  const char *kind = random.pick({"sum", "mean"});
  if (isEdges)
    result.spec = formatv(
        "func.func @layer(%g: !mp.graph) -> tensor<?xf32> {{\n"
        "  %m = mp.message %g -> !mp.edges<f32> {{\n"
        "    %c = arith.constant dense<{0:F1}> : tensor<f32>\n"
        "    mp.yield %c : tensor<f32>\n  }\n"
        "  %s = mp.aggregate %g {1} %m : (!mp.edges<f32>) -> tensor<?xf32>\n"
        "  return %s : tensor<?xf32>\n}\n",
        c, kind);
  else
    result.spec = formatv(
        "func.func @layer(%g: !mp.graph) -> tensor<f32> {{\n"
        "  %n = mp.num_dst %g : !mp.graph\n"
        "  %c = arith.constant {0:F1} : f32\n"
        "  %e = tensor.empty(%n) : tensor<?xf32>\n"
        "  %f = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>) -> "
        "tensor<?xf32>\n"
        "  %z = arith.constant dense<0.0> : tensor<f32>\n"
        "  %s = linalg.reduce {{ arith.addf } ins(%f : tensor<?xf32>) outs(%z "
        ": tensor<f32>) dimensions = [0]\n"
        "  return %s : tensor<f32>\n}\n",
        c);
  session.record(isEdges ? "long sum of edges" : "long sum of nodes", {});
  result.uses = std::move(session.uses);
  return std::move(result);
}

Case CaseGenerator::generate() {
  if (restrictions.topology.empty() && random.chance(0.004))
    return generateLongSum();
  chooseElement();
  static constexpr int64_t kMost[] = {12, 64, 256};
  session.mostElements =
      kMost[restrictions.isSmall ? 0 : random.weighted({55, 40, 5})];
  Scope scope(session);
  std::vector<GraphValue> graphs;
  std::vector<GraphPlan> plans;
  if (!restrictions.topology.empty() || random.chance(0.92)) {
    plans.push_back(makeGraphPlan(random, restrictions.topology));
    graphs.push_back(scope.addGraph(plans[0]));
    result.graphs.emplace_back("g", plans[0]);
    if (random.chance(0.06)) {
      GraphPlan other = makeGraphPlan(random, "");
      graphs.push_back(scope.addGraph(other));
      result.graphs.emplace_back("g1", other);
      plans.push_back(std::move(other));
    }
  }
  const bool isGiven = !graphs.empty();
  if (graphs.empty() || random.chance(0.04))
    graphs.push_back(makeConstructed(scope, result.inputs));
  if (random.chance(0.12))
    graphs.push_back(deriveGraph(scope, graphs[0]));

  const unsigned layers =
      restrictions.isSmall ? 1 : random.weighted({8, 1.6, 0.3}) + 1;
  for (unsigned k = 0; k < layers; ++k)
    addParts(scope, random.pick<GraphValue>(graphs));
  if (isGiven && random.chance(0.06))
    addCall(scope, graphs[0], plans[0]);

  if (hasRareForm)
    addRareForm(scope, random.pick<GraphValue>(graphs),
                /*isDifferentiated=*/restrictions.gradientShare == 1);
  if (names.isUsed() && isGiven)
    names.addCall(scope, graphs[0], helpers);

  for (const GraphValue &graph : graphs)
    LayerGenerator(scope).addLinks(graph);

  std::vector<Argument> results;
  result.spec =
      scope.finish("func.func @" + names.getLayerName(), results) + helpers;
  if (names.isUsed())
    result.spec += names.addLayer();
  result.uses = std::move(session.uses);
  result.mayBeRefused = scope.mayBeRefused;
  chooseRun();
  result.differentiates &= !scope.hasInfinities;
  return std::move(result);
}

Case clique::smith::generateCase(uint64_t seed,
                                 const Restrictions &restrictions) {
  return CaseGenerator(seed, restrictions).generate();
}
