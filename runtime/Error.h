//===- Error.h - Errors inside the runtime ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inside the runtime a failure is an exception that carries the status and the
// whole message. It never crosses the C ABI: each entry point runs in
// guarded(), which turns it into a status and the thread's last error.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_ERROR_H
#define CLIQUE_RUNTIME_ERROR_H

#include "runtime/clique.h"

#include <exception>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace clique {

class Error : public std::exception {
public:
  Error(clique_status status, std::string message)
      : failure(status), message(std::move(message)) {}

  clique_status status() const { return failure; }
  const char *what() const noexcept override { return message.c_str(); }

private:
  clique_status failure;
  std::string message;
};

/// Throws an Error with a formatted message.
template <typename... Args>
[[noreturn]] void fail(clique_status status, fmt::format_string<Args...> format,
                       Args &&...args) {
  throw Error(status, fmt::format(format, std::forward<Args>(args)...));
}

/// Makes the exception being handled the thread's last error.
clique_status reportCurrentException() noexcept;

/// Sets the thread's last error.
void setLastError(const char *message) noexcept;

/// Runs the body of a C entry point.
template <typename Fn>
clique_status guarded(Fn &&body) noexcept {
  try {
    body();
    return CLIQUE_OK;
  } catch (...) {
    return reportCurrentException();
  }
}

/// Refuses a null pointer handed in by the caller.
inline void requireNonNull(const void *pointer, const char *function,
                           const char *argument) {
  if (!pointer)
    fail(CLIQUE_INVALID_ARGUMENT, "{}: '{}' is NULL", function, argument);
}

} // namespace clique

#endif // CLIQUE_RUNTIME_ERROR_H
