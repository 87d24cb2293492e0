//===- Verification.cpp - Results against the reference -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands the same values to the reference interpreter, and compares.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Verification.h"
#include "compiler/Reference/Oracle.h"
#include "tools/clique-run/Report.h"
#include "tools/clique-run/ReportedError.h"
#include "tools/support/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace llvm;
using namespace clique;

Expected<SmallVector<ReferenceValue>>
clique::makeReferenceArguments(ArrayRef<GraphArgument> graphs,
                               ArrayRef<TensorHandle> inputs) {
  SmallVector<const DLTensor *> tensors;
  for (const TensorHandle &input : inputs)
    tensors.push_back(input ? &input->dl_tensor : nullptr);
  return makeReferenceArguments(graphs, tensors);
}

Expected<SmallVector<ReferenceValue>>
clique::makeReferenceArguments(ArrayRef<GraphArgument> graphs,
                               ArrayRef<const DLTensor *> tensors) {
  SmallVector<ReferenceValue> values(tensors.size());
  for (const GraphArgument &graph : graphs) {
    Expected<ReferenceGraph> copy =
        ReferenceGraph::fromRuntime(graph.graph.get());
    if (!copy)
      return copy.takeError();
    values[graph.argument] =
        std::make_shared<const ReferenceGraph>(std::move(*copy));
  }
  for (auto [k, tensor] : enumerate(tensors)) {
    if (!tensor)
      continue;
    Expected<ReferenceTensor> copy = ReferenceTensor::fromDLPack(*tensor);
    if (!copy)
      return copy.takeError();
    values[k] = std::make_shared<const ReferenceTensor>(std::move(*copy));
  }
  return values;
}

/// The line of one result.
static std::string describe(const ReferenceComparison &comparison,
                            const ReferenceTolerance &tolerance,
                            int64_t numElements) {
  std::string text;
  raw_string_ostream out(text);
  out << format("max error %.1e of the largest value", comparison.error);
  const bool isOfRow =
      !comparison.agrees && comparison.error <= tolerance.ofLargest;
  if (isOfRow)
    out << format(", but %.1e of the largest of its row",
                  comparison.errorOfRow);
  out << format(" (tolerance %.3g",
                isOfRow ? tolerance.ofRow : tolerance.ofLargest);
  if (comparison.rounding)
    out << format("; rounding alone gives %.1e%s", *comparison.rounding,
                  isOfRow ? " of the largest value" : "");
  out << "): ";
  if (comparison.agrees) {
    out << "ok";
    // No difference, but seldom what is wanted.
    if (comparison.numNaN > 0)
      out << "; " << comparison.numNaN << " of " << numElements
          << " elements are NaN, in the reference as well";
    return text;
  }
  auto position = map_range(
      comparison.position, [](int64_t index) { return std::to_string(index); });
  out << "too large; at [" << join(position, ", ")
      << format("] it is %.9g, the reference has %.9g", comparison.actual,
                comparison.expected);
  return text;
}

static Expected<Oracle> evaluate(mlir::func::FuncOp function,
                                 ArrayRef<ReferenceValue> arguments,
                                 F32Products products) {
  constexpr unsigned tf32Bits = 11, f32Bits = 24;
  Oracle oracle(function, arguments,
                products == F32Products::tf32 ? tf32Bits : f32Bits);
  Progress progress("evaluating the reference");
  if (failed(oracle.evaluate()))
    return make_error<ReportedError>();
  return oracle;
}

Expected<bool> clique::verifyFunction(
    mlir::func::FuncOp function, ArrayRef<ReferenceValue> arguments,
    const LayerSignature &signature, ArrayRef<TensorHandle> results,
    F32Products products, std::optional<double> given, bool isNamed) {
  Expected<Oracle> oracle = evaluate(function, arguments, products);
  if (!oracle)
    return oracle.takeError();
  bool isRight = true;
  for (auto [k, result] : enumerate(results)) {
    const LayerArgument &description = signature.results[k];
    const ReferenceTolerance tolerance =
        given ? ReferenceTolerance{*given}
              : getTolerance(description.dtype, products == F32Products::exact);
    Progress progress("comparing with the reference");
    // Who gives a tolerance means it.
    Expected<ReferenceComparison> comparison =
        oracle->compare(unsigned(k), result->dl_tensor, tolerance,
                        /*mayRound=*/!given);
    if (!comparison)
      return comparison.takeError();
    isRight &= comparison->agrees;
    std::string prefix = isNamed ? description.name + ": " : "";
    reportLine("verify", prefix + describe(*comparison, tolerance,
                                           getNumElements(result->dl_tensor)));
  }
  return isRight;
}

Expected<bool> clique::verifyResults(const LayerSource &source,
                                     ArrayRef<GraphArgument> graphs,
                                     ArrayRef<TensorHandle> inputs,
                                     ArrayRef<TensorHandle> results,
                                     std::optional<double> given) {
  auto arguments = makeReferenceArguments(graphs, inputs);
  if (!arguments)
    return arguments.takeError();
  return verifyFunction(source.getFunction(), *arguments, source.getSignature(),
                        results, source.getF32Products(), given,
                        /*isNamed=*/results.size() > 1);
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
  auto arguments = makeReferenceArguments(graphs, inputs);
  if (!arguments)
    return arguments.takeError();
  Expected<Oracle> oracle =
      evaluate(source.getFunction(), *arguments, source.getF32Products());
  if (!oracle)
    return oracle.takeError();
  if (std::error_code code = sys::fs::create_directories(folder))
    return createStringError(code, "--save-case=" + folder +
                                       ": cannot be made: " + code.message());
  const LayerSignature &signature = source.getSignature();
  for (auto [arg, input] : zip_equal(signature.args, inputs))
    if (input)
      if (Error error = writeArray(folder, arg.name, input->dl_tensor))
        return error;
  for (auto [result, values] :
       zip_equal(signature.results, oracle->getResults())) {
    Expected<TensorHandle> tensor = makeExpected(values, result.dtype);
    if (!tensor)
      return tensor.takeError();
    if (Error error =
            writeArray(folder, result.name + ".expected", (*tensor)->dl_tensor))
      return error;
  }
  return Error::success();
}
