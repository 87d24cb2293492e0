//===- CaseRunner.cpp - Runs a case in every way --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/CaseRunner.h"
#include "tools/clique-run/DeviceTensors.h"
#include "tools/clique-run/Inputs.h"
#include "tools/clique-run/Verification.h"
#include "tools/clique-smith/CaseCompiler.h"
#include "tools/clique-smith/Comparison.h"
#include "tools/clique-smith/GradientCase.h"
#include "tools/clique-smith/Variants.h"

using namespace llvm;
using namespace clique;
using namespace clique::smith;

namespace {
class CaseRunner {
public:
  CaseRunner(const Case &test, const RunOptions &options, Report &report)
      : test(test), options(options), report(report) {}
  void run();

private:
  bool parse();
  bool makeGraphs();
  bool evaluate();
  bool runOnCpu();
  /// The same layer on the same graph in other words.
  bool runMoved(const clique_layer &layer, const char *name,
                const MovedGraph &moved);
  bool runVariants(const clique_layer &layer);
  /// Another spec with the same results, or with each of them so many times.
  bool runSpec(const char *name, const std::string &text);
  bool runOnGpu();
  /// The gradient against differences and, compiled, against the reference.
  bool runGradient();
  /// Of a gradient, for results of the layer.
  bool addCotangents(ArrayRef<ReferenceTensor> results,
                     ArrayRef<int64_t> numbers);
  Expected<Compiled>
  compile(TargetDevice target, StringRef cpu,
          LoweringChoice lowering = LoweringChoice::automatic) {
    return compileCase(test, *spec, target, cpu, lowering, report);
  }
  Expected<std::vector<TensorHandle>> invoke(const clique_layer &layer);
  bool runLowering(const clique_layer &layer, const char *name,
                   clique_lowering lowering);
  bool runSparseOnly(TargetDevice target, const char *name);
  bool compare(ArrayRef<TensorHandle> results) {
    auto difference = findDifference(*oracle, signature, results);
    return !difference || fail("wrong", *difference);
  }

  bool fail(const std::string &failure, const std::string &message) {
    report.fail(failure, message);
    return false;
  }
  bool fail(const std::string &failure, Error error) {
    return fail(failure, toString(std::move(error)));
  }
  void enterPhase(const std::string &name) { report.enterPhase(name); }

  const Case &test;
  const RunOptions &options;
  Report &report;
  std::unique_ptr<Spec> spec;
  LayerSignature signature;
  std::vector<GraphArgument> graphs;
  std::vector<TensorHandle> inputs;
  /// Shared with the case's variants: result k is result k modulo the number
  /// of its results, for copies of the layer.
  std::shared_ptr<Oracle> oracle;
  /// The arguments do not fit together: the layer must say so.
  bool isRefused = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is given and expected
//===----------------------------------------------------------------------===//

bool CaseRunner::parse() {
  enterPhase("parse");
  spec = Spec::fromText(MemoryBuffer::getMemBufferCopy(test.spec, "spec.mlir"),
                        "spec.mlir", {});
  if (!spec)
    return fail("invalid", "");
  // The driver runs as many cases as there are processors.
  spec->getContext().disableMultithreading();
  signature = spec->getSignatures().front();
  return true;
}

static Expected<GraphHandle> makeGraphOf(const GraphPlan &plan) {
  if (!plan.description.empty()) {
    DescribedGraph described = makeGraph(plan.description);
    if (!described.graph)
      return createStringError(described.error);
    return std::move(described.graph);
  }
  clique_graph *graph = nullptr;
  if (clique_graph_from_coo(plan.numDst, plan.numSrc, int64_t(plan.dst.size()),
                            plan.dst.data(), plan.src.data(),
                            &graph) != CLIQUE_OK)
    return makeRuntimeError();
  return GraphHandle(graph);
}

bool CaseRunner::makeGraphs() {
  for (auto [k, argument] : enumerate(signature.args)) {
    if (argument.kind != CLIQUE_ARG_GRAPH)
      continue;
    for (const auto &[name, plan] : test.graphs) {
      if (name != argument.name)
        continue;
      Expected<GraphHandle> graph = makeGraphOf(plan);
      if (!graph)
        return fail("invalid", graph.takeError());
      graphs.push_back({unsigned(k), plan.description, std::move(*graph)});
    }
  }
  // What the reducer took out of the spec is given no more.
  std::vector<std::string> given;
  for (const std::string &input : test.inputs)
    for (const LayerArgument &argument : signature.args)
      if (StringRef(input).starts_with(argument.name + "="))
        given.push_back(input);
  auto made = makeInputs(
      signature,
      spec->getModule().lookupSymbol<mlir::func::FuncOp>(signature.name),
      graphs, given, /*weights=*/{}, /*seed=*/0);
  if (!made)
    return fail("invalid", made.takeError());
  inputs = std::move(*made);
  return true;
}

bool CaseRunner::evaluate() {
  enterPhase("reference");
  auto function =
      spec->getModule().lookupSymbol<mlir::func::FuncOp>(signature.name);
  auto arguments = makeReferenceArguments(graphs, inputs);
  if (!arguments)
    return fail("invalid", arguments.takeError());
  oracle = std::make_shared<Oracle>(function, *arguments);
  if (succeeded(oracle->evaluate()))
    return true;
  isRefused = test.mayBeRefused;
  return isRefused || fail("refused", "");
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Expected<std::vector<TensorHandle>>
CaseRunner::invoke(const clique_layer &layer) {
  std::vector<const DLTensor *> tensors;
  tensors.reserve(inputs.size());
  for (const TensorHandle &input : inputs)
    tensors.push_back(input ? &input->dl_tensor : nullptr);
  auto copies = copyToDevice(layer, tensors);
  if (!copies)
    return copies.takeError();
  std::vector<clique_value> values(inputs.size());
  for (auto [value, tensor, copy] : zip_equal(values, tensors, *copies))
    value.tensor = copy ? &copy->dl_tensor : tensor;
  for (const GraphArgument &graph : graphs)
    values[graph.argument].graph = graph.graph.get();
  std::vector<DLManagedTensor *> raw(layer.num_results, nullptr);
  if (clique_layer_invoke(&layer, values.data(), int32_t(values.size()),
                          raw.data(), layer.num_results) != CLIQUE_OK)
    return makeRuntimeError();
  std::vector<TensorHandle> results(raw.begin(), raw.end());
  if (Error error = waitForDevice(layer))
    return std::move(error);
  if (Error error = copyToHost(results))
    return std::move(error);
  return results;
}

bool CaseRunner::runLowering(const clique_layer &layer, const char *name,
                             clique_lowering lowering) {
  enterPhase(name);
  clique_set_lowering(lowering);
  clique_set_num_threads(1);
  auto one = invoke(layer);
  if (!one) {
    std::string message = toString(one.takeError());
    // By design.
    if (StringRef(message).contains("has parallel edges")) {
      report.addRun(std::string("skipped ") + name);
      return true;
    }
    // The type of a graph suggests tiles alone.
    if (StringRef(message).contains("only dense tiles were compiled")) {
      if (!test.runsSparseOnly && options.lowering.empty()) {
        report.addRun(std::string("skipped ") + name);
        return true;
      }
      return runSparseOnly(
          runsOnGpu(layer) ? TargetDevice::cuda : TargetDevice::cpu, name);
    }
    if (isRefused)
      report.addRun("error");
    return isRefused || fail("refused", message);
  }
  if (isRefused)
    return fail("unchecked", "sizes that do not fit are no error");
  if (!compare(*one))
    return false;
  report.addRun(name);
  if (runsOnGpu(layer))
    return true;
  clique_set_num_threads(2);
  auto two = invoke(layer);
  if (!two)
    return fail("refused", two.takeError());
  auto difference = findOtherBits(signature, *one, *two);
  return !difference || fail("threads", *difference);
}

bool CaseRunner::runSparseOnly(TargetDevice target, const char *name) {
  Expected<Compiled> compiled =
      compile(target, target == TargetDevice::cuda ? "native" : test.cpu,
              LoweringChoice::sparse);
  if (!compiled)
    return fail("refused", compiled.takeError());
  return runLowering(*compiled->layer, name, CLIQUE_LOWERING_SPARSE);
}

static constexpr std::pair<const char *, clique_lowering> kLowerings[] = {
    {"auto", CLIQUE_LOWERING_AUTO},
    {"dense", CLIQUE_LOWERING_DENSE},
    {"sparse", CLIQUE_LOWERING_SPARSE}};

bool CaseRunner::runOnCpu() {
  enterPhase("compile " + test.cpu);
  Expected<Compiled> compiled = compile(TargetDevice::cpu, test.cpu);
  if (!compiled)
    return fail("refused", compiled.takeError());
  for (auto [name, lowering] : kLowerings)
    if ((options.lowering.empty() || options.lowering == name) &&
        !runLowering(*compiled->layer, name, lowering))
      return false;
  if (!options.lowering.empty())
    return true;
  if (!runVariants(*compiled->layer))
    return false;
  if (isRefused)
    return true;
  if (test.changesTopology)
    if (auto text = changeTopology(test))
      if (!runSpec("other topology", *text))
        return false;
  if (test.callsTwice)
    if (auto text = callTwice(test.spec))
      return runSpec("called twice", *text);
  return true;
}

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
  // The numbers of edges are other ones then.
  if (StringRef(test.spec).contains("mp.position edge"))
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

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool CaseRunner::runOnGpu() {
  if (Error error = useEmulatedDriver())
    return fail("refused", std::move(error));
  enterPhase("compile gpu");
  // By design, where the type of the graph suggests tiles alone.
  bool lacksMemory = false;
  mlir::ScopedDiagnosticHandler handler(
      &spec->getContext(), [&](mlir::Diagnostic &error) {
        lacksMemory |=
            StringRef(error.str()).contains("bytes of shared memory");
        return mlir::failure();
      });
  Expected<Compiled> compiled = compile(TargetDevice::cuda, "native");
  if (!compiled && lacksMemory) {
    consumeError(compiled.takeError());
    return runSparseOnly(TargetDevice::cuda, "gpu sparse");
  }
  if (!compiled)
    return fail("refused", compiled.takeError());
  for (auto [name, lowering] : kLowerings)
    if ((options.lowering.empty() || options.lowering == name) &&
        !runLowering(*compiled->layer, ("gpu " + std::string(name)).c_str(),
                     lowering))
      return false;
  return true;
}

void CaseRunner::run() {
  if (!parse() || !makeGraphs() || !evaluate())
    return;
  if (!options.onlyGpu && !runOnCpu())
    return;
  if ((test.emulatesGpu || options.onlyGpu) && !runOnGpu())
    return;
  if (test.differentiates && !isRefused && !options.onlyGpu)
    runGradient();
}

void clique::smith::runCase(const Case &test, const RunOptions &options,
                            Report &report) {
  CaseRunner(test, options, report).run();
}
