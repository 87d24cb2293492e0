//===- LibraryNames.h - Functions called as those of libraries --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_LIBRARYNAMES_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_LIBRARYNAMES_H

#include "tools/clique-smith/Scope.h"

namespace clique::smith {

/// Names of the functions of a spec: of some specs those of functions that
/// their code calls. They have a stream of their own, so that the other cases
/// are what they were.
class LibraryNames {
public:
  /// `share`: of the specs.
  LibraryNames(uint64_t seed, double share);

  /// "layer", or a name of C's library, of OpenMP's, of what MLIR looks up.
  std::string getLayerName();
  /// Whether other functions have such names, too.
  bool isUsed() const { return used; }
  /// `name`, or one of a library.
  std::string getPartName(const std::string &name);
  /// Calls such a function on features of the destinations; `functions` gets
  /// it. It calls those of the library.
  void addCall(Scope &scope, const GraphValue &graph, std::string &functions);
  /// Another layer, which nothing calls.
  std::string addLayer();

private:
  std::string takeName();

  Random random;
  bool used;
  std::vector<std::string> left;
};

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_LIBRARYNAMES_H
