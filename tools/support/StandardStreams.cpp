//===- StandardStreams.cpp - Output that cannot be written ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/support/StandardStreams.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace clique;

void clique::occupyStandardStreams() {
  // LLVM's FixupStandardFileDescriptors opens all of them for writing, too.
  // A closed standard output stays an error of who writes to it; who closes
  // that for errors wants none of them.
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

Error clique::flushStandardOutput() {
  outs().flush();
  std::error_code code = outs().error();
  outs().clear_error();
  if (!code)
    return Error::success();
  return createStringError(code, "standard output: cannot be written: " +
                                     code.message());
}
