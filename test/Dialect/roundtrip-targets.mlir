// Machines and schedules are printed as they were written, without what is usual.
// RUN: clique-opt %s | clique-opt | FileCheck %s

// CHECK: module attributes {mp.target = #mp.cpu<vector_bits = 256, registers = 16, l2_bytes = 262144, bf16_pairs = true>}
module attributes {mp.target = #mp.cpu<registers = 16, vector_bits = 256, l2_bytes = 262144, cores = 8, bf16_pairs = true>} {
  // CHECK: #mp.cpu<vector_bits = 512, registers = 32, rates = zen4>
  func.func private @rates() attributes {a = #mp.cpu<vector_bits = 512, registers = 32, bf16_pairs = false, rates = zen4>}
  // CHECK: #mp.gpu<shared_bytes = 101376, multiprocessor_shared_bytes = 102400, matrix = none, thread_registers = 128>
  func.func private @gpu() attributes {a = #mp.gpu<shared_bytes = 101376, multiprocessor_shared_bytes = 102400, matrix = none, thread_registers = 128, warp = 32>}
  // CHECK: #mp.node_blocks<rows = 64, threads = 128>
  func.func private @nodes() attributes {a = #mp.node_blocks<rows = 64, threads = 128>}
  // CHECK: #mp.row_blocks<rows = 32, edges = 4096, chunk = 32, part = 256, prefetch = 16>
  func.func private @rows() attributes {a = #mp.row_blocks<rows = 32, edges = 4096, chunk = 32, part = 256, prefetch = 16, threads = 0>}
  // CHECK: #mp.edge_blocks<rows = 256, step = 32, edges = 1024, chunk = 48, part = 240, prefetch = 16>
  func.func private @edges() attributes {a = #mp.edge_blocks<rows = 256, step = 32, edges = 1024, chunk = 48, part = 240, prefetch = 16>}
  // CHECK: #mp.typed_blocks<rows = 4096, step = 32, groups = 8, divided = <rows = 32, edges = 4096>>
  func.func private @typed() attributes {a = #mp.typed_blocks<rows = 4096, step = 32, groups = 8, divided = <rows = 32, edges = 4096>>}
  // CHECK: #mp.tiles<rows = 384, tile_rows = 12, columns = 64, border = 32>
  func.func private @tiles() attributes {a = #mp.tiles<rows = 384, tile_rows = 12, columns = 64, border = 32>}
  // CHECK: #mp.tiles<rows = 384, tile_rows = 12, columns = 64, border = 32, prefetch = 1, prefetch_tiles = 1>
  func.func private @tiles_ahead() attributes {a = #mp.tiles<rows = 384, tile_rows = 12, columns = 64, border = 32, prefetch = 1, prefetch_tiles = 1>}
}
