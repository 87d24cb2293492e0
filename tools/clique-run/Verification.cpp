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

/// What results of a type may differ by: where the caller gives no tolerance
/// half of the digits of each row must be right as well.
static ReferenceTolerance chooseTolerance(DLDataType type, F32Products products,
                                          std::optional<double> given) {
  if (given)
    return {*given};
  const double tolerance = getTolerance(type, products == F32Products::exact);
  return {tolerance, std::sqrt(tolerance)};
}

/// The line of one result.
static std::string describe(const ReferenceComparison &comparison,
                            const ReferenceTolerance &tolerance,
                            bool hasRounding) {
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
  if (hasRounding)
    out << format("; rounding alone gives %.1e%s", comparison.rounding,
                  isOfRow ? " of the largest value" : "");
  out << "): ";
  if (comparison.agrees) {
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

namespace {
/// The interpreter's results: without rounding, and with it as soon as they are
/// asked for.
class Reference {
public:
  Reference(mlir::func::FuncOp function, ArrayRef<ReferenceValue> arguments,
            F32Products products)
      : function(function), arguments(arguments), products(products) {}

  Expected<SmallVector<ReferenceTensor>>
  evaluate(const ReferencePrecision &precision = {}) const {
    Progress progress(precision.seed ? "evaluating the reference with rounding"
                                     : "evaluating the reference");
    auto results = evaluateReference(function, arguments, precision);
    if (failed(results))
      return make_error<ReportedError>();
    return std::move(*results);
  }

  /// Result `index` of each run with rounding.
  Expected<SmallVector<const ReferenceTensor *>> getRounded(unsigned index) {
    constexpr unsigned numRuns = 3;
    constexpr unsigned tf32Bits = 11;
    while (rounded.size() < numRuns) {
      ReferencePrecision precision;
      precision.seed = rounded.size();
      if (products == F32Products::tf32)
        precision.f32Bits = tf32Bits;
      auto results = evaluate(precision);
      if (!results)
        return results.takeError();
      rounded.push_back(std::move(*results));
    }
    return map_to_vector(rounded,
                         [&](const SmallVector<ReferenceTensor> &results) {
                           return &results[index];
                         });
  }

private:
  mlir::func::FuncOp function;
  ArrayRef<ReferenceValue> arguments;
  F32Products products;
  std::vector<SmallVector<ReferenceTensor>> rounded;
};
} // namespace

Expected<bool> clique::verifyFunction(mlir::func::FuncOp function,
                                      ArrayRef<ReferenceValue> arguments,
                                      const LayerSignature &signature,
                                      ArrayRef<TensorHandle> results,
                                      F32Products products,
                                      std::optional<double> given) {
  Reference reference(function, arguments, products);
  Expected<SmallVector<ReferenceTensor>> expected = reference.evaluate();
  if (!expected)
    return expected.takeError();
  bool isRight = true;
  for (auto [k, result] : enumerate(results)) {
    const LayerArgument &description = signature.results[k];
    const ReferenceTolerance tolerance =
        chooseTolerance(description.dtype, products, given);
    Expected<ReferenceComparison> comparison =
        compareWithReference(result->dl_tensor, (*expected)[k], tolerance);
    if (!comparison)
      return comparison.takeError();
    // Integers and truth values are exact, and who gives a tolerance means it.
    const bool isFloat = description.dtype.code == kDLFloat ||
                         description.dtype.code == kDLBfloat;
    const bool isRounded = !comparison->agrees && !given && isFloat;
    if (isRounded) {
      auto rounded = reference.getRounded(k);
      if (!rounded)
        return rounded.takeError();
      comparison = compareWithReference(result->dl_tensor, (*expected)[k],
                                        tolerance, *rounded);
      if (!comparison)
        return comparison.takeError();
    }
    isRight &= comparison->agrees;
    std::string prefix = results.size() > 1 ? description.name + ": " : "";
    reportLine("verify", prefix + describe(*comparison, tolerance, isRounded));
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
                        results, source.getF32Products(), given);
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
  Expected<SmallVector<ReferenceTensor>> expected =
      Reference(source.getFunction(), *arguments, source.getF32Products())
          .evaluate();
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
