//===- Ptxas.cpp - The assembler of the CUDA Toolkit ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptxas.h"
#include "compiler/Target/Programs.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace clique;

std::optional<std::string> clique::findPtxas() {
  if (ErrorOr<std::string> program = sys::findProgramByName("ptxas"))
    return *program;
  const char *home = getenv("CUDA_HOME");
  if (!home || !*home)
    home = getenv("CUDA_PATH");
  SmallString<128> path(home && *home ? home : "/usr/local/cuda");
  sys::path::append(path, "bin", "ptxas");
  if (sys::fs::can_execute(path))
    return path.str().str();
  return std::nullopt;
}

/// The number before `unit` in what ptxas says of a kernel; 0 if there is none.
static int64_t findNumber(StringRef line, StringRef unit) {
  size_t place = line.find(unit);
  if (place == StringRef::npos)
    return 0;
  StringRef before = line.take_front(place).rtrim();
  size_t start = before.find_last_not_of("0123456789");
  int64_t number = 0;
  before.drop_front(start == StringRef::npos ? 0 : start + 1)
      .getAsInteger(10, number);
  return number;
}

/// Reads the report of `ptxas -v`:
///   ptxas info    : Compiling entry function 'NAME' for 'sm_90a'
///   ptxas info    : Function properties for NAME
///       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
///   ptxas info    : Used 40 registers, used 1 barriers, 1024 bytes smem
static std::vector<KernelUsage> parseReport(StringRef report) {
  std::vector<KernelUsage> usage;
  for (StringRef line : split(report, '\n')) {
    StringRef name = line.split("Compiling entry function '").second;
    if (!name.empty()) {
      usage.emplace_back();
      usage.back().kernel = name.take_until([](char c) { return c == '\''; });
    }
    if (usage.empty())
      continue;
    KernelUsage &kernel = usage.back();
    if (line.contains("spill stores")) {
      kernel.spillStores = findNumber(line, "bytes spill stores");
      kernel.spillLoads = findNumber(line, "bytes spill loads");
    }
    if (line.contains("Used ")) {
      kernel.registers = findNumber(line, "registers");
      kernel.sharedBytes = findNumber(line, "bytes smem");
    }
  }
  return usage;
}

Expected<std::optional<Cubin>>
clique::assemblePtx(StringRef ptxas, StringRef ptx, StringRef architecture) {
  Expected<TemporaryFile> source = TemporaryFile::create("ptx", ptx);
  if (!source)
    return source.takeError();
  Expected<TemporaryFile> target = TemporaryFile::create("cubin");
  if (!target)
    return target.takeError();
  Expected<ProgramResult> result =
      runProgram(ptxas, {"-arch=" + architecture.str(), "-v", "-O3",
                         source->getPath(), "-o", target->getPath()});
  if (!result)
    return result.takeError();
  StringRef output = result->output;
  if (result->status != 0 &&
      (output.contains("is not defined for option 'gpu-name'") ||
       output.contains("Unsupported .version")))
    return std::optional<Cubin>();
  if (result->status != 0)
    return createStringError(
        std::errc::io_error, "%s could not assemble the kernels for %s:\n%s",
        ptxas.str().c_str(), architecture.str().c_str(), output.str().c_str());
  Expected<std::string> code = target->read();
  if (!code)
    return code.takeError();
  return Cubin{std::move(*code), parseReport(output)};
}
