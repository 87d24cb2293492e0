//===- Coverage.cpp - What was generated, and how it ran ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Coverage.h"
#include "llvm/Support/Format.h"

using namespace clique::smith;

void Coverage::add(const Case &test, const Outcome &outcome) {
  for (const OpUse &use : test.uses) {
    ++shapesOfOps[use.op][getShapeClass(use.type)];
    ++shapesOfOps[use.op]["rank " + std::to_string(use.type.shape.size())];
    ++elementsOfOps[use.op][getName(use.type.element)];
  }
  const std::string graph = test.graphs.empty()
                                ? "constructed"
                                : test.graphs[0].second.topology + " as " +
                                      test.graphs[0].second.type.substr(9);
  for (const std::string &run : outcome.runs)
    ++runsOfGraphs[graph][run];
}

static void
printTable(llvm::raw_ostream &out, llvm::StringRef title,
           llvm::ArrayRef<const char *> columns,
           const std::map<std::string, std::map<std::string, unsigned>> &rows) {
  out << llvm::format("%-42s", title.str().c_str());
  for (const char *column : columns)
    out << llvm::format(" %8.12s", column);
  out << "\n";
  for (const auto &[name, counts] : rows) {
    out << llvm::format("%-42s", name.c_str());
    for (const char *column : columns) {
      auto found = counts.find(column);
      out << llvm::format("%9u", found == counts.end() ? 0 : found->second);
    }
    out << "\n";
  }
  out << "\n";
}

void Coverage::print(llvm::raw_ostream &out) const {
  printTable(out, "op by shape",
             {"scalar", "unit", "odd", "even", "wide", "rank 0", "rank 1",
              "rank 2", "rank 3"},
             shapesOfOps);
  printTable(out, "op by element",
             {"f32", "f64", "f16", "bf16", "i32", "i64", "i8", "i1"},
             elementsOfOps);
  printTable(out, "graph by what ran",
             {"auto", "dense", "sparse", "gpu auto", "gpu dense", "edges moved",
              "nodes renumbered", "other topology", "called twice", "error",
              "gradient auto", "no gradient"},
             runsOfGraphs);
}
