//===- Verify.cpp - Results against the reference, through the C ABI ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/CApi/Request.h"
#include "compiler/Reference/Oracle.h"

using namespace llvm;
using namespace clique;

static Expected<ReferenceValue> copyArgument(const LayerArgument &description,
                                             const clique_value &value) {
  if (description.kind == CLIQUE_ARG_GRAPH) {
    Expected<ReferenceGraph> graph = ReferenceGraph::fromRuntime(value.graph);
    if (!graph)
      return graph.takeError();
    return std::make_shared<const ReferenceGraph>(std::move(*graph));
  }
  Expected<ReferenceTensor> tensor = ReferenceTensor::fromDLPack(*value.tensor);
  if (!tensor)
    return tensor.takeError();
  return std::make_shared<const ReferenceTensor>(std::move(*tensor));
}

static Expected<SmallVector<ReferenceValue>>
copyArguments(const LayerSignature &signature, ArrayRef<clique_value> args) {
  SmallVector<ReferenceValue> values;
  for (auto [description, arg] : zip_equal(signature.args, args)) {
    Expected<ReferenceValue> value = copyArgument(description, arg);
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
  }
  return values;
}

clique_status
clique_compile_verify(const clique_compile_request *request, const char *layer,
                      const clique_value *args, int32_t num_args,
                      const DLTensor *const *results, int32_t num_results,
                      clique_deviation *deviations, clique_buffer *messages) {
  Request call(*request, messages);
  std::optional<LayerCompiler::Options> options = call.readOptions();
  Spec *spec = options ? call.readSpec() : nullptr;
  if (!spec)
    return Request::getFailure();
  ArrayRef<LayerSignature> signatures = spec->getSignatures();
  const auto *signature = find_if(signatures, [&](const LayerSignature &other) {
    return other.name == layer;
  });
  if (signature == signatures.end() ||
      signature->args.size() != size_t(num_args) ||
      signature->results.size() != size_t(num_results))
    return call.fail("has no layer '" + Twine(layer) + "' of " +
                     Twine(num_args) + " arguments and " + Twine(num_results) +
                     " results");
  auto values = copyArguments(*signature, ArrayRef(args, num_args));
  if (!values)
    return call.fail(values.takeError());
  auto function =
      spec->getModule().lookupSymbol<mlir::func::FuncOp>(signature->name);
  const bool isExact = options->f32Products == F32Products::exact;
  Oracle oracle(function, *values, isExact ? 24 : 11);
  if (failed(oracle.evaluate()))
    return Request::getFailure();
  for (int32_t k = 0; k < num_results; ++k) {
    const DLDataType type = signature->results[k].dtype;
    const ReferenceTolerance tolerance = {
        getTolerance(type, isExact).ofLargest};
    Expected<ReferenceComparison> comparison =
        oracle.compare(unsigned(k), *results[k], tolerance);
    if (!comparison)
      return call.fail(comparison.takeError());
    deviations[k] = {
        comparison->error,
        std::max(tolerance.ofLargest,
                 tolerance.ofRounding * comparison->rounding.value_or(0)),
        comparison->actual, comparison->expected};
  }
  return CLIQUE_OK;
}
