//===- GraphGenerator.cpp - Random graphs of every class ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/GraphGenerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <functional>
#include <set>

using namespace clique::smith;
using llvm::formatv;

static int64_t findMostCommon(const std::vector<int32_t> &ends, int64_t count) {
  std::vector<int64_t> degrees(count, 0);
  for (int32_t end : ends)
    ++degrees[end];
  return degrees.empty() ? 0 : *llvm::max_element(degrees);
}

int64_t GraphPlan::getMaxInDegree() const {
  return findMostCommon(dst, numDst);
}
int64_t GraphPlan::getMaxOutDegree() const {
  return findMostCommon(src, numSrc);
}

bool GraphPlan::hasParallelEdges() const {
  std::set<std::pair<int32_t, int32_t>> seen;
  for (auto edge : llvm::zip_equal(dst, src))
    if (!seen.insert({std::get<0>(edge), std::get<1>(edge)}).second)
      return true;
  return false;
}

std::string GraphPlan::writeMatrixMarket() const {
  std::string text =
      formatv("%%MatrixMarket matrix coordinate pattern general\n{0} {1} {2}\n",
              numDst, numSrc, dst.size());
  for (auto [i, j] : llvm::zip_equal(dst, src))
    text += formatv("{0} {1}\n", i + 1, j + 1);
  return text;
}

namespace {
class GraphMaker {
public:
  explicit GraphMaker(Random &random) : random(random) {}
  GraphPlan make(llvm::StringRef topology);

private:
  int64_t makeNumNodes();
  std::string pickTopology();
  void makeOfClass(const std::string &topology);
  void addPairs(const std::function<bool(int64_t, int64_t)> &isEdge);
  void makeCliques(bool causal);
  void makeBlocks();
  void makeSparse(bool mayBeRectangular);
  void makeHub();
  /// Turns edges so that they follow an order of the nodes.
  void makeAcyclic();
  void shuffle();
  /// Gives the nodes other numbers, so that the graph may be of no class.
  void mixNodes();

  Random &random;
  GraphPlan plan;
  bool noSelf = false;
  int64_t param = 0;
};
} // namespace

int64_t GraphMaker::makeNumNodes() {
  switch (random.weighted({3, 4, 25, 45, 18, 3})) {
  case 0:
    return 0;
  case 1:
    return 1;
  case 2:
    return random.between(2, 8);
  case 3:
    return random.between(9, 40);
  case 4:
    return random.between(41, 130);
  default:
    return random.between(131, 420);
  }
}

void GraphMaker::addPairs(const std::function<bool(int64_t, int64_t)> &isEdge) {
  for (int64_t i = 0; i < plan.numDst; ++i)
    for (int64_t j = 0; j < plan.numSrc; ++j)
      if ((!noSelf || i != j) && isEdge(i, j)) {
        plan.dst.push_back(int32_t(i));
        plan.src.push_back(int32_t(j));
      }
}

void GraphMaker::makeCliques(bool causal) {
  std::vector<int64_t> of;
  std::string sizes;
  const int64_t count = random.between(1, 8);
  for (int64_t c = 0; c < count; ++c) {
    const int64_t size = random.pick<int64_t>(
        {0, 1, 1, 2, 3, random.between(1, 20), random.between(1, 70)});
    of.insert(of.end(), size, c);
    sizes += (c ? "," : "") + std::to_string(size);
  }
  plan.numDst = plan.numSrc = int64_t(of.size());
  addPairs([&](int64_t i, int64_t j) {
    return of[i] == of[j] && (!causal || j <= i);
  });
  if (!noSelf)
    plan.description =
        std::string(causal ? "causal_cliques:" : "cliques:") + sizes;
}

void GraphMaker::makeBlocks() {
  const int64_t size = param;
  const int64_t blocks = std::max<int64_t>(1, random.between(1, 200 / size));
  plan.numDst = plan.numSrc =
      std::max<int64_t>(1, blocks * size - random.below(size));
  std::vector<bool> has(blocks * blocks);
  for (auto &&one : has)
    one = random.chance(0.4);
  addPairs(
      [&](int64_t i, int64_t j) { return has[i / size * blocks + j / size]; });
}

void GraphMaker::makeSparse(bool mayBeRectangular) {
  plan.numDst = plan.numSrc = makeNumNodes();
  if (mayBeRectangular && random.chance(0.3))
    plan.numSrc = makeNumNodes();
  if (plan.numDst == 0 || plan.numSrc == 0)
    return;
  const int64_t degree = random.pick({0, 1, 2, 2, 5, 12});
  const int64_t most = degree * std::max(plan.numDst, plan.numSrc);
  const bool isolated = random.chance(0.3), parallel = random.chance(0.5);
  std::set<std::pair<int64_t, int64_t>> seen;
  for (int64_t k = 0; k < most; ++k) {
    int64_t i = random.below(plan.numDst), j = random.below(plan.numSrc);
    if (isolated && i % 3 == 0)
      continue;
    if (!parallel && !seen.insert({i, j}).second)
      continue;
    plan.dst.push_back(int32_t(i));
    plan.src.push_back(int32_t(j));
  }
  if (plan.isSquare() && random.chance(0.25))
    makeAcyclic();
}

void GraphMaker::makeAcyclic() {
  std::vector<int64_t> place(plan.numDst);
  for (int64_t k = 0; k < plan.numDst; ++k) {
    const int64_t other = random.below(k + 1);
    place[k] = place[other];
    place[other] = k;
  }
  std::vector<int32_t> dst, src;
  for (auto [i, j] : llvm::zip_equal(plan.dst, plan.src)) {
    if (i == j)
      continue;
    const bool isForward = place[j] < place[i];
    dst.push_back(isForward ? i : j);
    src.push_back(isForward ? j : i);
  }
  plan.dst = std::move(dst);
  plan.src = std::move(src);
  plan.isAcyclic = true;
}

/// One node with more edges than a block of rows takes.
void GraphMaker::makeHub() {
  plan.numDst = random.between(1, 40);
  plan.numSrc = plan.numDst;
  if (random.chance(0.3))
    plan.numSrc = random.between(4200, 5000);
  const auto hub = int32_t(random.below(plan.numDst));
  const int64_t edges = random.between(4097, 9000);
  for (int64_t k = 0; k < edges; ++k) {
    plan.dst.push_back(
        random.chance(0.98) ? hub : int32_t(random.below(plan.numDst)));
    plan.src.push_back(int32_t(plan.numSrc > 4096 ? k % plan.numSrc
                                                  : random.below(plan.numSrc)));
  }
}

void GraphMaker::shuffle() {
  for (auto k = int64_t(plan.dst.size()) - 1; k > 0; --k) {
    const int64_t other = random.below(k + 1);
    std::swap(plan.dst[k], plan.dst[other]);
    std::swap(plan.src[k], plan.src[other]);
  }
}

void GraphMaker::mixNodes() {
  std::vector<int32_t> numbers(plan.numDst);
  for (int64_t k = 0; k < plan.numDst; ++k) {
    const int64_t other = random.below(k + 1);
    numbers[k] = numbers[other];
    numbers[other] = int32_t(k);
  }
  for (std::vector<int32_t> *ends : {&plan.dst, &plan.src})
    for (int32_t &node : *ends)
      node = numbers[node];
  plan.description.clear();
  plan.topology = "sparse";
  // A clique that is none by an edge.
  if (!plan.dst.empty() && random.chance(0.25)) {
    plan.dst.pop_back();
    plan.src.pop_back();
  }
}

std::string GraphMaker::pickTopology() {
  static constexpr const char *kTopologies[] = {
      "unknown", "sparse",  "complete",       "bipartite", "causal",
      "window",  "cliques", "causal_cliques", "blocks"};
  return kTopologies[random.weighted({45, 6, 10, 6, 8, 6, 8, 6, 5})];
}

void GraphMaker::makeOfClass(const std::string &topology) {
  plan.topology = topology;
  if (topology == "sparse")
    return makeSparse(/*mayBeRectangular=*/true);
  if (topology == "hub")
    return makeHub();
  if (topology == "cliques" || topology == "causal_cliques")
    return makeCliques(topology != "cliques");
  if (topology == "blocks")
    return makeBlocks();
  plan.numDst = plan.numSrc = makeNumNodes();
  const std::string size = std::to_string(plan.numDst);
  if (topology == "bipartite") {
    plan.numSrc = makeNumNodes();
    plan.description = "bipartite:" + size + "x" + std::to_string(plan.numSrc);
  }
  if (topology == "complete")
    plan.description = (noSelf ? "complete_no_self:" : "complete:") + size;
  if (topology == "causal" && !noSelf)
    plan.description = "causal:" + size;
  if (topology == "window" && !noSelf)
    plan.description = "window:" + size + "," + std::to_string(param);
  addPairs([&](int64_t i, int64_t j) {
    return topology == "causal"   ? j <= i
           : topology == "window" ? std::abs(i - j) <= param
                                  : true;
  });
}

GraphPlan GraphMaker::make(llvm::StringRef wanted) {
  const std::string declared = wanted.empty() ? pickTopology() : wanted.str();
  std::string actual = declared;
  if (declared == "unknown" || declared == "sparse")
    actual = random.chance(0.5)   ? "sparse"
             : random.chance(0.1) ? "hub"
                                  : pickTopology();
  if (actual == "unknown")
    actual = "sparse";
  const bool mayLackSelf = actual != "bipartite" && actual != "blocks" &&
                           actual != "sparse" && actual != "hub";
  noSelf = mayLackSelf && random.chance(0.25);
  if (actual == "window")
    param = random.pick({0, 1, 2, 3, 8, 40, 140});
  if (actual == "blocks")
    param = random.pick({8, 16, 16, 64, 10});
  makeOfClass(actual);
  // Smaller graphs are of the class, too.
  const std::string number = actual == "window" || actual == "blocks"
                                 ? formatv(", {0}", param).str()
                                 : "";
  const bool isMixed = declared != actual && actual != "hub" &&
                       plan.isSquare() && random.chance(0.4);
  if (isMixed)
    mixNodes();
  plan.type = declared == "unknown"
                  ? "!mp.graph"
                  : "!mp.graph<" + declared +
                        (declared == actual ? number : "") +
                        (declared == actual && noSelf ? ", no_self" : "") + ">";
  if (declared == "unknown" && mayLackSelf && !isMixed)
    plan.statedType =
        "!mp.graph<" + actual + number + (noSelf ? ", no_self>" : ">");
  // Without edges or nodes there is no file.
  const bool isEmpty = plan.numDst == 0 || plan.numSrc == 0;
  if (isEmpty && plan.description.empty())
    plan.description = formatv("bipartite:{0}x{1}", plan.numDst, plan.numSrc);
  // Also what has a short name can come as a list.
  if (!isEmpty && random.chance(0.4))
    plan.description.clear();
  if (plan.description.empty() && random.chance(0.5))
    shuffle();
  return std::move(plan);
}

GraphPlan clique::smith::makeGraphPlan(Random &random,
                                       llvm::StringRef topology) {
  return GraphMaker(random).make(topology);
}
