//===- MessageCost.h - What the versions of a kernel execute ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of what sparse rows and dense tiles execute for an edge, a pair and
// what surrounds them, and the times that follow from them with the rates of
// compiler/Analysis/Rates.h.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_MESSAGECOST_H
#define CLIQUE_COMPILER_FUSION_MESSAGECOST_H

#include "compiler/Analysis/Rates.h"
#include "dialect/IR/MPOps.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

namespace clique {

/// How often each unit of a table of rates occurs.
template <const auto &Rates>
class Counts {
public:
  double &operator[](unsigned unit) { return amounts[unit]; }
  double operator[](unsigned unit) const { return amounts[unit]; }

  double getPicoseconds(mp::Rates rates) const {
    double sum = 0;
    for (auto [rate, amount] : llvm::zip_equal(Rates, amounts))
      sum += rate.get(rates) * amount;
    return sum;
  }
  /// "1 edge, 2.5 vector"; units that do not occur are left out.
  std::string print() const;

private:
  std::array<double, std::size(Rates)> amounts = {};
};

/// What the versions of a kernel execute. What is done per node alike in both
/// counts nothing.
struct KernelCounts {
  /// For an edge of a row, and for the row itself.
  Counts<tuning::edgeRates> edge;
  Counts<tuning::farEdgeRates> farEdge;
  Counts<tuning::rowRates> row;
  /// For a pair of a tile, the mask of one, an edge among them, and a register
  /// block.
  Counts<tuning::pairRates> pair;
  Counts<tuning::maskRates> mask;
  Counts<tuning::tileEdgeRates> tileEdge;
  Counts<tuning::registerBlockRates> registerBlock;

  /// Destinations of a register block.
  int64_t tileRows = 1;

  /// On this processor.
  mp::CostAttr getCost(mp::CpuAttr cpu) const;
  std::string print() const;
};

KernelCounts countKernel(mp::KernelOp kernel);

} // namespace clique
#endif // CLIQUE_COMPILER_FUSION_MESSAGECOST_H
