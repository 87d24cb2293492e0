//===- MPTargets.td - Descriptions of machines -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes know of the machine that code is made for. A module carries one
// description, as its attribute mp.target.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPTARGETS_TD
#define CLIQUE_DIALECT_IR_MPTARGETS_TD

include "dialect/IR/MPDialect.td"
include "mlir/IR/AttrTypeBase.td"

class MP_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<MP_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` struct(params) `>`";
}

def MP_MatrixUnit : I32EnumAttr<"MatrixUnit", "instructions that multiply matrices", [
    I32EnumAttrCase<"none", 0>,
    I32EnumAttrCase<"mma", 1>,
    I32EnumAttrCase<"wgmma", 2>,
    I32EnumAttrCase<"tcgen05", 3>]> {
  let cppNamespace = "::clique::mp";
  let genSpecializedAttr = 0;
}

def MP_Rates : I32EnumAttr<"Rates", "processors on which kernels were timed", [
    I32EnumAttrCase<"zen4", 0>,
    I32EnumAttrCase<"zen5", 1>,
    I32EnumAttrCase<"zen3", 2>]> {
  let cppNamespace = "::clique::mp";
  let genSpecializedAttr = 0;
}

def MP_CpuAttr : MP_Attr<"Cpu", "cpu"> {
  let summary = "a processor";
  let description = [{
    The target of a module, in its attribute `mp.target`, from `--cpu` or written by
    hand. What is not given is as below.

    ```mlir
    module attributes {mp.target = #mp.cpu<vector_bits = 256, registers = 16>} {}
    ```

    | parameter | unit | is |
    | --- | --- | --- |
    | `vector_bits` | bits | width of a vector register |
    | `registers` | | number of vector registers |
    | `line_bytes` | bytes | a cache line; 64 |
    | `l2_bytes` | bytes | second-level cache of a core; 1 MiB |
    | `cores` | | cores among which the work on a small graph is divided; 8, and with `--cpu=native` those of the machine, if it has more. Not how many threads a call takes: results must not depend on that |
    | `bf16_pairs` | | whether vectors of 32-bit words take dot products of pairs of bf16 (AVX512-BF16); false |
    | `rates` | | whose measured times the choice between tiles and rows goes by: `zen3`, whose vectors have 256 bits, `zen4`, whose vectors of 512 bits take two cycles, or `zen5`; `zen5` |

    Constraints
    - C1: `vector_bits` is a power of two and at least 64, `registers` is at least 8.
    - C2: `line_bytes` is a power of two and at least 16; `l2_bytes` is at least
      65536, `cores` at least 1.
  }];
  let parameters = (ins
    "int64_t":$vector_bits, "int64_t":$registers,
    DefaultValuedParameter<"int64_t", "64">:$line_bytes,
    DefaultValuedParameter<"int64_t", "1 << 20">:$l2_bytes,
    DefaultValuedParameter<"int64_t", "8">:$cores,
    DefaultValuedParameter<"bool", "false">:$bf16_pairs,
    DefaultValuedParameter<"Rates", "Rates::zen5">:$rates);
}

def MP_GpuAttr : MP_Attr<"Gpu", "gpu"> {
  let summary = "a GPU, or what several have in common";
  let description = [{
    The target of a module, in its attribute `mp.target`, from `--gpu-arch` or written
    by hand. One description serves all architectures of a library: the least of what
    kernels may take, the most of what their occupancy is planned for.

    ```mlir
    module attributes {mp.target = #mp.gpu<shared_bytes = 101376,
        multiprocessor_shared_bytes = 102400, matrix = mma>} {}
    ```

    | parameter | unit | is |
    | --- | --- | --- |
    | `shared_bytes` | bytes | shared memory that a block may ask for |
    | `multiprocessor_shared_bytes` | bytes | shared memory of a multiprocessor, for all of its blocks |
    | `matrix` | | the newest instructions for products: `none`, `mma` (every architecture from sm_80 on has them), `wgmma`, `tcgen05` |
    | `thread_registers` | | registers of a thread, of 32 bits; 255 |
    | `warp` | lanes | threads that exchange values by shuffles; 32 |

    Constraints
    - C1: `shared_bytes` is at least 16384 and at most `multiprocessor_shared_bytes`.
    - C2: `thread_registers` is at least 32; `warp` is 32, as all kernels assume.
  }];
  let parameters = (ins
    "int64_t":$shared_bytes, "int64_t":$multiprocessor_shared_bytes,
    "MatrixUnit":$matrix,
    DefaultValuedParameter<"int64_t", "255">:$thread_registers,
    DefaultValuedParameter<"int64_t", "32">:$warp);
  let extraClassDeclaration = [{
    /// What code for both may rely on.
    GpuAttr join(GpuAttr other) const;
  }];
}

#endif // CLIQUE_DIALECT_IR_MPTARGETS_TD
