//===- MPGroupOps.td - Edges by keys of their own -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPGROUPOPS_TD
#define CLIQUE_DIALECT_IR_MPGROUPOPS_TD

include "dialect/IR/MPTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MP_GroupNumbers : TypeAlias<1DTensorOf<[I32]>, "a tensor<?xi32>">;

def MP_GroupEdgesOp : MP_Op<"group_edges", [Pure, InferTypeOpAdaptor]> {
  let summary = "the edges of one key into one destination as groups";
  let description = [{
    Every edge has a key, its type for instance, from 0 to `num_keys` - 1; a key outside
    counts as the nearest one. The edges of one key into one destination are a group. In
    `groups`, a `!mp.graph<sparse>`, each group is a destination that receives by its
    edges; sources and the numbers of edges are those of `graph`. Groups are numbered by their keys, those of
    one key by their destinations.

    ```mlir
    %groups, %rows, %of = mp.group_edges %g by %type into %n : !mp.graph, !mp.edges<i32>
    ```

    | result | has |
    | --- | --- |
    | `rows` | a `tensor<?xi32>`: for each group its destination in `graph` |
    | `keys_of_groups` | a `tensor<?xi32>`: for each group its key |

    A sum over all edges of a key of products z_e y_i, of something that the edge knows
    with something that its destination i knows, has one product for each group:
    sum_e z_e first, and then a sum over the groups, which are the edges of
    `mp.coo %of, %rows`. The gradient of weights by type is made so.

    Constraints
    - C1: a key is an i32.
  }];
  let arguments = (ins MP_GraphType:$graph, MP_EdgesType:$keys, Index:$num_keys);
  let results = (outs MP_GraphType:$groups, MP_GroupNumbers:$rows,
                      MP_GroupNumbers:$keys_of_groups);
  let assemblyFormat = [{
    $graph `by` $keys `into` $num_keys attr-dict
    `:` qualified(type($graph)) `,` qualified(type($keys))
  }];
  let hasVerifier = 1;
}

#endif // CLIQUE_DIALECT_IR_MPGROUPOPS_TD
