//===- MPTypes.td - Graphs and edge features -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPTYPES_TD
#define CLIQUE_DIALECT_IR_MPTYPES_TD

include "dialect/IR/MPDialect.td"
include "mlir/IR/AttrTypeBase.td"

class MP_Type<string name, string typeMnemonic> : TypeDef<MP_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def MP_GraphType : MP_Type<"MPGraph", "graph"> {
  let summary = "a directed graph, stored by destination, and its topology";
  let description = [{
    | type | destination i receives from |
    | --- | --- |
    | `!mp.graph` | unknown: decided when the graph arrives |
    | `!mp.graph<complete>` | every node |
    | `!mp.graph<bipartite>` | every source (destinations and sources differ) |
    | `!mp.graph<causal>` | every j <= i |
    | `!mp.graph<window, 128>` | every j with abs(i - j) <= 128 |
    | `!mp.graph<cliques>` | every node of its own clique (a batch) |
    | `!mp.graph<causal_cliques>` | every j <= i of its own clique |
    | `!mp.graph<blocks, 64>` | all nodes of some blocks: nodes 0 to 63, 64 to 127 ..., the same for all of its own block |
    | `!mp.graph<sparse>` | whatever its edge list says |

    `no_self`, as in `!mp.graph<complete, no_self>`, takes every edge i -> i away.
    Topologies form a lattice of sets of graphs, `sparse` and `unknown`, which hold all, above the
    others: what is right for a larger class is right for a smaller one. A complete graph is one
    clique and bipartite, `window, 0` is as many cliques as nodes. Blocks of 128 are also blocks of
    64; the last block of a graph may be smaller.

    Constraints
    - C1: `window` and `blocks` have a parameter (window >= 0, blocks from 1 to 2^31), the
      others have none.
    - C2: `no_self` goes with complete, causal, window, cliques and
      causal_cliques only.
  }];
  let parameters = (ins "::clique::mp::Topology":$topology,
                        DefaultValuedParameter<"int64_t", "0">:$param,
                        DefaultValuedParameter<"bool", "false">:$noSelf);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilder<(ins), [{
      return $_get($_ctxt, Topology::unknown, 0, false);
    }]>
  ];
  let extraClassDeclaration = [{
    /// Destination i receives from an interval of sources (minus i if no_self).
    bool isInterval() const;
    /// Dense tiles may be right for it: tiles of any graph can be listed, but
    /// for parallel edges.
    bool mayHaveTiles() const { return getTopology() != Topology::sparse; }
    /// Nothing is known before the graph arrives.
    bool isUnknown() const { return getTopology() == Topology::unknown; }
    /// Every graph of this type is also one of type `other`.
    bool isSubtypeOf(MPGraphType other) const;
    /// The least class that holds all graphs of both.
    static MPGraphType join(MPGraphType a, MPGraphType b);
    /// The largest class all of whose graphs are of both; null if there is none.
    static MPGraphType meet(MPGraphType a, MPGraphType b);
    /// The class of graphs of this one with every edge turned round.
    MPGraphType getReversed() const;
    /// The class of graphs of this one with the self-loops that they lack.
    MPGraphType getWithSelfLoops() const;
    /// The class of graphs of this one with their nodes in topological order.
    MPGraphType getByLevel() const;
    /// The class of rows of graphs of this one.
    MPGraphType getRows() const;
  }];
}

def MP_EdgesType : MP_Type<"Edges", "edges"> {
  let summary = "a feature per edge, without a layout";
  let description = [{
    `!mp.edges<8x16xf32>` has 8 x 16 numbers for each edge, `!mp.edges<f32>` one.
    Inside a region the feature of one edge is `tensor<8x16xf32>`, `tensor<f32>`.
    It is stored only if the function takes or returns it.

    Constraints
    - C1: static, positive dimensions.
    - C2: the element type is bf16, f16, f32, f64, i1, i8, i32 or i64.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$feature), [{
      return $_get(feature.getContext(), feature.getShape(),
                   feature.getElementType());
    }]>
  ];
  let extraClassDeclaration = [{
    /// The feature of one edge, as regions see it.
    ::mlir::RankedTensorType getFeatureType() const;
  }];
}

#endif // CLIQUE_DIALECT_IR_MPTYPES_TD
