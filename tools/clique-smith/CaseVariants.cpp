//===- CaseVariants.cpp - The same layer in other words -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs what Variants.h makes of a case, and its gradient.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/CaseRun.h"
#include "tools/clique-smith/GradientCase.h"

using namespace llvm;
using namespace clique;
using namespace clique::smith;

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

bool CaseRunner::runMoved(const clique_layer &layer, const char *name,
                          const MovedGraph &moved) {
  enterPhase(name);
  Expected<GraphHandle> graph = makeGraphOf(moved.plan);
  if (!graph)
    return fail("invalid", graph.takeError());
  std::vector<TensorHandle> given;
  for (auto [input, argument] : zip_equal(inputs, signature.args)) {
    std::optional<TensorHandle> copy;
    if (input) {
      auto made = moveRows(input->dl_tensor, argument, moved);
      if (!made)
        return fail("invalid", made.takeError());
      copy = std::move(*made);
    }
    given.push_back(copy ? std::move(*copy) : nullptr);
  }
  // In the places of the originals for one call.
  for (auto [input, other] : zip_equal(inputs, given))
    if (other)
      std::swap(input, other);
  std::swap(graphs[0].graph, *graph);
  auto results = invoke(layer);
  std::swap(graphs[0].graph, *graph);
  for (auto [input, other] : zip_equal(inputs, given))
    if (other)
      std::swap(input, other);
  if (!results)
    return fail("refused", results.takeError());
  for (auto [result, description] : zip_equal(*results, signature.results))
    if (Error error = restoreRows(result, description, moved))
      return fail("invalid", std::move(error));
  if (!compare(*results))
    return false;
  report.addRun(name);
  return true;
}

/// Whether all rows count what the one graph has; else they cannot be moved.
static bool countsKnown(const LayerSignature &signature, bool nodes) {
  auto isKnown = [&](const LayerArgument &argument) {
    const bool isDynamic =
        argument.kind == CLIQUE_ARG_EDGES ||
        (!argument.shape.empty() && argument.shape[0] == CLIQUE_DYNAMIC);
    return !isDynamic || argument.extent != CLIQUE_EXTENT_NONE ||
           (!nodes && argument.kind == CLIQUE_ARG_TENSOR);
  };
  return all_of(signature.args, isKnown) && all_of(signature.results, isKnown);
}

bool CaseRunner::runVariants(const clique_layer &layer) {
  if (graphs.size() != 1 || isRefused)
    return true;
  const GraphPlan &plan = test.graphs[0].second;
  // A plan without a list of its edges is too large for one.
  if (plan.dst.empty())
    return true;
  // The numbers of edges or rows are other ones then, or their order.
  if (StringRef(test.spec).contains("mp.position edge") ||
      StringRef(test.spec).contains("mp.scan") ||
      StringRef(test.spec).contains("mp.to_tensor") ||
      StringRef(test.spec).contains("linalg.index") ||
      any_of(test.uses, [](const OpUse &use) {
        return StringRef(use.op).ends_with(" edge");
      }))
    return true;
  clique_set_lowering(CLIQUE_LOWERING_AUTO);
  clique_set_num_threads(2);
  Random random(test.seed);
  if (countsKnown(signature, /*nodes=*/false) &&
      !runMoved(layer, "edges moved", shuffleEdges(plan, random)))
    return false;
  if (!countsKnown(signature, /*nodes=*/true) ||
      !signature.args[graphs[0].argument].numberUse.empty())
    return true;
  auto moved = renumberNodes(plan, random);
  return !moved || runMoved(layer, "nodes renumbered", *moved);
}

bool CaseRunner::runSpec(const char *name, const std::string &text) {
  Case other = test;
  other.spec = text;
  other.linksLibrary = other.changesTopology = other.callsTwice = false;
  CaseRunner runner(other, options, report);
  if (!runner.parse() || !runner.makeGraphs())
    return false;
  runner.oracle = oracle;
  enterPhase(std::string("compile ") + name);
  Expected<Compiled> compiled = runner.compile(TargetDevice::cpu, test.cpu);
  if (!compiled)
    return fail("refused", compiled.takeError());
  return runner.runLowering(*compiled->layer, name, CLIQUE_LOWERING_AUTO);
}

bool CaseRunner::addCotangents(ArrayRef<ReferenceTensor> results,
                               ArrayRef<int64_t> numbers) {
  for (int64_t number : numbers) {
    const LayerArgument &argument = signature.args[inputs.size()];
    auto tensor = makeTensor(argument.dtype, results[number].shape);
    if (!tensor)
      return fail("invalid", tensor.takeError());
    RandomStream random(test.seed, argument.name);
    const int64_t count = getNumElements((*tensor)->dl_tensor);
    for (int64_t k = 0; k < count; ++k)
      setElement((*tensor)->dl_tensor, k, random.getUniform(k));
    inputs.push_back(std::move(*tensor));
  }
  return true;
}

bool CaseRunner::runGradient() {
  enterPhase("differentiate");
  auto arguments = makeReferenceArguments(graphs, inputs);
  if (!arguments)
    return fail("invalid", arguments.takeError());
  auto gradient = differentiate(*spec, *arguments, test.seed);
  if (!gradient)
    return fail("derivative", gradient.takeError());
  if (!*gradient) {
    report.addRun("no gradient");
    return true;
  }
  Case other = test;
  other.spec = (*gradient)->spec;
  // Gradients are long, and each pass had its share of specs.
  other.verifiesEach = false;
  CaseRunner runner(other, options, report);
  if (!runner.parse())
    return false;
  runner.graphs = std::move(graphs);
  runner.inputs = std::move(inputs);
  if (!runner.addCotangents(oracle->getResults(), (*gradient)->results) ||
      !runner.evaluate())
    return false;
  enterPhase("compile gradient");
  Expected<Compiled> compiled = runner.compile(TargetDevice::cpu, test.cpu);
  if (!compiled)
    return fail("refused", compiled.takeError());
  return all_of(kLowerings, [&](auto lowering) {
    return runner.runLowering(
        *compiled->layer, (std::string("gradient ") + lowering.first).c_str(),
        lowering.second);
  });
}
