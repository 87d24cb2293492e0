//===- DeviceCompiler.cpp - Kernels to images -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/DeviceCompiler.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/HalfFloats.h"
#include "compiler/Target/ObjectEmitter.h"
#include "compiler/Target/Programs.h"
#include "compiler/Target/PtxEmitter.h"
#include "compiler/Target/Ptxas.h"
#include "compiler/Target/SharedLibrary.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace mlir;
using namespace clique;

static LogicalResult reportError(Operation *op, llvm::Error error) {
  return emitError(op->getLoc()) << llvm::toString(std::move(error));
}

static gpu::GPUModuleOp getDevice(ModuleOp module) {
  auto devices = module.getOps<gpu::GPUModuleOp>();
  return devices.empty() ? nullptr : *devices.begin();
}

/// Says what each kernel takes, at its place in the spec.
static void remarkUsage(gpu::GPUModuleOp device, const TargetGpu &gpu,
                        ArrayRef<KernelUsage> usage) {
  for (const KernelUsage &kernel : usage) {
    Operation *op = device.lookupSymbol(kernel.kernel);
    remark::analysis(op ? op->getLoc() : device.getLoc(),
                     remark::RemarkOpts::name("ptxas").category("code"))
        << llvm::formatv("kernel {0} on {1}: {2} registers, {3} bytes spilled "
                         "and {4} read back, {5} bytes of static shared memory",
                         kernel.kernel, gpu.name, kernel.registers,
                         kernel.spillStores, kernel.spillLoads,
                         kernel.sharedBytes)
               .str();
  }
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

FailureOr<std::string> DeviceCompiler::compilePtx(ModuleOp lowered,
                                                  const TargetGpu &gpu) {
  gpu::GPUModuleOp device = getDevice(lowered);
  if (!device)
    return emitError(lowered.getLoc())
           << "has no kernels, and so no code for a GPU";
  // Without it, loads and stores would be aligned as on no machine.
  device->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  StringAttr::get(device.getContext(), getDataLayout(gpu)));
  llvm::PrettyStackTraceFormat trace("kernels for %s", gpu.name.c_str());
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(device, llvmContext, "clique_device");
  if (!code)
    return failure();
  llvm::Expected<std::string> ptx = emitPtx(*code, gpu, options.verifyEach);
  if (!ptx)
    return reportError(lowered, ptx.takeError());
  return std::move(*ptx);
}

FailureOr<std::string> DeviceCompiler::compileCubin(ModuleOp lowered,
                                                    const TargetGpu &gpu) {
  std::optional<std::string> ptxas = findPtxas();
  if (!ptxas)
    return emitError(lowered.getLoc())
           << "no ptxas found for machine code: it is neither in PATH nor in "
              "the folder of the CUDA Toolkit (CUDA_HOME, CUDA_PATH or "
              "/usr/local/cuda); install the toolkit, or emit PTX with "
              "--emit=ptx";
  FailureOr<std::string> ptx = compilePtx(lowered, gpu);
  if (failed(ptx))
    return failure();
  llvm::Expected<std::optional<Cubin>> cubin =
      assemblePtx(*ptxas, *ptx, gpu.name);
  if (!cubin)
    return reportError(lowered, cubin.takeError());
  if (!*cubin)
    return emitError(lowered.getLoc())
           << *ptxas << " is too old for " << gpu.name
           << "; install a newer CUDA Toolkit, or emit PTX with --emit=ptx";
  remarkUsage(getDevice(lowered), gpu, (*cubin)->usage);
  return std::move((*cubin)->code);
}

//===----------------------------------------------------------------------===//
// Emulation
//===----------------------------------------------------------------------===//

FailureOr<std::string> DeviceCompiler::compileEmulated(ModuleOp kernels) {
  llvm::PrettyStackTraceString trace("kernels for the emulated device");
  OwningOpRef<ModuleOp> module = kernels.clone();
  PassManager passes(module->getContext());
  passes.enableVerifier(options.verifyEach);
  buildEmulatedLLVM(passes);
  if (failed(passes.run(*module)) || failed(verify(*module)))
    return failure();
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(*module, llvmContext, "clique_emulated");
  if (!code)
    return failure();
  for (llvm::Function &function : *code)
    if (!function.isDeclaration() &&
        !function.getName().starts_with("clique_emu_kernel_"))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::Expected<ObjectEmitter> emitter =
      ObjectEmitter::create(options.cpu, options.quick);
  if (!emitter)
    return reportError(kernels, emitter.takeError());
  emitter->annotate(*code);
  lowerHalfFloats(*code, options.cpu);
  emitter->inlineCalls(*code, options.verifyEach);
  emitter->optimise(*code, options.verifyEach);
  lowerHalfFloats(*code, options.cpu);

  SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::Error error = emitter->emit(*code, CodeFormat::object, stream);
  if (error)
    return reportError(kernels, std::move(error));
  llvm::Expected<TemporaryFile> library = TemporaryFile::create("so");
  if (!library)
    return reportError(kernels, library.takeError());
  error = linkSharedLibrary(llvm::MemoryBufferRef(object, "kernels"),
                            library->getPath());
  if (error)
    return reportError(kernels, std::move(error));
  llvm::Expected<std::string> image = library->read();
  if (!image)
    return reportError(kernels, image.takeError());
  return std::move(*image);
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

namespace {
/// The kernels for one architecture, on their way.
struct Assembly {
  std::string ptx;
  std::optional<Cubin> cubin;
  std::string error;
};
} // namespace

/// Assembles all at the same time: ptxas is what takes long.
static LogicalResult assemble(ModuleOp module, ArrayRef<TargetGpu> gpus,
                              MutableArrayRef<Assembly> all) {
  std::optional<std::string> ptxas = findPtxas();
  if (!ptxas)
    return success();
  llvm::parallelFor(0, all.size(), [&](size_t k) {
    if (all[k].ptx.empty())
      return;
    auto cubin = assemblePtx(*ptxas, all[k].ptx, gpus[k].name);
    if (cubin)
      all[k].cubin = std::move(*cubin);
    else
      all[k].error = llvm::toString(cubin.takeError());
  });
  for (const Assembly &assembly : all)
    if (!assembly.error.empty())
      return emitError(module.getLoc()) << assembly.error;
  return success();
}

FailureOr<std::vector<DeviceImage>> DeviceCompiler::compile(ModuleOp kernels,
                                                            ModuleOp lowered) {
  std::vector<DeviceImage> images;
  gpu::GPUModuleOp device = getDevice(lowered);
  if (!device)
    return images;
  std::vector<Assembly> assemblies(options.gpus.size());
  for (auto [gpu, assembly] : llvm::zip_equal(options.gpus, assemblies)) {
    if (gpu.isEmulated())
      continue;
    FailureOr<std::string> ptx = compilePtx(lowered, gpu);
    if (failed(ptx))
      return failure();
    assembly.ptx = std::move(*ptx);
  }
  if (failed(assemble(lowered, options.gpus, assemblies)))
    return failure();
  bool isOldest = true;
  for (auto [gpu, assembly] : llvm::zip_equal(options.gpus, assemblies)) {
    if (gpu.isEmulated()) {
      FailureOr<std::string> image = compileEmulated(kernels);
      if (failed(image))
        return failure();
      images.push_back({"emulated", std::move(*image)});
      continue;
    }
    bool hasCode = assembly.cubin.has_value();
    if (hasCode) {
      remarkUsage(device, gpu, assembly.cubin->usage);
      images.push_back({gpu.name, std::move(assembly.cubin->code)});
    }
    // Drivers compile it for architectures to come, or where there is no cubin.
    if (isOldest || !hasCode)
      images.push_back({gpu.getPtxName(), assembly.ptx + '\0'});
    isOldest = false;
  }
  return images;
}
