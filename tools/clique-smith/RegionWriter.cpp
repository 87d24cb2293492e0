//===- RegionWriter.cpp - Ops that are written one by one -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/RegionWriter.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace clique::smith;
using llvm::formatv;

Value RegionWriter::line(llvm::StringRef op, const std::string &rest,
                         const Feature &type, double size) {
  Value value = {session.fresh(), type, size};
  text += formatv("    {0} = {1} {2}\n", value.name, op, rest);
  session.record(op, type);
  return value;
}

Value RegionWriter::unary(llvm::StringRef op, const Value &x, double size) {
  return line(op, x.name + " : " + writeType(x.type), x.type, size);
}

Value RegionWriter::binary(llvm::StringRef op, const Value &x, const Value &y,
                           double size) {
  return line(op, x.name + ", " + y.name + " : " + writeType(x.type), x.type,
              size);
}

Value RegionWriter::constant(const Feature &type, const std::string &number) {
  if (rows.empty())
    return line("arith.constant", "dense<" + number + "> : " + tensorType(type),
                type, 1);
  const std::string one = session.fresh("c");
  text += formatv("    {0} = arith.constant {1} : {2}\n", one, number,
                  getName(type.element));
  return line("tensor.splat", one + "[" + rows + "] : " + nodeType(type), type,
              1);
}

Value RegionWriter::broadcast(const Value &x, const Shape &shape) {
  const Feature wide = {shape, x.type.element};
  return shape == x.type.shape ? x
                               : line("mp.broadcast",
                                      x.name + " : " + writeType(x.type) +
                                          " to " + writeType(wide),
                                      wide, x.size);
}

Value RegionWriter::compare(llvm::StringRef predicate, const Value &x,
                            const Value &y) {
  return line("arith.cmpf",
              formatv("{0}, {1}, {2} : {3}", predicate, x.name, y.name,
                      writeType(x.type)),
              x.type.with(Element::i1), 1);
}

Value RegionWriter::select(const Value &condition, const Value &x,
                           const Value &y) {
  return line("arith.select",
              formatv("{0}, {1}, {2} : {3}, {4}", condition.name, x.name,
                      y.name, writeType(condition.type), writeType(x.type)),
              x.type, std::max(x.size, y.size));
}

Value RegionWriter::toFloat(const Value &condition, Element element) {
  const Feature type = condition.type.with(element);
  return line("arith.uitofp",
              condition.name + " : " + writeType(condition.type) + " to " +
                  writeType(type),
              type, 1);
}

Value RegionWriter::dot(const Value &x, const Value &y) {
  Feature type = x.type;
  const auto size = double(type.shape.pop_back_val());
  return line("mp.dot",
              formatv("{0}, {1} : ({2}, {2}) -> {3}", x.name, y.name,
                      writeType(x.type), writeType(type)),
              type, size * x.size * y.size);
}

Value RegionWriter::map(const Value &x) {
  const int64_t size = x.type.shape.back();
  const Value w = scope.getWeight({{size, size}, x.type.element});
  return line("mp.linear",
              formatv("{0}, {1} : ({2}, {3}) -> {2}", x.name, w.name,
                      writeType(x.type), tensorType(w.type)),
              x.type, 2 * x.size);
}

Value RegionWriter::bind(std::string &operands, const Value &feature,
                         std::string (*write)(const Feature &)) {
  bound.push_back(feature.name);
  Value argument = {session.fresh("a"), feature.type, feature.size};
  operands += formatv("{0}{1} = {2} : {3}", operands.empty() ? "" : ", ",
                      argument.name, feature.name, write(feature.type));
  return argument;
}

std::vector<Value> RegionWriter::finishMessage(const GraphValue &graph,
                                               llvm::ArrayRef<Value> yielded) {
  scope.linked.insert(bound.begin(), bound.end());
  std::vector<Value> made;
  for (const Value &value : yielded) {
    made.push_back({session.fresh("m"), value.type, value.size});
    session.record("mp.message", value.type);
  }
  auto write = [](llvm::StringRef name, const std::string &operands) {
    return operands.empty() ? "" : (" " + name + "(" + operands + ")").str();
  };
  scope.text += formatv(
      "  {0} = mp.message {1} : {2}{3}{4}{5} -> {6} {{\n{7}    mp.yield {8} : "
      "{9}\n  }\n",
      joinNames(made), graph.name, graph.type, write("dst", dst),
      write("src", src), write("edge", edges), joinTypes(made, edgesType), text,
      joinNames(yielded), joinTypes(yielded, tensorType));
  return made;
}

Value RegionWriter::finishUpdate(const Value &yielded) {
  const Value made = {session.fresh("u"), yielded.type, yielded.size};
  session.record("mp.update", made.type);
  scope.text +=
      formatv("  {0} = mp.update ({1}) -> {2} {{\n{3}    mp.yield {4} : "
              "{5}\n  }\n",
              made.name, dst, nodeType(made.type), text, yielded.name,
              tensorType(yielded.type));
  return made;
}

const char *clique::smith::getLowest(Element element) {
  return element == Element::f64   ? "0xFFF0000000000000"
         : element == Element::f32 ? "0xFF800000"
         : element == Element::f16 ? "0xFC00"
                                   : "0xFF80";
}

const char *clique::smith::getSum(const Session &session) {
  return session.usual == Element::f16 || session.usual == Element::bf16
             ? "mean"
             : "sum";
}

Value clique::smith::addAggregate(Scope &scope, const GraphValue &graph,
                                  const std::string &kind, const Value &edges,
                                  const Value *score) {
  Value result = {scope.session.fresh("r"), edges.type, edges.size};
  if (kind == "sum")
    result.size *= double(std::max<int64_t>(1, graph.maxInDegree));
  scope.text +=
      formatv("  {0} = mp.aggregate {1} : {2} {3}{4} {5} : ({6}{7}) -> {8}\n",
              result.name, graph.name, graph.type, kind,
              score ? "(" + score->name + ")" : "", edges.name,
              score ? edgesType(score->type) + ", " : "", edgesType(edges.type),
              nodeType(result.type));
  scope.session.record("mp.aggregate " + kind, edges.type);
  return result;
}
