//===- ObjectEmitter.cpp - LLVM IR to machine code ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin layer over LLVM's code generator.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/ObjectEmitter.h"
#include "compiler/Target/LinkedLibraries.h"
#include "compiler/Target/Optimiser.h"
#include "compiler/Target/Sanitizers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace clique;

/// The passes of the code generator that make code faster, and nothing else: up
/// to a third of its time. Quick code does without them.
static constexpr llvm::StringLiteral kForSpeed[] = {
    "Loop Strength Reduction",
    "Early Machine Loop Invariant Code Motion",
    "Machine Loop Invariant Code Motion",
    "Machine Common Subexpression Elimination",
    "Machine code sinking",
    "Peephole Optimizations",
    "Early Tail Duplication",
    "Tail Duplication",
    "Control Flow Optimizer",
    "Branch Probability Basic Block Placement"};

ObjectEmitter::ObjectEmitter(const TargetCpu &cpu,
                             std::unique_ptr<llvm::TargetMachine> machine)
    : cpu(cpu), machine(std::move(machine)) {}
ObjectEmitter::ObjectEmitter(ObjectEmitter &&) = default;
ObjectEmitter::~ObjectEmitter() = default;

llvm::Expected<ObjectEmitter> ObjectEmitter::create(const TargetCpu &cpu,
                                                    bool quick) {
  // Threads make emitters of their own.
  [[maybe_unused]] static const bool isReady =
      !llvm::InitializeNativeTarget() &&
      !llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  std::unique_ptr<llvm::TargetMachine> machine;
  if (target)
    machine.reset(target->createTargetMachine(
        triple, cpu.name, cpu.features, llvm::TargetOptions(),
        llvm::Reloc::PIC_, std::nullopt,
        quick ? llvm::CodeGenOptLevel::Less
              : llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return llvm::createStringError(std::errc::not_supported,
                                   "no code generator for %s: %s",
                                   triple.str().c_str(), message.c_str());
  return ObjectEmitter(cpu, std::move(machine));
}

void ObjectEmitter::annotate(llvm::Module &module) const {
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", cpu.name);
    function.addFnAttr("target-features", cpu.features);
    // Levels of the architecture stand for no core; scheduled for Intel's, the
    // inner loops of products want one register more than there is.
    if (cpu.name == "x86-64-v4")
      function.addFnAttr("tune-cpu", "znver4");
    function.addFnAttr("prefer-vector-width", std::to_string(cpu.vectorBits));
  }
}

bool ObjectEmitter::isQuick() const {
  return machine->getOptLevel() < llvm::CodeGenOptLevel::Default;
}

void ObjectEmitter::inlineCalls(llvm::Module &module, bool verifyEach) const {
  if (!isQuick())
    clique::inlineCalls(module, *machine, verifyEach);
}

void ObjectEmitter::optimise(llvm::Module &module, bool verifyEach) const {
  clique::optimise(module, *machine,
                   isQuick() ? OptimiserPasses::few : OptimiserPasses::tiled,
                   verifyEach);
}

/// Runs the code generator, which changes the module.
llvm::Error ObjectEmitter::generate(llvm::Module &module,
                                    llvm::CodeGenFileType type,
                                    llvm::raw_pwrite_stream &out) const {
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, type))
    return llvm::createStringError(std::errc::not_supported,
                                   "LLVM cannot emit this kind of file for %s",
                                   machine->getTargetTriple().str().c_str());
  llvm::LLVMContext &context = module.getContext();
  llvm::OptPassGate &usual = context.getOptPassGate();
  llvm::OptDisable gate;
  if (isQuick()) {
    for (llvm::StringRef pass : kForSpeed)
      gate.setDisabled(pass);
    context.setOptPassGate(gate);
  }
  passes.run(module);
  context.setOptPassGate(usual);
  return llvm::Error::success();
}

llvm::Error ObjectEmitter::emitPart(llvm::Module &module,
                                    llvm::raw_pwrite_stream &out) const {
  if (llvm::Error error = verifyCode(module))
    return error;
  return generate(module, llvm::CodeGenFileType::ObjectFile, out);
}

/// What code may call beside the libraries of every layer begins so: a
/// sanitizer's functions, or those that the emulated driver gives to kernels.
static llvm::StringRef getAllowedPrefix(const llvm::Module &module) {
  return module.getName() == "clique_emulated" ? "clique_emu_"
                                               : getSanitizerPrefix(module);
}

llvm::Error ObjectEmitter::checkCalls(const llvm::Module &module,
                                      llvm::StringRef object) {
  return checkUndefinedSymbols({object, "object"}, getAllowedPrefix(module));
}

llvm::Error ObjectEmitter::emit(llvm::Module &module, CodeFormat format,
                                llvm::raw_pwrite_stream &out) const {
  if (llvm::Error error = verifyCode(module))
    return error;
  // What the code calls is known when it is an object.
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::Module> copy; // the code generator changes it
  if (format != CodeFormat::object)
    copy = llvm::CloneModule(module);
  if (llvm::Error error = generate(copy ? *copy : module,
                                   llvm::CodeGenFileType::ObjectFile, stream))
    return error;
  if (llvm::Error error = checkCalls(module, object))
    return error;
  switch (format) {
  case CodeFormat::object:
    out << object;
    return llvm::Error::success();
  case CodeFormat::assembly:
    return generate(module, llvm::CodeGenFileType::AssemblyFile, out);
  case CodeFormat::llvmIR:
    module.print(out, nullptr);
    return llvm::Error::success();
  case CodeFormat::bitcode:
    llvm::WriteBitcodeToFile(module, out);
    return llvm::Error::success();
  }
  llvm_unreachable("unknown format");
}
