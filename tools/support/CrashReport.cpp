//===- CrashReport.cpp - No program ends without a word -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's handlers, with our words.
//
//===----------------------------------------------------------------------===//
#include "tools/support/CrashReport.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include <exception>
#include <new>
#include <string>
#include <unistd.h>

/// Allocates nothing. Files that were being written are removed.
[[noreturn]] static void endWithoutMemory(const std::string &message) {
  llvm::sys::RunInterruptHandlers();
  if (::write(STDERR_FILENO, message.data(), message.size()) < 0)
    ::_exit(2);
  ::_exit(1);
}

/// What the runtime does not make an error of a call is no defect either: a
/// spec may ask for more than there is.
static void reportLackOfMemory(const char *program) {
  static const std::string message =
      std::string(program) +
      ": error: out of memory: the sizes in the spec, its graph or its inputs "
      "ask for more than there is; make them smaller\n";
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endWithoutMemory(message); });
  static const std::terminate_handler previous = std::get_terminate();
  std::set_terminate([] {
    try {
      if (std::exception_ptr thrown = std::current_exception())
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc &) {
      endWithoutMemory(message);
    } catch (...) { // NOLINT(bugprone-empty-catch): `previous` speaks of it
    }
    previous();
  });
}

void clique::reportCrashes(const char *program) {
  reportLackOfMemory(program);
  // The handler reads it when nothing can be allocated any more.
  static const std::string message =
      std::string(program) +
      ": error: ended by a defect of the program; nothing was written; report "
      "it with the spec, the command and these lines\n";
  llvm::setBugReportMsg(message.c_str());
  llvm::EnablePrettyStackTrace();
}
