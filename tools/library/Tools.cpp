//===- Tools.cpp - The command-line tools in the library ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/CApi/clique_compiler.h"
#include "tools/support/Mains.h"

#include <cstdio>
#include <cstring>

namespace {
struct Tool {
  const char *name;
  int (*run)(int argc, char **argv);
};
} // namespace

static constexpr Tool kTools[] = {{"run", clique::runMain},
                                  {"compile", clique::compileMain},
                                  {"graph", clique::graphMain},
                                  {"opt", clique::optMain}};

int clique_tool_main(const char *tool, int argc, char **argv) {
  for (const Tool &known : kTools)
    if (std::strcmp(tool, known.name) == 0)
      return known.run(argc, argv);
  std::fprintf(stderr, "error: there is no tool '%s'\n", tool);
  return 1;
}
