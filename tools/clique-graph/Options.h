//===- Options.h - The command line of clique-graph -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user asks for, before anything is read.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_GRAPH_OPTIONS_H
#define CLIQUE_TOOLS_CLIQUE_GRAPH_OPTIONS_H

#include "runtime/clique.h"
#include "llvm/Support/Error.h"

#include <string>
#include <variant>

namespace clique {

enum class PictureFormat { none, svg, png };

struct InspectRequest {
  std::string graph;
  std::string layer; ///< a spec or a compiled library, or empty
  std::string entry;
  std::string picture;
  PictureFormat format = PictureFormat::none; ///< of the picture
  bool json = false;
};

struct ConvertRequest {
  std::string graph;
  std::string output;
  clique_graph_format format;
  bool sort = false;
};

using GraphRequest = std::variant<InspectRequest, ConvertRequest>;

/// Reads the command line. `--help` and mistakes in the form of an option end
/// the process; what the options say wrongly together is the error.
llvm::Expected<GraphRequest> parseGraphCommandLine(int argc, char **argv);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_GRAPH_OPTIONS_H
