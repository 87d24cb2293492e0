//===- TestLayer.cpp - A library for the loader to open ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer written by hand; TEST_ABI_VERSION gives it another version.
//
//===----------------------------------------------------------------------===//
#include "runtime/clique.h"

#ifndef TEST_ABI_VERSION
#define TEST_ABI_VERSION CLIQUE_ABI_VERSION
#endif

static void doNothing(void **) {}

static const clique_variant variants[] = {{"", doNothing}};

// NOLINTBEGIN(readability-identifier-naming): what a compiled layer exports
extern "C" {
CLIQUE_API extern const clique_layer clique_layer_nothing;
const clique_layer clique_layer_nothing = {
    TEST_ABI_VERSION, 0,        0,      1, "nothing", nullptr,
    nullptr,          variants, kDLCPU, 0, nullptr};
CLIQUE_API extern const clique_layer *const clique_layers[];
const clique_layer *const clique_layers[] = {&clique_layer_nothing, nullptr};
}
// NOLINTEND(readability-identifier-naming)
