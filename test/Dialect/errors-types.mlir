// The constraints of the types, by number, and their syntax.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{window has half width -1: expected 0 or more}}
func.func private @graph_type_c1_window(!mp.graph<window, -1>)

// -----

// expected-error@+1 {{blocks have size 0: expected 1 to 2147483648}}
func.func private @graph_type_c1_blocks(!mp.graph<blocks, 0>)

// -----

// expected-error@+1 {{blocks have size 2147483649: expected 1 to 2147483648}}
func.func private @graph_type_c1_large_blocks(!mp.graph<blocks, 2147483649>)

// -----

// expected-error@+1 {{window needs its half width, as in !mp.graph<window, 128>}}
func.func private @graph_type_c1_missing(!mp.graph<window>)

// -----

// expected-error@+1 {{blocks needs its block size, as in !mp.graph<blocks, 64>}}
func.func private @graph_type_c1_missing_size(!mp.graph<blocks, no_self>)

// -----

// expected-error@+1 {{complete takes no parameter: drop it}}
func.func private @graph_type_c1_superfluous(!mp.graph<complete, 3>)

// -----

// expected-error@+1 {{causal takes no parameter: drop it}}
func.func private @graph_type_c1_superfluous_zero(!mp.graph<causal, 0, no_self>)

// -----

// expected-error@+1 {{no_self does not go with bipartite: it is for complete, causal, window, cliques and causal_cliques}}
func.func private @graph_type_c2_bipartite(!mp.graph<bipartite, no_self>)

// -----

// expected-error@+1 {{no_self does not go with sparse: it is for complete, causal, window, cliques and causal_cliques}}
func.func private @graph_type_c2_sparse(!mp.graph<sparse, no_self>)

// -----

// expected-error@+1 {{no_self does not go with blocks: it is for complete, causal, window, cliques and causal_cliques}}
func.func private @graph_type_c2_blocks(!mp.graph<blocks, 64, no_self>)

// -----

// expected-error@+1 {{unknown topology 'dense': expected complete, bipartite, causal, window, cliques, causal_cliques, blocks or sparse, or a plain !mp.graph}}
func.func private @graph_type_unknown_topology(!mp.graph<dense>)

// -----

// The unknown topology is the plain type.
// expected-error@+1 {{unknown topology 'unknown': expected complete, bipartite, causal, window, cliques, causal_cliques, blocks or sparse, or a plain !mp.graph}}
func.func private @graph_type_unknown(!mp.graph<unknown>)

// -----

// expected-error@+1 {{expected valid keyword}}
func.func private @graph_type_empty(!mp.graph<>)

// -----

// expected-error@+1 {{expected '>'}}
func.func private @graph_type_unclosed(!mp.graph<causal no_self>)

// -----

// expected-error@+1 {{edge feature has a dimension of size 0: expected static sizes of 1 or more}}
func.func private @edges_type_c1_zero(!mp.edges<8x0xf32>)

// -----

// expected-error@+1 {{expected static shape}}
func.func private @edges_type_c1_dynamic(!mp.edges<?xf32>)

// -----

// expected-error@+1 {{edge feature has element type 'i16': expected bf16, f16, f32, f64, i1, i8, i32 or i64}}
func.func private @edges_type_c2_element(!mp.edges<8xi16>)

// -----

// expected-error@+1 {{edge feature has element type 'tensor<2xf32>': expected bf16, f16, f32, f64, i1, i8, i32 or i64}}
func.func private @edges_type_c2_nested(!mp.edges<8xtensor<2xf32>>)

// -----

// expected-error@+1 {{expected '<'}}
func.func private @edges_type_empty(!mp.edges)

// -----

// expected-error@+1 {{unknown  type `nodes` in dialect `mp`}}
func.func private @unknown_type(!mp.nodes<8xf32>)
