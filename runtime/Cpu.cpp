//===- Cpu.cpp - Features of this CPU -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variant of a layer this CPU can run. The compiler's own feature test
// also asks whether the operating system saves the wide registers.
//
//===----------------------------------------------------------------------===//
#include "runtime/Cpu.h"

#include <algorithm>
#include <string_view>

using namespace clique;

#if defined(__x86_64__)
static bool hasFeature(std::string_view name) {
// LLVM and the compiler's built-in spell these alike.
#define FEATURE(NAME)                                                          \
  if (name == (NAME))                                                          \
    return __builtin_cpu_supports(NAME);
  FEATURE("cmov")
  FEATURE("mmx")
  FEATURE("popcnt")
  FEATURE("sse")
  FEATURE("sse2")
  FEATURE("sse3")
  FEATURE("ssse3")
  FEATURE("sse4.1")
  FEATURE("sse4.2")
  FEATURE("avx")
  FEATURE("avx2")
  FEATURE("fma")
  FEATURE("bmi")
  FEATURE("bmi2")
  FEATURE("aes")
  FEATURE("pclmul")
  FEATURE("f16c")
  FEATURE("lzcnt")
  FEATURE("movbe")
  FEATURE("adx")
  FEATURE("gfni")
  FEATURE("vaes")
  FEATURE("vpclmulqdq")
  FEATURE("avxvnni")
  FEATURE("avx512f")
  FEATURE("avx512bw")
  FEATURE("avx512cd")
  FEATURE("avx512dq")
  FEATURE("avx512vl")
  FEATURE("avx512ifma")
  FEATURE("avx512vbmi")
  FEATURE("avx512vbmi2")
  FEATURE("avx512vnni")
  FEATURE("avx512bitalg")
  FEATURE("avx512vpopcntdq")
  FEATURE("avx512bf16")
  FEATURE("avx512fp16")
#undef FEATURE
  return false;
}
#else
static bool hasFeature(std::string_view) { return false; }
#endif

std::string clique::firstMissingFeature(const char *features) {
  std::string_view rest = features ? features : "";
  while (!rest.empty()) {
    std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    if (!name.empty() && name.front() == '+')
      name.remove_prefix(1);
    if (!name.empty() && !hasFeature(name))
      return std::string(name);
  }
  return "";
}
