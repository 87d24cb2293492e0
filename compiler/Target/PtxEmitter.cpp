//===- PtxEmitter.cpp - LLVM IR to PTX ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/PtxEmitter.h"
#include "compiler/Target/Installation.h"
#include "compiler/Target/Optimiser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace clique;

static std::unique_ptr<TargetMachine> createMachine(const TargetGpu &gpu) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  assert(target && "LLVM is linked with NVPTX");
  TargetOptions options;
  // As nvcc does: a product and a sum are one instruction.
  options.AllowFPOpFusion = FPOpFusion::Fast;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, gpu.name, gpu.features, options, Reloc::PIC_, std::nullopt,
      CodeGenOptLevel::Aggressive));
}

/// Shared memory whose size the launch says is declared as from elsewhere: what
/// MLIR made of it would be a variable of its own.
static void declareSharedMemory(Module &module) {
  constexpr unsigned sharedSpace = 3;
  for (GlobalVariable &global : module.globals()) {
    auto *type = dyn_cast<ArrayType>(global.getValueType());
    if (global.getAddressSpace() != sharedSpace || !type ||
        type->getNumElements() != 0)
      continue;
    global.setInitializer(nullptr);
    global.setLinkage(GlobalValue::ExternalLinkage);
  }
}

/// The optimiser may do as it likes with what no launch names.
static void internalise(Module &module) {
  for (GlobalValue &value : module.global_values()) {
    auto *function = dyn_cast<Function>(&value);
    bool isKernel =
        function && function->getCallingConv() == CallingConv::PTX_Kernel;
    if (value.isDeclaration() || isKernel || value.hasLocalLinkage() ||
        value.getName().starts_with("llvm."))
      continue;
    value.setLinkage(GlobalValue::InternalLinkage);
  }
}

/// What kernels call of libclc. Its functions have OpenCL's names, mangled.
static Error linkMathLibrary(Module &module) {
  if (llvm::none_of(module, [](const Function &function) {
        return function.isDeclaration() && function.getName().starts_with("_Z");
      }))
    return Error::success();
  SMDiagnostic diagnostic;
  std::string path = findInstalled("nvptx64--.bc", CLIQUE_LIBCLC);
  std::unique_ptr<Module> library =
      getLazyIRFileModule(path, diagnostic, module.getContext());
  if (!library)
    return createStringError(std::errc::no_such_file_or_directory,
                             "%s: %s; functions of f64 on GPUs need libclc "
                             "(Debian: libclc-%d)",
                             path.c_str(),
                             diagnostic.getMessage().str().c_str(),
                             LLVM_VERSION_MAJOR);
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded))
    return createStringError(std::errc::invalid_argument,
                             "%s: cannot be linked to the kernels",
                             path.c_str());
  return Error::success();
}

std::string clique::getDataLayout(const TargetGpu &gpu) {
  return createMachine(gpu)->createDataLayout().getStringRepresentation();
}

Expected<std::string> clique::emitPtx(Module &module, const TargetGpu &gpu,
                                      bool verifyEach) {
  std::unique_ptr<TargetMachine> machine = createMachine(gpu);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  declareSharedMemory(module);
  if (Error error = linkMathLibrary(module))
    return std::move(error);
  internalise(module);
  optimise(module, *machine, OptimiserPasses::all, verifyEach);
  if (Error error = verifyCode(module))
    return std::move(error);

  SmallString<0> text;
  raw_svector_ostream out(text);
  legacy::PassManager passes;
  [[maybe_unused]] const bool cannot = machine->addPassesToEmitFile(
      passes, out, nullptr, CodeGenFileType::AssemblyFile);
  assert(!cannot && "LLVM emits PTX");
  passes.run(module);
  return text.str().str();
}
