//===- Rates.h - What the units of kernels take -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The times by which dense tiles are compared with sparse rows, in picoseconds
// of one core, of each processor that #mp.cpu names.
// Fitted to 40 messages on seven graphs each by `benchmarks/choice/run fit`,
// which prints a column of these tables; but "column", "extremum" and "product"
// of an edge of Zen 5, from gates and edge networks of 24 features in its sweep
// (the fit says 0, 100, 193), and "lookup", from attention on a complete graph
// with and without a table of relative positions on Zen 3, and "element", from
// custom monoids of 1 to 32 elements there, by clock on the others. Only ratios
// matter.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_RATES_H
#define CLIQUE_COMPILER_ANALYSIS_RATES_H

#include "dialect/IR/MPDialect.h"

namespace clique::tuning {

struct Rate {
  const char *unit;
  /// Zen 4 at 2.6 GHz, Zen 5 at about 4 GHz, Zen 3, which has
  /// registers of 256 bits.
  double picoseconds[3];

  double get(mp::Rates rates) const { return picoseconds[unsigned(rates)]; }
};

// Vectors are registers; what depends on one end of an edge alone is not
// counted for the other.

/// An edge of a row.
enum EdgeUnit : unsigned {
  kEdge,
  kEdgeLine,      ///< cache line that is gathered, read or written
  kEdgeVector,    ///< vector of arithmetic
  kEdgeMap,       ///< vector of multiply-adds of a small linear map
  kEdgeProduct,   ///< the same of a large one, for a chunk of edges
  kEdgeDivision,  ///< vector of quotients or roots
  kEdgeFunction,  ///< vector of exponentials and the like
  kEdgeReduction, ///< sum over a register
  kEdgeSum,       ///< vector of a state that sums
  kEdgeCombine,   ///< vector of a state that compares or combines otherwise
  kEdgeSoftmax,   ///< a softmax
  kEdgeScore      ///< one of its scores
};
inline constexpr Rate edgeRates[] = {
    {"edge", {97, 286, 343}},         {"line", {117, 175, 224}},
    {"vector", {122, 69, 121}},       {"map", {645, 375, 642}},
    {"product", {412, 205, 314}},     {"division", {269, 131, 341}},
    {"function", {2621, 1723, 2994}}, {"reduction", {689, 503, 1002}},
    {"sum", {376, 29, 160}},          {"combine", {1141, 548, 422}},
    {"softmax", {1655, 1188, 2068}},  {"score", {0, 56, 526}},
};

/// What such an edge takes more if no cache of the core holds its source.
enum FarEdgeUnit : unsigned {
  kFarLine ///< cache line of the source's features
};
inline constexpr Rate farEdgeRates[] = {{"line", {1354, 592, 2786}}};

/// A row.
enum RowUnit : unsigned {
  kRow,
  kRowState, ///< vector of a state
  kRowMap    ///< vector of multiply-adds with what its edges won; not fitted
};
inline constexpr Rate rowRates[] = {
    {"row", {1109, 0, 9000}},
    {"state", {2877, 2483, 535}},
    {"map", {645, 375, 642}},
};

/// A pair of a tile. Vectors run along sources: each pair has its part of one.
enum PairUnit : unsigned {
  kPair,
  kPairProduct,  ///< vector of multiply-adds of a product of both ends
  kPairVector,   ///< vector of arithmetic
  kPairMap,      ///< vector of multiply-adds of a linear map of both ends
  kPairDivision, ///< vector of quotients or roots
  kPairFunction, ///< vector of exponentials and the like
  kPairSum,      ///< element that is summed over sources
  kPairCombine,  ///< element of a source that is combined otherwise
  kPairExtremum, ///< element of both ends that is combined otherwise
  kPairColumn,   ///< element of a source that meets the destination's
  kPairScore,    ///< vector of scores of a softmax
  kPairLookup,   ///< element of a table that a pair looks up; not fitted
  kPairElement   ///< element of an op of a monoid; not fitted
};
inline constexpr Rate pairRates[] = {
    {"pair", {989, 1078, 1227}},   {"product", {291, 114, 186}},
    {"vector", {96, 28, 55}},      {"map", {301, 114, 188}},
    {"division", {775, 161, 449}}, {"function", {3686, 1714, 4335}},
    {"sum", {57, 28, 92}},         {"combine", {72, 59, 49}},
    {"extremum", {193, 80, 200}},  {"column", {0, 40, 0}},
    {"score", {3670, 2744, 5131}}, {"lookup", {1000, 600, 1000}},
    {"element", {200, 120, 200}},
};

/// An edge of a tile, whose features are read and written one at a time.
enum TileEdgeUnit : unsigned {
  kTileEdge,
  kTileEdgeElement ///< element of such a feature
};
inline constexpr Rate tileEdgeRates[] = {
    {"edge", {583, 441, 949}},
    {"element", {452, 348, 608}},
};

/// Destinations of a tile that are computed together.
enum RegisterBlockUnit : unsigned {
  kBlock,
  kBlockSource ///< element of a source that is laid out
};
inline constexpr Rate registerBlockRates[] = {
    {"block", {53666, 49120, 60421}},
    {"source", {2608, 1278, 3707}},
};

/// A pair in a part of a tile that has a mask, in pairs without one; fitted
/// with the rates.
inline constexpr Rate maskedPair = {"masked pair", {1.2, 1.3, 1.4}};

} // namespace clique::tuning

#endif // CLIQUE_COMPILER_ANALYSIS_RATES_H
