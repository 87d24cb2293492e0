//===- SanitizerOptions.cpp - Sanitizers beside LLVM's libraries ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of every program that uses LLVM, when it is built with a sanitizer.
//
//===----------------------------------------------------------------------===//

/// Debian's LLVM is not instrumented: containers and pools that cross into it
/// look poisoned, and what it keeps for good looks leaked. That memory is used
/// up is an error to be reported, not the end of the program.
extern "C" const char *__asan_default_options() { // NOLINT
  return "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:"
         "allocator_may_return_null=1";
}
