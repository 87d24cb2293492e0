// Descriptions of machines, and schedules of kernels.
// RUN: clique-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{a CPU with 16 vector registers of 96 bits: expected at least 8 registers of 64, 128, 256 ... bits}}
func.func private @cpu_c1_bits() attributes {a = #mp.cpu<vector_bits = 96, registers = 16>}

// -----

// expected-error@+1 {{a CPU with 4 vector registers of 128 bits: expected at least 8 registers of 64, 128, 256 ... bits}}
func.func private @cpu_c1_registers() attributes {a = #mp.cpu<vector_bits = 128, registers = 4>}

// -----

// expected-error@+1 {{a CPU of 0 cores with 1048576 bytes of second-level cache in lines of 64: expected at least 1 core, 65536 bytes and lines of 16, 32, 64 ... bytes}}
func.func private @cpu_c2() attributes {a = #mp.cpu<vector_bits = 128, registers = 16, cores = 0>}

// -----

// expected-error@+1 {{a GPU whose blocks have 65536 of 65535 bytes of shared memory: expected at least 16384, and no more than the multiprocessor has}}
func.func private @gpu_c1() attributes {a = #mp.gpu<shared_bytes = 65536, multiprocessor_shared_bytes = 65535, matrix = mma>}

// -----

// expected-error@+1 {{a GPU with warps of 64 threads of 255 registers: expected warps of 32 threads with at least 32 registers each}}
func.func private @gpu_c2() attributes {a = #mp.gpu<shared_bytes = 65536, multiprocessor_shared_bytes = 65536, matrix = mma, warp = 64>}

// -----

// expected-error@+1 {{blocks of 0 nodes: expected at least 1}}
func.func private @node_blocks_c1_rows() attributes {a = #mp.node_blocks<rows = 0>}

// -----

// expected-error@+1 {{12 threads compute a block: expected 0 or a power of two}}
func.func private @node_blocks_c1_threads() attributes {a = #mp.node_blocks<rows = 8, threads = 12>}

// -----

// expected-error@+1 {{blocks of 8 rows and 0 edges: expected at least 1 of both}}
func.func private @row_blocks_c1() attributes {a = #mp.row_blocks<rows = 8, edges = 0>}

// -----

// expected-error@+1 {{chunks of 12 edges: expected 0 or a power of two}}
func.func private @row_blocks_c2_chunk() attributes {a = #mp.row_blocks<rows = 8, edges = 64, chunk = 12>}

// -----

// expected-error@+1 {{parts of 0 edges, fetched -1 edges ahead: expected 0 or more}}
func.func private @row_blocks_c2_prefetch() attributes {a = #mp.row_blocks<rows = 8, edges = 64, prefetch = -1>}

// -----

// expected-error@+1 {{rows of at most 128 edges in blocks of 64: expected 0 to 64}}
func.func private @row_blocks_c3() attributes {a = #mp.row_blocks<rows = 8, edges = 64, longest = 128>}

// -----

// expected-error@+1 {{blocks of 100 rows in steps of 32, products of 8 destinations: expected a multiple of the step, and at least 1 destination}}
func.func private @typed_blocks_c1() attributes {a = #mp.typed_blocks<rows = 100, step = 32, groups = 8, divided = <rows = 32, edges = 64>>}

// -----

// expected-error@+1 {{blocks of 100 rows in steps of 32, about 64 edges: expected a multiple of the step, and at least 1 edge}}
func.func private @edge_blocks_c1_step() attributes {a = #mp.edge_blocks<rows = 100, step = 32, edges = 64, chunk = 48>}

// -----

// expected-error@+1 {{blocks of 64 rows in steps of 32, about 0 edges: expected a multiple of the step, and at least 1 edge}}
func.func private @edge_blocks_c1_edges() attributes {a = #mp.edge_blocks<rows = 64, step = 32, edges = 0, chunk = 48>}

// -----

// expected-error@+1 {{chunks of 40 edges: expected a positive multiple of 16}}
func.func private @edge_blocks_c2_chunk() attributes {a = #mp.edge_blocks<rows = 64, step = 32, edges = 64, chunk = 40>}

// -----

// expected-error@+1 {{parts of -1 edges, fetched 0 edges ahead: expected 0 or more}}
func.func private @edge_blocks_c2_part() attributes {a = #mp.edge_blocks<rows = 64, step = 32, edges = 64, chunk = 48, part = -1>}

// -----

// expected-error@+1 {{tiles of 12 rows in blocks of 100: expected a divisor of the block's rows}}
func.func private @tiles_c1() attributes {a = #mp.tiles<rows = 100, tile_rows = 12, columns = 64, border = 32>}

// -----

// expected-error@+1 {{tiles of 128 columns: expected 1 to 64, as a row of a tile is a word of bits}}
func.func private @tiles_c2_columns() attributes {a = #mp.tiles<rows = 12, tile_rows = 12, columns = 128, border = 32>}

// -----

// expected-error@+1 {{parts of 48 columns in tiles of 64: expected a divisor}}
func.func private @tiles_c2_border() attributes {a = #mp.tiles<rows = 12, tile_rows = 12, columns = 64, border = 48>}

// -----

// expected-error@+1 {{rows fetched 2 blocks ahead: expected 0, or 1 where one thread computes a block}}
func.func private @tiles_c3_blocks() attributes {a = #mp.tiles<rows = 12, tile_rows = 12, columns = 64, border = 32, prefetch = 2>}

// -----

// expected-error@+1 {{rows fetched 1 blocks ahead: expected 0, or 1 where one thread computes a block}}
func.func private @tiles_c3_threads() attributes {a = #mp.tiles<rows = 12, tile_rows = 12, columns = 64, border = 32, threads = 128, prefetch = 1>}

// -----

// expected-error@+1 {{rows fetched 3 tiles ahead: expected 0, or 1 where one thread computes a block}}
func.func private @tiles_c3_tiles() attributes {a = #mp.tiles<rows = 12, tile_rows = 12, columns = 64, border = 32, prefetch_tiles = 3>}

// -----

// expected-error@+1 {{nodes taken in_order = 2: expected 0, or 1 where one thread computes a block}}
func.func private @tiles_c3_order() attributes {a = #mp.tiles<rows = 12, tile_rows = 12, columns = 64, border = 32, in_order = 2>}

// -----

// expected-error@+1 {{nodes taken in_order = 1: expected 0, or 1 where one thread computes a block}}
func.func private @tiles_c3_order_threads() attributes {a = #mp.tiles<rows = 12, tile_rows = 12, columns = 64, border = 32, threads = 128, in_order = 1>}

// -----

// expected-error@+1 {{'func.func' op has 'mp.target': a machine is described for a whole module}}
func.func private @on_a_function() attributes {mp.target = #mp.cpu<vector_bits = 256, registers = 16>}

// -----

// expected-error@+1 {{'builtin.module' op has 'mp.target' "zen": expected #mp.cpu<...> or #mp.gpu<...>}}
module attributes {mp.target = "zen"} {}

// -----

// expected-error@+1 {{'func.func' op has 'mp.readout', which an mp.csr has or has not}}
func.func private @readout() attributes {mp.readout}

// -----

// What a block function says of its threads.

// expected-error@+1 {{'func.func' op has 'mp.threads' 12 : i64: expected an i64, a power of two}}
func.func private @threads() attributes {mp.threads = 12 : i64}

// -----

// expected-error@+1 {{'func.func' op has 'mp.rows' -1 : i64: expected an i64 of at least 0}}
func.func private @rows() attributes {mp.rows = -1 : i64}

// -----

// expected-error@+1 {{'func.func' op has 'mp.first_destination' on an argument of type 'i64': expected index, the number of a row}}
func.func private @first(i64 {mp.first_destination}) attributes {mp.rows = 64 : i64}

// -----

// expected-error@+1 {{'func.func' op has 'mp.widened_from' on an argument of type 'memref<?xi32>': expected floats, and the type that they have in memory}}
func.func private @widened(memref<?xi32> {mp.widened_from = bf16})

// -----

// expected-error@+1 {{'func.func' op has 'mp.prefetch' 0 : i64: expected an i64 of at least 1, a number of entries}}
func.func private @distance(memref<?xi32> {mp.prefetch = 0 : i64})

// -----

// expected-error@+1 {{'func.func' op has 'mp.prefetch' on an argument of type 'memref<?x8xi32>': expected a list (memref<?xi32>, say) of the numbers of rows}}
func.func private @array(memref<?x8xi32> {mp.prefetch = 32 : i64})

// -----

// expected-error@+1 {{'func.func' op has 'mp.donatable' 1 : i64: expected it without a value}}
func.func private @donatable(tensor<?x8xf32> {mp.donatable = 1 : i64})

// -----

// expected-error@+1 {{'func.func' op has 'mp.overwrites' 0 : i64: expected it on one argument, and 'mp.overwritten' with the same number on another one, memrefs of any number of rows of equally many bytes}}
func.func private @alone(memref<?x8xf32>, memref<?x8xf32> {mp.overwrites = 0 : i64})

// -----

// expected-error@+1 {{'func.func' op has 'mp.overwritten' 0 : i64: expected it on one argument, and 'mp.overwrites' with the same number on another one, memrefs of any number of rows of equally many bytes}}
func.func private @rows(memref<?x4xf32> {mp.overwritten = 0 : i64}, memref<?x8xf32> {mp.overwrites = 0 : i64})

// -----

// expected-error@+1 {{'func.func' op has 'mp.shared_bytes' 8 : i32: expected an i64 of at least 0}}
func.func private @shared() attributes {mp.shared_bytes = 8 : i32}

// -----

// expected-error@+1 {{'func.func' op has 'mp.product_type' f32: expected f16 or bf16}}
func.func private @product() attributes {mp.product_type = f32}

// -----

// expected-error@+1 {{'builtin.module' op has 'mp.threads', which says how threads compute a function}}
module attributes {mp.threads = 32 : i64} {
}
