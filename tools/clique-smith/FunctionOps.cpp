//===- FunctionOps.cpp - Ops between the layers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/FunctionOps.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clique::smith;
using llvm::formatv;

namespace {
class FunctionOpMaker {
public:
  FunctionOpMaker(Scope &scope, Extent extent)
      : scope(scope), session(scope.session), random(session.random),
        extent(extent) {}
  void add();

private:
  Value elementwise(const Value &x);
  Value matrixProduct(const Value &x);
  Value columnSum(const Value &x);
  Value collapse(const Value &x);
  /// Along `dim` of the feature, of all rows.
  std::string describePart(const Value &x, unsigned dim, int64_t offset,
                           int64_t size, int64_t stride);
  Value slice(const Value &x);
  /// Another feature as a column of this one.
  Value insert(const Value &x);
  Value concat(const Value &x);
  Value generic(const Value &x);
  Value element(const Value &x);
  Value transpose(const Value &x);
  Value choose(const Value &x);
  Value openShape(const Value &x);
  Value feature(const Value &x) { return addFeatureOp(scope, x, extent); }
  std::string addLine(llvm::StringRef prefix, const std::string &text);
  /// The number of rows.
  std::string addRows(const Value &x);

  Scope &scope;
  Session &session;
  Random &random;
  Extent extent;
};
} // namespace

std::string FunctionOpMaker::addLine(llvm::StringRef prefix,
                                     const std::string &text) {
  std::string name = session.fresh(prefix);
  scope.text += "  " + name + " = " + text + "\n";
  return name;
}

std::string FunctionOpMaker::addRows(const Value &x) {
  std::string zero = addLine("c", "arith.constant 0 : index");
  return addLine("n", formatv("tensor.dim {0}, {1} : {2}", x.name, zero,
                              nodeType(x.type)));
}

Value FunctionOpMaker::elementwise(const Value &x) {
  const std::string type = " : " + nodeType(x.type);
  if (random.chance(0.4))
    return {addLine("f", std::string(
                             random.pick({"math.tanh", "math.absf", "math.sin",
                                          "arith.negf", "math.erf"})) +
                             " " + x.name + type),
            x.type, x.size};
  Value y = scope.getFeature(x.type, extent, false);
  const unsigned op = unsigned(random.below(3));
  static constexpr const char *kOps[] = {"arith.addf", "arith.subf",
                                         "arith.maximumf"};
  return {
      addLine("f", std::string(kOps[op]) + " " + x.name + ", " + y.name + type),
      x.type, x.size + y.size};
}

Value FunctionOpMaker::matrixProduct(const Value &x) {
  Feature weights = x.type, result = x.type;
  weights.shape.push_back(makeSize(random));
  result.shape = {weights.shape[1]};
  Value w = scope.getWeight(weights);
  std::string rows = addRows(x);
  std::string zero = addLine(
      "z", formatv("arith.constant 0.0 : {0}", getName(x.type.element)));
  std::string empty =
      addLine("t", formatv("tensor.empty({0}) : {1}", rows, nodeType(result)));
  std::string init = addLine(
      "t", formatv("linalg.fill ins({0} : {1}) outs({2} : {3}) -> {3}", zero,
                   getName(x.type.element), empty, nodeType(result)));
  return {addLine("f", formatv("linalg.matmul ins({0}, {1} : {2}, {3}) "
                               "outs({4} : {5}) -> {5}",
                               x.name, w.name, nodeType(x.type),
                               tensorType(weights), init, nodeType(result))),
          result, 2 * x.size};
}

/// A static tensor from all nodes, which regions may capture.
Value FunctionOpMaker::columnSum(const Value &x) {
  std::string zero = addLine(
      "z", formatv("arith.constant dense<-4.0> : {0}", tensorType(x.type)));
  return {
      addLine("t", formatv("linalg.reduce {{ arith.maximumf } "
                           "ins({0} : {1}) outs({2} : {3}) "
                           "dimensions = [0]",
                           x.name, nodeType(x.type), zero, tensorType(x.type))),
      x.type, x.size};
}

Value FunctionOpMaker::collapse(const Value &x) {
  Feature result = {{x.type.count()}, x.type.element};
  std::string dims;
  for (unsigned dim = 0; dim < x.type.shape.size(); ++dim)
    dims += (dim ? ", " : "") + std::to_string(dim + 1);
  return {
      addLine("f", formatv("tensor.collapse_shape {0} [[0], [{1}]] : {2} "
                           "into {3}",
                           x.name, dims, nodeType(x.type), nodeType(result))),
      result, x.size};
}

std::string FunctionOpMaker::describePart(const Value &x, unsigned dim,
                                          int64_t offset, int64_t size,
                                          int64_t stride) {
  std::string offsets = "0", sizes = addRows(x), strides = "1";
  for (unsigned k = 0; k < x.type.shape.size(); ++k) {
    offsets += ", " + std::to_string(k == dim ? offset : 0);
    sizes += ", " + std::to_string(k == dim ? size : x.type.shape[k]);
    strides += ", " + std::to_string(k == dim ? stride : 1);
  }
  return formatv("[{0}] [{1}] [{2}]", offsets, sizes, strides);
}

Value FunctionOpMaker::slice(const Value &x) {
  const unsigned dim = random.below(x.type.shape.size());
  const int64_t size = x.type.shape[dim];
  const int64_t stride = random.chance(0.3) ? 2 : 1;
  const int64_t taken = random.between(1, (size + stride - 1) / stride);
  const int64_t offset = random.between(0, size - 1 - (taken - 1) * stride);
  Feature result = x.type;
  result.shape[dim] = taken;
  if (taken == 1 && random.chance(0.5))
    result.shape.erase(result.shape.begin() + dim);
  std::string part = describePart(x, dim, offset, taken, stride);
  return {
      addLine("f", formatv("tensor.extract_slice {0}{1} : {2} to {3}", x.name,
                           part, nodeType(x.type), nodeType(result))),
      result, x.size};
}

Value FunctionOpMaker::insert(const Value &x) {
  const unsigned dim = random.below(x.type.shape.size());
  Feature column = x.type;
  column.shape.erase(column.shape.begin() + dim);
  Value y = scope.getFeature(column, extent, false);
  std::string part =
      describePart(x, dim, random.below(x.type.shape[dim]), 1, 1);
  return {addLine("f", formatv("tensor.insert_slice {0} into {1}{2} : {3} into "
                               "{4}",
                               y.name, x.name, part, nodeType(column),
                               nodeType(x.type))),
          x.type, std::max(x.size, y.size)};
}

Value FunctionOpMaker::concat(const Value &x) {
  Value y = scope.getFeature(x.type, extent, false);
  Feature result = x.type;
  result.shape[0] *= 2;
  return {
      addLine("f", formatv("tensor.concat dim(1) {0}, {1} : ({2}, {2}) -> "
                           "{3}",
                           x.name, y.name, nodeType(x.type), nodeType(result))),
      result, std::max(x.size, y.size)};
}

Value FunctionOpMaker::generic(const Value &x) {
  std::string dims = "d0", rows = addRows(x);
  for (unsigned dim = 1; dim <= x.type.shape.size(); ++dim)
    dims += ", d" + std::to_string(dim);
  std::string iterators = "\"parallel\"";
  for (unsigned dim = 0; dim < x.type.shape.size(); ++dim)
    iterators += ", \"parallel\"";
  std::string empty =
      addLine("t", formatv("tensor.empty({0}) : {1}", rows, nodeType(x.type)));
  std::string name = session.fresh("f");
  scope.text += formatv(
      "  {0} = linalg.generic {{indexing_maps = [affine_map<({1}) -> ({1})>, "
      "affine_map<({1}) -> ({1})>], iterator_types = [{2}]}\n"
      "      ins({3} : {4}) outs({5} : {4}) {{\n    ^bb0(%in: {6}, %out: "
      "{6}):\n"
      "      %d = arith.addf %in, %in : {6}\n"
      "      %r = math.cos %d : {6}\n"
      "      linalg.yield %r : {6}\n  } -> {4}\n",
      name, dims, iterators, x.name, nodeType(x.type), empty,
      getName(x.type.element));
  return {name, x.type, 1};
}

/// A feature times one of its numbers, taken from the last row that is sure to
/// be there or from one that may not be: then the layer says so.
Value FunctionOpMaker::element(const Value &x) {
  std::string position =
      addLine("c", formatv("arith.constant {0} : index", random.below(3)));
  std::string positions = position;
  for (int64_t size : x.type.shape)
    positions += ", " + addLine("c", formatv("arith.constant {0} : index",
                                             random.below(size)));
  std::string number =
      addLine("s", formatv("tensor.extract {0}[{1}] : {2}", x.name, positions,
                           nodeType(x.type)));
  std::string rows = addRows(x);
  std::string all = addLine("t", formatv("tensor.splat {0}[{1}] : {2}", number,
                                         rows, nodeType(x.type)));
  scope.mayBeRefused = true;
  return {addLine("f", formatv("arith.mulf {0}, {1} : {2}", x.name, all,
                               nodeType(x.type))),
          x.type, x.size * x.size};
}

/// Of the last two dimensions.
Value FunctionOpMaker::transpose(const Value &x) {
  Feature result = x.type;
  const unsigned rank = unsigned(x.type.shape.size());
  std::swap(result.shape[rank - 1], result.shape[rank - 2]);
  std::string permutation = "0";
  for (unsigned dim = 1; dim <= rank; ++dim)
    permutation += ", " + std::to_string(dim == rank       ? rank - 1
                                         : dim == rank - 1 ? rank
                                                           : dim);
  std::string rows = addRows(x);
  std::string empty =
      addLine("t", formatv("tensor.empty({0}) : {1}", rows, nodeType(result)));
  // A structured op: the name stands in front of its operands.
  return {
      addLine("f", formatv("linalg.transpose ins({0} : {1}) outs({2} : {3}) "
                           "permutation = [{4}]",
                           x.name, nodeType(x.type), empty, nodeType(result),
                           permutation)),
      result, x.size};
}

/// One of two features, for all rows.
Value FunctionOpMaker::choose(const Value &x) {
  Value y = scope.getFeature(x.type, extent, false);
  std::string some =
      addLine("c", formatv("arith.constant {0} : index", random.below(20)));
  std::string isLong = addLine(
      "p", formatv("arith.cmpi ugt, {0}, {1} : index", addRows(x), some));
  return {addLine("f", formatv("arith.select {0}, {1}, {2} : {3}", isLong,
                               x.name, y.name, nodeType(x.type))),
          x.type, std::max(x.size, y.size)};
}

/// By ops whose type says no size.
Value FunctionOpMaker::openShape(const Value &x) {
  std::string open = "tensor<";
  for (unsigned dim = 0; dim <= x.type.shape.size(); ++dim)
    open += "?x";
  open += std::string(getName(x.type.element)) + ">";
  auto cast = [&](const std::string &name, const std::string &from,
                  const std::string &to) {
    return addLine("f",
                   formatv("tensor.cast {0} : {1} to {2}", name, from, to));
  };
  const std::string own = nodeType(x.type);
  std::string given = cast(x.name, own, open);
  std::string bounded =
      addLine("f", formatv("math.tanh {0} : {1}", given, open));
  std::string product =
      addLine("f", formatv("arith.mulf {0}, {1} : {2}", bounded, given, open));
  return {cast(product, open, own), x.type, x.size};
}

void FunctionOpMaker::add() {
  Value x = scope.pickFeature(extent, false);
  if (!x.type.isFloat())
    return;
  const std::size_t rank = x.type.shape.size();
  const bool isHalf =
      x.type.element == Element::f16 || x.type.element == Element::bf16;
  const double weights[] = {4,
                            rank == 1 && !isHalf ? 2.0 : 0,
                            0.7,
                            rank >= 2 ? 1.0 : 0,
                            rank >= 1 ? 1.0 : 0,
                            rank >= 1 ? 1.0 : 0,
                            1,
                            0.7,
                            rank >= 2 ? 1.0 : 0,
                            0.7,
                            rank >= 1 ? 0.7 : 0,
                            rank >= 1 ? 2.0 : 0,
                            rank >= 1 ? 0.7 : 0};
  static constexpr Value (FunctionOpMaker::*kMakers[])(const Value &) = {
      &FunctionOpMaker::elementwise, &FunctionOpMaker::matrixProduct,
      &FunctionOpMaker::columnSum,   &FunctionOpMaker::collapse,
      &FunctionOpMaker::slice,       &FunctionOpMaker::concat,
      &FunctionOpMaker::generic,     &FunctionOpMaker::element,
      &FunctionOpMaker::transpose,   &FunctionOpMaker::choose,
      &FunctionOpMaker::openShape,   &FunctionOpMaker::feature,
      &FunctionOpMaker::insert};
  const unsigned choice = random.weighted(weights);
  Value result = (this->*kMakers[choice])(x);
  static constexpr const char *kNames[] = {
      "elementwise",      "matmul", "linalg.reduce",  "collapse_shape",
      "extract_slice",    "concat", "linalg.generic", "tensor.extract",
      "linalg.transpose", "select", "open shape",     "feature op",
      "insert_slice"};
  session.record(std::string("function: ") + kNames[choice], result.type);
  scope.define(result, choice == 2 ? kStatic : extent, false);
}

void clique::smith::addFunctionOp(Scope &scope, Extent extent) {
  FunctionOpMaker(scope, extent).add();
}
