//===- LayerGenerator.h - Messages, aggregations and updates ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers in a function, each on one graph, from the features that are there.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_LAYERGENERATOR_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_LAYERGENERATOR_H

#include "tools/clique-smith/Scope.h"

#include <optional>

namespace clique::smith {

class LayerGenerator {
public:
  explicit LayerGenerator(Scope &scope)
      : scope(scope), session(scope.session), random(session.random) {}

  /// Some messages, what becomes of them, and updates.
  void addLayer(const GraphValue &graph);
  void addUpdate(Extent extent);
  /// Some steps of a loop, each a layer from and to features of one type.
  void addLoop(const GraphValue &graph);
  /// A loop over the levels of a graph, each from the features of those before.
  void addLevels(const GraphValue &graph);
  /// A recurrence over the edges of each node.
  void addScan(const GraphValue &graph);
  /// A message of all arguments whose number of rows nothing says yet.
  void addLinks(const GraphValue &graph);

private:
  /// What is aggregated together.
  struct Group {
    std::string kind; ///< an aggregator, or empty: an edge value only
    std::vector<Value> values;
    std::optional<Value> score;
    bool isMasked = false;
  };

  std::string graphText(const GraphValue &graph) const;
  /// `(%a = %h : tensor<...>)`; adds the region's arguments.
  std::string bind(llvm::ArrayRef<Value> from, std::vector<Value> &arguments,
                   std::string (*write)(const Feature &));
  std::vector<Value> pickOperands(Extent extent, bool isEdges,
                                  llvm::ArrayRef<double> weights);
  Group makeGroup();
  void addMessage(const GraphValue &graph, llvm::MutableArrayRef<Group> groups);
  void addMessage(const GraphValue &graph, llvm::MutableArrayRef<Group> groups,
                  llvm::ArrayRef<Value> dst, llvm::ArrayRef<Value> src,
                  llvm::ArrayRef<Value> edges, int budget);
  void aggregate(const GraphValue &graph, Group &group);
  void aggregateCustom(const GraphValue &graph, llvm::ArrayRef<Value> values);
  void aggregateBuiltIn(const GraphValue &graph, const std::string &kind,
                        const Group &group);
  Feature makeFeature();
  /// Features of the nodes and what they received become new ones.
  Value combine(const Value &own, const Value &received);
  /// One layer of a loop; returns what goes to the next step.
  Value addStep(const GraphValue &graph, const Value &before);
  /// One row of what comes from before a loop, the same in each step and maybe
  /// one that it does not have, added to each node.
  Value addFixedRow(const Value &outer, const Value &own);
  /// The body of addLevels: a level of `dag` from the features of all nodes,
  /// with a feature of its edges perhaps.
  Value addLevel(const GraphValue &dag, const std::string &first,
                 const std::string &count, const Value &all,
                 const std::optional<Value> &edges);
  void define(llvm::ArrayRef<Value> results, Extent extent, bool isEdges);

  Scope &scope;
  Session &session;
  Random &random;
};

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_LAYERGENERATOR_H
