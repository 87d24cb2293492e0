//===- Arguments.h - Arguments of an invocation -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of what a caller hands to a layer against the layer's description.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_ARGUMENTS_H
#define CLIQUE_RUNTIME_ARGUMENTS_H

#include "runtime/clique.h"

namespace clique {

/// Throws an error that names the layer and the argument.
/// `device`: where the tensors have to be.
void checkArguments(const clique_layer &layer, DLDevice device,
                    const clique_value *args, int32_t numArgs,
                    int32_t numResults);

} // namespace clique

#endif // CLIQUE_RUNTIME_ARGUMENTS_H
