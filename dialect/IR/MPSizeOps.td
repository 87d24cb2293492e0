//===- MPSizeOps.td - Sizes, numbers and checks -*- tablegen -*-===//
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

//===----------------------------------------------------------------------===//
// Numbers of nodes
//===----------------------------------------------------------------------===//

def MP_Numbers : Type<And<[1DTensorOf<[I32, I64]>.predicate,
                           CPred<"::clique::mp::hasRows($_self)">]>,
                      "a tensor<?xi32> or tensor<?xi64>",
                      "::mlir::RankedTensorType">;

def MP_NodeNumbersOp : MP_Op<"node_numbers", [Pure]> {
  let summary = "0, 1, 2 ...: the numbers of nodes";
  let description = [{
    Node i, one of `num_nodes`, gets i: what `mp.position` is in a message, as a node
    feature. For masks, positions and rows by number.

    ```mlir
    %i = mp.node_numbers %n : tensor<?xi32>
    ```

    The layer ends with an error unless 0 <= num_nodes < 2^31.
  }];
  let arguments = (ins Index:$num_nodes);
  let results = (outs MP_Numbers:$result);
  let assemblyFormat = "$num_nodes attr-dict `:` type($result)";
}

def MP_PartNumbersOp : MP_Op<"part_numbers", [Pure]> {
  let summary = "to each node the number of its graph of a batch";
  let description = [{
    Node i, one of the `num_nodes`, gets k where `offsets[k] <= i < offsets[k + 1]`: what
    `mp.spread` gives of 0, 1, 2 ... The place of a node within its graph is its number less
    the offset that is looked up:

    ```mlir
    %k = mp.part_numbers %offsets to %n : tensor<?xi64> -> tensor<?xi64>
    %first = mp.lookup %offsets[%k] : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>
    %i = mp.node_numbers %n : tensor<?xi64>
    %place = arith.subi %i, %first : tensor<?xi64>
    ```
  }];
  let arguments = (ins 1DTensorOf<[I64]>:$offsets, Index:$num_nodes);
  let results = (outs MP_Numbers:$result);
  let assemblyFormat = [{
    $offsets `to` $num_nodes attr-dict `:` type($offsets) `->` type($result)
  }];
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
