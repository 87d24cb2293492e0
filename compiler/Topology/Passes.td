//===- Passes.td - What is known of graphs at compile time -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that refines the types of graphs.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TOPOLOGY_PASSES_TD
#define CLIQUE_COMPILER_TOPOLOGY_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferTopologyPass : Pass<"mp-infer-topology", "::mlir::ModuleOp"> {
  let summary = "Gives graphs the smallest topology that is known of them";
  let description = [{
    - A constant edge list in the order of rows, without parallel edges, that is
      complete, bipartite, causal, a window, cliques or causal cliques (each of the
      square ones also without self-loops) becomes the op that makes that graph;
      any other one is `sparse`.
    - An `mp.cast` is looked through.
    - A graph that is the result of a branch or is carried by a loop takes the least
      class that holds all graphs which get there; so do arguments of a private
      function, of all its calls, and its results. Public functions keep theirs.
    - `mp.reverse` and `mp.self_loops` follow their operand.

    ```mlir
    %g = mp.edge_list dense<[[0, 0], [1, 0], [1, 1]]> : tensor<3x2xi32>, 2, 2 : !mp.graph
    %l = mp.self_loops %g : !mp.graph -> !mp.graph
    %d = mp.degree %l : !mp.graph -> tensor<?xf32>
    ```
    becomes
    ```mlir
    %c2 = arith.constant 2 : index
    %g = mp.causal %c2
    %l = mp.self_loops %g : !mp.graph<causal> -> !mp.graph<causal>
    %d = mp.degree %l : !mp.graph<causal> -> tensor<?xf32>
    ```

    The least class of a complete graph and of cliques is cliques; of classes that no
    class but that of all graphs holds it is the unknown one, of which the runtime
    decides. Where a graph meets a type that stays (a public function's, another
    dialect's op), an `mp.cast` gives it that type. Category of the remarks:
    `topology`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // CLIQUE_COMPILER_TOPOLOGY_PASSES_TD
