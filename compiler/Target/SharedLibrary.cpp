//===- SharedLibrary.cpp - Links a compiled layer -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker is a program of the user's system; everything it needs to be told
// is here.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/SharedLibrary.h"
#include "compiler/Target/LinkedLibraries.h"
#include "compiler/Target/Programs.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace clique;

namespace {
struct Linker {
  std::string program;
  bool isDriver; ///< takes options for the linker as -Wl,...
};
} // namespace

static Expected<Linker> findLinker() {
  for (auto [name, isDriver] :
       {std::pair("cc", true), std::pair("clang", true),
        std::pair("clang-22", true), std::pair("gcc", true),
        std::pair("ld.lld", false), std::pair("ld.lld-22", false),
        std::pair("ld", false)})
    if (ErrorOr<std::string> program = sys::findProgramByName(name))
      return Linker{*program, isDriver};
  return createStringError(
      std::errc::no_such_file_or_directory,
      "no linker found for the shared library: neither cc, clang, gcc, ld.lld "
      "nor ld is in PATH; install one (package gcc or lld), or emit an object "
      "file with --emit=obj");
}

/// Runs the linker; what it says is part of the error.
static Error run(const Linker &linker, ArrayRef<std::string> arguments) {
  Expected<ProgramResult> result = runProgram(linker.program, arguments);
  if (!result)
    return result.takeError();
  if (result->status == 0)
    return Error::success();
  return createStringError(std::errc::io_error,
                           "%s could not link the shared library:\n%s",
                           linker.program.c_str(), result->output.c_str());
}

Error clique::linkSharedLibrary(MemoryBufferRef object, StringRef output) {
  Expected<Linker> linker = findLinker();
  if (!linker)
    return linker.takeError();
  Expected<TemporaryFile> input =
      TemporaryFile::create("o", object.getBuffer());
  if (!input)
    return input.takeError();

  std::string runtime = getRuntimeLibrary(), openmp = getOpenMPLibrary();
  std::string folder = sys::path::parent_path(runtime).str();
  std::string openmpFolder = sys::path::parent_path(openmp).str();
  SmallVector<std::string> arguments = {"-shared", "-o", output.str(),
                                        input->getPath()};
  auto pass = [&](StringRef option) {
    if (linker->isDriver) {
      arguments.push_back(("-Wl," + option).str());
      return;
    }
    SmallVector<StringRef> words;
    option.split(words, ',');
    for (StringRef word : words)
      arguments.push_back(word.str());
  };
  // Not every layer has parallel loops.
  pass("--as-needed");
  arguments.push_back(runtime);
  arguments.push_back(openmp);
  if (linker->isDriver)
    arguments.push_back("-lm");
  pass("--build-id");
  for (const std::string &path : {std::string("$ORIGIN"), folder, openmpFolder})
    pass("-rpath," + path);
  return run(*linker, arguments);
}
