// The constraints of the graph ops, by number, and what type inference rejects.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

func.func @window_c1(%n: index) {
  // expected-error@+1 {{'mp.window' op half width is -3: give 0 (self-loops only) or more}}
  %g = mp.window %n, -3
  return
}

// -----

func.func @csr_c1(%p: tensor<?xi64>, %i: tensor<?xi32>, %n: index) {
  // expected-error@+1 {{'mp.csr' op result has type '!mp.graph<complete>', which an edge list cannot promise: write !mp.graph or !mp.graph<sparse>}}
  %g = mp.csr %p, %i, %n : tensor<?xi64>, tensor<?xi32> -> !mp.graph<complete>
  return
}

// -----

func.func @csr_indptr_type(%p: tensor<?xi32>, %i: tensor<?xi32>, %n: index) {
  // expected-error@+1 {{'mp.csr' op operand #0 must be a tensor<?xi64>, but got 'tensor<?xi32>'}}
  %g = mp.csr %p, %i, %n : tensor<?xi32>, tensor<?xi32> -> !mp.graph
  return
}

// -----

func.func @coo_c1(%i: tensor<?xi32>, %n: index) {
  // expected-error@+1 {{'mp.coo' op result has type '!mp.graph<window, 2>', which an edge list cannot promise: write !mp.graph or !mp.graph<sparse>}}
  %g = mp.coo %i, %i, %n, %n : tensor<?xi32>, tensor<?xi32> -> !mp.graph<window, 2>
  return
}

// -----

func.func @coo_c2(%dst: tensor<5xi32>, %src: tensor<4xi32>, %n: index) {
  // expected-error@+1 {{'mp.coo' op has 5 destinations and 4 sources: give one of each per edge}}
  %g = mp.coo %dst, %src, %n, %n : tensor<5xi32>, tensor<4xi32> -> !mp.graph
  return
}

// -----

func.func @edge_list_c1_columns() {
  // expected-error@+1 {{'mp.edge_list' op edges have type 'tensor<1x3xi32>', expected tensor<nx2xi32>: one [destination, source] pair per edge}}
  %g = mp.edge_list dense<[[0, 1, 2]]> : tensor<1x3xi32>, 3, 3 : !mp.graph
  return
}

// -----

func.func @edge_list_c1_rank() {
  // expected-error@+1 {{'mp.edge_list' op edges have type 'tensor<2xi32>', expected tensor<nx2xi32>: one [destination, source] pair per edge}}
  %g = mp.edge_list dense<[0, 1]> : tensor<2xi32>, 2, 2 : !mp.graph
  return
}

// -----

func.func @edge_list_c1_element() {
  // expected-error@+1 {{'mp.edge_list' op attribute 'edges' failed to satisfy constraint: 32-bit signless integer elements attribute}}
  %g = mp.edge_list dense<[[0, 1]]> : tensor<1x2xi64>, 2, 2 : !mp.graph
  return
}

// -----

func.func @edge_list_c2_destination() {
  // expected-error@+1 {{'mp.edge_list' op edge 1 is [3, 0], but there are 3 destinations: raise num_dst or mend the edge}}
  %g = mp.edge_list dense<[[0, 1], [3, 0]]> : tensor<2x2xi32>, 3, 2 : !mp.graph
  return
}

// -----

func.func @edge_list_c2_source() {
  // expected-error@+1 {{'mp.edge_list' op edge 1 is [2, 2], but there are 2 sources: raise num_src or mend the edge}}
  %g = mp.edge_list dense<[[0, 1], [2, 2]]> : tensor<2x2xi32>, 3, 2 : !mp.graph
  return
}

// -----

func.func @edge_list_c2_negative() {
  // expected-error@+1 {{'mp.edge_list' op edge 0 is [0, -1], but there are 2 sources: raise num_src or mend the edge}}
  %g = mp.edge_list dense<[[0, -1]]> : tensor<1x2xi32>, 3, 2 : !mp.graph
  return
}

// -----

func.func @edge_list_c2_count() {
  // expected-error@+1 {{'mp.edge_list' op has -1 destinations and 2 sources: give counts of 0 or more}}
  %g = mp.edge_list dense<> : tensor<0x2xi32>, -1, 2 : !mp.graph
  return
}

// -----

func.func @edge_list_c3() {
  // expected-error@+1 {{'mp.edge_list' op result has type '!mp.graph<complete>', which an edge list cannot promise: write !mp.graph or !mp.graph<sparse>}}
  %g = mp.edge_list dense<[[0, 0]]> : tensor<1x2xi32>, 1, 1 : !mp.graph<complete>
  return
}

// -----

func.func @self_loops_c1(%g: !mp.graph<bipartite>) {
  // expected-error@+1 {{'mp.self_loops' op graph is bipartite, its destinations are not its sources: use mp.complete where they are}}
  %l = mp.self_loops %g : !mp.graph<bipartite> -> !mp.graph
  return
}

// -----

func.func @cast_c1_narrower(%g: !mp.graph) {
  // expected-error@+1 {{'mp.cast' op cannot cast '!mp.graph' to '!mp.graph<complete>': cast to a class that holds every such graph, as !mp.graph does}}
  %c = mp.cast %g : !mp.graph to !mp.graph<complete>
  return
}

// -----

func.func @cast_c1_unrelated(%g: !mp.graph<causal>) {
  // expected-error@+1 {{'mp.cast' op cannot cast '!mp.graph<causal>' to '!mp.graph<cliques>': cast to a class that holds every such graph, as !mp.graph does}}
  %c = mp.cast %g : !mp.graph<causal> to !mp.graph<cliques>
  return
}

// -----

func.func @cast_c1_self_loops(%g: !mp.graph<complete, no_self>) {
  // expected-error@+1 {{'mp.cast' op cannot cast '!mp.graph<complete, no_self>' to '!mp.graph<cliques>': cast to a class that holds every such graph, as !mp.graph does}}
  %c = mp.cast %g : !mp.graph<complete, no_self> to !mp.graph<cliques>
  return
}

// -----

func.func @cast_c1_blocks(%g: !mp.graph<blocks, 48>) {
  // expected-error@+1 {{'mp.cast' op cannot cast '!mp.graph<blocks, 48>' to '!mp.graph<blocks, 32>': cast to a class that holds every such graph, as !mp.graph does}}
  %c = mp.cast %g : !mp.graph<blocks, 48> to !mp.graph<blocks, 32>
  return
}

// -----

func.func @cast_c1_width(%g: !mp.graph<window, 2>) {
  // expected-error@+1 {{'mp.cast' op cannot cast '!mp.graph<window, 2>' to '!mp.graph<window, 3>': cast to a class that holds every such graph, as !mp.graph does}}
  %c = mp.cast %g : !mp.graph<window, 2> to !mp.graph<window, 3>
  return
}

// -----

func.func @degree_c1_static(%g: !mp.graph) {
  // expected-error@+1 {{'mp.degree' op result has type 'tensor<34xf32>', but the graph decides the length: write 'tensor<?xf32>'}}
  %d = mp.degree %g : !mp.graph -> tensor<34xf32>
  return
}

// -----

func.func @degree_c1_rank(%g: !mp.graph) {
  // expected-error@+1 {{'mp.degree' op result #0 must be a tensor<?x...> of bf16, f16, f32 or f64, but got 'tensor<?x1xf32>'}}
  %d = mp.degree %g : !mp.graph -> tensor<?x1xf32>
  return
}

// -----

func.func @degree_c1_element(%g: !mp.graph) {
  // expected-error@+1 {{'mp.degree' op result #0 must be a tensor<?x...> of bf16, f16, f32 or f64, but got 'tensor<?xi32>'}}
  %d = mp.degree %g : !mp.graph -> tensor<?xi32>
  return
}

// -----

func.func @complete_inferred(%n: index) {
  // expected-error@+2 {{'mp.complete' op inferred type(s) '!mp.graph<complete, no_self>' are incompatible with return type(s) of operation '!mp.graph<complete>'}}
  // expected-error@+1 {{'mp.complete' op failed to infer returned types}}
  %g = "mp.complete"(%n) <{no_self}> : (index) -> !mp.graph<complete>
  return
}

// -----

func.func @cliques_inferred(%offsets: tensor<?xi64>) {
  // expected-error@+2 {{'mp.cliques' op inferred type(s) '!mp.graph<causal_cliques>' are incompatible with return type(s) of operation '!mp.graph<cliques>'}}
  // expected-error@+1 {{'mp.cliques' op failed to infer returned types}}
  %g = mp.cliques %offsets causal : tensor<?xi64> -> !mp.graph<cliques>
  return
}

// -----

func.func @reverse_inferred(%g: !mp.graph<causal>) {
  // expected-error@+2 {{'mp.reverse' op inferred type(s) '!mp.graph' are incompatible with return type(s) of operation '!mp.graph<causal>'}}
  // expected-error@+1 {{'mp.reverse' op failed to infer returned types}}
  %r = mp.reverse %g : !mp.graph<causal> -> !mp.graph<causal>
  return
}

// -----

func.func @self_loops_inferred(%g: !mp.graph<complete, no_self>) {
  // expected-error@+2 {{'mp.self_loops' op inferred type(s) '!mp.graph<complete>' are incompatible with return type(s) of operation '!mp.graph<complete, no_self>'}}
  // expected-error@+1 {{'mp.self_loops' op failed to infer returned types}}
  %l = mp.self_loops %g : !mp.graph<complete, no_self> -> !mp.graph<complete, no_self>
  return
}

// -----

func.func @complete_result_type(%n: index) -> !mp.graph<causal> {
  // expected-note@+1 {{prior use here}}
  %g = mp.complete %n
  // expected-error@+1 {{use of value '%g' expects different type than prior uses: '!mp.graph<causal>' vs '!mp.graph<complete>'}}
  return %g : !mp.graph<causal>
}

// -----

func.func @levels_c1(%g: !mp.graph<bipartite>) {
  // expected-error@+1 {{'mp.levels' op graph is bipartite, its destinations are not its sources: use mp.complete where they are}}
  %l, %n, %p, %o = mp.levels %g : !mp.graph<bipartite>
  return
}

// -----

func.func @group_edges_c1(%g: !mp.graph, %type: !mp.edges<i64>, %n: index) {
  // expected-error@+1 {{'mp.group_edges' op groups edges by '!mp.edges<i64>': expected !mp.edges<i32>, a number for each edge}}
  %p, %r, %k = mp.group_edges %g by %type into %n : !mp.graph, !mp.edges<i64>
  return
}

// -----

func.func @group_edges_c1_scalar(%g: !mp.graph, %type: !mp.edges<1xi32>, %n: index) {
  // expected-error@+1 {{'mp.group_edges' op groups edges by '!mp.edges<1xi32>': expected !mp.edges<i32>, a number for each edge}}
  %p, %r, %k = mp.group_edges %g by %type into %n : !mp.graph, !mp.edges<1xi32>
  return
}
