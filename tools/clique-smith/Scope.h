//===- Scope.h - One function that is being written -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its arguments, made when something asks for them, and the values of each
// number of rows.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_SCOPE_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_SCOPE_H

#include "tools/clique-smith/GraphGenerator.h"
#include "tools/clique-smith/RegionGenerator.h"

#include <map>
#include <set>

namespace clique::smith {

/// What the rows of a feature count; values of one extent have as many rows.
using Extent = int;
constexpr Extent kStatic = -1; ///< weights have no rows
constexpr Extent kGraph = -2;

struct GraphValue {
  std::string name, type;
  Extent dst, src, edges;
  int64_t numDst, numSrc, maxInDegree, maxOutDegree;
  bool isAcyclic = false;
  int64_t numEdges = 0; ///< of a graph of the caller's
  bool isSquare() const { return dst == src; }
  bool has(Extent extent) const { return extent == dst || extent == src; }
};

struct Argument {
  Value value;
  Extent extent;
  bool isEdges;
  std::string type; ///< as text
};

class Scope {
public:
  explicit Scope(Session &session) : session(session) {}

  GraphValue addGraph(const GraphPlan &plan);
  Value addArgument(const Feature &type, Extent extent, bool isEdges);
  /// A weight of this type, new or known.
  Value getWeight(const Feature &type);
  RegionGenerator::WeightSource getWeightSource() {
    return [this](const Feature &type) { return getWeight(type); };
  }
  /// A feature with so many rows, new or known.
  Value getFeature(const Feature &type, Extent extent, bool isEdges);
  /// Any feature of the extent, mostly a known one.
  Value pickFeature(Extent extent, bool isEdges);
  /// What the function has computed.
  void define(const Value &value, Extent extent, bool isEdges);
  /// What it returns and nothing else reads.
  void defineResult(const Value &value, Extent extent) {
    defined.push_back(
        {value, extent, false,
         extent == kStatic ? tensorType(value.type) : nodeType(value.type)});
  }
  /// What was defined last.
  const Value &getLast() const { return defined.back().value; }
  void markUsed(const Value &value) { used[value.name] = true; }

  /// Ends a part of the function whose values nothing behind it may use.
  struct Mark {
    std::map<std::pair<Extent, bool>, std::vector<Value>> pools;
    std::vector<Value> weights;
    std::size_t numDefined;
  };
  Mark mark() const { return {pools, weights, defined.size()}; }
  void release(Mark mark);

  /// The whole function; returns the values nothing else uses.
  std::string finish(llvm::StringRef head, std::vector<Argument> &results);

  Session &session;
  std::string text;
  std::vector<Argument> arguments;
  /// Features by what their rows count, edge features apart.
  std::map<std::pair<Extent, bool>, std::vector<Value>> pools;
  std::vector<Value> weights;
  Extent numExtents = 0;
  bool mayBeRefused = false; ///< see Case
  /// Some results are infinite, or too large for differences.
  bool hasInfinities = false;
  /// Nothing that a caller gives says how many rows these have.
  std::set<Extent> closed;
  /// The spec itself says how many rows these have: what is given is of that
  /// type, and cast.
  std::map<Extent, int64_t> fixedRows;
  /// The arguments whose rows a message counts.
  std::set<std::string> linked;

private:
  Value addFixedRows(const Feature &type, Extent extent);

  std::vector<Argument> defined;
  std::map<std::string, bool> used;
};

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_SCOPE_H
