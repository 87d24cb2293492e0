// Every graph op prints as it is written, in the custom and in the generic
// form and through bytecode, and infers the type of its graph.

// RUN: clique-opt %s | clique-opt | FileCheck %s
// RUN: clique-opt %s -mlir-print-op-generic | clique-opt | FileCheck %s
// RUN: clique-opt %s -emit-bytecode | clique-opt | FileCheck %s

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
  // CHECK: mp.cliques %[[OFFSETS]] : tensor<?xi64> -> !mp.graph<cliques>
  %7 = mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>
  // CHECK: mp.cliques %[[OFFSETS]] no_self : tensor<?xi64> -> !mp.graph<cliques, no_self>
  %8 = mp.cliques %offsets no_self : tensor<?xi64> -> !mp.graph<cliques, no_self>
  // CHECK: mp.cliques %[[OFFSETS]] causal : tensor<?xi64> -> !mp.graph<causal_cliques>
  %9 = mp.cliques %offsets causal : tensor<?xi64> -> !mp.graph<causal_cliques>
  // CHECK: mp.cliques %[[OFFSETS]] causal no_self : tensor<?xi64> -> !mp.graph<causal_cliques, no_self>
  %10 = mp.cliques %offsets causal no_self
      : tensor<?xi64> -> !mp.graph<causal_cliques, no_self>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : !mp.graph<complete>, !mp.graph<complete, no_self>, !mp.graph<bipartite>,
        !mp.graph<causal>, !mp.graph<causal, no_self>,
        !mp.graph<window, 128>, !mp.graph<window, 2, no_self>,
        !mp.graph<cliques>, !mp.graph<cliques, no_self>,
        !mp.graph<causal_cliques>, !mp.graph<causal_cliques, no_self>
}

// CHECK-LABEL: func @lists
// CHECK-SAME: (%[[PTR:.*]]: tensor<?xi64>, %[[IDX:.*]]: tensor<?xi32>, %[[SRC:.*]]: tensor<4xi32>, %[[N:.*]]: index)
func.func @lists(%indptr: tensor<?xi64>, %indices: tensor<?xi32>,
                 %src: tensor<4xi32>, %n: index) {
  // CHECK: mp.csr %[[PTR]], %[[IDX]], %[[N]] : tensor<?xi64>, tensor<?xi32> -> !mp.graph{{$}}
  %0 = mp.csr %indptr, %indices, %n : tensor<?xi64>, tensor<?xi32> -> !mp.graph
  // CHECK: mp.csr {{.*}} -> !mp.graph<sparse>
  %1 = mp.csr %indptr, %indices, %n
      : tensor<?xi64>, tensor<?xi32> -> !mp.graph<sparse>
  // CHECK: mp.coo %[[IDX]], %[[SRC]], %[[N]], %[[N]] : tensor<?xi32>, tensor<4xi32> -> !mp.graph{{$}}
  %2 = mp.coo %indices, %src, %n, %n : tensor<?xi32>, tensor<4xi32> -> !mp.graph
  // CHECK: mp.coo {{.*}} -> !mp.graph<sparse>
  %3 = mp.coo %src, %src, %n, %n
      : tensor<4xi32>, tensor<4xi32> -> !mp.graph<sparse>
  // CHECK: mp.edge_list dense<{{\[\[}}0, 1], [1, 0], [2, 0]]> : tensor<3x2xi32>, 3, 2 : !mp.graph{{$}}
  %4 = mp.edge_list dense<[[0, 1], [1, 0], [2, 0]]> : tensor<3x2xi32>, 3, 2 : !mp.graph
  // CHECK: mp.edge_list dense<> : tensor<0x2xi32>, 5, 5 : !mp.graph<sparse>
  %5 = mp.edge_list dense<> : tensor<0x2xi32>, 5, 5 : !mp.graph<sparse>
  return
}

// CHECK-LABEL: func @changes
func.func @changes(%g: !mp.graph, %sparse: !mp.graph<sparse>,
                   %complete: !mp.graph<complete, no_self>,
                   %bipartite: !mp.graph<bipartite>,
                   %causal: !mp.graph<causal, no_self>,
                   %window: !mp.graph<window, 8, no_self>,
                   %cliques: !mp.graph<cliques, no_self>,
                   %causal_cliques: !mp.graph<causal_cliques, no_self>,
                   %blocks: !mp.graph<blocks, 64>) {
  // The type of a plain graph need not be written.
  // CHECK: mp.reverse %{{[^ ]+$}}
  %0 = mp.reverse %g : !mp.graph -> !mp.graph
  // CHECK: mp.reverse %{{[^ ]+$}}
  %short = mp.reverse %g
  // CHECK: mp.reverse %{{.*}} : !mp.graph<sparse> -> !mp.graph<sparse>
  %1 = mp.reverse %sparse : !mp.graph<sparse> -> !mp.graph<sparse>
  // CHECK: mp.reverse %{{.*}} : !mp.graph<complete, no_self> -> !mp.graph<complete, no_self>
  %2 = mp.reverse %complete : !mp.graph<complete, no_self> -> !mp.graph<complete, no_self>
  // CHECK: mp.reverse %{{.*}} : !mp.graph<bipartite> -> !mp.graph<bipartite>
  %3 = mp.reverse %bipartite : !mp.graph<bipartite> -> !mp.graph<bipartite>
  // CHECK: mp.reverse %{{.*}} : !mp.graph<causal, no_self> -> !mp.graph{{$}}
  %4 = mp.reverse %causal : !mp.graph<causal, no_self> -> !mp.graph
  // CHECK: mp.reverse %{{.*}} : !mp.graph<window, 8, no_self> -> !mp.graph<window, 8, no_self>
  %5 = mp.reverse %window : !mp.graph<window, 8, no_self> -> !mp.graph<window, 8, no_self>
  // CHECK: mp.reverse %{{.*}} : !mp.graph<cliques, no_self> -> !mp.graph<cliques, no_self>
  %6 = mp.reverse %cliques : !mp.graph<cliques, no_self> -> !mp.graph<cliques, no_self>
  // CHECK: mp.reverse %{{.*}} : !mp.graph<causal_cliques, no_self> -> !mp.graph{{$}}
  %7 = mp.reverse %causal_cliques : !mp.graph<causal_cliques, no_self> -> !mp.graph
  // CHECK: mp.reverse %{{.*}} : !mp.graph<blocks, 64> -> !mp.graph{{$}}
  %8 = mp.reverse %blocks : !mp.graph<blocks, 64> -> !mp.graph

  // CHECK: mp.self_loops %{{[^ ]+$}}
  %9 = mp.self_loops %g : !mp.graph -> !mp.graph
  // CHECK: mp.self_loops %{{[^ ]+$}}
  %looped = mp.self_loops %short
  // CHECK: mp.self_loops %{{.*}} : !mp.graph<sparse> -> !mp.graph<sparse>
  %10 = mp.self_loops %sparse : !mp.graph<sparse> -> !mp.graph<sparse>
  // CHECK: mp.self_loops %{{.*}} : !mp.graph<complete, no_self> -> !mp.graph<complete>
  %11 = mp.self_loops %complete : !mp.graph<complete, no_self> -> !mp.graph<complete>
  // CHECK: mp.self_loops %{{.*}} : !mp.graph<causal, no_self> -> !mp.graph<causal>
  %12 = mp.self_loops %causal : !mp.graph<causal, no_self> -> !mp.graph<causal>
  // CHECK: mp.self_loops %{{.*}} : !mp.graph<window, 8, no_self> -> !mp.graph<window, 8>
  %13 = mp.self_loops %window : !mp.graph<window, 8, no_self> -> !mp.graph<window, 8>
  // CHECK: mp.self_loops %{{.*}} : !mp.graph<cliques, no_self> -> !mp.graph<cliques>
  %14 = mp.self_loops %cliques : !mp.graph<cliques, no_self> -> !mp.graph<cliques>
  // CHECK: mp.self_loops %{{.*}} : !mp.graph<causal_cliques, no_self> -> !mp.graph<causal_cliques>
  %15 = mp.self_loops %causal_cliques : !mp.graph<causal_cliques, no_self> -> !mp.graph<causal_cliques>
  // CHECK: mp.self_loops %{{.*}} : !mp.graph<blocks, 64> -> !mp.graph{{$}}
  %16 = mp.self_loops %blocks : !mp.graph<blocks, 64> -> !mp.graph
  return
}

// CHECK-LABEL: func @parts
func.func @parts(%g: !mp.graph, %sparse: !mp.graph<sparse>, %causal: !mp.graph<causal, no_self>,
                 %complete: !mp.graph<complete>, %bare: !mp.graph<complete, no_self>,
                 %bipartite: !mp.graph<bipartite>, %i: index, %n: index)
    -> (!mp.graph, !mp.graph<sparse>, !mp.graph, !mp.graph, !mp.graph<sparse>, !mp.graph,
        !mp.graph<bipartite>, !mp.graph<bipartite>, !mp.graph) {
  // CHECK: mp.levels %{{[^ ]+$}}
  %0, %nodes, %places, %offsets = mp.levels %g
  // CHECK: mp.levels %{{.*}} : !mp.graph<sparse>
  %1, %n1, %p1, %o1 = mp.levels %sparse : !mp.graph<sparse>
  // CHECK: mp.levels %{{.*}} : !mp.graph<causal, no_self>
  %2, %n2, %p2, %o2 = mp.levels %causal : !mp.graph<causal, no_self>
  // CHECK: mp.rows %{{[^ ]+}} %{{[^ ]+}} %{{[^ ]+$}}
  %3, %edges = mp.rows %g, %i, %n
  %4, %e4 = mp.rows %sparse, %i, %n : !mp.graph<sparse>
  %5, %e5 = mp.rows %causal, %i, %n : !mp.graph<causal, no_self>
  // CHECK: mp.rows %{{.*}} : !mp.graph<complete>
  %6, %e6 = mp.rows %complete, %i, %n : !mp.graph<complete>
  %7, %e7 = mp.rows %bipartite, %i, %n : !mp.graph<bipartite>
  %8, %e8 = mp.rows %bare, %i, %n : !mp.graph<complete, no_self>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : !mp.graph, !mp.graph<sparse>, !mp.graph, !mp.graph, !mp.graph<sparse>, !mp.graph,
        !mp.graph<bipartite>, !mp.graph<bipartite>, !mp.graph
}

// CHECK-LABEL: func @casts
func.func @casts(%complete: !mp.graph<complete>, %causal: !mp.graph<causal>,
                 %window: !mp.graph<window, 3>) {
  // CHECK: mp.cast %{{.*}} : !mp.graph<complete> to !mp.graph{{$}}
  %0 = mp.cast %complete : !mp.graph<complete> to !mp.graph
  // CHECK: mp.cast %{{.*}} : !mp.graph<complete> to !mp.graph<cliques>
  %1 = mp.cast %complete : !mp.graph<complete> to !mp.graph<cliques>
  // CHECK: mp.cast %{{.*}} : !mp.graph<complete> to !mp.graph<bipartite>
  %2 = mp.cast %complete : !mp.graph<complete> to !mp.graph<bipartite>
  // CHECK: mp.cast %{{.*}} : !mp.graph<causal> to !mp.graph<causal_cliques>
  %3 = mp.cast %causal : !mp.graph<causal> to !mp.graph<causal_cliques>
  // CHECK: mp.cast %{{.*}} : !mp.graph<complete> to !mp.graph<blocks, 48>
  %whole = mp.cast %complete : !mp.graph<complete> to !mp.graph<blocks, 48>
  // CHECK: mp.cast %{{.*}} : !mp.graph<blocks, 48> to !mp.graph<blocks, 16>
  %parts = mp.cast %whole : !mp.graph<blocks, 48> to !mp.graph<blocks, 16>
  // CHECK: mp.cast %{{.*}} : !mp.graph<window, 3> to !mp.graph<sparse>
  %4 = mp.cast %window : !mp.graph<window, 3> to !mp.graph<sparse>
  return
}

// CHECK-LABEL: func @measures
func.func @measures(%g: !mp.graph, %complete: !mp.graph<complete>, %e: !mp.edges<8xi1>,
                    %offsets: tensor<?xi64>) {
  // CHECK: mp.num_dst %{{[^ ]+$}}
  %0 = mp.num_dst %g
  // CHECK: mp.num_src %{{.*}} : !mp.graph<complete>
  %1 = mp.num_src %complete : !mp.graph<complete>
  // CHECK: mp.num_edges %{{[^ ]+$}}
  %2 = mp.num_edges %g : !mp.graph
  // CHECK: mp.degree %{{[^ ]+}} -> tensor<?xf32>
  %3 = mp.degree %g -> tensor<?xf32>
  // CHECK: mp.node_numbers %{{.*}} : tensor<?xi32>
  %numbers = mp.node_numbers %0 : tensor<?xi32>
  // CHECK: mp.part_numbers %{{.*}} to %{{.*}} : tensor<?xi64> -> tensor<?xi64>
  %parts = mp.part_numbers %offsets to %0 : tensor<?xi64> -> tensor<?xi64>
  // CHECK: mp.num_rows %{{.*}} : !mp.edges<8xi1>
  %rows = mp.num_rows %e : !mp.edges<8xi1>
  // CHECK: mp.check %{{.*}} in %{{.*}} to %{{.*}}, "layer.mlir:1:2: rows"
  mp.check %rows in %2 to %2, "layer.mlir:1:2: rows"
  // CHECK: mp.degree %{{.*}} : !mp.graph<complete> -> tensor<?xbf16>
  %4 = mp.degree %complete : !mp.graph<complete> -> tensor<?xbf16>
  return
}

// CHECK-LABEL: func @groups
func.func @groups(%g: !mp.graph<complete>, %type: !mp.edges<i32>, %n: index) -> tensor<?xi32> {
  // CHECK: %{{.*}}, %[[ROWS:.*]], %[[KEYS:.*]] = mp.group_edges %{{.*}} by %{{.*}} into %{{.*}} : !mp.graph<complete>, !mp.edges<i32>
  %p, %rows, %keys = mp.group_edges %g by %type into %n : !mp.graph<complete>, !mp.edges<i32>
  // CHECK: mp.coo %[[KEYS]], %[[ROWS]]
  %b = mp.coo %keys, %rows, %n, %n : tensor<?xi32>, tensor<?xi32> -> !mp.graph
  // CHECK: mp.reverse %{{.*}} : !mp.graph<sparse> -> !mp.graph<sparse>
  %r = mp.reverse %p : !mp.graph<sparse> -> !mp.graph<sparse>
  return %keys : tensor<?xi32>
}
