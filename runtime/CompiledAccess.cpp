//===- CompiledAccess.cpp - What compiled code reads of a graph -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of compiled.h that hand out the arrays of a graph, of its tiles
// and of its edges by type.
//
//===----------------------------------------------------------------------===//
#include "runtime/CompiledArrays.h"

using namespace clique;

int64_t clique_rt_num_dst(const clique_graph *g) { return g->numDst; }
int64_t clique_rt_num_src(const clique_graph *g) { return g->numSrc; }
int64_t clique_rt_num_edges(const clique_graph *g) { return g->numEdges; }

void _mlir_ciface_clique_rt_indptr(Memref1D<const int64_t> *out,
                                   const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->indptr()); });
}

void _mlir_ciface_clique_rt_indices(Memref1D<const int32_t> *out,
                                    const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->indices()); });
}

void _mlir_ciface_clique_rt_row_sources(Memref1D<const int64_t> *out,
                                        const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->rowSources()); });
}

void _mlir_ciface_clique_rt_sources(Memref1D<const int32_t> *out,
                                    const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->sharedSources()); });
}

void _mlir_ciface_clique_rt_edge_ids(Memref1D<const int64_t> *out,
                                     const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->edgeNumbering()); });
}

void _mlir_ciface_clique_rt_row_begin(Memref1D<const int64_t> *out,
                                      const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->intervals().begin); });
}

void _mlir_ciface_clique_rt_row_end(Memref1D<const int64_t> *out,
                                    const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->intervals().end); });
}

bool clique_rt_no_self(const clique_graph *g) {
  return guardedForLayer([&] { return g->info().no_self != 0; });
}

void _mlir_ciface_clique_rt_node_order(Memref1D<const int32_t> *out,
                                       const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->nodeOrder); });
}

void _mlir_ciface_clique_rt_row_blocks(Memref1D<const int64_t> *out,
                                       const clique_graph *g, int64_t rows,
                                       int64_t edges, int64_t longest,
                                       bool aligned) {
  guardedForLayer(
      [&] { lend(out, g, g->rowBlocks({rows, edges, longest, aligned})); });
}

void _mlir_ciface_clique_rt_hub_chunks(Memref1D<const int64_t> *out,
                                       const clique_graph *g, int64_t edges) {
  guardedForLayer([&] { lend(out, g, g->hubChunks(edges).chunks); });
}

void _mlir_ciface_clique_rt_hubs(Memref1D<const int64_t> *out,
                                 const clique_graph *g, int64_t edges) {
  guardedForLayer([&] { lend(out, g, g->hubChunks(edges).hubs); });
}

const clique_tiles *clique_rt_tiles(const clique_graph *g, int64_t rows,
                                    int64_t tile_rows, int64_t columns) {
  return guardedForLayer(
      [&] { return &g->tileList({rows, tile_rows, columns}); });
}

bool clique_rt_tiles_are_listed(const clique_tiles *t) { return t->isListed; }

void _mlir_ciface_clique_rt_tile_blocks(Memref1D<const int64_t> *out,
                                        const clique_tiles *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->blocks); });
}

void _mlir_ciface_clique_rt_tile_list(Memref1D<const int64_t> *out,
                                      const clique_tiles *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->tiles); });
}

void _mlir_ciface_clique_rt_tile_register_blocks(Memref1D<const int64_t> *out,
                                                 const clique_tiles *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->registerBlocks); });
}

void _mlir_ciface_clique_rt_tile_words(Memref1D<const int64_t> *out,
                                       const clique_tiles *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->words); });
}

void _mlir_ciface_clique_rt_tile_first_edges(Memref1D<const int64_t> *out,
                                             const clique_tiles *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->firstEdges()); });
}

const clique_typed_edges *_mlir_ciface_clique_rt_edges_by_type(
    const clique_graph *g, Memref1D<const int32_t> *types, int64_t rows,
    int64_t edges, int64_t groups, int64_t num_types, bool with_ids) {
  return guardedForLayer([&] {
    Elements<int32_t> values(*types);
    auto list = g->typedEdges({rows, edges, groups, num_types, with_ids},
                              values.data());
    // Once, however often a loop asks.
    Invocation *invocation = Invocation::current();
    if (invocation && !invocation->keeps(list.get()))
      invocation->keep(list);
    return list.get();
  });
}

template <typename T>
static void lendTyped(Memref1D<const T> *out, const clique_typed_edges *t,
                      const std::vector<T> &array) {
  lend(out, &t->graph, ArrayView<T>(array), t->onDevices());
}

void _mlir_ciface_clique_rt_type_blocks(Memref1D<const int64_t> *out,
                                        const clique_typed_edges *t) {
  guardedForLayer([&] { lendTyped(out, t, t->blocks); });
}

void _mlir_ciface_clique_rt_type_chunks(Memref1D<const int64_t> *out,
                                        const clique_typed_edges *t) {
  guardedForLayer([&] { lendTyped(out, t, t->chunks); });
}

void _mlir_ciface_clique_rt_type_groups(Memref1D<const int64_t> *out,
                                        const clique_typed_edges *t) {
  guardedForLayer([&] { lendTyped(out, t, t->groups); });
}

void _mlir_ciface_clique_rt_type_sources(Memref1D<const int32_t> *out,
                                         const clique_typed_edges *t) {
  guardedForLayer([&] { lendTyped(out, t, t->sources); });
}

void _mlir_ciface_clique_rt_type_edge_ids(Memref1D<const int64_t> *out,
                                          const clique_typed_edges *t) {
  guardedForLayer([&] { lendTyped(out, t, t->edgeIds); });
}
