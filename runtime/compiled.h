//===- compiled.h - What compiled code calls in the runtime -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other half of the ABI: functions that the compiler emits calls to. Users
// have no business here. Names and layouts belong to CLIQUE_ABI_VERSION.
//
// A function that hands out an array is declared in MLIR as
//   func.func private @clique_rt_X(!llvm.ptr) -> memref<?xT>
//       attributes {llvm.emit_c_interface}
// and defined here as _mlir_ciface_clique_rt_X(descriptor *result, ...).
//
// Compiled code cannot unwind: a function that fails says so to the invocation
// under way, and its result means nothing. After each of them compiled code
// asks clique_rt_has_failed, and returns if it is so; clique_layer_invoke frees
// what the layer had allocated and reports the error. All of them are called on
// the invoking thread outside parallel regions, but for the functions of
// memory; in parallel regions clique_rt_try_alloc allocates, which fails for
// itself.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_COMPILED_H
#define CLIQUE_RUNTIME_COMPILED_H

#include "runtime/clique.h"

struct clique_tiles;
struct clique_typed_edges;
struct clique_interruption;

namespace clique {
/// MLIR's descriptor of a rank-1 memref.
template <typename T>
struct Memref1D {
  T *allocated;
  T *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;
};
} // namespace clique

extern "C" {
// Kernels that the compiler made for one architecture of a device.
struct clique_device_image {
  // "sm_80", "sm_90a" ...: a cubin; "compute_80" ...: PTX text, NUL-terminated;
  // "emulated": an ELF shared object for the emulated driver.
  const char *arch;
  const void *data;
  uint64_t size;
};
// All of them: one per artefact, writable.
struct clique_device_code {
  int32_t num_images;
  int32_t reserved;
  const clique_device_image *images;
  void *loaded; // the runtime's; NULL at start
};

// Sizes. (index results are int64_t.)
CLIQUE_API int64_t clique_rt_num_dst(const clique_graph *g);
CLIQUE_API int64_t clique_rt_num_src(const clique_graph *g);
CLIQUE_API int64_t clique_rt_num_edges(const clique_graph *g);

// CSR: indptr has num_dst + 1 entries and needs O(nodes) only, also for an
// implicit graph; indices materialises an implicit graph's edges.
CLIQUE_API void
_mlir_ciface_clique_rt_indptr(clique::Memref1D<const int64_t> *out,
                              const clique_graph *g);
CLIQUE_API void
_mlir_ciface_clique_rt_indices(clique::Memref1D<const int32_t> *out,
                               const clique_graph *g);
// The same with shared sources: those of row i are the entries of `sources`
// from row_sources[i] on. An implicit graph needs O(nodes) for them, but for
// one without self-loops; else they are the arrays above.
CLIQUE_API void
_mlir_ciface_clique_rt_row_sources(clique::Memref1D<const int64_t> *out,
                                   const clique_graph *g);
CLIQUE_API void
_mlir_ciface_clique_rt_sources(clique::Memref1D<const int32_t> *out,
                               const clique_graph *g);
// The caller's number of the edge at CSR position k of destination i:
// out[out[4 + i * out[1]] + k * out[0]] + k * out[2] + i * out[3].
// These factors are 1, 0, 0, 0 where the numbers are listed; 0, 0, 1, 0 for
// edges in order; and 1, 1, 0, 1 for the reverse of a graph of intervals with
// self-loops, where each destination's edges find the entries of its sources.
CLIQUE_API void
_mlir_ciface_clique_rt_edge_ids(clique::Memref1D<const int64_t> *out,
                                const clique_graph *g);
// Interval graphs: destination i receives from [begin(i), end(i)), without i
// itself if no_self. begin and end are monotone. [0, 0) everywhere for other
// graphs.
CLIQUE_API void
_mlir_ciface_clique_rt_row_begin(clique::Memref1D<const int64_t> *out,
                                 const clique_graph *g);
CLIQUE_API void
_mlir_ciface_clique_rt_row_end(clique::Memref1D<const int64_t> *out,
                               const clique_graph *g);
CLIQUE_API bool clique_rt_no_self(const clique_graph *g);

// The graph in the order in which dense tiles take its nodes: cliques whose
// nodes are mixed, one after the other; any other graph as it is. Kept with g.
// And the node at each of its positions, none where nodes stand as they are
// numbered.
CLIQUE_API clique_graph *clique_rt_in_order(const clique_graph *g);
CLIQUE_API void
_mlir_ciface_clique_rt_node_order(clique::Memref1D<const int32_t> *out,
                                  const clique_graph *g);

// Work split. Rows [out[k], out[k+1]) are block k, at most `rows` rows and, but
// for single rows, about `edges` edges (0: no limit) each. A row of more than
// `longest` edges (0: no limit) is a block of its own. For interval graphs with
// `aligned`, blocks also end where a clique ends. Same graph and
// arguments, same split, whatever the number of threads. Cached with the graph.
CLIQUE_API void
_mlir_ciface_clique_rt_row_blocks(clique::Memref1D<const int64_t> *out,
                                  const clique_graph *g, int64_t rows,
                                  int64_t edges, int64_t longest, bool aligned);
// Rows of more than `edges` edges, each a block of its own above, in chunks of
// `edges`: row and first edge (a CSR position) of each chunk, two entries each;
// and the first chunk of each such row, with one entry more. Fixed and cached
// in the same way.
CLIQUE_API void
_mlir_ciface_clique_rt_hub_chunks(clique::Memref1D<const int64_t> *out,
                                  const clique_graph *g, int64_t edges);
CLIQUE_API void
_mlir_ciface_clique_rt_hubs(clique::Memref1D<const int64_t> *out,
                            const clique_graph *g, int64_t edges);

// The tiles of the blocks clique_rt_row_blocks(g, rows, 0, 0, true), of
// register blocks of `tile_rows` destinations x `columns` sources. Cached with
// the graph, which has no parallel edges. runtime/TileList.h says what the
// arrays hold. Those of an interval graph, whose tiles are not listed, may be
// read at the number 0.
CLIQUE_API const clique_tiles *clique_rt_tiles(const clique_graph *g,
                                               int64_t rows, int64_t tile_rows,
                                               int64_t columns);
CLIQUE_API bool clique_rt_tiles_are_listed(const clique_tiles *t);
CLIQUE_API void
_mlir_ciface_clique_rt_tile_blocks(clique::Memref1D<const int64_t> *out,
                                   const clique_tiles *t);
CLIQUE_API void
_mlir_ciface_clique_rt_tile_list(clique::Memref1D<const int64_t> *out,
                                 const clique_tiles *t);
CLIQUE_API void _mlir_ciface_clique_rt_tile_register_blocks(
    clique::Memref1D<const int64_t> *out, const clique_tiles *t);
CLIQUE_API void
_mlir_ciface_clique_rt_tile_words(clique::Memref1D<const int64_t> *out,
                                  const clique_tiles *t);
CLIQUE_API void
_mlir_ciface_clique_rt_tile_first_edges(clique::Memref1D<const int64_t> *out,
                                        const clique_tiles *t);

// The edges of the blocks clique_rt_row_blocks(g, rows, edges, 0, false) by
// their types (i32, one for each edge, in the caller's order; 0 if below 0,
// num_types - 1 if above), in chunks of at most `groups` destinations of one
// type. runtime/TypedEdges.h says what the arrays hold; edge numbers only
// `with_ids`. They stay for the invocation, and are kept with the graph until
// it meets other types.
CLIQUE_API const clique_typed_edges *_mlir_ciface_clique_rt_edges_by_type(
    const clique_graph *g, clique::Memref1D<const int32_t> *types, int64_t rows,
    int64_t edges, int64_t groups, int64_t num_types, bool with_ids);
CLIQUE_API void
_mlir_ciface_clique_rt_type_blocks(clique::Memref1D<const int64_t> *out,
                                   const clique_typed_edges *t);
CLIQUE_API void
_mlir_ciface_clique_rt_type_chunks(clique::Memref1D<const int64_t> *out,
                                   const clique_typed_edges *t);
CLIQUE_API void
_mlir_ciface_clique_rt_type_groups(clique::Memref1D<const int64_t> *out,
                                   const clique_typed_edges *t);
CLIQUE_API void
_mlir_ciface_clique_rt_type_sources(clique::Memref1D<const int32_t> *out,
                                    const clique_typed_edges *t);
CLIQUE_API void
_mlir_ciface_clique_rt_type_edge_ids(clique::Memref1D<const int64_t> *out,
                                     const clique_typed_edges *t);

// The cost model. Returns 1 for dense tiles, 0 for sparse rows, and records the
// decision with its reason under `kernel`'s name (NUL-terminated). `versions`:
// bit 0 = a sparse version was compiled, bit 1 = a dense one, bit 2 = the dense
// one takes nodes in the order of clique_rt_in_order. A dense version may only
// be chosen on graphs without parallel edges; it is an error if that leaves
// none.
// The others are picoseconds that one core is expected to take, as the compiler
// counts: an edge of a row, what it takes more if its source's features, of
// `source_bytes`, do not lie in the core's own caches, a row beside its edges;
// a pair in a tile, the same in a part of a tile that has a mask, what an edge
// takes there beside it, and a register block beside its pairs; and what of a
// pair with a mask is saved where all rows have the same sources.
CLIQUE_API bool clique_rt_choose_dense(
    const clique_graph *g, const char *kernel, int64_t versions, int64_t edge,
    int64_t far_edge, int64_t source_bytes, int64_t row, int64_t pair,
    int64_t masked_pair, int64_t tile_edge, int64_t tile_rows,
    int64_t register_block, int64_t even_saving);

// Whether a result of so many bytes takes half of this machine's last cache,
// and as much as it is made from the rest, so that it had better be written
// past it.
CLIQUE_API bool clique_rt_outgrows_caches(int64_t bytes);

// Whether a function of this header has failed since the layer was invoked.
CLIQUE_API bool clique_rt_has_failed(void);

// With what errors begin until the next call: where in the spec they come from.
// The text is NUL-terminated and stays; NULL is nothing.
CLIQUE_API void clique_rt_at(const char *place);

// Parallel regions: what ends the invocation early, for the region's threads;
// whether the next block is to be computed, which each of them asks; and after
// the region, whose results nobody may read then, the failure. NULL: never.
CLIQUE_API clique_interruption *clique_rt_interruption(void);
CLIQUE_API bool clique_rt_goes_on(clique_interruption *interruption);
CLIQUE_API void
clique_rt_fail_if_interrupted(clique_interruption *interruption);

// Graphs made in the spec; each must be released. Node and edge counts are
// checked here.
CLIQUE_API clique_graph *clique_rt_complete(int64_t n, bool no_self);
CLIQUE_API clique_graph *clique_rt_bipartite(int64_t num_dst, int64_t num_src);
CLIQUE_API clique_graph *clique_rt_causal(int64_t n, bool no_self);
CLIQUE_API clique_graph *clique_rt_window(int64_t n, int64_t half_width,
                                          bool no_self);
CLIQUE_API clique_graph *
_mlir_ciface_clique_rt_cliques(clique::Memref1D<const int64_t> *offsets,
                               bool causal, bool no_self);
CLIQUE_API clique_graph *
_mlir_ciface_clique_rt_csr(clique::Memref1D<const int64_t> *indptr,
                           clique::Memref1D<const int32_t> *indices,
                           int64_t num_src);
CLIQUE_API clique_graph *
_mlir_ciface_clique_rt_coo(clique::Memref1D<const int32_t> *dst,
                           clique::Memref1D<const int32_t> *src,
                           int64_t num_dst, int64_t num_src);
CLIQUE_API clique_graph *clique_rt_reverse(const clique_graph *g);
CLIQUE_API clique_graph *clique_rt_self_loops(const clique_graph *g);
// The nodes of an acyclic graph level by level: the graph in this order, of
// which one asks for the old numbers, the new ones, and the first of each level
// (one entry more than levels).
CLIQUE_API clique_graph *clique_rt_levels(const clique_graph *g);
CLIQUE_API void
_mlir_ciface_clique_rt_level_nodes(clique::Memref1D<const int32_t> *out,
                                   const clique_graph *by_level);
CLIQUE_API void
_mlir_ciface_clique_rt_level_places(clique::Memref1D<const int32_t> *out,
                                    const clique_graph *by_level);
CLIQUE_API void
_mlir_ciface_clique_rt_level_offsets(clique::Memref1D<const int64_t> *out,
                                     const clique_graph *by_level);
// The groups of edges of one key (i32, one for each edge, in the caller's
// order; 0 if below 0, num_keys - 1 if above) into one destination, as
// destinations; and the destination and the key of each. Kept with the graph
// until it meets other keys, or four other numbers of keys.
CLIQUE_API clique_graph *
_mlir_ciface_clique_rt_group_edges(const clique_graph *g,
                                   clique::Memref1D<const int32_t> *keys,
                                   int64_t num_keys);
CLIQUE_API void
_mlir_ciface_clique_rt_group_rows(clique::Memref1D<const int32_t> *out,
                                  const clique_graph *groups);
CLIQUE_API void
_mlir_ciface_clique_rt_group_keys(clique::Memref1D<const int32_t> *out,
                                  const clique_graph *groups);
// The destinations [first, first + count) of a graph, to be released before it,
// and the number in that graph of each edge of the part.
CLIQUE_API clique_graph *clique_rt_rows(const clique_graph *g, int64_t first,
                                        int64_t count);
CLIQUE_API void
_mlir_ciface_clique_rt_row_edges(clique::Memref1D<const int64_t> *out,
                                 const clique_graph *part);
CLIQUE_API void clique_rt_release(clique_graph *g);

// Checks offsets of a batch (readout): from 0, monotone, last == `total`.
// Returns the number of parts.
CLIQUE_API int64_t _mlir_ciface_clique_rt_check_offsets(
    clique::Memref1D<const int64_t> *offsets, int64_t total);

// Fails unless least <= actual <= most, with "WHAT: given ACTUAL, expected
// LEAST to MOST". `what` is NUL-terminated. (A range of one number is given as
// that, one that ends at INT64_MAX as LEAST or more, an empty one as none.)
CLIQUE_API void clique_rt_check(int64_t actual, int64_t least, int64_t most,
                                const char *what);

// Memory of compiled code (MLIR's generic allocation functions): 64-byte
// aligned, blocks are kept for reuse, use and peak are counted. To free what is
// no live block (an array that a graph lends, say) does nothing.
// NOLINTBEGIN(readability-identifier-naming)
CLIQUE_API void *_mlir_memref_to_llvm_alloc(uint64_t size);
CLIQUE_API void *_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment,
                                                    uint64_t size);
CLIQUE_API void _mlir_memref_to_llvm_free(void *ptr);
// Arguments that the caller gave away, by the address of their first element;
// others are left alone. The first is true where a result of `size` bytes may
// be written to the argument's memory, which the layer owns from then on as if
// it had allocated it; the second frees it. Each is asked when nothing else
// reads the argument any more, but for what makes that result.
CLIQUE_API bool clique_rt_take_argument(const void *argument, int64_t size);
CLIQUE_API void clique_rt_free_argument(const void *argument);
// The same on the host, for threads of parallel regions: NULL if there is no
// memory. What was had is given back, and when the region is over,
// clique_rt_out_of_memory ends the invocation.
CLIQUE_API void *clique_rt_try_alloc(uint64_t alignment, uint64_t size);
CLIQUE_API void clique_rt_out_of_memory(uint64_t size);
// NOLINTEND(readability-identifier-naming)

// Layers of a device. Their allocation functions hand out the device's memory,
// a graph's arrays are copies on it, offsets and edge lists are read from it.
// All of it is ordered by the invocation's stream.
//
// Starts a kernel. params[k] points to the k-th parameter, as cuLaunchKernel
// takes them: a memref is 3 + 2 rank parameters (allocated, aligned, offset,
// sizes, strides), index is i64, i1 a byte. An empty grid does nothing.
CLIQUE_API void clique_rt_launch(clique_device_code *code, const char *kernel,
                                 const int64_t *grid_and_block,
                                 int64_t shared_bytes, void **params);
// Gives back what was loaded for the code, once nothing launches it any more.
// Closing a library does that; a layer that was linked in memory needs it.
CLIQUE_API void clique_rt_unload(clique_device_code *code);
// To the host: waits for the stream.
CLIQUE_API void clique_rt_read(void *host, const void *device, int64_t bytes);
// From the host, whose bytes may change when this returns.
CLIQUE_API void clique_rt_write(void *device, const void *host, int64_t bytes);
// The device's copy of bytes of the host that do not change while the code is
// loaded: made at the first call, kept with the code, and for every stream.
CLIQUE_API const void *clique_rt_constant(clique_device_code *code,
                                          const void *host, int64_t bytes);
// On the device.
CLIQUE_API void clique_rt_copy(void *device_to, const void *device_from,
                               int64_t bytes);
}
#endif // CLIQUE_RUNTIME_COMPILED_H
