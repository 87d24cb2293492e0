//===- Gradients.cpp - Runs the gradient of a layer -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the forward function keeps goes to the backward one. Three comparisons
// verify it: the compiled forward function with the reference interpreter's,
// the latter's gradient with central differences of the layer, and the compiled
// gradient with the reference interpreter's.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Gradients.h"
#include "compiler/Reference/GradientCheck.h"
#include "tools/clique-run/DeviceTensors.h"
#include "tools/clique-run/Inputs.h"
#include "tools/clique-run/Invocation.h"
#include "tools/clique-run/Outputs.h"
#include "tools/clique-run/Report.h"
#include "tools/clique-run/ReportedError.h"
#include "tools/clique-run/Verification.h"
#include "tools/support/Progress.h"
#include "tools/support/StandardStreams.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace clique;

using Tensors = std::vector<TensorHandle>;

/// Random cotangents of the results that have one.
static Expected<Tensors> makeCotangents(const LayerSource::Gradient &gradient,
                                        ArrayRef<TensorHandle> results,
                                        uint64_t seed) {
  Tensors cotangents;
  for (int64_t index : gradient.functions.results) {
    const DLTensor &result = results[index]->dl_tensor;
    auto tensor = makeTensor(result.dtype, ArrayRef(result.shape, result.ndim));
    if (!tensor)
      return tensor.takeError();
    RandomStream random(seed, "grad_" + gradient.forward.results[index].name);
    for (int64_t k = 0, end = getNumElements(result); k < end; ++k)
      setElement((*tensor)->dl_tensor, k, random.getUniform(k));
    cotangents.push_back(std::move(*tensor));
  }
  return cotangents;
}

/// The forward function's results beyond the layer's own.
static void reportKept(const LayerSource::Gradient &gradient, size_t numResults,
                       ArrayRef<TensorHandle> results) {
  int64_t bytes = 0;
  for (const TensorHandle &kept : results.drop_front(numResults))
    bytes += getNumElements(kept->dl_tensor) *
             ((kept->dl_tensor.dtype.bits + 7) / 8);
  std::string text;
  raw_string_ostream out(text);
  out << format("%zu tensors for the backward function, %.1f KiB",
                results.size() - numResults, double(bytes) / 1024);
  reportLine("kept", text);
}

/// Compares the gradient in double precision with differences.
static Expected<bool> verifyDifferences(const LayerSource &source,
                                        const GradientFunctions &functions,
                                        ArrayRef<ReferenceValue> arguments,
                                        uint64_t seed) {
  constexpr double tolerance = 1e-5;
  Progress progress("evaluating differences");
  ReferenceGradient gradient{source.getFunction(), functions.forward,
                             functions.backward,   functions.kept,
                             functions.arguments,  functions.results};
  auto derivatives = checkGradient(gradient, arguments, seed);
  if (failed(derivatives))
    return make_error<ReportedError>();
  bool isRight = true;
  for (const DirectionalDerivative &derivative : *derivatives) {
    bool isOne = derivative.getError() <= tolerance;
    isRight &= isOne;
    std::string text;
    raw_string_ostream out(text);
    out << source.getSignature().args[derivative.argument].name
        << format(": along a random direction %.8g, by central differences "
                  "%.8g: error %.1e (tolerance %.0e): ",
                  derivative.gradient, derivative.difference,
                  derivative.getError(), tolerance)
        << (isOne ? "ok" : "too large");
    reportLine("verify", text);
  }
  return isRight;
}

static Error verify(const LayerSource &source,
                    const LayerSource::Gradient &gradient,
                    const RunRequest &request, ArrayRef<GraphArgument> graphs,
                    ArrayRef<const DLTensor *> tensors,
                    ArrayRef<TensorHandle> forward,
                    ArrayRef<TensorHandle> results) {
  auto values = makeReferenceArguments(graphs, tensors);
  if (!values)
    return values.takeError();
  size_t numArgs = source.getSignature().args.size();
  // What is kept beyond the layer's results is checked by what it leads to:
  // winners depend on the rounding of what they win with.
  Expected<bool> isForwardRight = verifyFunction(
      source.getFunction(), ArrayRef(*values).take_front(numArgs),
      source.getSignature(),
      forward.take_front(source.getSignature().results.size()),
      source.getF32Products(), request.tolerance, /*isNamed=*/true);
  if (!isForwardRight)
    return isForwardRight.takeError();
  Expected<bool> isDerivative =
      verifyDifferences(source, gradient.functions,
                        ArrayRef(*values).take_front(numArgs), request.seed);
  if (!isDerivative)
    return isDerivative.takeError();
  Expected<bool> isRight =
      verifyFunction(gradient.functions.backward, *values, gradient.backward,
                     results, source.getF32Products(), request.tolerance,
                     /*isNamed=*/true);
  if (!isRight)
    return isRight.takeError();
  if (*isForwardRight && *isRight && *isDerivative)
    return Error::success();
  return createStringError(std::errc::result_out_of_range,
                           "the gradient differs from the reference by more "
                           "than the tolerance; no output was written");
}

Error clique::runGradient(LayerSource &source, const RunRequest &request) {
  if (!source.getFunction())
    return createStringError("--gradients: " + request.layer +
                             " is a compiled library; run its spec");
  const LayerSignature &signature = source.getSignature();
  auto graphs = makeGraphs(signature, request.graphs);
  if (!graphs)
    return graphs.takeError();
  auto inputs = makeInputs(signature, source.getFunction(), *graphs,
                           request.inputs, request.weights, request.seed);
  if (!inputs)
    return inputs.takeError();
  if (Error error = reportGraphs(signature, *graphs))
    return error;
  auto gradient = source.loadGradient();
  if (!gradient)
    return gradient.takeError();
  if (Error error = reportDevice(*gradient->forwardLayer))
    return error;
  Expected<Outputs> outputs =
      Outputs::open(gradient->backward, request.outputs);
  if (!outputs)
    return outputs.takeError();
  clique_set_lowering(request.lowering);
  clique_set_num_threads(int32_t(request.threads));

  SmallVector<const DLTensor *> tensors;
  for (const TensorHandle &input : *inputs)
    tensors.push_back(input ? &input->dl_tensor : nullptr);
  auto run = [&](const clique_layer &layer) -> Expected<Tensors> {
    Expected<Tensors> copied = copyToDevice(layer, tensors);
    if (!copied)
      return copied;
    std::vector<clique_value> values(tensors.size());
    for (auto [value, tensor, copy] : zip_equal(values, tensors, *copied))
      value.tensor = copy ? &copy->dl_tensor : tensor;
    for (const GraphArgument &graph : *graphs)
      values[graph.argument].graph = graph.graph.get();
    RunTimes times;
    auto results = runRepeatedly(layer, values, request, times);
    if (!results)
      return results;
    if (Error error = copyToHost(*results))
      return std::move(error);
    reportLine("layer", layer.name);
    reportKernels(request.explain);
    reportTimes(std::move(times));
    if (request.verify)
      if (Error error = verifyThreads(layer, values, request, *results))
        return std::move(error);
    return results;
  };
  Expected<Tensors> kept = run(*gradient->forwardLayer);
  if (!kept)
    return kept.takeError();
  if (request.explain)
    reportKept(*gradient, signature.results.size(), *kept);
  Expected<Tensors> cotangents = makeCotangents(*gradient, *kept, request.seed);
  if (!cotangents)
    return cotangents.takeError();
  for (int64_t index : gradient->functions.kept)
    tensors.push_back(&(*kept)[index]->dl_tensor);
  for (const TensorHandle &cotangent : *cotangents)
    tensors.push_back(&cotangent->dl_tensor);
  Expected<Tensors> results = run(*gradient->backwardLayer);
  if (!results)
    return results.takeError();
  reportResults(gradient->backward, *results);
  if (request.verify)
    if (Error error = verify(source, *gradient, request, *graphs, tensors,
                             *kept, *results))
      return error;
  if (Error error = flushStandardOutput())
    return error;
  return outputs->write(*results);
}
