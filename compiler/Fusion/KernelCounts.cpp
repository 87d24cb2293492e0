//===- KernelCounts.cpp - Counts as text and as costs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/MessageCost.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace clique;

template <const auto &Rates>
std::string Counts<Rates>::print() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::ListSeparator comma;
  for (auto [rate, amount] : llvm::zip_equal(Rates, amounts))
    if (amount != 0)
      out << comma << llvm::format("%g %s", amount, rate.unit);
  return text;
}

std::string KernelCounts::print() const {
  const std::pair<StringRef, std::string> parts[] = {
      {"per edge of a row: ", edge.print()},
      {"per far edge of a row: ", farEdge.print()},
      {"per row: ", row.print()},
      {"per pair of a tile: ", pair.print()},
      {"per masked pair: ", mask.print()},
      {"per edge of a tile: ", tileEdge.print()},
      {"per register block: ", registerBlock.print()}};
  std::string text;
  for (const auto &[part, units] : parts)
    if (!units.empty())
      text += (text.empty() ? "" : "; ") + part.str() + units;
  return text + "; rows of a tile: " + std::to_string(tileRows);
}

mp::CostAttr KernelCounts::getCost(mp::CpuAttr cpu) const {
  const mp::Rates rates = cpu.getRates();
  auto round = [&](const auto &counts, double factor = 1) {
    return int64_t(std::llround(factor * counts.getPicoseconds(rates)));
  };
  const auto sourceBytes =
      int64_t(farEdge[tuning::kFarLine]) * cpu.getLineBytes();
  const int64_t maskedPair =
      round(pair, tuning::maskedPair.get(rates)) + round(mask);
  // Where rows have the same sources, a mask is of columns, and parts are one,
  // whose states stay where they are; sums of sources alone, which are the same
  // for all rows, need no mask.
  auto saved = mask;
  auto other = pair;
  other[tuning::kPair] = other[tuning::kPairCopy] = 0;
  if (round(other) > 0)
    saved[tuning::kMask] = 0;
  return mp::CostAttr::get(cpu.getContext(), round(edge), round(farEdge),
                           sourceBytes, round(row), round(pair), maskedPair,
                           round(tileEdge), tileRows, round(registerBlock),
                           round(saved));
}
