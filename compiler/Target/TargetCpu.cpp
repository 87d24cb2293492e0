//===- TargetCpu.cpp - The processors that code is made for ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and features are checked here: LLVM itself warns about some mistakes
// and aborts on others.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/TargetCpu.h"
#include "dialect/IR/MPDialect.h"
#include "dialect/IR/MPTargets.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <unistd.h>

using namespace mlir;
using namespace clique;

template <typename... Args>
static llvm::Error makeError(const char *format, const Args &...args) {
  return llvm::createStringError(std::errc::invalid_argument, format, args...);
}

/// The features that clique_variant may ask for: those that the runtime tests.
static constexpr StringLiteral testable[] = {"cmov",
                                             "mmx",
                                             "popcnt",
                                             "sse",
                                             "sse2",
                                             "sse3",
                                             "ssse3",
                                             "sse4.1",
                                             "sse4.2",
                                             "avx",
                                             "avx2",
                                             "fma",
                                             "bmi",
                                             "bmi2",
                                             "aes",
                                             "pclmul",
                                             "f16c",
                                             "lzcnt",
                                             "movbe",
                                             "adx",
                                             "gfni",
                                             "vaes",
                                             "vpclmulqdq",
                                             "avxvnni",
                                             "avx512f",
                                             "avx512bw",
                                             "avx512cd",
                                             "avx512dq",
                                             "avx512vl",
                                             "avx512ifma",
                                             "avx512vbmi",
                                             "avx512vbmi2",
                                             "avx512vnni",
                                             "avx512bitalg",
                                             "avx512vpopcntdq",
                                             "avx512bf16",
                                             "avx512fp16"};

static const llvm::Triple &getHostTriple() {
  static const llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  return triple;
}

static llvm::Expected<std::unique_ptr<llvm::MCSubtargetInfo>>
getSubtarget(StringRef cpu, StringRef features) {
  llvm::InitializeNativeTarget();
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(getHostTriple(), message);
  if (!target)
    return makeError("no code generator for %s: %s",
                     getHostTriple().str().c_str(), message.c_str());
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(getHostTriple(), cpu, features));
}

static llvm::Error checkCpu(StringRef cpu) {
  auto subtarget = getSubtarget("", "");
  if (!subtarget)
    return subtarget.takeError();
  if ((*subtarget)->isCPUStringValid(cpu) && cpu != "help")
    return llvm::Error::success();
  return makeError("--cpu=%s: LLVM knows no such processor; use native, multi, "
                   "generic, x86-64-v2, x86-64-v3, x86-64-v4 or a name such as "
                   "skylake-avx512 or znver4",
                   cpu.str().c_str());
}

static llvm::Error checkFeatures(StringRef features) {
  if (features.empty())
    return llvm::Error::success();
  auto subtarget = getSubtarget("", "");
  if (!subtarget)
    return subtarget.takeError();
  for (StringRef item : llvm::split(features, ',')) {
    StringRef name = item;
    if (!name.consume_front("+") && !name.consume_front("-"))
      return makeError("--features=%s: '%s' starts with neither '+' nor '-'; "
                       "write +NAME to use a feature, -NAME to avoid it",
                       features.str().c_str(), item.str().c_str());
    if (llvm::none_of((*subtarget)->getAllProcessorFeatures(),
                      [&](const auto &known) { return name == known.Key; }))
      return makeError("--features=%s: LLVM knows no feature '%s' of this "
                       "architecture; it spells them as in +avx2,-fma",
                       features.str().c_str(), name.str().c_str());
  }
  return llvm::Error::success();
}

/// Appends what the code generator should know beside the caller's features.
static std::string completeFeatures(const llvm::MCSubtargetInfo &subtarget,
                                    StringRef features) {
  std::string result = features.str();
  // Wide vectors are worth it: the kernels are nothing but wide arithmetic.
  if (subtarget.checkFeatures("+avx512f") &&
      !features.contains("prefer-256-bit"))
    result += result.empty() ? "-prefer-256-bit" : ",-prefer-256-bit";
  return result;
}

static llvm::Expected<TargetCpu> makeTargetCpu(StringRef name,
                                               StringRef features) {
  auto subtarget = getSubtarget(name, features);
  if (!subtarget)
    return subtarget.takeError();
  TargetCpu cpu;
  cpu.name = name.str();
  cpu.features = completeFeatures(**subtarget, features);
  if (!getHostTriple().isX86())
    return cpu;

  // Without these LLVM cannot compile for x86-64 and ends the process.
  auto has = [&](StringRef feature) {
    return (*subtarget)->checkFeatures(("+" + feature).str());
  };
  if (!has("64bit") || !has("64bit-mode") || !has("sse2") || !has("cx8") ||
      has("soft-float") || has("32bit-mode") || has("16bit-mode"))
    return makeError("--cpu=%s: is no 64-bit x86 processor with SSE2 (with the "
                     "features that were asked for); choose x86-64 or better",
                     name.str().c_str());
  SmallVector<StringRef> required;
  llvm::copy_if(testable, std::back_inserter(required), has);
  cpu.required = llvm::join(required, ",");
  if (has("avx512f"))
    cpu.vectorBits = features.contains("+prefer-256-bit") ? 256 : 512;
  else if (has("avx"))
    cpu.vectorBits = 256;
  cpu.numRegisters = has("avx512vl") ? 32 : 16;
  cpu.hasBF16Pairs = has("avx512bf16") && cpu.vectorBits == 512;
  if (name == "znver4")
    cpu.rates = mp::Rates::zen4;
  else if (cpu.vectorBits < 512)
    cpu.rates = mp::Rates::zen3;
  return cpu;
}

mp::CpuAttr TargetCpu::describe(MLIRContext *context) const {
  context->getOrLoadDialect<mp::MPDialect>();
  mp::CpuAttr usual = mp::getDefaultCpu(context);
  return mp::CpuAttr::get(context, vectorBits, numRegisters,
                          usual.getLineBytes(), l2Bytes, numCores, hasBF16Pairs,
                          rates);
}

/// The second-level cache of this machine, if that says how large it is.
static std::optional<int64_t> getHostL2Bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  constexpr int64_t least = 256 << 10, most = 4 << 20;
  int64_t bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0)
    return std::clamp(bytes, least, most);
#endif
  return std::nullopt;
}

static std::string getHostFeatures() {
  SmallVector<std::string> features;
  for (const auto &entry : llvm::sys::getHostCPUFeatures())
    features.push_back((entry.second ? "+" : "-") + entry.first().str());
  // The map has no order of its own; the output must not depend on it.
  llvm::sort(features);
  return llvm::join(features, ",");
}

static llvm::Expected<SmallVector<TargetCpu>> selectLevels(StringRef features) {
  if (getHostTriple().getArch() != llvm::Triple::x86_64)
    return makeError(
        "--cpu=multi: makes variants for the levels of x86-64, but "
        "this machine is %s; use --cpu=native or a name",
        getHostTriple().getArchName().str().c_str());
  SmallVector<TargetCpu> cpus;
  for (StringRef level : {"x86-64-v4", "x86-64-v3", "x86-64-v2"}) {
    auto cpu = makeTargetCpu(level, features);
    if (!cpu)
      return cpu.takeError();
    cpu->suffix = "." + level.str();
    llvm::replace(cpu->suffix, '-', '_');
    cpus.push_back(std::move(*cpu));
  }
  return cpus;
}

llvm::Expected<SmallVector<TargetCpu>>
clique::selectTargetCpus(StringRef cpu, StringRef features) {
  if (llvm::Error error = checkFeatures(features))
    return std::move(error);
  if (cpu == "multi")
    return selectLevels(features);
  std::string name = cpu.str(), all = features.str();
  if (cpu == "native") {
    name = llvm::sys::getHostCPUName().str();
    all = getHostFeatures();
    if (!features.empty())
      all += "," + features.str();
  } else if (llvm::Error error = checkCpu(cpu)) {
    return std::move(error);
  }
  auto target = makeTargetCpu(name, all);
  if (!target)
    return target.takeError();
  if (cpu == "native") {
    target->l2Bytes = getHostL2Bytes().value_or(target->l2Bytes);
    target->numCores =
        std::max<int64_t>(target->numCores, llvm::get_physical_cores());
  }
  return SmallVector<TargetCpu>{std::move(*target)};
}
