//===- Programs.cpp - Other programs, and files for them ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Programs.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clique;

Expected<TemporaryFile> TemporaryFile::create(StringRef suffix,
                                              StringRef contents) {
  SmallString<128> path;
  int file;
  if (std::error_code code =
          sys::fs::createTemporaryFile("clique", suffix, file, path))
    return createStringError(code, "no temporary file can be made: %s",
                             code.message().c_str());
  TemporaryFile result(path);
  raw_fd_ostream out(file, /*shouldClose=*/true);
  out << contents;
  out.close();
  if (std::error_code code = out.error()) {
    out.clear_error();
    return createStringError(code, "%s: cannot be written: %s", path.c_str(),
                             code.message().c_str());
  }
  return result;
}

TemporaryFile::~TemporaryFile() {
  // It may be gone already.
  if (!path.empty())
    (void)sys::fs::remove(path); // NOLINT(bugprone-unused-return-value)
}

Expected<std::string> TemporaryFile::read() const {
  auto contents = MemoryBuffer::getFile(path);
  if (!contents)
    return createStringError(contents.getError(), "%s: cannot be read: %s",
                             path.c_str(),
                             contents.getError().message().c_str());
  return (*contents)->getBuffer().str();
}

Expected<ProgramResult> clique::runProgram(StringRef program,
                                           ArrayRef<std::string> arguments) {
  Expected<TemporaryFile> log = TemporaryFile::create("log");
  if (!log)
    return log.takeError();
  SmallVector<StringRef> command = {program};
  command.append(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {
      StringRef(), StringRef(log->getPath()), StringRef(log->getPath())};
  std::string message;
  int status = sys::ExecuteAndWait(program, command, std::nullopt, redirects, 0,
                                   0, &message);
  if (!message.empty())
    return ProgramResult{status, message};
  Expected<std::string> output = log->read();
  if (!output)
    return output.takeError();
  return ProgramResult{status, StringRef(*output).trim().str()};
}
