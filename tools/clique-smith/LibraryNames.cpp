//===- LibraryNames.cpp - Functions called as those of libraries ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/LibraryNames.h"
#include "tools/clique-smith/RegionWriter.h"
#include "tools/clique-smith/ShapeGenerator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clique::smith;
using llvm::formatv;

// What many layers call is there more often.
static constexpr const char *kMath[] = {
    "exp", "log", "pow",   "log1p", "erf",   "atanh", "sqrt", "sin",
    "cos", "tan", "expm1", "cbrt",  "atan2", "fma",   "tanh", "expf"};
static constexpr const char *kOthers[] = {"memcpy",
                                          "memset",
                                          "memmove",
                                          "malloc",
                                          "free",
                                          "aligned_alloc",
                                          "_mlir_memref_to_llvm_alloc",
                                          "_mlir_memref_to_llvm_free",
                                          "_mlir_ciface_exp",
                                          "omp_get_num_threads",
                                          "__kmpc_global_thread_num",
                                          "__kmpc_fork_call",
                                          "__constant_0",
                                          "__constant_1",
                                          "main"};

LibraryNames::LibraryNames(uint64_t seed, double share)
    : random(seed ^ 0x6e616d6573), used(random.chance(share)) {
  left.assign(std::begin(kMath), std::end(kMath));
  left.insert(left.end(), std::begin(kOthers), std::end(kOthers));
}

std::string LibraryNames::takeName() {
  const int64_t most = random.chance(0.7)
                           ? std::min(std::size(kMath), left.size())
                           : left.size();
  const int64_t k = random.below(most);
  std::string name = left[k];
  left.erase(left.begin() + k);
  return name;
}

std::string LibraryNames::getLayerName() {
  return used && random.chance(0.8) ? takeName() : "layer";
}

std::string LibraryNames::getPartName(const std::string &name) {
  return used && random.chance(0.8) ? takeName() : name;
}

void LibraryNames::addCall(Scope &scope, const GraphValue &graph,
                           std::string &functions) {
  Session &session = scope.session;
  const Feature type = {makeShape(session.random, 16),
                        random.chance(0.6) ? Element::f64 : session.usual};
  const std::string name = takeName();
  session.record("rare: library's name", type);
  // In a region it is inlined; a tensor's function may stay.
  const bool isInRegion = random.chance(0.4);
  auto write = isInRegion ? tensorType : nodeType;
  // Of numbers between 0 and 1.
  std::string body = "%x", lines;
  for (const char *op : {"math.exp", "math.log1p", "math.erf", "math.tanh"})
    if (random.chance(0.7)) {
      const std::string next = session.fresh("p");
      lines += formatv("  {0} = {1} {2} : {3}\n", next, op, body, write(type));
      body = next;
    }
  functions += formatv("func.func private @{0}(%y: {1}) -> {1} {{\n"
                       "  %t = math.tanh %y : {1}\n"
                       "  %x = math.absf %t : {1}\n{2}  return {3} : {1}\n}\n",
                       name, write(type), lines, body);
  const Value x = scope.getFeature(type, graph.dst, false);
  if (isInRegion) {
    RegionWriter writer(scope);
    const Value own = writer.ofDst(x);
    const Value made = {session.fresh(), type, 3};
    writer.append(formatv("    {0} = func.call @{1}({2}) : ({3}) -> {3}\n",
                          made.name, name, own.name, tensorType(type)));
    return scope.define(writer.finishUpdate(made), graph.dst, false);
  }
  const Value made = {session.fresh("k"), type, 3};
  scope.text += formatv("  {0} = func.call @{1}({2}) : ({3}) -> {3}\n",
                        made.name, name, x.name, nodeType(type));
  scope.define(made, graph.dst, false);
}

std::string LibraryNames::addLayer() {
  const std::string name = takeName();
  const char *type = random.pick({"f64", "f32", "tensor<3xf64>"});
  return formatv("func.func @{0}(%x: {1}) -> {1} {{\n"
                 "  %r = arith.addf %x, %x : {1}\n  return %r : {1}\n}\n",
                 name, type);
}
