//===- MPPairOps.td - Products of pairs of bf16 -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPPAIROPS_TD
#define CLIQUE_DIALECT_IR_MPPAIROPS_TD

def MP_Floats : TypeOrValueSemanticsContainer<F32, "f32">;
def MP_Words : TypeOrValueSemanticsContainer<I32, "i32">;

class MP_OpOfPairs<string mnemonic> : MP_Op<mnemonic,
    !listconcat([Pure, SameOperandsAndResultShape], ElementwiseMappable.traits)>;

def MP_PairOp : MP_OpOfPairs<"pair"> {
  let summary = "two elements, rounded to bf16, in one word";
  let description = [{
    Made by `clique-pair-products`. `low` is in the low half of the word; subnormal
    numbers may become 0.

    ```mlir
    %p = mp.pair %low, %high : (f32, f32) -> i32
    ```
  }];
  let arguments = (ins MP_Floats:$low, MP_Floats:$high);
  let results = (outs MP_Words:$words);
  let assemblyFormat = "$low `,` $high attr-dict `:` functional-type(operands, results)";
}

def MP_DotPairsOp : MP_OpOfPairs<"dot_pairs"> {
  let summary = "adds the dot product of two pairs of bf16 to an f32";
  let description = [{
    Made by `clique-pair-products`: sum + a.low b.low + a.high b.high in f32, in the
    order and with the roundings of the CPU's instruction (`vdpbf16ps`).

    ```mlir
    %s = mp.dot_pairs %sum, %a, %b : (f32, i32, i32) -> f32
    ```
  }];
  let arguments = (ins MP_Floats:$sum, MP_Words:$a, MP_Words:$b);
  let results = (outs MP_Floats:$result);
  let assemblyFormat = [{
    $sum `,` $a `,` $b attr-dict `:` functional-type(operands, results)
  }];
}

#endif // CLIQUE_DIALECT_IR_MPPAIROPS_TD
