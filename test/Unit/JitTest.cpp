//===- JitTest.cpp - Objects that are no layers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is no object, and one without a table of layers, are errors.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Jit.h"
#include "compiler/Target/ObjectEmitter.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace clique;

static std::string load(StringRef object) {
  return toString(
      Jit::create(MemoryBuffer::getMemBufferCopy(object)).takeError());
}

TEST(Jit, objectsWithoutLayers) {
  Expected<SmallVector<TargetCpu>> cpus = selectTargetCpus("native", "");
  ASSERT_TRUE(bool(cpus)) << toString(cpus.takeError());
  Expected<ObjectEmitter> emitter = ObjectEmitter::create(cpus->front());
  ASSERT_TRUE(bool(emitter)) << toString(emitter.takeError());
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(
      "define void @f() {\n  ret void\n}\n", diagnostic, context);
  ASSERT_TRUE(module) << diagnostic.getMessage().str();
  emitter->annotate(*module);
  SmallString<0> code;
  raw_svector_ostream out(code);
  ASSERT_EQ(toString(emitter->emit(*module, CodeFormat::object, out)), "");
  EXPECT_EQ(load(code), "Symbols not found: [ clique_layers ]");
  EXPECT_NE(load("no object"), "");
}
