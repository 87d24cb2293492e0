//===- Comparison.h - Results and what is expected --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_COMPARISON_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_COMPARISON_H

#include "compiler/Reference/Oracle.h"
#include "compiler/Target/LayerSignature.h"
#include "tools/clique-run/Numbers.h"

#include <optional>

namespace clique::smith {

/// What is wrong with the results; nothing if they agree with the reference. Of
/// copies of the layer, result k is that of the reference modulo their number.
std::optional<std::string> findDifference(Oracle &oracle,
                                          const LayerSignature &signature,
                                          llvm::ArrayRef<TensorHandle> results);

/// Where results of two ways to run a layer, which must not differ, do: `ways`,
/// "one and two threads".
std::optional<std::string> findOtherBits(const LayerSignature &signature,
                                         llvm::ArrayRef<TensorHandle> one,
                                         llvm::ArrayRef<TensorHandle> two,
                                         llvm::StringRef ways);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_COMPARISON_H
