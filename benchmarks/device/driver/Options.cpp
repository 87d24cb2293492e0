//===- Options.cpp - The command line of clique-device --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "benchmarks/device/driver/Options.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

using namespace clique::device;

const char *clique::device::getUsage() {
  return R"(usage: clique-device LAYER.so ENTRY [options]
       clique-device --device

Runs a layer for GPUs, and prints a line for each thing found out:

  device NAME             architecture ARCH
  graph DESTINATIONS SOURCES EDGES
  error RESULT ERROR TOLERANCE      of the largest value of the expected array
  time MILLISECONDS CALLS           the median, and of how many calls
  decision TEXT                     why a kernel ran as it did

  --graph=GRAPH      a file that the runtime reads, or complete:N, causal:N,
                     complete_no_self:N, bipartite:NxM, window:N,W,
                     cliques:A,B,C..., causal_cliques:A,B,C...,
                     blocks:N,SIZE,EVERY
  --case=FOLDER      inputs ARG.npy, and RESULT.expected.npy to compare with;
                     without it inputs are random
  --tolerance=T      default: f32 1e-5, f64 1e-12, f16 2e-3, bf16 2e-2
  --time=SECONDS     after a warm-up, call it for so long
  --lowering=auto|dense|sparse
  --device           print the device and do nothing else

Exit status: 0 if all went well, 1 on an error or a wrong result, 2 for a wrong
command line, 3 if the device cannot be used.
)";
}

static double parsePositive(std::string_view name, const std::string &text) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !(value >= 0) || std::isinf(value))
    throw UsageError(
        fmt::format("{}={}: expected a number from 0", name, text));
  return value;
}

static clique_lowering parseLowering(const std::string &text) {
  if (text == "auto")
    return CLIQUE_LOWERING_AUTO;
  if (text == "dense")
    return CLIQUE_LOWERING_DENSE;
  if (text == "sparse")
    return CLIQUE_LOWERING_SPARSE;
  throw UsageError(
      fmt::format("--lowering={}: expected auto, dense or sparse", text));
}

Options clique::device::parseOptions(int argc, char **argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const size_t equal = word.find('=');
    const std::string name = word.substr(0, equal);
    const std::string value =
        equal == std::string::npos ? "" : word.substr(equal + 1);
    if (word == "--device")
      options.describeDevice = true;
    else if (name == "--graph")
      options.graph = value;
    else if (name == "--case")
      options.caseFolder = value;
    else if (name == "--tolerance")
      options.tolerance = parsePositive(name, value);
    else if (name == "--time")
      options.timeBudget = parsePositive(name, value);
    else if (name == "--lowering")
      options.lowering = parseLowering(value);
    else if (word.rfind("--", 0) == 0)
      throw UsageError(
          fmt::format("{}: there is no such option; see --help", word));
    else if (options.library.empty())
      options.library = word;
    else if (options.entry.empty())
      options.entry = word;
    else
      throw UsageError(fmt::format("{}: expected LAYER.so ENTRY only", word));
  }
  if (!options.describeDevice && options.entry.empty())
    throw UsageError("expected LAYER.so ENTRY; see --help");
  return options;
}
