// Every graph op prints as it is written, in the custom and in the generic
// form, and infers the type of its graph.

// RUN: clique-opt %s | clique-opt | FileCheck %s
// RUN: clique-opt %s -mlir-print-op-generic | clique-opt | FileCheck %s

// CHECK-LABEL: func @constructors
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index, %[[OFFSETS:.*]]: tensor<?xi64>)
func.func @constructors(%n: index, %m: index, %offsets: tensor<?xi64>)
    -> (!mp.graph<complete>, !mp.graph<complete, no_self>, !mp.graph<bipartite>,
        !mp.graph<causal>, !mp.graph<causal, no_self>,
        !mp.graph<window, 128>, !mp.graph<window, 2, no_self>,
        !mp.graph<cliques>, !mp.graph<cliques, no_self>,
        !mp.graph<causal_cliques>, !mp.graph<causal_cliques, no_self>) {
  // CHECK: mp.complete %[[N]]{{$}}
  %0 = mp.complete %n
  // CHECK: mp.complete %[[N]] no_self
  %1 = mp.complete %n no_self
  // CHECK: mp.bipartite %[[N]], %[[M]]
  %2 = mp.bipartite %n, %m
  // CHECK: mp.causal %[[N]]{{$}}
  %3 = mp.causal %n
  // CHECK: mp.causal %[[N]] no_self
  %4 = mp.causal %n no_self
  // CHECK: mp.window %[[N]], 128{{$}}
  %5 = mp.window %n, 128
  // CHECK: mp.window %[[N]], 2 no_self
  %6 = mp.window %n, 2 no_self
  // CHECK: mp.cliques %[[OFFSETS]] : tensor<?xi64> -> <cliques>
  %7 = mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>
  // CHECK: mp.cliques %[[OFFSETS]] no_self : tensor<?xi64> -> <cliques, no_self>
  %8 = mp.cliques %offsets no_self : tensor<?xi64> -> !mp.graph<cliques, no_self>
  // CHECK: mp.cliques %[[OFFSETS]] causal : tensor<?xi64> -> <causal_cliques>
  %9 = mp.cliques %offsets causal : tensor<?xi64> -> !mp.graph<causal_cliques>
  // CHECK: mp.cliques %[[OFFSETS]] causal no_self : tensor<?xi64> -> <causal_cliques, no_self>
  %10 = mp.cliques %offsets causal no_self
      : tensor<?xi64> -> !mp.graph<causal_cliques, no_self>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : !mp.graph<complete>, !mp.graph<complete, no_self>, !mp.graph<bipartite>,
        !mp.graph<causal>, !mp.graph<causal, no_self>,
        !mp.graph<window, 128>, !mp.graph<window, 2, no_self>,
        !mp.graph<cliques>, !mp.graph<cliques, no_self>,
        !mp.graph<causal_cliques>, !mp.graph<causal_cliques, no_self>
}
