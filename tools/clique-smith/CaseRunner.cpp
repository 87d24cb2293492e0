//===- CaseRunner.cpp - Runs a case in every way --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPArguments.h"
#include "tools/clique-run/DeviceTensors.h"
#include "tools/clique-smith/CaseRun.h"

using namespace llvm;
using namespace clique;
using namespace clique::smith;

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
  // Whatever is given away must not change a result.
  auto function =
      spec->getModule().lookupSymbol<mlir::func::FuncOp>(signature.name);
  for (auto [k, argument] : enumerate(signature.args))
    if (argument.kind == CLIQUE_ARG_TENSOR)
      function.setArgAttr(k, mp::kDonatableAttr,
                          mlir::UnitAttr::get(function.getContext()));
  return true;
}

Expected<GraphHandle> clique::smith::makeGraphOf(const GraphPlan &plan) {
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

/// Copies in the runtime's memory.
static Error copyTensors(MutableArrayRef<clique_value> values,
                         ArrayRef<const DLTensor *> tensors,
                         MutableArrayRef<DLManagedTensor *> copies) {
  for (auto [value, tensor, copy] : zip_equal(values, tensors, copies)) {
    if (!tensor)
      continue;
    if (clique_tensor_copy(tensor, kDLCPU, &copy) != CLIQUE_OK)
      return makeRuntimeError();
    value.tensor = &copy->dl_tensor;
  }
  return Error::success();
}

Expected<std::vector<TensorHandle>>
CaseRunner::invoke(const clique_layer &layer, bool gives) {
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
  std::vector<DLManagedTensor *> given(values.size(), nullptr);
  if (gives)
    if (Error error = copyTensors(values, tensors, given))
      return std::move(error);
  std::vector<DLManagedTensor *> raw(layer.num_results, nullptr);
  if (clique_layer_invoke_donating(&layer, values.data(),
                                   int32_t(values.size()), given.data(),
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
  if (auto difference =
          findOtherBits(signature, *one, *two, "one and two threads"))
    return fail("threads", *difference);
  auto given = invoke(layer, /*gives=*/true);
  if (!given)
    return fail("refused", given.takeError());
  auto difference = findOtherBits(signature, *one, *given,
                                  "inputs that are kept and given away");
  return !difference || fail("given", *difference);
}

bool CaseRunner::runSparseOnly(TargetDevice target, const char *name) {
  Expected<Compiled> compiled =
      compile(target, target == TargetDevice::cuda ? "native" : test.cpu,
              LoweringChoice::sparse);
  if (!compiled)
    return fail("refused", compiled.takeError());
  return runLowering(*compiled->layer, name, CLIQUE_LOWERING_SPARSE);
}

bool CaseRunner::runOnCpu() {
  enterPhase("compile " + test.cpu);
  const bool isSparseOnly =
      test.isSparseOnly && StringRef("sparse").starts_with(options.lowering);
  Expected<Compiled> compiled = compile(
      TargetDevice::cpu, test.cpu,
      isSparseOnly ? LoweringChoice::sparse : LoweringChoice::automatic);
  if (!compiled)
    return fail("refused", compiled.takeError());
  const StringRef only =
      isSparseOnly ? StringRef("sparse") : StringRef(options.lowering);
  for (auto [name, lowering] : kLowerings)
    if ((only.empty() || only == name) &&
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

bool CaseRunner::writeInputs() {
  for (auto [input, argument] : zip_equal(inputs, signature.args)) {
    if (!input || argument.kind == CLIQUE_ARG_SCALAR)
      continue;
    const std::string path = options.inputsPrefix + argument.name + ".npy";
    if (clique_npy_write(path.c_str(), &input->dl_tensor) != CLIQUE_OK)
      return fail("invalid", makeRuntimeError());
    report.addRun(argument.name);
  }
  return true;
}

void CaseRunner::run() {
  if (!parse() || !makeGraphs())
    return;
  if (!options.inputsPrefix.empty()) {
    writeInputs();
    return;
  }
  if (!evaluate())
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
