//===- Format.cpp - fmt's own functions -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fmt is used without its shared library, which would have to be shipped along
// with the runtime. As a library of headers it compiles all of itself into each
// file that formats a message, half of the time of such a file; here it is
// compiled once. What headers declare `extern template` is instantiated.
//
//===----------------------------------------------------------------------===//
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto thousands_sep_impl<char>(locale_ref)
    -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
} // namespace detail
FMT_END_NAMESPACE
