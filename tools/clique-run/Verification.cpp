//===- Verification.cpp - Results against the reference -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands the same values to the reference interpreter, and compares.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Verification.h"
#include "compiler/Reference/Compare.h"
#include "compiler/Reference/Interpreter.h"
#include "tools/clique-run/Report.h"
#include "tools/support/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clique;

Expected<SmallVector<ReferenceValue>>
clique::makeReferenceArguments(ArrayRef<GraphArgument> graphs,
                               ArrayRef<TensorHandle> inputs) {
  SmallVector<ReferenceValue> values(inputs.size());
  for (const GraphArgument &graph : graphs) {
    Expected<ReferenceGraph> copy =
        ReferenceGraph::fromRuntime(graph.graph.get());
    if (!copy)
      return copy.takeError();
    values[graph.argument] =
        std::make_shared<const ReferenceGraph>(std::move(*copy));
  }
  for (auto [k, input] : enumerate(inputs)) {
    if (!input)
      continue;
    Expected<ReferenceTensor> copy =
        ReferenceTensor::fromDLPack(input->dl_tensor);
    if (!copy)
      return copy.takeError();
    values[k] = std::make_shared<const ReferenceTensor>(std::move(*copy));
  }
  return values;
}

/// The line of one result.
static std::string describe(const ReferenceComparison &comparison,
                            double tolerance) {
  std::string text;
  raw_string_ostream out(text);
  out << format("max error %.1e of the largest value (tolerance %.3g): ",
                comparison.error, tolerance);
  if (comparison.error <= tolerance) {
    out << "ok";
    return text;
  }
  auto position = map_range(
      comparison.position, [](int64_t index) { return std::to_string(index); });
  out << "too large; at [" << join(position, ", ")
      << format("] it is %.9g, the reference has %.9g", comparison.actual,
                comparison.expected);
  return text;
}

static Expected<SmallVector<ReferenceTensor>>
evaluate(const LayerSource &source, ArrayRef<GraphArgument> graphs,
         ArrayRef<TensorHandle> inputs) {
  Progress progress("evaluating the reference");
  Expected<SmallVector<ReferenceValue>> arguments =
      makeReferenceArguments(graphs, inputs);
  if (!arguments)
    return arguments.takeError();
  auto results = evaluateReference(source.getFunction(), *arguments);
  if (failed(results))
    return make_error<ReportedError>();
  return std::move(*results);
}

Expected<bool> clique::verifyResults(const LayerSource &source,
                                     ArrayRef<GraphArgument> graphs,
                                     ArrayRef<TensorHandle> inputs,
                                     ArrayRef<TensorHandle> results,
                                     std::optional<double> tolerance) {
  Expected<SmallVector<ReferenceTensor>> expected =
      evaluate(source, graphs, inputs);
  if (!expected)
    return expected.takeError();
  bool isRight = true;
  for (auto [k, result] : enumerate(results)) {
    const LayerArgument &description = source.getSignature().results[k];
    Expected<ReferenceComparison> comparison =
        compareWithReference(result->dl_tensor, (*expected)[k]);
    if (!comparison)
      return comparison.takeError();
    double limit = tolerance.value_or(getTolerance(
        description.dtype, source.getF32Products() == F32Products::exact));
    isRight &= comparison->error <= limit;
    std::string prefix = results.size() > 1 ? description.name + ": " : "";
    reportLine("verify", prefix + describe(*comparison, limit));
  }
  return isRight;
}

static Error writeArray(StringRef folder, const Twine &name,
                        const DLTensor &tensor) {
  SmallString<256> path(folder);
  sys::path::append(path, name + ".npy");
  if (clique_npy_write(path.c_str(), &tensor) != CLIQUE_OK)
    return makeRuntimeError("--save-case: ");
  return Error::success();
}

static Expected<TensorHandle> makeExpected(const ReferenceTensor &reference,
                                           DLDataType type) {
  // Rounded less than the layer itself may round.
  if (type.code != kDLInt && type.bits == 16)
    type = {kDLFloat, 32, 1};
  Expected<TensorHandle> tensor = makeTensor(type, reference.shape);
  if (tensor)
    for (auto [k, value] : enumerate(reference.data))
      setElement((*tensor)->dl_tensor, int64_t(k), value);
  return tensor;
}

Error clique::saveCase(const LayerSource &source,
                       ArrayRef<GraphArgument> graphs,
                       ArrayRef<TensorHandle> inputs, StringRef folder) {
  Expected<SmallVector<ReferenceTensor>> expected =
      evaluate(source, graphs, inputs);
  if (!expected)
    return expected.takeError();
  if (std::error_code code = sys::fs::create_directories(folder))
    return createStringError(code, "--save-case=" + folder +
                                       ": cannot be made: " + code.message());
  const LayerSignature &signature = source.getSignature();
  for (auto [arg, input] : zip_equal(signature.args, inputs))
    if (input)
      if (Error error = writeArray(folder, arg.name, input->dl_tensor))
        return error;
  for (auto [result, values] : zip_equal(signature.results, *expected)) {
    Expected<TensorHandle> tensor = makeExpected(values, result.dtype);
    if (!tensor)
      return tensor.takeError();
    if (Error error =
            writeArray(folder, result.name + ".expected", (*tensor)->dl_tensor))
      return error;
  }
  return Error::success();
}
