//===- Mains.h - The command-line tools as functions ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each tool is a program of its own, and all are in libclique_compiler.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_SUPPORT_MAINS_H
#define CLIQUE_TOOLS_SUPPORT_MAINS_H

namespace clique {

/// What main() is in clique-run, clique-compile, clique-graph and clique-opt.
int runMain(int argc, char **argv);
int compileMain(int argc, char **argv);
int graphMain(int argc, char **argv);
int optMain(int argc, char **argv);

} // namespace clique
#endif // CLIQUE_TOOLS_SUPPORT_MAINS_H
