//===- Help.cpp - What clique-compile --help says beside its options ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-compile/Help.h"
#include "compiler/Target/LayerCompiler.h"

using namespace llvm;
using namespace clique;

const StringLiteral clique::kCompileOverview =
    R"(Compiles the layers of a spec to a library that C, C++ or Python can call.

  Every public function of the spec becomes a layer, whose constant
  clique_layer_NAME describes it (runtime/clique.h). The artefact needs
  libclique_runtime.so and LLVM's libomp. Nothing is written unless all of it
  could be.
)";

static constexpr StringLiteral kExamples = R"(
EXAMPLES:
  A library for this machine, and how to call it:
    clique-compile attention.mlir -o attention.so --header=attention.h

  One for every x86-64 of the last fifteen years:
    clique-compile attention.mlir -o attention.so --cpu=multi

  One for NVIDIA GPUs, with what each kernel takes of them:
    clique-compile attention.mlir -o attention.so --target=cuda --remarks
    clique-compile attention.mlir -o a.ptx --target=cuda --gpu-arch=sm_90a

  What the compiler makes of it:
    clique-compile attention.mlir -o - --emit=fusion
    clique-compile attention.mlir -o attention.s --cpu=x86-64-v3 --remarks

  Run it:
    clique-run attention.so --graph=complete:1024

EXIT STATUS:
  0 if everything was written, 1 if not.
)";

std::string clique::describeStages(TargetDevice target) {
  std::string text;
  auto line = [&](StringRef name, StringRef description) {
    text += name.str() +
            std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') +
            description.str() + "\n";
  };
  line(kParsedStage, "the spec as it was parsed");
  for (const Stage &stage : getStages(target))
    line(stage.name, stage.description);
  return text;
}

std::string clique::getMoreHelp() {
  std::string more;
  for (auto [target, title] :
       {std::pair(TargetDevice::cpu, "STAGES of --emit, in their order:"),
        std::pair(TargetDevice::cuda, "STAGES with --target=cuda:")}) {
    more += "\n" + std::string(title) + "\n";
    std::string stages = describeStages(target);
    for (StringRef line : split(StringRef(stages).trim(), '\n'))
      more += "  " + line.str() + "\n";
  }
  return more + kExamples.str();
}
