// A module that describes no machine gets a description; one that is there stays, if
// it is of the same kind.
// RUN: clique-opt %s --mp-attach-target | FileCheck %s
// RUN: not clique-opt %s --mp-attach-target='target="#mp.gpu<shared_bytes = 101376, multiprocessor_shared_bytes = 102400, matrix = mma>"' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not clique-opt %s --mp-attach-target="target=unit" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo "module {}" | clique-opt --mp-attach-target | FileCheck %s --check-prefix=USUAL

// CHECK: module attributes {mp.target = #mp.cpu<vector_bits = 256, registers = 16>}
// OTHER: attach-target.mlir:[[#@LINE+3]]:1: error: the module is for #mp.cpu<vector_bits = 256, registers = 16>, but is compiled for #mp.gpu<shared_bytes = 101376, {{.*}}>: take 'mp.target' out, or compile for such a machine
// NONE: error: mp-attach-target: unit describes no machine: expected #mp.cpu<...> or #mp.gpu<...>
// USUAL: module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32>}
module attributes {mp.target = #mp.cpu<vector_bits = 256, registers = 16>} {}
