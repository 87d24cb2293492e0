//===- Rates.h - What the units of kernels take -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The times by which dense tiles are compared with sparse rows, in picoseconds
// of one core, of each processor that #mp.cpu names.
// Fitted to 48 messages on seven graphs each by `benchmarks/choice/run fit`,
// which prints a column of these tables (Zen 4 and Zen 3: to 40 of them, none
// wider than 128 features). By hand, of Zen 5: "product" of an edge, from edge
// networks of 16 to 128 features, whose rows are computed as they are gathered;
// "copy", from sums of 16 features (the fit does not tell it from "sum");
// "memory", from attention with 8 heads of 40 to 96 on cliques of 32 (the fit
// says 93, as it takes one far line for all caches); "state" of a mask, from
// such attention on nearly-cliques of 24; "vector", "division", "function",
// "sum" and "column" of a pair, so that of 57 messages on eleven graphs fewest
// have the slower version. "lookup" is from attention on a complete graph with
// and without a table of relative positions on Zen 3, and "element" from custom
// monoids of 1 to 32 elements there, by clock on the others. Zen 4 and Zen 3
// were fitted before masks, waits and deviations were counted by themselves:
// they have 0, or what they were counted as. Only ratios matter.
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
  kEdgeWait,      ///< feature of them, of whatever size
  kEdgeReduction, ///< sum over a register
  kEdgeSum,       ///< vector of a state that sums
  kEdgeCopy,      ///< the same of features of sources, as they are; not fitted
  kEdgeMemory,    ///< vector of a state that registers do not hold
  kEdgeDeviation, ///< vector whose deviation is aggregated
  kEdgeCombine,   ///< vector of a state that compares or combines otherwise
  kEdgeSoftmax,   ///< a softmax
  kEdgeScore      ///< one of its scores
};
inline constexpr Rate edgeRates[] = {
    {"edge", {97, 274, 343}},         {"line", {117, 229, 224}},
    {"vector", {122, 89, 121}},       {"map", {645, 299, 642}},
    {"product", {412, 128, 314}},     {"division", {269, 0, 341}},
    {"function", {2621, 1023, 2994}}, {"wait", {0, 610, 0}},
    {"reduction", {689, 466, 1002}},  {"sum", {376, 13, 160}},
    {"copy", {376, 100, 160}},        {"memory", {0, 250, 0}},
    {"deviation", {2282, 903, 844}},  {"combine", {1141, 756, 422}},
    {"softmax", {1655, 1226, 2068}},  {"score", {0, 82, 526}},
};

/// What such an edge takes more if no cache of the core holds its source.
enum FarEdgeUnit : unsigned {
  kFarLine ///< cache line of the source's features
};
inline constexpr Rate farEdgeRates[] = {{"line", {1354, 560, 2786}}};

/// A row.
enum RowUnit : unsigned {
  kRow,
  kRowState, ///< vector of a state
  kRowMap    ///< vector of multiply-adds with what its edges won; not fitted
};
inline constexpr Rate rowRates[] = {
    {"row", {1109, 0, 9000}},
    {"state", {2877, 1584, 535}},
    {"map", {645, 299, 642}},
};

/// A pair of a tile. Vectors run along sources: each pair has its part of one.
enum PairUnit : unsigned {
  kPair,
  kPairProduct,   ///< vector of multiply-adds of a product of both ends
  kPairVector,    ///< vector of arithmetic
  kPairMap,       ///< vector of multiply-adds of a linear map of both ends
  kPairDivision,  ///< vector of quotients or roots
  kPairFunction,  ///< vector of exponentials and the like
  kPairSum,       ///< element that is summed over sources
  kPairDeviation, ///< element whose deviation is aggregated
  kPairCombine,   ///< element of a source that is combined otherwise
  kPairExtremum,  ///< element of both ends that is combined otherwise
  kPairColumn,    ///< element of a source that meets the destination's
  kPairScore,     ///< vector of scores of a softmax
  kPairLookup,    ///< element of a table that a pair looks up; not fitted
  kPairElement    ///< element of an op of a monoid; not fitted
};
inline constexpr Rate pairRates[] = {
    {"pair", {989, 781, 1227}},    {"product", {291, 95, 186}},
    {"vector", {96, 60, 55}},      {"map", {301, 104, 188}},
    {"division", {775, 165, 449}}, {"function", {3686, 2200, 4335}},
    {"sum", {57, 12, 92}},         {"deviation", {114, 71, 184}},
    {"combine", {72, 58, 49}},     {"extremum", {193, 110, 200}},
    {"column", {0, 14, 0}},        {"score", {3670, 3391, 5131}},
    {"lookup", {1000, 291, 1000}}, {"element", {200, 120, 200}},
};

/// What a pair in a part of a tile that has a mask takes more.
enum MaskUnit : unsigned {
  kMask,        ///< vector of a mask, whatever it is put on
  kMaskProduct, ///< vector of multiply-adds of a mask and a source's features
  kMaskState    ///< vector of a softmax's state, which parts load and store
};
inline constexpr Rate maskRates[] = {
    {"mask", {0, 518, 0}},
    {"product", {291, 185, 186}},
    {"state", {0, 50, 0}},
};

/// An edge of a tile, whose features are read and written one at a time.
enum TileEdgeUnit : unsigned {
  kTileEdge,
  kTileEdgeElement ///< element of such a feature
};
inline constexpr Rate tileEdgeRates[] = {
    {"edge", {583, 656, 949}},
    {"element", {452, 314, 608}},
};

/// Destinations of a tile that are computed together.
enum RegisterBlockUnit : unsigned {
  kBlock,
  kBlockSource ///< element of a source that is laid out
};
inline constexpr Rate registerBlockRates[] = {
    {"block", {53666, 21068, 60421}},
    {"source", {2608, 1513, 3707}},
};

/// A pair in a part of a tile that has a mask, in pairs without one, before its
/// mask; fitted with the rates.
inline constexpr Rate maskedPair = {"masked pair", {1.2, 1.2, 1.4}};

} // namespace clique::tuning

#endif // CLIQUE_COMPILER_ANALYSIS_RATES_H
