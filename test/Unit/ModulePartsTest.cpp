//===- ModulePartsTest.cpp - Modules in parts -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function is in one part; what parts share is hidden, or a copy; joined
// again they are the module.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/ModuleParts.h"
#include "compiler/Target/ObjectEmitter.h"
#include "compiler/Target/Optimiser.h"
#include "compiler/Target/SharedLibrary.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

#include <map>

using namespace llvm;
using namespace clique;

/// Functions of `size` additions each, which call the one before; all read a
/// table and change a variable.
static std::string makeModule(unsigned functions, unsigned size) {
  std::string text = "@table = private unnamed_addr constant [2 x i64] [i64 3, "
                     "i64 4]\n"
                     "@state = internal global i64 0\n"
                     "declare i64 @clock()\n"
                     "define i64 @f0(i64 %x) {\n  ret i64 %x\n}\n";
  for (unsigned k = 1; k <= functions; ++k) {
    std::string before = std::to_string(k - 1);
    text += "define " + std::string(k == functions ? "" : "internal ") +
            "i64 @f" + std::to_string(k) + "(i64 %x) {\n";
    text += "  %v0 = call i64 @f" + before + "(i64 %x)\n";
    for (unsigned j = 1; j <= size; ++j)
      text += "  %v" + std::to_string(j) + " = add i64 %v" +
              std::to_string(j - 1) + ", %x\n";
    text += "  %t = load i64, ptr @table\n"
            "  %s = add i64 %t, %v" +
            std::to_string(size) +
            "\n"
            "  store i64 %s, ptr @state\n"
            "  ret i64 %s\n}\n";
  }
  return text;
}

static std::unique_ptr<Module> parse(const std::string &text,
                                     LLVMContext &context) {
  SMDiagnostic diagnostic;
  auto module = parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

TEST(ModuleParts, smallModulesStayWhole) {
  LLVMContext context;
  auto module = parse(makeModule(4, 10), context);
  EXPECT_EQ(ModuleParts(*module).size(), 1u);
  EXPECT_TRUE(module->getFunction("f2")->hasLocalLinkage());
  auto empty = parse("declare void @f()\n", context);
  EXPECT_EQ(ModuleParts(*empty).size(), 1u);
}

TEST(ModuleParts, everyFunctionIsInOnePart) {
  LLVMContext context;
  auto module = parse(makeModule(7, 1500), context);
  ModuleParts parts(*module);
  ASSERT_EQ(parts.size(), 5u);
  std::map<std::string, int> bodies;
  int tables = 0, states = 0;
  for (unsigned part = 0; part < parts.size(); ++part) {
    LLVMContext own;
    auto loaded = parts.load(part, own);
    ASSERT_TRUE(bool(loaded)) << toString(loaded.takeError());
    EXPECT_EQ(toString(verifyCode(**loaded)), "");
    unsigned instructions = 0;
    for (const Function &function : **loaded) {
      EXPECT_TRUE(!function.isDeclaration() || !function.use_empty());
      if (!function.isDeclaration())
        ++bodies[function.getName().str()];
      instructions += function.getInstructionCount();
      if (function.getName() != "f0" && function.getName() != "f7")
        EXPECT_TRUE(function.hasHiddenVisibility() ||
                    function.hasLocalLinkage());
    }
    EXPECT_LT(instructions, 3100u);
    for (const GlobalVariable &variable : (*loaded)->globals()) {
      tables += variable.isConstant() && variable.hasInitializer();
      states += !variable.isConstant() && variable.hasInitializer();
    }
  }
  EXPECT_EQ(bodies.size(), 8u);
  for (const auto &[name, count] : bodies)
    EXPECT_EQ(count, 1) << name;
  EXPECT_GT(tables, 1);
  EXPECT_EQ(states, 1);
}

TEST(ModuleParts, objectsAreJoined) {
  Expected<SmallVector<TargetCpu>> cpus = selectTargetCpus("native", "");
  ASSERT_TRUE(bool(cpus)) << toString(cpus.takeError());
  Expected<ObjectEmitter> emitter = ObjectEmitter::create(cpus->front());
  ASSERT_TRUE(bool(emitter)) << toString(emitter.takeError());
  LLVMContext context;
  auto module = parse(makeModule(4, 1500), context);
  emitter->annotate(*module);
  ModuleParts parts(*module);
  SmallVector<SmallString<0>> objects(parts.size());
  for (unsigned part = 0; part < parts.size(); ++part) {
    LLVMContext own;
    auto loaded = parts.load(part, own);
    ASSERT_TRUE(bool(loaded)) << toString(loaded.takeError());
    raw_svector_ostream out(objects[part]);
    ASSERT_EQ(toString(emitter->emitPart(**loaded, out)), "");
  }
  Expected<std::string> all = mergeObjects(objects);
  ASSERT_TRUE(bool(all)) << toString(all.takeError());
  EXPECT_EQ(toString(ObjectEmitter::checkCalls(*module, *all)), "");
  EXPECT_NE(toString(ObjectEmitter::checkCalls(*module, objects[0])), "");
  auto file = object::ObjectFile::createObjectFile({*all, "all"});
  ASSERT_TRUE(bool(file)) << toString(file.takeError());
  objects.push_back(StringRef("no object"));
  EXPECT_NE(toString(mergeObjects(objects).takeError()), "");
}
