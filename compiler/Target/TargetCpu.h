//===- TargetCpu.h - The processors that code is made for -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves the names of processors and features that users give.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_TARGETCPU_H
#define CLIQUE_COMPILER_TARGET_TARGETCPU_H

#include "dialect/IR/MPDialect.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>

namespace clique {

/// A class of processors, as LLVM names it.
struct TargetCpu {
  std::string name;
  std::string features; ///< beside those of the name: "+avx2,-fma"
  /// What a processor must have to run the code, for clique_variant; only
  /// features that the runtime can test.
  std::string required;
  /// Ends the symbols of a variant; empty if there is only one.
  std::string suffix;
  int64_t vectorBits = 128;
  int64_t numRegisters = 16;
  /// The second-level cache of a core: of this machine, if it is this one.
  int64_t l2Bytes = 1 << 20;
  /// Those of this machine, if it is this one and has more than usual.
  int64_t numCores = 8;
  bool hasBF16Pairs = false;
  /// Of the processors whose times are known, the one that is most like it.
  mp::Rates rates = mp::Rates::zen5;

  /// What passes know of it.
  mp::CpuAttr describe(mlir::MLIRContext *context) const;
};

/// Resolves `--cpu` and `--features`: `native` is this machine, `multi` the
/// levels 4, 3 and 2 of x86-64, best first, anything else a name of LLVM's.
llvm::Expected<llvm::SmallVector<TargetCpu>>
selectTargetCpus(llvm::StringRef cpu, llvm::StringRef features);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_TARGETCPU_H
