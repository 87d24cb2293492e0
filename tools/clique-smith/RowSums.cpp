//===- RowSums.cpp - Structured ops on the rows of a tensor ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, maxima and products over edges or nodes as linalg writes them: of all
// numbers, of the rows or in each row; several of one message, of which the
// bodies use the place of a number, the number of rows, and the results of
// earlier ones: means, deviations, moments.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RareForms.h"
#include "tools/clique-smith/RegionWriter.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clique::smith;
using llvm::formatv;

namespace {
class RowSums {
public:
  RowSums(Scope &scope, const GraphValue &graph)
      : scope(scope), session(scope.session), random(session.random),
        graph(graph) {}
  void add();

private:
  /// What is summed: values of edges or of nodes, all of one number of rows.
  void makeRows();
  void makeEdgeRows();
  /// How many rows there are, as an index and as a float, and 1 by it.
  void countRows();

  struct Body {
    std::string text, term;
    std::vector<Value> inputs; ///< %v0, %v1 ...
    std::vector<std::string> maps;
  };
  /// Which dimensions a sum has no more.
  enum class Kind { all, rows, features };
  std::string dim(unsigned k) const { return "d" + std::to_string(k); }
  bool isOfRows(const Value &x) const {
    return llvm::any_of(rows,
                        [&](const Value &row) { return row.name == x.name; });
  }
  std::string mapOf(llvm::ArrayRef<unsigned> results) const;
  std::string bodyLine(Body &body, const std::string &text);
  std::string input(Body &body, const Value &x);
  void makeTerm(Body &body);
  std::string place(Body &body);
  /// A mean of each column, as an input or taken by its place.
  std::string column(Body &body);
  void addSum();
  /// A result of features divided by the number of rows, in a structured op.
  Value scale(const Value &sum);
  std::string makeInit(Kind kind, const std::string &combine,
                       const Feature &type);
  std::string addLine(llvm::StringRef prefix, const std::string &text) {
    std::string name = session.fresh(prefix);
    scope.text += "  " + name + " = " + text + "\n";
    return name;
  }

  Scope &scope;
  Session &session;
  Random &random;
  const GraphValue &graph;
  Feature type; ///< of a row
  bool isOfEdges = false;
  std::vector<Value> rows;
  std::string element, count, number, inverse;
  double most = 1;                  ///< about how many rows there are
  std::vector<std::string> numbers; ///< that bodies may capture
  std::vector<Value> sums, means;   ///< of rows
};
} // namespace

//===----------------------------------------------------------------------===//
// What is summed
//===----------------------------------------------------------------------===//

/// Values of edges beyond this are summed some rows at a time.
static constexpr int64_t kBytesAtATime = 2 << 20;

void RowSums::makeEdgeRows() {
  isOfEdges = true;
  most = double(std::max<int64_t>(1, graph.maxInDegree * graph.numDst));
  // Of a few graphs so many that there are several times.
  const int64_t bytes = type.element == Element::f64 ? 8 : 4;
  const bool isWide = graph.numEdges >= 400 && graph.numEdges <= 12000 &&
                      random.chance(session.mostElements > 12 ? 0.5 : 0.15);
  if (isWide)
    type.shape = {kBytesAtATime * 5 / 4 / bytes / graph.numEdges +
                  random.between(1, 9)};
  RegionWriter writer(scope);
  std::vector<Value> operands;
  operands.push_back(writer.ofSrc(scope.getFeature(type, graph.src, false)));
  if (isWide || random.chance(0.6))
    operands.push_back(writer.ofDst(scope.getFeature(
        isWide ? Feature{{}, type.element} : type, graph.dst, false)));
  std::vector<Value> yielded;
  if (isWide) {
    session.record("rare: wide rows", type);
    yielded.push_back(writer.binary("arith.mulf", operands[0],
                                    writer.broadcast(operands[1], type.shape),
                                    operands[0].size * operands[1].size));
  } else {
    RegionGenerator region(session, scope.getWeightSource(), operands,
                           {0, int(random.between(1, 4))});
    for (unsigned k = random.weighted({3, 1}) + 1; k > 0; --k)
      yielded.push_back(region.makeSmall(type, 2));
    writer.append(region.getText());
  }
  for (const Value &edges : writer.finishMessage(graph, yielded))
    rows.push_back(
        {addLine("t", formatv("mp.to_tensor {0} : {1} -> {2}", edges.name,
                              edgesType(type), nodeType(type))),
         type, edges.size});
}

void RowSums::makeRows() {
  type = {makeShape(random, session.mostElements),
          session.usual == Element::f64 ? Element::f64 : Element::f32};
  type.shape.resize(std::min<std::size_t>(type.shape.size(), 2));
  if (random.chance(0.75))
    return makeEdgeRows();
  most = double(std::max<int64_t>(1, graph.numDst));
  for (unsigned k = random.weighted({2, 1}) + 1; k > 0; --k)
    rows.push_back(scope.getFeature(type, graph.dst, false));
}

void RowSums::countRows() {
  const std::string zero = addLine("c", "arith.constant 0 : index");
  count = addLine("n", formatv("tensor.dim {0}, {1} : {2}", rows[0].name, zero,
                               nodeType(type)));
  const std::string one = addLine("c", "arith.constant 1 : index"),
                    some = addLine("n", formatv("arith.maxsi {0}, {1} : index",
                                                count, one)),
                    whole = addLine("n", formatv("arith.index_cast {0} : index "
                                                 "to i64",
                                                 some));
  number =
      addLine("n", formatv("arith.sitofp {0} : i64 to {1}", whole, element));
  const std::string unit =
      addLine("c", formatv("arith.constant 1.0 : {0}", element));
  inverse =
      addLine("n", formatv("arith.divf {0}, {1} : {2}", unit, number, element));
  numbers = {inverse};
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

std::string RowSums::mapOf(llvm::ArrayRef<unsigned> results) const {
  auto list = [&](llvm::ArrayRef<unsigned> dims) {
    return llvm::join(llvm::map_range(dims, [&](unsigned k) { return dim(k); }),
                      ", ");
  };
  std::vector<unsigned> all(type.shape.size() + 1);
  for (auto [k, number] : llvm::enumerate(all))
    number = unsigned(k);
  return "affine_map<(" + list(all) + ") -> (" + list(results) + ")>";
}

std::string RowSums::bodyLine(Body &body, const std::string &text) {
  std::string name = session.fresh("b");
  body.text += "      " + name + " = " + text + "\n";
  return name;
}

std::string RowSums::input(Body &body, const Value &x) {
  std::vector<unsigned> dims;
  for (unsigned k = isOfRows(x) ? 0 : 1; k <= type.shape.size(); ++k)
    dims.push_back(k);
  body.inputs.push_back(x);
  body.maps.push_back(mapOf(dims));
  return "%in" + std::to_string(body.inputs.size() - 1);
}

/// The place of a number, as a small float.
std::string RowSums::place(Body &body) {
  const unsigned k = unsigned(random.below(int64_t(type.shape.size()) + 1));
  session.record("rare: linalg.index", type);
  const std::string index = bodyLine(body, formatv("linalg.index {0} : index",
                                                   random.chance(0.7) ? 0 : k)),
                    whole = bodyLine(
                        body,
                        formatv("arith.index_cast {0} : index to i64", index)),
                    large = bodyLine(body, formatv("arith.sitofp {0} : i64 to "
                                                   "{1}",
                                                   whole, element));
  return bodyLine(
      body, formatv("arith.mulf {0}, {1} : {2}", large, inverse, element));
}

std::string RowSums::column(Body &body) {
  const Value mean = random.pick<Value>(means);
  if (random.chance(0.6))
    return input(body, mean);
  std::string places;
  for (unsigned k = 1; k <= type.shape.size(); ++k)
    places += (k > 1 ? ", " : "") +
              bodyLine(body, formatv("linalg.index {0} : index", k));
  return bodyLine(body, formatv("tensor.extract {0}[{1}] : {2}", mean.name,
                                places, tensorType(type)));
}

void RowSums::makeTerm(Body &body) {
  auto binary = [&](const char *op, const std::string &x,
                    const std::string &y) {
    return bodyLine(body,
                    formatv("arith.{0} {1}, {2} : {3}", op, x, y, element));
  };
  std::string x = input(body, rows[0]);
  // Less something of all, or times it.
  switch (random.weighted({2, 2.5, 2.5, means.empty() ? 0 : 3.0})) {
  case 0:
    break;
  case 1:
    x = binary("mulf", x, place(body));
    break;
  case 2:
    x = binary(random.chance(0.7) ? "subf" : "mulf", x,
               random.pick<std::string>(numbers));
    break;
  default:
    x = binary("subf", x, column(body));
    break;
  }
  switch (random.weighted({3, 3, 1, rows.size() > 1 ? 3.0 : 0})) {
  case 0:
    break;
  case 1:
    x = binary("mulf", x, x);
    break;
  case 2:
    x = bodyLine(body, formatv("math.sin {0} : {1}", x, element));
    break;
  default:
    x = binary("mulf", x, input(body, rows[1]));
    break;
  }
  body.term = x;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::string RowSums::makeInit(Kind kind, const std::string &combine,
                              const Feature &result) {
  const char *start = combine == "addf"   ? "0.0"
                      : combine == "mulf" ? "1.0"
                                          : "-4.0";
  if (kind != Kind::features) {
    // From an earlier one on.
    if (combine == "addf" && kind == Kind::rows && !sums.empty() &&
        random.chance(0.2))
      return random.pick<Value>(sums).name;
    return addLine("z", formatv("arith.constant dense<{0}> : {1}", start,
                                tensorType(result)));
  }
  const std::string one =
      addLine("z", formatv("arith.constant {0} : {1}", start, element));
  const std::string empty =
      addLine("t", formatv("tensor.empty({0}) : {1}", count, nodeType(result)));
  return addLine("t", formatv("linalg.fill ins({0} : {1}) outs({2} : {3}) -> "
                              "{3}",
                              one, element, empty, nodeType(result)));
}

Value RowSums::scale(const Value &sum) {
  std::string dims, iterators;
  for (unsigned k = 0; k < sum.type.shape.size(); ++k) {
    dims += (k ? ", " : "") + dim(k);
    iterators += k ? ", \"parallel\"" : "\"parallel\"";
  }
  const std::string empty =
      addLine("t", formatv("tensor.empty() : {0}", tensorType(sum.type)));
  const Value made = {session.fresh("t"), sum.type, sum.size / most};
  scope.text += formatv(
      "  {0} = linalg.generic {{indexing_maps = [affine_map<({1}) -> ({1})>, "
      "affine_map<({1}) -> ({1})>], iterator_types = [{2}]}\n"
      "      ins({3} : {4}) outs({5} : {4}) {{\n    ^bb0(%in: {6}, %out: "
      "{6}):\n      %d = arith.mulf %in, {7} : {6}\n"
      "      linalg.yield %d : {6}\n  } -> {4}\n",
      made.name, dims, iterators, sum.name, tensorType(sum.type), empty,
      element, inverse);
  return made;
}

void RowSums::addSum() {
  const unsigned rank = unsigned(type.shape.size());
  const Kind kind = Kind(random.weighted({2, rank ? 3.0 : 0, rank ? 1.0 : 0}));
  const std::string combine = random.weighted({6, 1, 0.7}) == 0 ? "addf"
                              : random.chance(0.6)              ? "maximumf"
                                                                : "mulf";
  Body body;
  makeTerm(body);
  Feature result = {{}, type.element};
  std::vector<unsigned> left;
  std::string iterators;
  for (unsigned k = 0; k <= rank; ++k) {
    const bool isLeft = kind == Kind::rows       ? k > 0
                        : kind == Kind::features ? k == 0
                                                 : false;
    iterators +=
        formatv("{0}\"{1}\"", k ? ", " : "", isLeft ? "parallel" : "reduction");
    if (isLeft)
      left.push_back(k);
    if (isLeft && k > 0)
      result.shape.push_back(type.shape[k - 1]);
  }
  if (combine == "mulf") {
    // Factors near 1.
    const std::string small = bodyLine(body, formatv("math.tanh {0} : {1}",
                                                     body.term, element)),
                      tiny = bodyLine(body,
                                      formatv("arith.constant {0:F12} : {1}",
                                              0.5 / most / double(type.count()),
                                              element)),
                      part = bodyLine(body, formatv("arith.mulf {0}, {1} : {2}",
                                                    small, tiny, element)),
                      one = bodyLine(
                          body, formatv("arith.constant 1.0 : {0}", element));
    body.term = bodyLine(
        body, formatv("arith.addf {0}, {1} : {2}", part, one, element));
  }
  const std::string init = makeInit(kind, combine, result);
  auto write = kind == Kind::features ? nodeType : tensorType;
  Value sum = {session.fresh("t"), result, combine == "addf" ? 4 * most : 4};
  std::string maps, arguments, types;
  for (auto [k, x] : llvm::enumerate(body.inputs)) {
    maps += body.maps[k] + ", ";
    arguments += formatv("%in{0}: {1}, ", k, element);
    types +=
        (k ? ", " : "") + (isOfRows(x) ? nodeType(x.type) : tensorType(x.type));
  }
  scope.text += formatv(
      "  {0} = linalg.generic {{indexing_maps = [{1}{2}], iterator_types = "
      "[{3}]}\n",
      sum.name, maps, mapOf(left), iterators);
  scope.text += formatv(
      "      ins({0} : {1}) outs({2} : {3}) {{\n    ^bb0({4}%out: {5}):\n{6}",
      joinNames(body.inputs), types, init, write(result), arguments, element,
      body.text);
  scope.text += formatv("      %r = arith.{0} %out, {1} : {2}\n"
                        "      linalg.yield %r : {2}\n  } -> {3}\n",
                        combine, body.term, element, write(result));
  session.record("rare: linalg." + combine, result);

  if (kind == Kind::features) {
    // Of edges nothing else has as many rows.
    if (isOfEdges)
      scope.defineResult(sum, graph.edges);
    else
      scope.define(sum, graph.dst, false);
    return;
  }
  if (kind == Kind::rows && combine == "addf")
    sums.push_back(sum);
  if (combine == "addf") {
    const bool isRaw = kind == Kind::all && random.chance(0.5);
    if (isRaw || random.chance(0.3))
      scope.defineResult(sum, kStatic);
    if (kind == Kind::all) {
      const std::string total =
          addLine("s", formatv("tensor.extract {0}[] : {1}", sum.name,
                               tensorType(result)));
      numbers.push_back(addLine(
          "s", formatv("arith.divf {0}, {1} : {2}", total, number, element)));
      if (isRaw)
        return;
    }
    sum = scale(sum);
    if (kind == Kind::rows)
      means.push_back(sum);
  }
  sum.size = std::max(sum.size, 1.0);
  scope.define(sum, kStatic, false);
}

void RowSums::add() {
  makeRows();
  element = getName(type.element);
  countRows();
  for (int64_t k = random.between(1, 4); k > 0; --k)
    addSum();
}

void clique::smith::addRowSums(Scope &scope, const GraphValue &graph) {
  RowSums(scope, graph).add();
}
