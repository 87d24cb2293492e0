//===- TargetGpu.cpp - The GPUs that code is made for ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/TargetGpu.h"
#include "dialect/IR/MPDialect.h"
#include "dialect/IR/MPTargets.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clique;

namespace {
struct Architecture {
  StringRef name;
  StringRef features;
  bool isDefault;
  int64_t sharedKilobytes, multiprocessorKilobytes;
  mp::MatrixUnit matrix;
};
} // namespace

/// In the order of their ages. The oldest PTX lets the oldest driver in that
/// knows the architecture.
static constexpr Architecture kArchitectures[] = {
    {"sm_80", "+ptx70", true, 163, 164, mp::MatrixUnit::mma},
    {"sm_86", "+ptx71", false, 99, 100, mp::MatrixUnit::mma},
    {"sm_89", "+ptx78", false, 99, 100, mp::MatrixUnit::mma},
    {"sm_90", "+ptx78", false, 227, 228, mp::MatrixUnit::mma},
    {"sm_90a", "+ptx80", true, 227, 228, mp::MatrixUnit::wgmma},
    {"sm_100", "+ptx86", false, 227, 228, mp::MatrixUnit::mma},
    {"sm_100a", "+ptx86", true, 227, 228, mp::MatrixUnit::tcgen05},
    {"sm_120", "+ptx87", true, 99, 100, mp::MatrixUnit::mma},
    {"emulated_90a", "", false, 227, 228, mp::MatrixUnit::wgmma},
    {"emulated", "", false, 227, 228, mp::MatrixUnit::mma},
};

static TargetGpu makeGpu(const Architecture &architecture) {
  return {architecture.name.str(), architecture.features.str(),
          architecture.sharedKilobytes * 1024,
          architecture.multiprocessorKilobytes * 1024, architecture.matrix};
}

mp::GpuAttr TargetGpu::describe(mlir::MLIRContext *context) const {
  context->getOrLoadDialect<mp::MPDialect>();
  mp::GpuAttr usual = mp::getDefaultGpu(context);
  return mp::GpuAttr::get(context, sharedBytes, multiprocessorSharedBytes,
                          matrix, usual.getThreadRegisters(), usual.getWarp());
}

Expected<SmallVector<TargetGpu>> clique::selectTargetGpus(StringRef names) {
  SmallVector<StringRef> wanted;
  if (names == "multi") {
    for (const Architecture &architecture : kArchitectures)
      if (architecture.isDefault)
        wanted.push_back(architecture.name);
  } else {
    names.split(wanted, ',');
  }
  for (StringRef name : wanted)
    if (none_of(kArchitectures,
                [&](const Architecture &known) { return known.name == name; }))
      return createStringError(
          "--gpu-arch=" + names + ": there is no architecture '" + name +
          "'; expected multi, or some of " +
          join(map_range(kArchitectures,
                         [](const Architecture &known) { return known.name; }),
               ", "));
  SmallVector<TargetGpu> gpus;
  for (const Architecture &architecture : kArchitectures)
    if (is_contained(wanted, architecture.name))
      gpus.push_back(makeGpu(architecture));
  return gpus;
}

/// The number of "sm_90a": 90; 0 for the emulated driver.
static unsigned getNumber(StringRef name) {
  unsigned number = 0;
  name.consume_front("sm_");
  name.consumeInteger(10, number);
  return number;
}

Expected<TargetGpu> clique::selectTargetGpuOf(StringRef device) {
  const Architecture *best = nullptr;
  for (const Architecture &known : kArchitectures) {
    // Code for one architecture only has a letter at the end.
    bool isSpecial = isAlpha(known.name.back());
    if (isSpecial ? getNumber(known.name) == getNumber(device)
                  : getNumber(known.name) <= getNumber(device))
      best = &known;
  }
  if (best)
    return makeGpu(*best);
  return createStringError("there is no code generator for a GPU of "
                           "architecture '" +
                           device + "'; sm_80 is the oldest");
}
