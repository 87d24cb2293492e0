//===- Variants.cpp - Cases whose results are known from another ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Variants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

#include <cstring>
#include <numeric>

using namespace clique;
using namespace clique::smith;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static RowOrder makeOrder(int64_t size, Random &random) {
  RowOrder order(size);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t k = size - 1; k > 0; --k)
    std::swap(order[k], order[random.below(k + 1)]);
  return order;
}

MovedGraph clique::smith::shuffleEdges(const GraphPlan &plan, Random &random) {
  MovedGraph moved{plan, {}};
  RowOrder order = makeOrder(int64_t(plan.dst.size()), random);
  for (auto [k, old] : llvm::enumerate(order)) {
    moved.plan.dst[k] = plan.dst[old];
    moved.plan.src[k] = plan.src[old];
  }
  moved.plan.description.clear();
  moved.orders[CLIQUE_EXTENT_EDGES] = std::move(order);
  return moved;
}

static void renumber(std::vector<int32_t> &ends, const RowOrder &order) {
  std::vector<int32_t> newOfOld(order.size());
  for (auto [k, old] : llvm::enumerate(order))
    newOfOld[old] = int32_t(k);
  for (int32_t &end : ends)
    end = newOfOld[end];
}

std::optional<MovedGraph> clique::smith::renumberNodes(const GraphPlan &plan,
                                                       Random &random) {
  // Most classes are made of numbers.
  if (plan.type != "!mp.graph" && plan.type != "!mp.graph<sparse>")
    return std::nullopt;
  MovedGraph moved{plan, {}};
  RowOrder dst = makeOrder(plan.numDst, random);
  RowOrder src = plan.isSquare() ? dst : makeOrder(plan.numSrc, random);
  renumber(moved.plan.dst, dst);
  renumber(moved.plan.src, src);
  moved.plan.description.clear();
  moved.orders[CLIQUE_EXTENT_DST] = std::move(dst);
  moved.orders[CLIQUE_EXTENT_SRC] = std::move(src);
  return moved;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static int64_t getRowBytes(const DLTensor &tensor) {
  return tensor.shape[0] == 0
             ? 0
             : getNumElements(tensor) / tensor.shape[0] * tensor.dtype.bits / 8;
}

llvm::Expected<std::optional<TensorHandle>>
clique::smith::moveRows(const DLTensor &tensor, const LayerArgument &argument,
                        const MovedGraph &moved) {
  auto order = moved.orders.find(argument.extent);
  if (argument.kind == CLIQUE_ARG_SCALAR || order == moved.orders.end())
    return std::nullopt;
  auto copy = makeTensor(tensor.dtype, {tensor.shape, size_t(tensor.ndim)});
  if (!copy)
    return copy.takeError();
  const int64_t bytes = getRowBytes(tensor);
  for (auto [k, old] : llvm::enumerate(order->second))
    std::memcpy(static_cast<char *>((*copy)->dl_tensor.data) + k * bytes,
                static_cast<const char *>(tensor.data) + old * bytes, bytes);
  return std::move(*copy);
}

llvm::Error clique::smith::restoreRows(TensorHandle &result,
                                       const LayerArgument &argument,
                                       const MovedGraph &moved) {
  auto order = moved.orders.find(argument.extent);
  if (order == moved.orders.end())
    return llvm::Error::success();
  MovedGraph back;
  RowOrder &inverse = back.orders[argument.extent];
  inverse.resize(order->second.size());
  for (auto [k, old] : llvm::enumerate(order->second))
    inverse[old] = int64_t(k);
  auto restored = moveRows(result->dl_tensor, argument, back);
  if (!restored)
    return restored.takeError();
  result = std::move(**restored);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

static std::string replaceAll(std::string text, llvm::StringRef from,
                              llvm::StringRef to) {
  for (size_t at = 0; (at = text.find(from.str(), at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to.str());
  return text;
}

std::optional<std::string> clique::smith::changeTopology(const Case &test) {
  if (test.graphs.size() != 1)
    return std::nullopt;
  const GraphPlan &plan = test.graphs[0].second;
  llvm::StringRef spec = test.spec;
  // These say more about their results than what is left out, or make graphs of
  // which what is stated is not true.
  for (const char *op :
       {"mp.complete", "mp.causal", "mp.window", "mp.cliques", "mp.bipartite",
        "mp.reverse", "mp.self_loops", "mp.edge_list", "mp.coo", "mp.csr",
        "mp.levels", "mp.rows"})
    if (spec.contains(op))
      return std::nullopt;
  if (plan.type != "!mp.graph")
    return replaceAll(test.spec, plan.type, "!mp.graph");
  if (plan.statedType.empty() || spec.contains("!mp.graph<"))
    return std::nullopt;
  return replaceAll(test.spec, "!mp.graph", plan.statedType);
}

std::optional<std::string> clique::smith::callTwice(const std::string &spec) {
  const std::string start = spec.substr(0, spec.find('{'));
  llvm::SmallVector<llvm::StringRef> found;
  if (!llvm::Regex("func.func @([a-z_0-9A-Z]+)\\((.*)\\)\n    -> \\((.*)\\) $")
           .match(start, &found))
    return std::nullopt;
  const std::string head = "func.func @" + found[1].str() + "(",
                    arguments = found[2].str(), results = found[3].str();
  llvm::SmallVector<llvm::StringRef> parts;
  found[2].split(parts, ", %");
  std::string operands, types, one, two;
  for (llvm::StringRef part : parts) {
    auto [name, type] = part.split(": ");
    name.consume_front("%");
    operands += (operands.empty() ? "%" : ", %") + name.str();
    types += (types.empty() ? "" : ", ") + type.str();
  }
  const size_t numResults = 1 + found[3].count(", ");
  for (size_t k = 0; k < numResults; ++k) {
    one += (k ? ", %one" : "%one") + std::to_string(k);
    two += (k ? ", %two" : "%two") + std::to_string(k);
  }
  // The layer is the first function that is not private.
  return llvm::formatv("{0}{1}) -> ({2}, {2}) {{\n"
                       "  {3} = func.call @inner({5}) : ({6}) -> ({2})\n"
                       "  {4} = func.call @inner({5}) : ({6}) -> ({2})\n"
                       "  return {3}, {4} : {2}, {2}\n}\n",
                       head, arguments, results, one, two, operands, types)
             .str() +
         replaceAll(spec, head, "func.func private @inner(");
}
