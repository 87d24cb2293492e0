//===- RegionWriter.h - Ops that are written one by one ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For forms that a generator does not find by chance. What is written is no
// operand of anything else: it may be infinite.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_REGIONWRITER_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_REGIONWRITER_H

#include "tools/clique-smith/Scope.h"

namespace clique::smith {

/// The lines of a region, and what is bound to its arguments; or, where there
/// are `rows`, lines on whole node features.
class RegionWriter {
public:
  explicit RegionWriter(Scope &scope, std::string rows = "")
      : scope(scope), session(scope.session), rows(std::move(rows)) {}

  Value line(llvm::StringRef op, const std::string &rest, const Feature &type,
             double size);
  Value unary(llvm::StringRef op, const Value &x, double size);
  Value binary(llvm::StringRef op, const Value &x, const Value &y, double size);
  /// All elements are a number, or digits such as those of getLowest.
  Value constant(const Feature &type, const std::string &number);
  Value broadcast(const Value &x, const Shape &shape);
  Value compare(llvm::StringRef predicate, const Value &x, const Value &y);
  Value select(const Value &condition, const Value &x, const Value &y);
  /// 1 where it is true.
  Value toFloat(const Value &condition, Element element);
  /// Shapes are equal but for the last dimension, which is summed.
  Value dot(const Value &x, const Value &y);
  /// By a square matrix of weights.
  Value map(const Value &x);

  /// Arguments of the region.
  Value ofDst(const Value &feature) { return bind(dst, feature, nodeType); }
  Value ofSrc(const Value &feature) { return bind(src, feature, nodeType); }
  Value ofEdge(const Value &feature) { return bind(edges, feature, edgesType); }
  void append(const std::string &lines) { text += lines; }
  const std::string &getText() const { return text; }

  /// A message that yields these.
  std::vector<Value> finishMessage(const GraphValue &graph,
                                   llvm::ArrayRef<Value> yielded);
  /// An update, of what was bound by `ofDst`.
  Value finishUpdate(const Value &yielded);

private:
  Value bind(std::string &operands, const Value &feature,
             std::string (*write)(const Feature &));
  std::string writeType(const Feature &type) const {
    return rows.empty() ? tensorType(type) : nodeType(type);
  }

  Scope &scope;
  Session &session;
  std::string rows, text, dst, src, edges;
  std::vector<std::string> bound; ///< names of features
};

/// -inf in the digits of an element.
const char *getLowest(Element element);
/// "sum", of half precision "mean".
const char *getSum(const Session &session);
/// Returns the result, which is not defined in the scope.
Value addAggregate(Scope &scope, const GraphValue &graph,
                   const std::string &kind, const Value &edges,
                   const Value *score = nullptr);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_REGIONWRITER_H
