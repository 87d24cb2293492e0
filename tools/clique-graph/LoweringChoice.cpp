//===- LoweringChoice.cpp - What a layer runs on a graph ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice is made by the layer's call, so there is no second model of it
// here.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-graph/LoweringChoice.h"
#include "tools/clique-run/Inputs.h"
#include "tools/clique-run/Invocation.h"
#include "tools/clique-run/LayerSource.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clique;

/// The only argument of the layer that is a graph.
static Expected<unsigned> findGraph(const LayerSignature &signature) {
  auto isGraph = [](const LayerArgument &arg) {
    return arg.kind == CLIQUE_ARG_GRAPH;
  };
  if (count_if(signature.args, isGraph) != 1)
    return createStringError(
        "--layer: layer '" + signature.name + "' takes " +
        Twine(count_if(signature.args, isGraph)) +
        " graphs, and inspect gives it one; use clique-run --explain");
  return unsigned(find_if(signature.args, isGraph) - signature.args.begin());
}

Expected<std::vector<std::string>>
clique::explainLowering(const InspectRequest &request, GraphHandle &graph) {
  RunRequest run;
  run.layer = request.layer;
  run.entry = request.entry;
  run.repeat = 1;
  Expected<LayerSource> source = LayerSource::open(run);
  if (!source)
    return source.takeError();
  const LayerSignature &signature = source->getSignature();
  Expected<unsigned> argument = findGraph(signature);
  if (!argument)
    return argument.takeError();
  std::vector<GraphArgument> graphs;
  graphs.push_back({*argument, request.graph, std::move(graph)});
  auto inputs = makeInputs(signature, source->getFunction(), graphs, {}, {}, 0);
  if (!inputs)
    return inputs.takeError();
  Expected<const clique_layer *> layer = source->load();
  if (!layer)
    return layer.takeError();
  std::vector<clique_value> values(inputs->size());
  for (auto [value, tensor] : zip_equal(values, *inputs))
    if (tensor)
      value.tensor = &tensor->dl_tensor;
  values[*argument].graph = graphs.front().graph.get();
  RunTimes times;
  auto results = runRepeatedly(**layer, values, run, times);
  if (!results)
    return results.takeError();
  graph = std::move(graphs.front().graph);
  SmallVector<StringRef> lines;
  StringRef(clique_last_decisions()).split(lines, '\n', -1, false);
  return std::vector<std::string>(lines.begin(), lines.end());
}
