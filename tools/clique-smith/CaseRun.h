//===- CaseRun.h - What is known while a case runs --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_CASERUN_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_CASERUN_H

#include "compiler/Reference/Oracle.h"
#include "tools/clique-run/Inputs.h"
#include "tools/clique-run/Verification.h"
#include "tools/clique-smith/CaseCompiler.h"
#include "tools/clique-smith/CaseRunner.h"
#include "tools/clique-smith/Comparison.h"
#include "tools/clique-smith/Variants.h"

namespace clique::smith {

llvm::Expected<GraphHandle> makeGraphOf(const GraphPlan &plan);

inline constexpr std::pair<const char *, clique_lowering> kLowerings[] = {
    {"auto", CLIQUE_LOWERING_AUTO},
    {"dense", CLIQUE_LOWERING_DENSE},
    {"sparse", CLIQUE_LOWERING_SPARSE}};

/// One case, or another spec beside it.
class CaseRunner {
public:
  CaseRunner(const Case &test, const RunOptions &options, Report &report)
      : test(test), options(options), report(report) {}
  void run();

private:
  bool parse();
  bool makeGraphs();
  bool evaluate();
  /// ARG.npy behind the prefix for each argument that is a tensor; reports
  /// their names as runs.
  bool writeInputs();
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
  bool addCotangents(llvm::ArrayRef<ReferenceTensor> results,
                     llvm::ArrayRef<int64_t> numbers);
  llvm::Expected<Compiled>
  compile(TargetDevice target, llvm::StringRef cpu,
          LoweringChoice lowering = LoweringChoice::automatic) {
    return compileCase(test, *spec, target, cpu, lowering, report);
  }
  /// `gives`: copies of the inputs, of which the layer may use the memory.
  llvm::Expected<std::vector<TensorHandle>> invoke(const clique_layer &layer,
                                                   bool gives = false);
  bool runLowering(const clique_layer &layer, const char *name,
                   clique_lowering lowering);
  bool runSparseOnly(TargetDevice target, const char *name);
  bool compare(llvm::ArrayRef<TensorHandle> results) {
    auto difference = findDifference(*oracle, signature, results);
    return !difference || fail("wrong", *difference);
  }

  bool fail(const std::string &failure, const std::string &message) {
    report.fail(failure, message);
    return false;
  }
  bool fail(const std::string &failure, llvm::Error error) {
    return fail(failure, llvm::toString(std::move(error)));
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

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_CASERUN_H
