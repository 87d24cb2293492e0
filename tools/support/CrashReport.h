//===- CrashReport.h - No program ends without a word -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A defect of the compiler or of LLVM may end the process.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_SUPPORT_CRASHREPORT_H
#define CLIQUE_TOOLS_SUPPORT_CRASHREPORT_H

namespace clique {

/// If a signal such as SIGSEGV or SIGABRT ends the process from now on, says so
/// on standard error, with what was being done; so also if there is no more
/// memory, which ends it with status 1. Files that were being written
/// (AtomicFile) are removed.
void reportCrashes(const char *program);

} // namespace clique
#endif // CLIQUE_TOOLS_SUPPORT_CRASHREPORT_H
