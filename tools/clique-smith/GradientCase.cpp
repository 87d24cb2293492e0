//===- GradientCase.cpp - Gradients of cases ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/GradientCase.h"
#include "compiler/Gradient/GradientFunctions.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/Reference/GradientCheck.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace clique;
using namespace clique::smith;

/// Differences of the layer, in double precision, against the gradient.
static Error checkDifferences(mlir::func::FuncOp function,
                              const GradientFunctions &functions,
                              ArrayRef<ReferenceValue> arguments,
                              uint64_t seed) {
  constexpr double tolerance = 1e-4;
  auto derivatives =
      checkGradient({function, functions.forward, functions.backward,
                     functions.kept, functions.arguments, functions.results},
                    arguments, seed);
  if (failed(derivatives))
    return createStringError("the reference does not evaluate the gradient");
  for (const DirectionalDerivative &derivative : *derivatives)
    if (derivative.getError() > tolerance)
      return createStringError(
          formatv("argument {0}: the gradient along a direction is {1:E8}, "
                  "central differences say {2:E8} (rounding {3:E1})",
                  derivative.argument, derivative.gradient,
                  derivative.difference, derivative.rounding)
              .str());
  return Error::success();
}

/// Adds forward, backward and gradient functions; false if there is no rule.
static Expected<bool> addGradient(mlir::ModuleOp module, StringRef layer) {
  std::string first;
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &error) {
        if (first.empty() &&
            error.getSeverity() == mlir::DiagnosticSeverity::Error)
          first = error.str();
      });
  DifferentiatePassOptions options;
  options.functions = {layer.str()};
  options.joined = true;
  mlir::PassManager manager(module.getContext());
  manager.addPass(createDifferentiatePass(options));
  if (succeeded(manager.run(module)))
    return findGradient(module, layer).has_value();
  // Those are by design, and say so.
  for (StringRef reason : {"derivative", "mp-differentiate", "differentiated"})
    if (StringRef(first).contains(reason))
      return false;
  return createStringError(first);
}

Expected<std::optional<GradientCase>>
clique::smith::differentiate(Spec &spec, ArrayRef<ReferenceValue> arguments,
                             uint64_t seed) {
  const std::string &layer = spec.getSignatures().front().name;
  mlir::OwningOpRef<mlir::ModuleOp> module = spec.getModule().clone();
  Expected<bool> hasGradient = addGradient(*module, layer);
  if (!hasGradient)
    return hasGradient.takeError();
  if (!*hasGradient)
    return std::nullopt;
  // Rounding to half precision has differences of its own, and a deviation of
  // equal values, which is the root of what rounding left of 0, any slope.
  std::string text;
  raw_string_ostream out(text);
  spec.getModule().print(out);
  auto function = module->lookupSymbol<mlir::func::FuncOp>(layer);
  const GradientFunctions functions = *findGradient(*module, layer);
  if (!StringRef(text).contains("f16") && !StringRef(text).contains(" std "))
    if (Error error = checkDifferences(function, functions, arguments, seed))
      return std::move(error);

  const std::string entry = layer + "_gradient";
  for (auto other : module->getOps<mlir::func::FuncOp>())
    if (other.getName() != entry)
      other.setPrivate();
  mlir::PassManager manager(module->getContext());
  manager.addPass(mlir::createInlinerPass());
  manager.addPass(mlir::createSymbolDCEPass());
  if (failed(manager.run(*module)))
    return createStringError("the gradient cannot be inlined");
  text.clear();
  module->print(out);
  return GradientCase{text, functions.results};
}
