//===- CNames.cpp - Names and types of C ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CNames.h"
#include "runtime/clique.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clique;

/// Words of C and C++ that could stand as an argument's name in a spec.
static bool isReserved(StringRef name) {
  static const StringSet<> words = {
      "alignas",       "alignof",   "and",       "and_eq",
      "asm",           "auto",      "bitand",    "bitor",
      "bool",          "break",     "case",      "catch",
      "char",          "char16_t",  "char32_t",  "char8_t",
      "class",         "co_await",  "co_return", "co_yield",
      "compl",         "concept",   "const",     "consteval",
      "constexpr",     "constinit", "continue",  "decltype",
      "default",       "delete",    "do",        "double",
      "else",          "enum",      "explicit",  "export",
      "extern",        "false",     "float",     "for",
      "friend",        "goto",      "if",        "inline",
      "int",           "long",      "mutable",   "namespace",
      "new",           "noexcept",  "not",       "not_eq",
      "nullptr",       "operator",  "or",        "or_eq",
      "private",       "protected", "public",    "register",
      "requires",      "restrict",  "return",    "short",
      "signed",        "sizeof",    "static",    "static_assert",
      "struct",        "switch",    "template",  "this",
      "thread_local",  "throw",     "true",      "try",
      "typedef",       "typeid",    "typename",  "typeof",
      "typeof_unqual", "union",     "unsigned",  "using",
      "virtual",       "void",      "volatile",  "wchar_t",
      "while",         "xor",       "xor_eq",    "NULL",
      "linux",         "unix"};
  return words.contains(name) || name.ends_with("_cast");
}

/// Whether <stdint.h> or <stddef.h> may have a type or a macro of this name.
static bool isOfStandard(StringRef name) {
  auto beginsWith = [&](StringRef start) { return name.starts_with(start); };
  auto endsWith = [&](StringRef end) { return name.ends_with(end); };
  static constexpr StringLiteral types[] = {"int",     "uint",    "size",
                                            "ptrdiff", "nullptr", "max_align"};
  static constexpr StringLiteral limits[] = {"_C", "_MAX", "_MIN", "_WIDTH"};
  return (name.ends_with("_t") && any_of(types, beginsWith)) ||
         (none_of(name, isLower) && any_of(limits, endsWith));
}

/// What clique.h, what it includes and the header itself declare, and what
/// compilers may define.
static bool isOfHeader(StringRef name) {
  return name.starts_with_insensitive("clique_") || name.starts_with("DL") ||
         name.starts_with("kDL") || name.starts_with("__") ||
         (name.starts_with("_") && name.size() > 1 && isUpper(name[1])) ||
         isOfStandard(name);
}

std::string clique::toIdentifier(StringRef name) {
  std::string result;
  for (char c : name)
    result += isAlnum(c) ? c : '_';
  if (result.empty() || isDigit(result[0]))
    result = "_" + result;
  return isReserved(result) || isOfHeader(result) ? result + "_" : result;
}

StringRef clique::getCType(DLDataType type) {
  if (type.code == kDLBfloat || (type.code == kDLFloat && type.bits == 16))
    return "uint16_t";
  if (type.code == kDLFloat)
    return type.bits == 32 ? "float" : "double";
  if (type.code == CLIQUE_DL_BOOL)
    return "bool";
  return type.bits == 8    ? "int8_t"
         : type.bits == 16 ? "int16_t"
         : type.bits == 32 ? "int32_t"
                           : "int64_t";
}

StringRef clique::getDLPackCode(DLDataType type) {
  return type.code == kDLBfloat  ? "kDLBfloat"
         : type.code == kDLFloat ? "kDLFloat"
         : type.code == kDLInt   ? "kDLInt"
                                 : "CLIQUE_DL_BOOL";
}
