//===- CompiledGraphs.cpp - Graphs that compiled code makes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constructors of the mp dialect, and what is derived from a graph.
//
//===----------------------------------------------------------------------===//
#include "runtime/CompiledArrays.h"
#include "runtime/EdgeGroups.h"
#include "runtime/Levels.h"

using namespace clique;

/// Makes a graph that belongs to the invocation until the layer releases it.
template <typename Fn>
static clique_graph *makeForLayer(Fn &&make) {
  return guardedForLayer([&] {
    GraphPtr graph = make();
    if (Invocation *invocation = Invocation::current())
      invocation->adopt(graph.get());
    return graph.release();
  });
}

void clique_rt_at(const char *place) {
  if (Invocation *invocation = Invocation::current())
    invocation->setPlaceInSpec(place);
}

clique_graph *clique_rt_complete(int64_t n, bool no_self) {
  return makeForLayer([&] { return makeComplete("mp.complete", n, no_self); });
}

clique_graph *clique_rt_bipartite(int64_t num_dst, int64_t num_src) {
  return makeForLayer(
      [&] { return makeBipartite("mp.bipartite", num_dst, num_src); });
}

clique_graph *clique_rt_causal(int64_t n, bool no_self) {
  return makeForLayer([&] { return makeCausal("mp.causal", n, no_self); });
}

clique_graph *clique_rt_window(int64_t n, int64_t half_width, bool no_self) {
  return makeForLayer(
      [&] { return makeWindow("mp.window", n, half_width, no_self); });
}

clique_graph *_mlir_ciface_clique_rt_cliques(Memref1D<const int64_t> *offsets,
                                             bool causal, bool no_self) {
  return makeForLayer([&] {
    Elements<int64_t> values(*offsets);
    if (values.size() == 0)
      fail(CLIQUE_INVALID_ARGUMENT,
           "mp.cliques: offsets are empty, expected one offset more than "
           "cliques");
    return makeCliques("mp.cliques", values.size() - 1, values.data(), causal,
                       no_self);
  });
}

clique_graph *_mlir_ciface_clique_rt_csr(Memref1D<const int64_t> *indptr,
                                         Memref1D<const int32_t> *indices,
                                         int64_t num_src) {
  return makeForLayer([&] {
    Elements<int64_t> rows(*indptr);
    Elements<int32_t> columns(*indices);
    const int64_t numDst = rows.size() - 1;
    if (numDst < 0)
      fail(CLIQUE_INVALID_ARGUMENT,
           "mp.csr: indptr is empty, expected one entry more than rows");
    // Before anything is read at the positions that indptr names.
    if (rows.data()[numDst] != columns.size())
      fail(CLIQUE_INVALID_ARGUMENT,
           "mp.csr: indptr ends with {}, but there are {} indices",
           rows.data()[numDst], columns.size());
    return makeCsr("mp.csr", numDst, num_src, rows.data(), columns.data());
  });
}

clique_graph *_mlir_ciface_clique_rt_coo(Memref1D<const int32_t> *dst,
                                         Memref1D<const int32_t> *src,
                                         int64_t num_dst, int64_t num_src) {
  return makeForLayer([&] {
    if (dst->size != src->size)
      fail(CLIQUE_INVALID_ARGUMENT,
           "mp.coo: {} destinations and {} sources, expected one of each for "
           "every edge",
           dst->size, src->size);
    Elements<int32_t> dstIds(*dst), srcIds(*src);
    return makeCoo("mp.coo", num_dst, num_src, dstIds.size(), dstIds.data(),
                   srcIds.data());
  });
}

/// A graph derived from another one. That of a caller's graph is kept with it,
/// so that the next invocation finds it; a graph made by the layer may be
/// released before what was derived from it.
template <typename Keep, typename Make>
static clique_graph *derive(const clique_graph *g, Keep &&keep, Make &&make) {
  Invocation *invocation = Invocation::current();
  if (!invocation || invocation->owns(g))
    return makeForLayer(make);
  // Compiled code does not write to graphs.
  return const_cast<clique_graph *>(guardedForLayer([&] { return &keep(); }));
}

clique_graph *clique_rt_reverse(const clique_graph *g) {
  return derive(
      g, [&]() -> const clique_graph & { return g->reversed(); },
      [&] {
        GraphPtr reversed = makeReverse(*g);
        // The steps of a loop reverse one part after the other.
        reversed->whole = g->whole;
        return reversed;
      });
}

clique_graph *clique_rt_self_loops(const clique_graph *g) {
  constexpr const char *where = "mp.self_loops";
  return derive(
      g, [&]() -> const clique_graph & { return g->withSelfLoops(where); },
      [&] { return makeSelfLoops(where, *g); });
}

clique_graph *clique_rt_levels(const clique_graph *g) {
  constexpr const char *where = "mp.levels";
  return derive(
      g, [&]() -> const clique_graph & { return g->byLevel(where); },
      [&] { return makeLevels(where, *g); });
}

clique_graph *clique_rt_in_order(const clique_graph *g) {
  // It lives as long as the graph, and compiled code does not write to graphs.
  return const_cast<clique_graph *>(
      guardedForLayer([&] { return &g->inOrder(); }));
}

void _mlir_ciface_clique_rt_level_nodes(Memref1D<const int32_t> *out,
                                        const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->levels->nodes); });
}

void _mlir_ciface_clique_rt_level_places(Memref1D<const int32_t> *out,
                                         const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->levels->places); });
}

void _mlir_ciface_clique_rt_level_offsets(Memref1D<const int64_t> *out,
                                          const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->levels->offsets); });
}

clique_graph *_mlir_ciface_clique_rt_group_edges(const clique_graph *g,
                                                 Memref1D<const int32_t> *keys,
                                                 int64_t num_keys) {
  constexpr const char *where = "mp.group_edges";
  return guardedForLayer([&]() -> clique_graph * {
    Elements<int32_t> values(*keys);
    Invocation *invocation = Invocation::current();
    if (!invocation || invocation->owns(g))
      return makeForLayer([&] {
        return makeGroups(where, *g, values.size(), values.data(), num_keys);
      });
    auto kept = g->grouped(where, values.size(), values.data(), num_keys);
    invocation->keep(kept);
    return const_cast<clique_graph *>(kept.get());
  });
}

void _mlir_ciface_clique_rt_group_rows(Memref1D<const int32_t> *out,
                                       const clique_graph *groups) {
  guardedForLayer([&] { lend(out, groups, groups->groups->rows); });
}

void _mlir_ciface_clique_rt_group_keys(Memref1D<const int32_t> *out,
                                       const clique_graph *groups) {
  guardedForLayer([&] { lend(out, groups, groups->groups->keys); });
}

clique_graph *clique_rt_rows(const clique_graph *g, int64_t first,
                             int64_t count) {
  return makeForLayer([&] { return makeRows("mp.rows", *g, first, count); });
}

void _mlir_ciface_clique_rt_row_edges(Memref1D<const int64_t> *out,
                                      const clique_graph *part) {
  guardedForLayer([&] { lend(out, part, part->edgesInWhole()); });
}

void clique_rt_release(clique_graph *g) {
  Invocation *invocation = Invocation::current();
  if (invocation && !invocation->owns(g)) {
    // Kept with the caller's graph; groups only as long as it likes.
    invocation->letGo(g);
    return;
  }
  if (invocation)
    invocation->disown(g);
  delete g;
}
