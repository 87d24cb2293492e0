//===- PositiveSize.h - Sizes as options of passes --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_POSITIVESIZE_H
#define CLIQUE_COMPILER_ANALYSIS_POSITIVESIZE_H

#include "llvm/Support/CommandLine.h"

namespace clique {

/// A size that a pass divides by or counts up by: what is given for it is at
/// least 1, or the option is an error.
struct PositiveSize {
  int64_t value = 1;
  operator int64_t() const { return value; }
};

} // namespace clique

namespace llvm::cl {

template <>
class parser<clique::PositiveSize> : public basic_parser<clique::PositiveSize> {
public:
  using basic_parser::basic_parser;
  /// True after an error.
  bool parse(Option &option, StringRef, StringRef text,
             clique::PositiveSize &size) {
    if (text.getAsInteger(10, size.value) || size.value < 1)
      return option.error("'" + text +
                          "' is no size, expected a whole number from 1 on");
    return false;
  }
  StringRef getValueName() const override { return "size"; }
  void printOptionDiff(const Option &, clique::PositiveSize,
                       const OptionValue<clique::PositiveSize> &,
                       size_t) const {}
};

} // namespace llvm::cl

#endif // CLIQUE_COMPILER_ANALYSIS_POSITIVESIZE_H
