//===- KernelCounts.cpp - Counts as text and as costs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/MessageCost.h"
#include "llvm/Support/Format.h"

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
      {"per row: ", row.print()},
      {"per pair of a tile: ", pair.print()},
      {"per edge of a tile: ", tileEdge.print()},
      {"per register block: ", registerBlock.print()}};
  std::string text;
  for (const auto &[part, units] : parts)
    if (!units.empty())
      text += (text.empty() ? "" : "; ") + part.str() + units;
  return text;
}

mp::CostAttr KernelCounts::getCost(MLIRContext *context) const {
  return mp::CostAttr::get(context, edge.getPicoseconds(), row.getPicoseconds(),
                           pair.getPicoseconds(), tileEdge.getPicoseconds(),
                           registerBlock.getPicoseconds());
}
