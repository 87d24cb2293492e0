// Every type prints as it is written, in the custom and in the
// generic form and through bytecode.

// RUN: clique-opt %s | clique-opt | FileCheck %s
// RUN: clique-opt %s -mlir-print-op-generic | clique-opt | FileCheck %s
// RUN: clique-opt %s -emit-bytecode | clique-opt | FileCheck %s

// CHECK-LABEL: func private @graphs(
// CHECK-SAME: !mp.graph,
// CHECK-SAME: !mp.graph<sparse>,
// CHECK-SAME: !mp.graph<complete>, !mp.graph<complete, no_self>,
// CHECK-SAME: !mp.graph<bipartite>,
// CHECK-SAME: !mp.graph<causal>, !mp.graph<causal, no_self>,
// CHECK-SAME: !mp.graph<window, 128>, !mp.graph<window, 0, no_self>,
// CHECK-SAME: !mp.graph<cliques>, !mp.graph<cliques, no_self>,
// CHECK-SAME: !mp.graph<causal_cliques>, !mp.graph<causal_cliques, no_self>,
// CHECK-SAME: !mp.graph<blocks, 64>)
func.func private @graphs(
  !mp.graph,
  !mp.graph<sparse>,
  !mp.graph<complete>, !mp.graph<complete, no_self>,
  !mp.graph<bipartite>,
  !mp.graph<causal>, !mp.graph<causal, no_self>,
  !mp.graph<window, 128>, !mp.graph<window, 0, no_self>,
  !mp.graph<cliques>, !mp.graph<cliques, no_self>,
  !mp.graph<causal_cliques>, !mp.graph<causal_cliques, no_self>,
  !mp.graph<blocks, 64>)

// CHECK-LABEL: func private @edges(
// CHECK-SAME: !mp.edges<f32>, !mp.edges<8x16xf32>, !mp.edges<1xbf16>,
// CHECK-SAME: !mp.edges<4xf16>, !mp.edges<4xf64>, !mp.edges<i32>, !mp.edges<2x3x4xi64>)
func.func private @edges(
  !mp.edges<f32>, !mp.edges<8x16xf32>, !mp.edges<1xbf16>,
  !mp.edges<4xf16>, !mp.edges<4xf64>, !mp.edges<i32>, !mp.edges<2x3x4xi64>)
