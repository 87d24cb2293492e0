//===- ObjectEmitterTest.cpp - Code that is refused -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What defects of the compiler would leave: it is an error, and nothing is
// written.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/ObjectEmitter.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace clique;

namespace {
class ObjectEmitterTest : public testing::Test {
protected:
  void SetUp() override {
    Expected<SmallVector<TargetCpu>> cpus = selectTargetCpus("native", "");
    ASSERT_TRUE(bool(cpus)) << toString(cpus.takeError());
    Expected<ObjectEmitter> created = ObjectEmitter::create(cpus->front());
    ASSERT_TRUE(bool(created)) << toString(created.takeError());
    emitter.emplace(std::move(*created));
  }

  void parse(const char *text) {
    SMDiagnostic diagnostic;
    module = parseAssemblyString(text, diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str();
    emitter->annotate(*module);
  }

  /// Checks that no format is written, for a reason that begins so.
  void expectError(StringRef reason) {
    for (CodeFormat format : {CodeFormat::llvmIR, CodeFormat::bitcode,
                              CodeFormat::assembly, CodeFormat::object}) {
      SmallString<0> code;
      raw_svector_ostream out(code);
      std::string error = toString(emitter->emit(*module, format, out));
      EXPECT_TRUE(StringRef(error).starts_with(reason)) << error;
      EXPECT_TRUE(code.empty());
    }
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  std::optional<ObjectEmitter> emitter;
};
} // namespace

TEST_F(ObjectEmitterTest, undefinedSymbols) {
  parse("declare float @tanhf(float)\n"
        "declare i16 @__truncsfbf2(float)\n"
        "define i16 @f(float %x) {\n"
        "  %t = call float @tanhf(float %x)\n"
        "  %y = call i16 @__truncsfbf2(float %t)\n"
        "  ret i16 %y\n}\n");
  expectError("the compiled code calls __truncsfbf2, which neither "
              "libclique_runtime, libomp, libm nor libc has");
}

TEST_F(ObjectEmitterTest, invalidIR) {
  parse("define i16 @f(i16 %x) {\n"
        "  %y = add i16 %x, %x\n  ret i16 %y\n}\n");
  Instruction &sum = module->getFunction("f")->getEntryBlock().front();
  sum.setOperand(0, &sum);
  expectError("the LLVM IR is not valid");
}
