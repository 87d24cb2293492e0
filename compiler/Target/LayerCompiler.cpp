//===- LayerCompiler.cpp - From a spec to LLVM IR -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One LLVM module per class of processors, optimised and then joined.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/LayerCompiler.h"
#include "compiler/Analysis/AnalysisPasses.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/FunctionNames.h"
#include "compiler/Target/HalfFloats.h"
#include "compiler/Target/LayerDescriptor.h"
#include "compiler/Target/ModuleParts.h"
#include "compiler/Target/SharedLibrary.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ThreadPool.h"

#include <mutex>

using namespace mlir;
using namespace clique;

void clique::registerTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerOpenMPDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

static LogicalResult reportError(ModuleOp module, llvm::Error error) {
  return emitError(module.getLoc()) << llvm::toString(std::move(error));
}

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

/// An op that no stage lowered is an error at its place in the spec.
static LogicalResult checkIsLowered(ModuleOp module) {
  Operation *leftover = nullptr;
  module.getBody()->walk([&](Operation *op) {
    bool isLowered = isa_and_present<LLVM::LLVMDialect, omp::OpenMPDialect,
                                     NVVM::NVVMDialect>(op->getDialect()) ||
                     isa<gpu::GPUModuleOp>(op);
    // A cast beside another op only says that this one was left.
    if (!isLowered && (!leftover || isa<UnrealizedConversionCastOp>(leftover)))
      leftover = op;
  });
  if (!leftover)
    return success();
  return emitError(leftover->getLoc())
         << "'" << leftover->getName()
         << "' has no lowering to machine code; write it with arith, math and "
            "linalg.generic";
}

ArrayRef<Stage> LayerCompiler::getStagesToRun() const {
  ArrayRef<Stage> stages = getStages(options.target);
  const auto *last = llvm::find_if(
      stages, [&](const Stage &stage) { return stage.name == options.from; });
  return last == stages.end() ? stages
                              : stages.drop_front(last - stages.begin() + 1);
}

LogicalResult LayerCompiler::describeTarget(ModuleOp module,
                                            const TargetCpu &cpu) const {
  MLIRContext *context = module.getContext();
  if (options.target == TargetDevice::cpu) {
    if (failed(attachTarget(module, cpu.describe(context))))
      return failure();
    if (mp::getCpu(module).getBf16Pairs() && !cpu.hasBF16Pairs)
      return emitError(module.getLoc())
             << "'" << mp::kTargetAttr << "' has bf16_pairs, but '" << cpu.name
             << "' lacks AVX512-BF16: take that out, or compile with "
                "--features=+avx512bf16";
    return success();
  }
  // One choice holds for all architectures.
  mp::GpuAttr all = options.gpus.front().describe(context);
  for (const TargetGpu &gpu : ArrayRef(options.gpus).drop_front())
    all = all.join(gpu.describe(context));
  return attachTarget(module, all);
}

LogicalResult LayerCompiler::runStage(ModuleOp module, const Stage &stage) {
  llvm::PrettyStackTraceFormat trace("stage '%s'", stage.name.str().c_str());
  CliquePipelineOptions pipeline;
  pipeline.target = options.target;
  pipeline.f32Products = options.f32Products;
  pipeline.lowering = options.lowering;
  PassManager passes(module.getContext());
  passes.enableVerifier(options.verifyEach);
  stage.build(passes, pipeline);
  // From here on calls are found by name.
  if (stage.name == kLastStage)
    useCodeNames(module);
  bool hasReason = false;
  ScopedDiagnosticHandler reasons(module.getContext(), [&](Diagnostic &said) {
    hasReason |= said.getSeverity() == DiagnosticSeverity::Error;
    return failure();
  });
  if (failed(passes.run(module))) {
    if (!hasReason)
      emitError(module.getLoc())
          << "stage '" << stage.name
          << "' failed and did not say why; this is a defect of the compiler: "
             "report it with the spec";
    return failure();
  }
  // Once at its end, if not after each pass: the next stage relies on it.
  if (options.verifyEach || succeeded(verify(module)))
    return success();
  return emitError(module.getLoc())
         << "stage '" << stage.name
         << "' left IR that is not valid; this is a defect of the compiler: "
            "report it with the spec (--verify-each names the pass)";
}

LogicalResult LayerCompiler::lower(ModuleOp module, const TargetCpu &cpu,
                                   StringRef lastStage) {
  if (lastStage == kParsedStage)
    return success();
  if (failed(describeTarget(module, cpu)))
    return failure();
  for (const Stage &stage : getStagesToRun()) {
    if (failed(runStage(module, stage)))
      return failure();
    if (stage.name == lastStage)
      return success();
  }
  return checkIsLowered(module);
}

LogicalResult LayerCompiler::lowerToStage(ModuleOp module, StringRef stage) {
  return lower(module, options.cpus.front(), stage);
}

//===----------------------------------------------------------------------===//
// LLVM IR
//===----------------------------------------------------------------------===//

/// Names of arguments, and the target, mean nothing to LLVM, which would warn.
static void dropNames(ModuleOp module) {
  module->removeDiscardableAttr(mp::kTargetAttr);
  auto isOurs = [](NamedAttribute attr) {
    return attr.getName().strref().starts_with("mp.");
  };
  for (auto function : module.getOps<FunctionOpInterface>()) {
    for (unsigned k = 0; k < function.getNumArguments(); ++k)
      for (NamedAttribute attr :
           SmallVector<NamedAttribute>(function.getArgAttrs(k)))
        if (isOurs(attr))
          function.removeArgAttr(k, attr.getName());
    for (unsigned k = 0; k < function.getNumResults(); ++k)
      for (NamedAttribute attr :
           SmallVector<NamedAttribute>(function.getResultAttrs(k)))
        if (isOurs(attr))
          function.removeResultAttr(k, attr.getName());
  }
}

static bool isEntry(const llvm::GlobalValue &value) {
  return value.getName().starts_with("clique_entry_");
}

/// Makes all that is defined internal, but what `isKept` names.
static void
internalise(llvm::Module &module,
            llvm::function_ref<bool(const llvm::GlobalValue &)> isKept) {
  for (llvm::GlobalValue &value : module.global_values()) {
    if (value.isDeclaration() || value.hasPrivateLinkage() ||
        value.getName().starts_with("llvm.") || isKept(value))
      continue;
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    // Nobody compares addresses: equal functions become one.
    if (isa<llvm::Function>(value))
      value.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  }
}

/// The variants of a function are told apart by their names.
static void appendSuffix(llvm::Module &module, StringRef suffix) {
  if (suffix.empty())
    return;
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && !value.getName().starts_with("llvm.") &&
        !isEntry(value))
      value.setName(value.getName() + suffix);
}

FailureOr<std::unique_ptr<llvm::Module>>
LayerCompiler::compileVariant(ModuleOp module,
                              ArrayRef<LayerSignature> signatures,
                              const TargetCpu &cpu) {
  llvm::PrettyStackTraceFormat trace("code for %s", cpu.name.c_str());
  dropNames(module);
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, llvmContext, "clique");
  if (!code)
    return failure();
  for (const LayerSignature &signature : signatures)
    if (llvm::Error error = emitEntry(*code, signature, cpu.suffix,
                                      options.target == TargetDevice::cuda))
      return reportError(module, std::move(error));
  internalise(*code, isEntry);
  appendSuffix(*code, cpu.suffix);

  llvm::Expected<ObjectEmitter> emitter =
      ObjectEmitter::create(cpu, options.quick);
  if (!emitter)
    return reportError(module, emitter.takeError());
  emitter->annotate(*code);
  lowerHalfFloats(*code, cpu);
  emitter->inlineCalls(*code, options.verifyEach);
  return code;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

DeviceCompiler LayerCompiler::makeDeviceCompiler() const {
  return DeviceCompiler(
      {options.gpus, options.cpus.back(), options.verifyEach, options.quick});
}

LogicalResult LayerCompiler::lowerForDevice(ModuleOp lowered,
                                            OwningOpRef<ModuleOp> &kernels) {
  // The kernels are the same for every processor.
  if (failed(describeTarget(lowered, options.cpus.front())))
    return failure();
  ArrayRef<Stage> stages = getStagesToRun();
  for (const Stage &stage : stages.drop_back())
    if (failed(runStage(lowered, stage)))
      return failure();
  kernels = lowered.clone();
  if (failed(runStage(lowered, stages.back())))
    return failure();
  return checkIsLowered(lowered);
}

FailureOr<std::string> LayerCompiler::compileKernels(ModuleOp module,
                                                     KernelFormat format) {
  OwningOpRef<ModuleOp> lowered = module.clone(), kernels;
  if (failed(lowerForDevice(*lowered, kernels)))
    return failure();
  DeviceCompiler compiler = makeDeviceCompiler();
  const TargetGpu &gpu = options.gpus.front();
  if (gpu.isEmulated())
    return compiler.compileEmulated(*kernels);
  return format == KernelFormat::ptx ? compiler.compilePtx(*lowered, gpu)
                                     : compiler.compileCubin(*lowered, gpu);
}

/// Takes what only the device's half knows out of the host's.
static void dropDevice(ModuleOp module) {
  for (auto device :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    device.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

FailureOr<std::unique_ptr<llvm::Module>>
LayerCompiler::compile(ModuleOp module, ArrayRef<LayerSignature> signatures) {
  std::unique_ptr<llvm::Module> all;
  std::optional<DeviceCode> device;
  OwningOpRef<ModuleOp> host;
  if (options.target == TargetDevice::cuda) {
    OwningOpRef<ModuleOp> kernels;
    host = module.clone();
    if (failed(lowerForDevice(*host, kernels)))
      return failure();
    auto images = makeDeviceCompiler().compile(*kernels, *host);
    if (failed(images))
      return failure();
    device = DeviceCode{std::move(*images)};
    dropDevice(*host);
  }
  for (const TargetCpu &cpu : options.cpus) {
    if (!device) {
      host = module.clone();
      if (failed(lower(*host, cpu, "")))
        return failure();
    }
    auto variant = compileVariant(*host, signatures, cpu);
    if (failed(variant))
      return failure();
    if (!all)
      all = std::move(*variant);
    else if (llvm::Linker::linkModules(*all, std::move(*variant)))
      return emitError(module.getLoc())
             << "the variants for different processors cannot be joined";
  }
  emitDescriptors(*all, signatures, options.cpus, device);
  markForSanitizer(*all, options.sanitizer);
  internalise(*all, [](const llvm::GlobalValue &value) {
    return isExportedSymbol(value.getName());
  });
  return all;
}

void LayerCompiler::optimise(llvm::Module &module,
                             const ObjectEmitter &emitter) const {
  // Verifying takes longer than all else, after the many passes of LLVM.
  emitter.optimise(module, options.verifyEach);
  lowerHalfFloats(module, options.cpus);
}

/// What belongs to no function is for the least of the processors.
llvm::Expected<ObjectEmitter> LayerCompiler::makeEmitter() const {
  return ObjectEmitter::create(options.cpus.back(), options.quick);
}

llvm::Error LayerCompiler::emitPart(const ModuleParts &parts, unsigned part,
                                    SmallString<0> &object) const {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      parts.load(part, context);
  if (!module)
    return module.takeError();
  llvm::Expected<ObjectEmitter> emitter = makeEmitter();
  if (!emitter)
    return emitter.takeError();
  optimise(**module, *emitter);
  llvm::raw_svector_ostream stream(object);
  return emitter->emitPart(**module, stream);
}

llvm::Error LayerCompiler::emitParts(llvm::Module &module,
                                     const ModuleParts &parts,
                                     llvm::raw_pwrite_stream &out) const {
  SmallVector<SmallString<0>> objects(parts.size());
  llvm::Error errors = llvm::Error::success();
  std::mutex mutex;
  {
    // The first part has the largest function: all others run beside it.
    llvm::ThreadPoolStrategy cores = llvm::hardware_concurrency(parts.size());
    cores.Limit = true;
    llvm::DefaultThreadPool pool(cores);
    for (unsigned part = 0; part < parts.size(); ++part)
      pool.async([&, part] {
        llvm::Error error = emitPart(parts, part, objects[part]);
        std::lock_guard<std::mutex> lock(mutex);
        errors = llvm::joinErrors(std::move(errors), std::move(error));
      });
  }
  if (errors)
    return errors;
  llvm::Expected<std::string> object = mergeObjects(objects);
  if (!object)
    return object.takeError();
  if (llvm::Error error = ObjectEmitter::checkCalls(module, *object))
    return error;
  out << *object;
  return llvm::Error::success();
}

llvm::Error LayerCompiler::emit(llvm::Module &module, CodeFormat format,
                                llvm::raw_pwrite_stream &out) {
  llvm::PrettyStackTraceString trace("machine code");
  if (format == CodeFormat::object && !options.quick)
    if (ModuleParts parts(module); parts.size() > 1)
      return emitParts(module, parts, out);
  llvm::Expected<ObjectEmitter> emitter = makeEmitter();
  if (!emitter)
    return emitter.takeError();
  optimise(module, *emitter);
  return emitter->emit(module, format, out);
}
