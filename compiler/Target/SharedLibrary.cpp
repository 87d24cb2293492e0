//===- SharedLibrary.cpp - Links a compiled layer -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLD as a library: no program of the user's system is needed, and none is
// started.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/SharedLibrary.h"
#include "compiler/Target/LinkedLibraries.h"
#include "compiler/Target/Programs.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace clique;

/// The library of this process that defines `symbol`: layers call the same
/// one, whatever files for development the system has.
template <typename Function>
static std::string findLibraryOf(Function *symbol) {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(symbol), &info) || !info.dli_fname)
    return "";
  return info.dli_fname;
}

static SmallVector<std::string> listSystemLibraries() {
  double (*exponential)(double) = std::exp;
  SmallVector<std::string> libraries;
  for (std::string library :
       {findLibraryOf(exponential), findLibraryOf(&std::malloc)})
    if (StringRef(library).contains(".so"))
      libraries.push_back(std::move(library));
  return libraries;
}

/// LLD has one state per process; a fatal error in it must not end ours.
static Error runLinker(ArrayRef<std::string> arguments) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  SmallVector<const char *> words;
  for (const std::string &argument : arguments)
    words.push_back(argument.c_str());
  std::string messages;
  raw_string_ostream stream(messages);
  CrashRecoveryContext::Enable();
  lld::Result result =
      lld::lldMain(words, stream, stream, {{lld::Gnu, &lld::elf::link}});
  CrashRecoveryContext::Disable();
  if (result.retCode == 0)
    return Error::success();
  return createStringError(
      std::errc::io_error, "the compiled code could not be linked:\n%s",
      messages.empty() ? "the linker failed without a message"
                       : StringRef(messages).trim().str().c_str());
}

Expected<std::string> clique::mergeObjects(ArrayRef<SmallString<0>> objects) {
  Expected<TemporaryFile> output = TemporaryFile::create("o");
  if (!output)
    return output.takeError();
  SmallVector<std::string> arguments = {"ld.lld",      "-r",
                                        "--threads=1", "--no-mmap-output-file",
                                        "-o",          output->getPath()};
  SmallVector<TemporaryFile> inputs;
  for (StringRef object : objects) {
    Expected<TemporaryFile> input = TemporaryFile::create("o", object);
    if (!input)
      return input.takeError();
    arguments.push_back(input->getPath());
    inputs.push_back(std::move(*input));
  }
  if (Error error = runLinker(arguments))
    return std::move(error);
  return output->read();
}

Error clique::linkSharedLibrary(MemoryBufferRef object, StringRef output) {
  Expected<TemporaryFile> input =
      TemporaryFile::create("o", object.getBuffer());
  if (!input)
    return input.takeError();

  std::string runtime = getRuntimeLibrary(), openmp = getOpenMPLibrary();
  // Results of LLD's threads would be the same, but they stay for good. An
  // output that is mapped would be removed by LLVM's handlers of signals, which
  // belong to the program. The table of layers is of this library's layers,
  // whatever the program is linked with (-Bsymbolic).
  SmallVector<std::string> arguments = {"ld.lld",
                                        "-shared",
                                        "--threads=1",
                                        "--no-mmap-output-file",
                                        "--build-id",
                                        "--eh-frame-hdr",
                                        "--hash-style=gnu",
                                        "-z",
                                        "separate-code",
                                        "-Bsymbolic",
                                        "-o",
                                        output.str(),
                                        input->getPath()};
  // Not every layer has parallel loops.
  arguments.push_back("--as-needed");
  arguments.push_back(runtime);
  arguments.push_back(openmp);
  arguments.append(listSystemLibraries());
  for (StringRef path : {StringRef("$ORIGIN"), sys::path::parent_path(runtime),
                         sys::path::parent_path(openmp)})
    arguments.push_back(("-rpath=" + path).str());
  return runLinker(arguments);
}
