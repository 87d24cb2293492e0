//===- LayerSource.h - The layer that is run --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `SPEC.mlir|LAYER.so`, `--entry` and `--spec`.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_LAYERSOURCE_H
#define CLIQUE_TOOLS_CLIQUE_RUN_LAYERSOURCE_H

#include "compiler/Gradient/GradientFunctions.h"
#include "compiler/Target/Jit.h"
#include "compiler/Target/Spec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tools/clique-run/CodeCache.h"
#include "tools/clique-run/Options.h"

namespace clique {

/// A spec that is compiled when it is needed, or a compiled library, with or
/// without its spec. One layer of it is chosen.
class LayerSource {
public:
  /// Opens what the request names and chooses the layer.
  static llvm::Expected<LayerSource> open(const RunRequest &request);

  const LayerSignature &getSignature() const { return signature; }
  /// The function in the spec; null if there is no spec.
  mlir::func::FuncOp getFunction() const;
  /// The layer itself, compiled now if it comes from a spec. Valid as long as
  /// this.
  llvm::Expected<const clique_layer *> load();
  F32Products getF32Products() const { return f32Products; }

  /// The layer's gradient, if the request asks for it: the functions in the
  /// spec, their descriptions, and the layers, compiled now.
  struct Gradient {
    GradientFunctions functions;
    LayerSignature forward, backward;
    const clique_layer *forwardLayer, *backwardLayer;
  };
  llvm::Expected<Gradient> loadGradient();

private:
  struct CloseLibrary {
    void operator()(clique_library *library) const {
      clique_library_close(library);
    }
  };

  llvm::Error
  openSpec(const std::string &path, const std::string &entry,
           std::optional<llvm::ArrayRef<std::string>> gradients = std::nullopt,
           unsigned derivative = 0);
  llvm::Error openLibrary(const std::string &path, const std::string &entry);
  llvm::Error compile(llvm::ArrayRef<LayerSignature> signatures);
  llvm::Expected<Jit> compileOrFind(llvm::ArrayRef<LayerSignature> signatures,
                                    LayerCompiler::Options options);

  const LayerSignature *findSignature(llvm::StringRef name) const;

  std::string path;
  std::optional<CodeCache> cache;
  llvm::ArrayRef<std::string> prunedHeads; ///< of the request
  TargetDevice target = TargetDevice::cpu;
  llvm::SmallVector<TargetGpu> gpus;
  F32Products f32Products = F32Products::exact;
  LoweringChoice lowering = LoweringChoice::automatic;
  bool isQuick = false;
  LayerSignature signature;
  std::unique_ptr<Spec> spec;
  std::unique_ptr<clique_library, CloseLibrary> library;
  std::optional<Jit> jit;
  const clique_layer *layer = nullptr;
};

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_LAYERSOURCE_H
