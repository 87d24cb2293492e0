//===- Spec.cpp - A spec that was read from a file ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells apart what cannot be a spec before MLIR's parser quotes it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Spec.h"
#include "compiler/Algebra/Passes.h"
#include "compiler/Algebra/SpecForms.h"
#include "compiler/Gradient/GradientFunctions.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/InitAll.h"
#include "compiler/Target/LayerCompiler.h"
#include "compiler/Target/SourceNames.h"
#include "compiler/Target/SpecContents.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace clique;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAll(registry);
  registerTranslations(registry);
  return registry;
}

static std::shared_ptr<llvm::SourceMgr>
makeSources(std::unique_ptr<llvm::MemoryBuffer> source) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(source), llvm::SMLoc());
  return sources;
}

Spec::Spec(std::unique_ptr<llvm::MemoryBuffer> source,
           llvm::raw_ostream &messages)
    : messages(messages), context(makeRegistry()),
      sources(makeSources(std::move(source))),
      diagnostics(*sources, &context, messages) {
  // An error is at its line of the spec; the op as the compiler holds it tells
  // a user nothing more.
  context.printOpOnDiagnostic(false);
}

/// Why the contents cannot be MLIR; empty if they can.
static std::string findRubbish(const llvm::MemoryBuffer &source) {
  StringRef text = source.getBuffer();
  if (isBytecode(source.getMemBufferRef()))
    return "";
  if (text.starts_with("\x7f"
                       "ELF"))
    return "is an ELF file (a compiled library or program), expected a spec "
           "in MLIR";
  size_t zero = text.find('\0');
  if (zero != StringRef::npos)
    return "is a binary file (a NUL byte at offset " + std::to_string(zero) +
           "), expected a spec in MLIR";
  auto isControl = [](char c) {
    return llvm::isASCII(c) && !llvm::isPrint(c) && !llvm::isSpace(c);
  };
  if (!llvm::json::isUTF8(text) || llvm::any_of(text, isControl))
    return "is no text, expected a spec in MLIR";
  if (text.trim().empty())
    return "is empty, expected a spec in MLIR";
  return "";
}

/// An error of the file as a whole.
static void report(llvm::raw_ostream &messages, StringRef name,
                   const Twine &reason) {
  messages << name << ": error: " << reason << "\n";
}

/// Shows every remark as a diagnostic.
static LogicalResult enableRemarks(MLIRContext &context) {
  std::string any = ".*";
  remark::RemarkCategories categories{/*all=*/any, /*passed=*/any,
                                      /*missed=*/any, /*analysis=*/any,
                                      /*failed=*/any};
  return remark::enableOptimizationRemarks(
      context, nullptr, std::make_unique<remark::RemarkEmittingPolicyAll>(),
      categories, /*printAsEmitRemarks=*/true);
}

LogicalResult Spec::pruneHeads(ArrayRef<std::string> heads) {
  PassManager manager(&context);
  manager.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  manager.addPass(createSymbolDCEPass());
  PruneHeadsPassOptions options;
  options.heads.assign(heads.begin(), heads.end());
  manager.addPass(createPruneHeadsPass(options));
  return manager.run(*module);
}

LogicalResult Spec::addGradients(StringRef name,
                                 ArrayRef<std::string> arguments) {
  DifferentiatePassOptions options;
  options.arguments.assign(arguments.begin(), arguments.end());
  PassManager manager(&context);
  manager.addPass(createDifferentiatePass(options));
  if (failed(manager.run(*module)))
    return failure();
  for (auto function : module->getOps<func::FuncOp>())
    if (findGradient(*module, function.getName()))
      return success();
  report(messages, name,
         arguments.empty()
             ? "no layer has a result that depends on arguments of floats"
             : "no result depends on the arguments to differentiate by: " +
                   llvm::join(arguments, ", "));
  return failure();
}

/// The arguments of NAME_gradient that `function` has not: cotangents.
static void addCotangents(ModuleOp module, func::FuncOp function,
                          std::vector<std::string> &arguments) {
  auto gradient = module.lookupSymbol<func::FuncOp>(
      (function.getName() + "_gradient").str());
  for (unsigned index = function.getNumArguments();
       gradient && index < gradient.getNumArguments(); ++index)
    arguments.push_back(
        gradient.getArgAttrOfType<StringAttr>(index, "mp.name").str());
}

LogicalResult Spec::replaceByDerivative(StringRef name,
                                        const Options &options) {
  std::vector<std::string> current;
  for (auto function : module->getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      current.push_back(function.getName().str());
  std::vector<std::string> entries;
  for (std::string &function : current) {
    std::vector<std::string> wanted(options.gradients->begin(),
                                    options.gradients->end());
    for (unsigned order = 1; order <= options.derivative; ++order) {
      DifferentiatePassOptions pass;
      pass.functions = {function};
      pass.arguments.assign(wanted.begin(), wanted.end());
      pass.joined = order < options.derivative;
      PassManager manager(&context);
      manager.addPass(createDifferentiatePass(pass));
      if (failed(manager.run(*module)))
        return failure();
      if (!findGradient(*module, function)) {
        report(messages, name,
               "no result of '" + function +
                   "' has a derivative by the arguments that are wanted");
        return failure();
      }
      if (order == options.derivative)
        break;
      // All floats are still all floats.
      if (!wanted.empty())
        addCotangents(*module, module->lookupSymbol<func::FuncOp>(function),
                      wanted);
      function += "_gradient";
    }
    entries.push_back(function + "_forward");
    entries.push_back(function + "_backward");
    if (options.keepsDifferentiated)
      entries.push_back(function);
  }
  // They exist, so that this finds them.
  return success(!selectEntries(*module, entries));
}

/// Layers of gradients go by names of their own in the C header.
static void nameWrappers(ModuleOp module,
                         MutableArrayRef<LayerSignature> signatures) {
  llvm::StringMap<LayerSignature *> byName;
  for (LayerSignature &signature : signatures) {
    signature.wrapper = "clique_run_" + signature.name;
    byName[signature.name] = &signature;
  }
  for (const LayerSignature &signature : signatures) {
    std::optional<GradientFunctions> gradient =
        findGradient(module, signature.name);
    if (!gradient)
      continue;
    LayerSignature *forward = byName.lookup(gradient->forward.getName());
    LayerSignature *backward = byName.lookup(gradient->backward.getName());
    forward->wrapper = "clique_forward_" + signature.name;
    forward->note = "The results kept0, kept1 ... are for clique_backward_" +
                    signature.name + ", and live until they are freed.";
    backward->wrapper = "clique_backward_" + signature.name;
    backward->note = "Takes results of " + forward->wrapper +
                     " by their names, unchanged, and cotangents as grad_NAME.";
    // A result of the layer itself is its user's.
    for (auto [k, result] : llvm::enumerate(gradient->kept))
      if (result >= int64_t(signature.results.size())) {
        backward->args[signature.args.size() + k].isGivenAway = true;
        backward->lastWrapper = "clique_finish_backward_" + signature.name;
      }
  }
}

LogicalResult Spec::parse(StringRef name, const Options &options) {
  if (options.remarks && failed(enableRemarks(context)))
    return failure();
  module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return failure();
  if (options.isLowered)
    return success();
  if (llvm::Error error = selectEntries(*module, options.entries)) {
    report(messages, name, llvm::toString(std::move(error)));
    return failure();
  }
  if (failed(checkSpecContents(*module)) ||
      failed(nameArguments(*module, *sources)) ||
      failed(rewriteSpecForms(*module)))
    return failure();
  if (!options.prunedHeads.empty() && failed(pruneHeads(options.prunedHeads)))
    return failure();
  if (options.gradients && options.derivative == 0 &&
      failed(addGradients(name, *options.gradients)))
    return failure();
  if (options.gradients && options.derivative > 0 &&
      failed(replaceByDerivative(name, options)))
    return failure();
  FailureOr<std::vector<LayerSignature>> found = getLayerSignatures(*module);
  if (failed(found))
    return failure();
  signatures = std::move(*found);
  nameWrappers(*module, signatures);
  return success();
}

static llvm::raw_ostream &getMessages(const Spec::Options &options) {
  return options.messages ? *options.messages : llvm::errs();
}

std::unique_ptr<Spec> Spec::read(StringRef path, const Options &options) {
  auto refuse = [&](const Twine &reason) {
    report(getMessages(options), path, reason);
    return nullptr;
  };
  if (path != "-" && llvm::sys::fs::is_directory(path))
    return refuse("is a directory, expected a spec in MLIR");
  auto source = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!source)
    return refuse("cannot be read: " + source.getError().message());
  return fromText(std::move(*source), path, options);
}

std::unique_ptr<Spec> Spec::fromText(std::unique_ptr<llvm::MemoryBuffer> text,
                                     StringRef name, const Options &options) {
  std::string rubbish = findRubbish(*text);
  if (!rubbish.empty()) {
    report(getMessages(options), name, rubbish);
    return nullptr;
  }
  std::unique_ptr<Spec> spec(new Spec(std::move(text), getMessages(options)));
  return succeeded(spec->parse(name, options)) ? std::move(spec) : nullptr;
}
