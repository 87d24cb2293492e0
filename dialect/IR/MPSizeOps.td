//===- MPSizeOps.td - Sizes, and checks of them -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPSIZEOPS_TD
#define CLIQUE_DIALECT_IR_MPSIZEOPS_TD

include "dialect/IR/MPTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MP_NumRowsOp : MP_Op<"num_rows", [Pure]> {
  let summary = "number of edges that an edge feature has values for";
  let description = [{
    ```mlir
    %n = mp.num_rows %e : !mp.edges<8xf32>
    ```
    Of the values of a message it is `mp.num_edges` of the message's graph.
  }];
  let arguments = (ins MP_EdgesType:$edges);
  let results = (outs Index:$size);
  let assemblyFormat = "$edges attr-dict `:` qualified(type($edges))";
  let hasCanonicalizer = 1;
}

def MP_CheckOp : MP_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "ends the layer with an error unless a number is in a range";
  let description = [{
    Made by `mp-check-sizes`, in front of an op that needs it. Unless
    `least <= actual <= most`, the layer ends with an error: `what`, the number
    that was given and the range that was expected.

    ```mlir
    %n = mp.num_dst %g : !mp.graph
    %r = tensor.dim %h, %c0 : tensor<?x8xf32>
    mp.check %r in %n to %n, "layer.mlir:7:8: 'mp.message': dst operand #0 needs a row for each destination of its graph"
    ```

    A check that always holds goes away.
  }];
  let arguments = (ins Index:$actual, Index:$least, Index:$most,
                       StrAttr:$what);
  let assemblyFormat = "$actual `in` $least `to` $most `,` $what attr-dict";
  let hasCanonicalizeMethod = 1;
}

#endif // CLIQUE_DIALECT_IR_MPSIZEOPS_TD
