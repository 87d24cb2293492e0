//===- clique-graph.cpp - What a graph is ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the graph, finds out all that is asked for, and only then writes.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AtomicFile.h"
#include "tools/clique-graph/Conversion.h"
#include "tools/clique-graph/LoweringChoice.h"
#include "tools/clique-graph/Options.h"
#include "tools/clique-graph/Picture.h"
#include "tools/clique-graph/Report.h"
#include "tools/clique-run/ReportedError.h"
#include "tools/support/CrashReport.h"
#include "tools/support/Mains.h"
#include "tools/support/Progress.h"
#include "tools/support/StandardStreams.h"

using namespace llvm;
using namespace clique;

static Expected<GraphHandle> readGraph(const std::string &description) {
  Progress progress("reading " + description);
  DescribedGraph described = makeGraph(description, /*option=*/"");
  if (!described.graph)
    return createStringError(described.error);
  return std::move(described.graph);
}

/// The picture, not yet under its name.
static Expected<AtomicFile> writePicture(const InspectRequest &request,
                                         const Adjacency &rows) {
  Expected<AtomicFile> file = AtomicFile::create(request.picture);
  if (!file)
    return file.takeError();
  Error error = file->write([&](raw_pwrite_stream &out) {
    // A cell is a pixel of a PNG file and an element of an SVG file.
    if (request.format == PictureFormat::png)
      writePng(drawPattern(rows, 512), out);
    else
      writeSvg(drawPattern(rows, 128), out);
    return Error::success();
  });
  if (error)
    return std::move(error);
  return file;
}

static Error run(const InspectRequest &request) {
  Expected<GraphHandle> graph = readGraph(request.graph);
  if (!graph)
    return graph.takeError();
  GraphReport report;
  std::optional<AtomicFile> picture;
  report.graph = request.graph;
  if (!request.layer.empty()) {
    auto kernels = explainLowering(request, *graph);
    if (!kernels)
      return kernels.takeError();
    report.kernels = std::move(*kernels);
  }
  {
    Progress progress("inspecting " + request.graph);
    Expected<Adjacency> rows = Adjacency::create(**graph);
    if (!rows)
      return rows.takeError();
    report.statistics = computeStatistics(*rows);
    if (!request.picture.empty()) {
      Expected<AtomicFile> written = writePicture(request, *rows);
      if (!written)
        return written.takeError();
      picture.emplace(std::move(*written));
    }
  }
  if (request.json)
    printJson(report, outs());
  else
    printText(report, outs());
  if (Error error = flushStandardOutput())
    return error;
  return picture ? picture->commit() : Error::success();
}

static Error run(const ConvertRequest &request) {
  if (sys::fs::equivalent(request.graph, request.output))
    return createStringError(request.output +
                             ": is the graph itself, which its conversion "
                             "would replace; name another file");
  Expected<GraphHandle> graph = readGraph(request.graph);
  if (!graph)
    return graph.takeError();
  return convertGraph(request, std::move(*graph));
}

int clique::graphMain(int argc, char **argv) {
  occupyStandardStreams();
  reportCrashes("clique-graph");
  Expected<GraphRequest> request = parseGraphCommandLine(argc, argv);
  Error error =
      request
          ? std::visit([](const auto &asked) { return run(asked); }, *request)
          : request.takeError();
  return reportError("clique-graph", std::move(error));
}
