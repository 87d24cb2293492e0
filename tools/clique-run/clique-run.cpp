//===- clique-run.cpp - Runs a layer --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the arguments, compiles if need be, runs, verifies, and only then
// writes.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/DeviceTensors.h"
#include "tools/clique-run/Gradients.h"
#include "tools/clique-run/Inputs.h"
#include "tools/clique-run/Invocation.h"
#include "tools/clique-run/Outputs.h"
#include "tools/clique-run/Reordering.h"
#include "tools/clique-run/Report.h"
#include "tools/clique-run/ReportedError.h"
#include "tools/clique-run/Verification.h"
#include "tools/support/CrashReport.h"
#include "tools/support/Mains.h"
#include "tools/support/StandardStreams.h"

using namespace llvm;
using namespace clique;

namespace {
/// What the layer gets.
struct LayerArguments {
  std::vector<TensorHandle> moved, copied; ///< null where they are as given
  std::vector<clique_value> values;
};
} // namespace

static void replace(MutableArrayRef<const DLTensor *> tensors,
                    ArrayRef<TensorHandle> replacements) {
  for (auto [tensor, replacement] : zip_equal(tensors, replacements))
    if (replacement)
      tensor = &replacement->dl_tensor;
}

/// Brings the inputs into the layer's order of nodes, and to its device.
static Expected<LayerArguments> makeArguments(const clique_layer &layer,
                                              ArrayRef<GraphArgument> graphs,
                                              ArrayRef<TensorHandle> inputs,
                                              const Reordering &reordering) {
  LayerArguments result;
  std::vector<const DLTensor *> tensors(inputs.size(), nullptr);
  replace(tensors, inputs);
  auto moved = reordering.moveInputs(inputs);
  if (!moved)
    return moved.takeError();
  result.moved = std::move(*moved);
  replace(tensors, result.moved);
  auto copied = copyToDevice(layer, tensors);
  if (!copied)
    return copied.takeError();
  result.copied = std::move(*copied);
  replace(tensors, result.copied);

  result.values.resize(inputs.size());
  for (auto [value, tensor] : zip_equal(result.values, tensors))
    value.tensor = tensor;
  for (const GraphArgument &graph : graphs)
    result.values[graph.argument].graph = reordering.getGraph(graph);
  return result;
}

static Error run(const RunRequest &request) {
  if (request.emulate)
    if (Error error = useEmulatedDriver())
      return error;
  Expected<LayerSource> source = LayerSource::open(request);
  if (!source)
    return source.takeError();
  const bool savesCase = !request.caseFolder.empty();
  if ((request.verify || savesCase) && !source->getFunction())
    return createStringError(std::errc::invalid_argument,
                             "%s: %s is a compiled library; name the "
                             "spec that it comes from with --spec=SPEC.mlir",
                             savesCase ? "--save-case" : "--verify",
                             request.layer.c_str());
  const LayerSignature &signature = source->getSignature();
  if (request.gradients)
    return runGradient(*source, request);
  Expected<Outputs> outputs = Outputs::open(signature, request.outputs);
  if (!outputs)
    return outputs.takeError();
  auto graphs = makeGraphs(signature, request.graphs);
  if (!graphs)
    return graphs.takeError();
  auto inputs = makeInputs(signature, source->getFunction(), *graphs,
                           request.inputs, request.weights, request.seed);
  if (!inputs)
    return inputs.takeError();
  if (savesCase)
    return saveCase(*source, *graphs, *inputs, request.caseFolder);
  if (Error error = reportGraphs(signature, *graphs))
    return error;
  Expected<Reordering> reordering =
      Reordering::create(signature, *graphs, request.order, request.explain);
  if (!reordering)
    return reordering.takeError();
  Expected<const clique_layer *> layer = source->load();
  if (!layer)
    return layer.takeError();
  if (Error error = reportDevice(**layer))
    return error;
  auto arguments = makeArguments(**layer, *graphs, *inputs, *reordering);
  if (!arguments)
    return arguments.takeError();
  clique_set_lowering(request.lowering);
  clique_set_num_threads(int32_t(request.threads));
  RunTimes times;
  auto results = runRepeatedly(**layer, arguments->values, request, times);
  if (!results)
    return results.takeError();
  reportKernels(request.explain);
  if (request.verify)
    if (Error error =
            verifyThreads(**layer, arguments->values, request, *results))
      return error;
  if (Error error = copyToHost(*results))
    return error;
  if (Error error = reordering->restore(*results))
    return error;
  reportResults(signature, *results);
  reportTimes(std::move(times));
  if (request.verify) {
    Expected<bool> isRight =
        verifyResults(*source, *graphs, *inputs, *results, request.tolerance);
    if (!isRight)
      return isRight.takeError();
    if (!*isRight)
      return createStringError(std::errc::result_out_of_range,
                               "the results differ from the reference by more "
                               "than the tolerance; no output was written "
                               "(without --verify it is)");
  }
  // Where the report does not arrive, no file is written.
  if (Error error = flushStandardOutput())
    return error;
  return outputs->write(*results);
}

int clique::runMain(int argc, char **argv) {
  occupyStandardStreams();
  reportCrashes("clique-run");
  Expected<RunRequest> request = parseRunCommandLine(argc, argv);
  Error error = request ? run(*request) : request.takeError();
  return reportError("clique-run", std::move(error));
}
