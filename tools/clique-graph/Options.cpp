//===- Options.cpp - The command line of clique-graph ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-graph/Options.h"
#include "tools/support/Version.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace clique;

namespace {
/// The options, made after those of the LLVM libraries were taken out.
struct Options {
  cl::OptionCategory dataCategory{"Options"};
  cl::SubCommand inspect{"inspect", "Says what a graph is, and what layers "
                                    "would run on it"};
  cl::SubCommand convert{"convert", "Writes a graph to a file of another "
                                    "format"};

  cl::opt<std::string> inspected{cl::Positional, cl::Required,
                                 cl::desc("GRAPH"), cl::sub(inspect)};
  cl::opt<std::string> layer{
      "layer", cl::value_desc("SPEC.mlir|LAYER.so"), cl::cat(dataCategory),
      cl::sub(inspect),
      cl::desc("Say also which version of each kernel of this layer\n"
               "runs on the graph, and why. It runs once for that,\n"
               "on random features")};
  cl::opt<std::string> entry{"entry", cl::value_desc("NAME"),
                             cl::cat(dataCategory), cl::sub(inspect),
                             cl::desc("The layer, where the file has several")};
  cl::opt<std::string> picture{
      "o", cl::value_desc("FILE.svg|FILE.png"), cl::cat(dataCategory),
      cl::sub(inspect),
      cl::desc("Draw where the edges are: rows are destinations,\n"
               "columns sources; the darker, the more of the pairs\n"
               "are edges")};
  cl::opt<bool> json{"json", cl::cat(dataCategory), cl::sub(inspect),
                     cl::desc("Print JSON")};

  cl::opt<std::string> converted{cl::Positional, cl::Required,
                                 cl::desc("GRAPH"), cl::sub(convert)};
  cl::opt<std::string> output{cl::Positional, cl::Required,
                              cl::desc("FILE.mtx|FILE.mtx.gz|FILE.npz"),
                              cl::sub(convert)};
  cl::opt<bool> sort{
      "sort", cl::cat(dataCategory), cl::sub(convert),
      cl::desc("Number the edges by destination, then by source,\n"
               "and not as the given file lists them")};
};
} // namespace

static constexpr StringLiteral kOverview =
    R"(Says what a graph is, and converts between the formats of graphs.

  GRAPH is what clique-run takes: a file (Matrix Market, plain or gzip, or a SciPy
  CSR matrix in .npz), or a description such as complete:1000, cliques:20,30,40 or
  window:1000,16. `clique-graph inspect --help` and `convert --help` list options.
)";

static constexpr StringLiteral kExamples = R"(
EXAMPLES:
  What a graph is, and where its edges are:
    clique-graph inspect karate.mtx
    clique-graph inspect karate.mtx -o pattern.svg
    clique-graph inspect karate.mtx --json

  What a layer would run on it, and why:
    clique-graph inspect karate.mtx --layer=attention.mlir

  Other formats. A graph is its edges and their order: values in a matrix are not
  part of it, and are left out.
    clique-graph convert karate.mtx karate.npz
    clique-graph convert cliques:20,30,40 batch.mtx.gz

EXIT STATUS:
  0 if all went well, 1 on an error. Then no file is written.
)";

static Expected<InspectRequest> readInspect(const Options &options) {
  InspectRequest request;
  request.graph = options.inspected;
  request.layer = options.layer;
  request.entry = options.entry;
  request.picture = options.picture;
  request.json = options.json;
  if (!request.entry.empty() && request.layer.empty())
    return createStringError("--entry=" + request.entry +
                             ": names a layer of a file; add "
                             "--layer=SPEC.mlir");
  const StringRef picture = request.picture;
  if (picture.ends_with(".svg"))
    request.format = PictureFormat::svg;
  else if (picture.ends_with(".png"))
    request.format = PictureFormat::png;
  else if (!picture.empty())
    return createStringError("-o " + picture +
                             ": pictures are SVG or PNG; the file's name must "
                             "end in .svg or .png");
  return request;
}

static Expected<ConvertRequest> readConvert(const Options &options) {
  ConvertRequest request;
  request.graph = options.converted;
  request.output = options.output;
  request.sort = options.sort;
  for (auto [suffix, format] : {std::pair(".mtx", CLIQUE_GRAPH_MTX),
                                std::pair(".mtx.gz", CLIQUE_GRAPH_MTX_GZ),
                                std::pair(".npz", CLIQUE_GRAPH_NPZ)})
    if (StringRef(request.output).ends_with(suffix)) {
      request.format = format;
      return request;
    }
  return createStringError(request.output +
                           ": graphs are written as Matrix Market files or as "
                           "SciPy CSR matrices; the file's name must end in "
                           ".mtx, .mtx.gz or .npz");
}

Expected<GraphRequest> clique::parseGraphCommandLine(int argc, char **argv) {
  // The libraries bring hundreds of options.
  cl::ResetCommandLineParser();
  // They stay registered: the linker goes through all that are.
  static Options options;
  cl::extrahelp help(kExamples);
  for (cl::SubCommand *command :
       {&cl::SubCommand::getTopLevel(), &options.inspect, &options.convert})
    cl::HideUnrelatedOptions(options.dataCategory, *command);
  cl::SetVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  if (options.inspect)
    return readInspect(options);
  if (options.convert)
    return readConvert(options);
  return createStringError(
      "expected 'inspect GRAPH' or 'convert GRAPH FILE'; see --help");
}
