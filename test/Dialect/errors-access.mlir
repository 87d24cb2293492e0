// The constraints of what loops read of graphs, by number.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

func.func @tile_list_c1_rows(%g: !mp.graph, %n: index) {
  // expected-error@+1 {{'mp.tile_list' op lists tiles of 0 rows and 64 columns: expected at least 1 row, and 1 to 64 columns, as a row of a tile is a word of bits}}
  %t:6 = mp.tile_list %g rows %n tile_rows 0 columns 64 : !mp.graph
  return
}

// -----

func.func @tile_list_c1_columns(%g: !mp.graph, %n: index) {
  // expected-error@+1 {{'mp.tile_list' op lists tiles of 12 rows and 65 columns: expected}}
  %t:6 = mp.tile_list %g rows %n tile_rows 12 columns 65 : !mp.graph
  return
}

// -----

func.func @edges_by_type_c1(%g: !mp.graph, %t: memref<?xi32>, %n: index) {
  // expected-error@+1 {{'mp.edges_by_type' op has chunks of 8 groups and 0 types of edges: expected at least 1 of both}}
  %e:5 = mp.edges_by_type %g, %t rows %n edges %n groups 8 types 0 : !mp.graph
  return
}

// -----

func.func @to_tensor_c1(%e: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.to_tensor' op takes '!mp.edges<8xf32>' for 'tensor<?x4xf32>': expected 'tensor<?x8xf32>'}}
  %t = mp.to_tensor %e : !mp.edges<8xf32> -> tensor<?x4xf32>
  return
}

// -----

func.func @to_edges_c1(%t: tensor<16x8xf32>) {
  // expected-error@+1 {{'mp.to_edges' op takes '!mp.edges<8xf32>' for 'tensor<16x8xf32>': expected 'tensor<?x8xf32>'}}
  %e = mp.to_edges %t : tensor<16x8xf32> -> !mp.edges<8xf32>
  return
}

// -----

func.func @array_of_integers(%g: !mp.graph, %t: memref<?xi64>, %n: index) {
  // expected-error@+1 {{'mp.edges_by_type' op operand #1 must be a memref<?xi32>, but got 'memref<?xi64>'}}
  %e:5 = "mp.edges_by_type"(%g, %t, %n, %n) <{groups = 8 : i64, types = 1 : i64}> : (!mp.graph, memref<?xi64>, index, index) -> (memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi32>, memref<?xi64>)
  return
}
