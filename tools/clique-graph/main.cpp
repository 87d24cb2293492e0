//===- main.cpp - The program clique-graph --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/support/Mains.h"

int main(int argc, char **argv) { return clique::graphMain(argc, argv); }
