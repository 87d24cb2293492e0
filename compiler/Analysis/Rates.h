//===- Rates.h - What the units of kernels take -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The times by which dense tiles are compared with sparse rows, in picoseconds
// of one core with registers of 512 bits (Zen 5, about 4 GHz). Fitted to 40
// messages on six graphs each by `benchmarks/choice/run fit`, which prints
// these tables; but "column", from gates of 8 to 64 features on a complete
// graph when tiles had changed, as a ratio to the rows of the same run. Only
// ratios matter.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_RATES_H
#define CLIQUE_COMPILER_ANALYSIS_RATES_H

namespace clique::tuning {

struct Rate {
  const char *unit;
  double picoseconds;
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
    {"edge", 240},    {"line", 200},    {"vector", 110},    {"map", 350},
    {"product", 200}, {"division", 42}, {"function", 1700}, {"reduction", 480},
    {"sum", 90},      {"combine", 650}, {"softmax", 1200},  {"score", 190},
};

/// A row.
enum RowUnit : unsigned {
  kRow,
  kRowState, ///< vector of a state
  kRowMap    ///< vector of multiply-adds with what its edges won; not fitted
};
inline constexpr Rate rowRates[] = {
    {"row", 1600}, {"state", 1000}, {"map", 350}};

/// A pair of a tile. Vectors run along sources: each pair has its part of one.
enum PairUnit : unsigned {
  kPair,
  kPairProduct,  ///< vector of multiply-adds of a product of both ends
  kPairVector,   ///< vector of arithmetic
  kPairMap,      ///< vector of multiply-adds of a linear map of both ends
  kPairDivision, ///< vector of quotients or roots
  kPairFunction, ///< vector of exponentials and the like
  kPairSum,      ///< element that is summed over sources
  kPairCombine,  ///< element that is combined otherwise
  kPairColumn,   ///< element of a source that meets the destination's
  kPairScore     ///< vector of scores of a softmax
};
inline constexpr Rate pairRates[] = {
    {"pair", 1800},    {"product", 104},  {"vector", 59}, {"map", 410},
    {"division", 700}, {"function", 650}, {"sum", 20},    {"combine", 54},
    {"column", 45},    {"score", 3900},
};

/// An edge of a tile, whose features are read and written one at a time.
enum TileEdgeUnit : unsigned {
  kTileEdge,
  kTileEdgeElement ///< element of such a feature
};
inline constexpr Rate tileEdgeRates[] = {{"edge", 490}, {"element", 410}};

/// Destinations of a tile that are computed together.
enum RegisterBlockUnit : unsigned {
  kBlock,
  kBlockSource ///< element of a source that is laid out
};
inline constexpr Rate registerBlockRates[] = {{"block", 35000},
                                              {"source", 2400}};

} // namespace clique::tuning

#endif // CLIQUE_COMPILER_ANALYSIS_RATES_H
