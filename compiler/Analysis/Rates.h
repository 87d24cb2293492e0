//===- Rates.h - What the units of kernels take -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The times by which dense tiles are compared with sparse rows, in picoseconds
// of one core, of each processor that #mp.cpu names.
// Zen 5: fitted by `benchmarks/choice/run fit`, which prints a column of these
// tables, to 57 messages on eleven graphs, to those of its sweep, and to layers
// and graphs that were drawn with sixteen seeds, so that the version that takes
// longer is taken seldom: of 7986 points 79 have one that takes more than 1.1
// times as long.
// "lookup" is from attention on a complete graph with and without a table of
// relative positions on Zen 3, "map" of a row and "element", of custom monoids
// of 1 to 32 elements, by clock from there. Zen 4 and Zen 3 were fitted to 40
// messages, none wider than 128 features, by the errors of the estimates
// alone, before masks, waits, deviations and rests were counted by themselves:
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
  kEdgeMemory,    ///< vector of a softmax's state that registers do not hold
  kEdgeStored,    ///< the same of any other state
  kEdgeRest,      ///< row of a state that ends in a part of a register
  kEdgePass,      ///< feature beside the products of a chunk of edges
  kEdgeDeviation, ///< vector whose deviation is aggregated
  kEdgeCombine,   ///< vector of a state that compares or combines otherwise
  kEdgeSoftmax,   ///< a softmax
  kEdgeScore      ///< one of its scores
};
inline constexpr Rate edgeRates[] = {
    {"edge", {97, 505, 343}},        {"line", {117, 280, 224}},
    {"vector", {122, 25, 121}},      {"map", {645, 292, 642}},
    {"product", {412, 144, 314}},    {"division", {269, 69, 341}},
    {"function", {2621, 654, 2994}}, {"wait", {0, 579, 0}},
    {"reduction", {689, 528, 1002}}, {"sum", {376, 17, 160}},
    {"copy", {376, 26, 160}},        {"memory", {0, 246, 0}},
    {"stored", {0, 57, 0}},          {"rest", {0, 48, 0}},
    {"pass", {0, 1371, 0}},          {"deviation", {2282, 412, 844}},
    {"combine", {1141, 257, 422}},   {"softmax", {1655, 1309, 2068}},
    {"score", {0, 72, 526}},
};

/// What such an edge takes more if no cache of the core holds its source.
enum FarEdgeUnit : unsigned {
  kFarLine ///< cache line of the source's features
};
inline constexpr Rate farEdgeRates[] = {{"line", {1354, 527, 2786}}};

/// A row.
enum RowUnit : unsigned {
  kRow,
  kRowState, ///< vector of a state
  kRowMap    ///< vector of multiply-adds with what its edges won; not fitted
};
inline constexpr Rate rowRates[] = {
    {"row", {1109, 292, 9000}},
    {"state", {2877, 95, 535}},
    {"map", {645, 299, 642}},
};

/// A pair of a tile. Vectors run along sources: each pair has its part of one.
enum PairUnit : unsigned {
  kPair,
  kPairProduct,   ///< vector of multiply-adds of a product of both ends
  kPairWeighted,  ///< the same of weights of pairs and features of sources
  kPairCopy,      ///< vector of features of sources, as they are
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
    {"pair", {989, 210, 1227}},    {"product", {291, 81, 186}},
    {"weighted", {387, 87, 241}},  {"copy", {0, 31, 0}},
    {"vector", {96, 26, 55}},      {"map", {301, 120, 188}},
    {"division", {775, 92, 449}},  {"function", {3686, 2076, 4335}},
    {"sum", {57, 23, 92}},         {"deviation", {114, 46, 184}},
    {"combine", {72, 35, 49}},     {"extremum", {193, 51, 200}},
    {"column", {0, 24, 0}},        {"score", {3670, 3621, 5131}},
    {"lookup", {1000, 222, 1000}}, {"element", {200, 120, 200}},
};

/// What a pair in a part of a tile that has a mask takes more.
enum MaskUnit : unsigned {
  kMask,         ///< vector of a mask, whatever it is put on
  kMaskProduct,  ///< vector of multiply-adds of a mask and a source's features
  kMaskWeighted, ///< the same of pairs that have weights
  kMaskRest,     ///< rest of a product beside its whole pairs of vectors
  kMaskState     ///< vector of a softmax's state, which parts load and store
};
inline constexpr Rate maskRates[] = {
    {"mask", {0, 1161, 0}},    {"product", {291, 154, 186}},
    {"weighted", {0, 107, 0}}, {"rest", {0, 169, 0}},
    {"state", {0, 106, 0}},
};

/// An edge of a tile, whose features are read and written one at a time.
enum TileEdgeUnit : unsigned {
  kTileEdge,
  kTileEdgeElement ///< element of such a feature
};
inline constexpr Rate tileEdgeRates[] = {
    {"edge", {583, 1186, 949}},
    {"element", {452, 288, 608}},
};

/// Destinations of a tile that are computed together.
enum RegisterBlockUnit : unsigned {
  kBlock,
  kBlockSource, ///< element of a source that is laid out
  kBlockState   ///< vector of a state of a destination
};
inline constexpr Rate registerBlockRates[] = {
    {"block", {53666, 10588, 60421}},
    {"source", {2608, 671, 3707}},
    {"state", {0, 2055, 0}},
};

/// A pair in a part of a tile that has a mask, in pairs without one, before its
/// mask; fitted with the rates.
inline constexpr Rate maskedPair = {"masked pair", {1.2, 1.2, 1.4}};

} // namespace clique::tuning

#endif // CLIQUE_COMPILER_ANALYSIS_RATES_H
