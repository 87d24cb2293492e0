//===- Cpu.cpp - Features of this CPU -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variant of a layer this CPU can run. The compiler's own feature test
// also asks whether the operating system saves the wide registers.
//
//===----------------------------------------------------------------------===//
#include "runtime/Cpu.h"
#include "runtime/Error.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

using namespace clique;

#if defined(__x86_64__)
/// Whether this CPU has the feature; nothing if no layer asks for it.
static std::optional<bool> hasFeature(std::string_view name) {
// LLVM and the compiler's built-in spell these alike.
#define FEATURE(NAME)                                                          \
  if (name == (NAME))                                                          \
    return __builtin_cpu_supports(NAME) != 0;
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
  return std::nullopt;
}
#else
static std::optional<bool> hasFeature(std::string_view) { return std::nullopt; }
#endif

/// Takes the first name off a list.
static std::string_view takeName(std::string_view &list) {
  std::string_view name = list.substr(0, list.find(','));
  list.remove_prefix(std::min(name.size() + 1, list.size()));
  return name;
}

/// Whether the environment says that the feature counts as lacking.
static bool isAvoided(std::string_view feature) {
  const char *names = std::getenv("CLIQUE_AVOID_FEATURES");
  bool found = false;
  for (std::string_view rest = names ? names : ""; !rest.empty();) {
    const std::string_view name = takeName(rest);
    if (!hasFeature(name))
      fail(CLIQUE_INVALID_ARGUMENT,
           "CLIQUE_AVOID_FEATURES: '{}' is no feature that a layer may ask "
           "for; expected names such as avx512f, a comma between two",
           name);
    found = found || name == feature;
  }
  return found;
}

std::string clique::firstMissingFeature(const char *features) {
  std::string_view rest = features ? features : "";
  while (!rest.empty()) {
    std::string_view name = takeName(rest);
    if (!name.empty() && name.front() == '+')
      name.remove_prefix(1);
    if (!name.empty() && (!hasFeature(name).value_or(false) || isAvoided(name)))
      return std::string(name);
  }
  return "";
}

bool clique::hasFeatures(const char *features) {
  thread_local std::string last;
  thread_local bool answer = true; // to the empty list
  if (!features)
    features = "";
  if (last != features) {
    answer = firstMissingFeature(features).empty();
    last = features;
  }
  return answer;
}
