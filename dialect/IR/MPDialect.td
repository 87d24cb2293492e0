//===- MPDialect.td - The message-passing dialect -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPDIALECT_TD
#define CLIQUE_DIALECT_IR_MPDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"

def MP_Dialect : Dialect {
  let name = "mp";
  let cppNamespace = "::clique::mp";
  let summary = "Message-passing layers: messages, aggregations, updates";
  let description = [{
    An equation of the literature is one op of the spec:

    ```
    m_ij = psi(h_i, h_j, e_ij)      mp.message
    m_i  = (+)_{j in N(i)} m_ij     mp.aggregate
    h_i' = phi(h_i, m_i)            mp.update
    ```

    A node feature is an ordinary tensor whose first dimension counts the nodes;
    `!mp.edges<...>` is a feature per edge without a layout; `!mp.graph<...>` is
    a graph with what is known of its topology. The regions hold the mathematics
    of one edge or one node on static tensors (a scalar is a `tensor<f32>`), and
    may use weights defined outside.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    /// Of an op that is not there: an error that says what to write instead.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

class MP_Op<string mnemonic, list<Trait> traits = []>
    : Op<MP_Dialect, mnemonic, traits>;

def MP_Topology : I32EnumAttr<"Topology", "what is known of a graph's edges", [
    I32EnumAttrCase<"sparse", 0>,
    I32EnumAttrCase<"complete", 1>,
    I32EnumAttrCase<"bipartite", 2>,
    I32EnumAttrCase<"causal", 3>,
    I32EnumAttrCase<"window", 4>,
    I32EnumAttrCase<"cliques", 5>,
    I32EnumAttrCase<"causal_cliques", 6>,
    I32EnumAttrCase<"unknown", 7>,
    I32EnumAttrCase<"blocks", 8>]> {
  let cppNamespace = "::clique::mp";
  let genSpecializedAttr = 0;
}

def MP_AggregatorKind : I32EnumAttr<"AggregatorKind", "how edge values become one node value", [
    I32EnumAttrCase<"sum", 0>,
    I32EnumAttrCase<"mean", 1>,
    I32EnumAttrCase<"max", 2>,
    I32EnumAttrCase<"min", 3>,
    I32EnumAttrCase<"std", 4>,
    I32EnumAttrCase<"softmax", 5>,
    I32EnumAttrCase<"custom", 6>,
    I32EnumAttrCase<"prod", 7>,
    I32EnumAttrCase<"logsumexp", 8>]> {
  let cppNamespace = "::clique::mp";
  let genSpecializedAttr = 0;
}
def MP_AggregatorKindAttr : EnumAttr<MP_Dialect, MP_AggregatorKind, "aggregator">;

def MP_ReductionKind : I32EnumAttr<"ReductionKind", "reduction over feature dimensions", [
    I32EnumAttrCase<"sum", 0>,
    I32EnumAttrCase<"mean", 1>,
    I32EnumAttrCase<"max", 2>,
    I32EnumAttrCase<"min", 3>]> {
  let cppNamespace = "::clique::mp";
  let genSpecializedAttr = 0;
}
def MP_ReductionKindAttr : EnumAttr<MP_Dialect, MP_ReductionKind, "reduction">;

def MP_Endpoint : I32EnumAttr<"Endpoint", "end of an edge, or the edge itself", [
    I32EnumAttrCase<"dst", 0>,
    I32EnumAttrCase<"src", 1>,
    I32EnumAttrCase<"edge", 2>]> {
  let cppNamespace = "::clique::mp";
  let genSpecializedAttr = 0;
}
def MP_EndpointAttr : EnumAttr<MP_Dialect, MP_Endpoint, "endpoint">;

def MP_Lowering : I32EnumAttr<"Lowering", "iteration space of a kernel", [
    I32EnumAttrCase<"nodes", 0>,
    I32EnumAttrCase<"sparse", 1>,
    I32EnumAttrCase<"dense", 2>]> {
  let cppNamespace = "::clique::mp";
  let genSpecializedAttr = 0;
}
def MP_LoweringAttr : EnumAttr<MP_Dialect, MP_Lowering, "lowering"> {
  let assemblyFormat = "$value";
}

def MP_Versions : I32EnumAttr<"Versions", "the lowerings of a kernel that were compiled", [
    I32EnumAttrCase<"sparse", 1>,
    I32EnumAttrCase<"dense", 2>,
    I32EnumAttrCase<"both", 3>]> {
  let cppNamespace = "::clique::mp";
  let genSpecializedAttr = 0;
}
def MP_VersionsAttr : EnumAttr<MP_Dialect, MP_Versions, "versions"> {
  let assemblyFormat = "$value";
}

def MP_BlockPart : I32EnumAttr<"BlockPart", "the part of its rows' edges that a block takes", [
    I32EnumAttrCase<"rows", 1>,
    I32EnumAttrCase<"chunk", 2>,
    I32EnumAttrCase<"merge", 3>]> {
  let cppNamespace = "::clique::mp";
  let genSpecializedAttr = 0;
}
def MP_BlockPartAttr : EnumAttr<MP_Dialect, MP_BlockPart, "block_part"> {
  let assemblyFormat = "$value";
}

#endif // CLIQUE_DIALECT_IR_MPDIALECT_TD
