//===- LayerDescriptor.h - What a compiled layer exports --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled layer is data: the constant `clique_layer_NAME` of
// runtime/clique.h, which points to the code. This adds it to an LLVM module.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_LAYERDESCRIPTOR_H
#define CLIQUE_COMPILER_TARGET_LAYERDESCRIPTOR_H

#include "compiler/Target/DeviceCompiler.h"
#include "compiler/Target/LayerSignature.h"
#include "compiler/Target/TargetCpu.h"
#include "llvm/IR/Module.h"

namespace clique {

/// Adds `void clique_entry_NAME<suffix>(void **args)`, which unpacks the
/// arguments of clique_variant for `_mlir_ciface_` and getCodeName(NAME). An
/// error if the module's function does not have that form.
/// The tensors of a layer with kernels are in device memory.
llvm::Error emitEntry(llvm::Module &module, const LayerSignature &signature,
                      llvm::StringRef suffix, bool isForDevice);

/// The kernels of a module's layers.
struct DeviceCode {
  std::vector<DeviceImage> images;
};

/// Adds `clique_layer_NAME` for each signature, with a variant per processor,
/// and their table `clique_layers`. The entries are declared if need be. Layers
/// with code for a device share it: `clique_device_code`.
void emitDescriptors(llvm::Module &module,
                     llvm::ArrayRef<LayerSignature> signatures,
                     llvm::ArrayRef<TargetCpu> cpus,
                     const std::optional<DeviceCode> &device);

/// Whether the symbol is one that a compiled layer exports.
bool isExportedSymbol(llvm::StringRef name);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_LAYERDESCRIPTOR_H
