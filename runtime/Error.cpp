//===- Error.cpp - Errors inside the runtime ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread's last error, and the way from an exception to it.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"

#include <new>
#include <stdexcept>

using namespace clique;

namespace {
constexpr const char *outOfMemory =
    "out of memory: use a smaller graph or fewer features, or free results "
    "that are no longer needed";

/// The text is kept in `text`, unless there was no memory for it: then `fixed`
/// points to a literal.
struct LastError {
  std::string text;
  const char *fixed = nullptr;
};
} // namespace

static LastError &lastError() {
  thread_local LastError error;
  return error;
}

void clique::setLastError(const char *message) noexcept {
  LastError &error = lastError();
  try {
    error.text = message;
    error.fixed = nullptr;
  } catch (...) {
    error.fixed = outOfMemory;
  }
}

clique_status clique::reportCurrentException() noexcept {
  try {
    throw;
  } catch (const Error &error) {
    setLastError(error.what());
    return error.status();
  } catch (const std::bad_alloc &) {
    setLastError(outOfMemory);
    return CLIQUE_OUT_OF_MEMORY;
  } catch (const std::length_error &) {
    setLastError(outOfMemory);
    return CLIQUE_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    setLastError(error.what());
    return CLIQUE_INVALID_ARGUMENT;
  } catch (...) {
    setLastError("unknown error in the runtime");
    return CLIQUE_INVALID_ARGUMENT;
  }
}

const char *clique_last_error(void) {
  const LastError &error = lastError();
  return error.fixed ? error.fixed : error.text.c_str();
}

uint32_t clique_abi_version(void) { return CLIQUE_ABI_VERSION; }
