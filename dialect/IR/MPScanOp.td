//===- MPScanOp.td - Recurrences over the edges of a node -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPSCANOP_TD
#define CLIQUE_DIALECT_IR_MPSCANOP_TD

include "dialect/IR/MPTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MP_ScanOp : MP_Op<"scan", [Pure, AttrSizedOperandSegments, SingleBlock]> {
  let summary = "s_k+1, y_k = f(s_k, m_k): a recurrence over the edges into each node";
  let description = [{
    Takes the edges into each node one after the other, by the numbers of their sources,
    those from one source by their own; with `reversed` from the last to the first. The state of a node begins as its row of
    `from`. The region makes the next state of the state and the edge's values, and
    may yield values of the edge. The results are the states behind the last edge
    (where there is none, those of `from`), then what the edges yield.

    ```mlir
    // Sums over the edges before each edge, and over all of them.
    %total, %before = mp.scan %g from(%s = %zero : tensor<?x4xf32>) edge(%x = %m : !mp.edges<4xf32>)
        -> tensor<?x4xf32>, !mp.edges<4xf32> {
      %next = arith.addf %s, %x : tensor<4xf32>
      mp.yield %next, %s : tensor<4xf32>, tensor<4xf32>
    }
    ```

    Nothing is asked of the function: it need not be associative, which is why the
    edges of a node are never divided among threads, and why there are no tiles of
    it. What edges yield is stored. The gradient of a custom monoid whose parts mix is made
    of two scans.

    Constraints
    - C1: there are a state and an edge feature; the states are tensors of rank >= 1, whose dimensions after
      the first are static and positive.
    - C2: a region argument has its operand's feature type, in the order from, edge.
    - C3: the first results are `tensor<?x...>` of the states' features and element types,
      one for each state; the others are edge features.
    - C4: the yielded types are the feature types of the results.
    - C5: as C4 of mp.message.
  }];
  let arguments = (ins MP_GraphType:$graph, UnitAttr:$reversed,
                       Variadic<MP_NodeTensor>:$from,
                       Variadic<MP_EdgesType>:$edge);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    /// An empty region with its arguments.
    OpBuilder<(ins "::mlir::Value":$graph, "bool":$reversed,
                   "::mlir::ValueRange":$from, "::mlir::ValueRange":$edge,
                   "::mlir::TypeRange":$results)>];
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::BlockArgument> getFromArgs() {
      return getBody().getArguments().take_front(getFrom().size());
    }
    ::mlir::ArrayRef<::mlir::BlockArgument> getEdgeArgs() {
      return getBody().getArguments().drop_front(getFrom().size());
    }
    /// The states behind the last edge.
    ::mlir::ResultRange getLast() {
      return getResults().take_front(getFrom().size());
    }
    /// What edges yield.
    ::mlir::ResultRange getEdgeResults() {
      return getResults().drop_front(getFrom().size());
    }
    YieldOp getYield();
  }];
}

#endif // CLIQUE_DIALECT_IR_MPSCANOP_TD
