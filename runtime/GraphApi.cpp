//===- GraphApi.cpp - Checked construction of graphs ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validation of what a caller hands in, and the graph functions of the C ABI.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/Graph.h"
#include "runtime/Interruption.h"

#include <limits>

using namespace clique;

//===----------------------------------------------------------------------===//
// Checked constructors
//===----------------------------------------------------------------------===//

void clique::checkNodeCount(int64_t count, const char *where,
                            const char *what) {
  if (count < 0 || count > std::numeric_limits<int32_t>::max())
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: {} {}, expected 0 to {}: node ids have 32 bits", where, count,
         what, std::numeric_limits<int32_t>::max());
}

static GraphPtr makeImplicit(int64_t numDst, int64_t numSrc,
                             clique_topology topology, bool noSelf,
                             int64_t halfWidth = 0) {
  ImplicitForm form;
  form.topology = topology;
  form.noSelf = noSelf;
  form.halfWidth = halfWidth;
  return std::make_unique<clique_graph>(numDst, numSrc, std::move(form));
}

GraphPtr clique::makeComplete(const char *where, int64_t n, bool noSelf) {
  checkNodeCount(n, where, "nodes");
  return makeImplicit(n, n, CLIQUE_TOPOLOGY_COMPLETE, noSelf);
}

GraphPtr clique::makeBipartite(const char *where, int64_t numDst,
                               int64_t numSrc) {
  checkNodeCount(numDst, where, "destinations");
  checkNodeCount(numSrc, where, "sources");
  return makeImplicit(numDst, numSrc, CLIQUE_TOPOLOGY_BIPARTITE, false);
}

GraphPtr clique::makeCausal(const char *where, int64_t n, bool noSelf) {
  checkNodeCount(n, where, "nodes");
  return makeImplicit(n, n, CLIQUE_TOPOLOGY_CAUSAL, noSelf);
}

GraphPtr clique::makeWindow(const char *where, int64_t n, int64_t halfWidth,
                            bool noSelf) {
  checkNodeCount(n, where, "nodes");
  if (halfWidth < 0)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: half width {}, expected 0 or more: node i receives from j with "
         "|i - j| <= half "
         "width",
         where, halfWidth);
  return makeImplicit(n, n, CLIQUE_TOPOLOGY_WINDOW, noSelf, halfWidth);
}

void clique::checkOffsets(const char *where, int64_t count,
                          const int64_t *offsets) {
  if (count < 0)
    fail(CLIQUE_INVALID_ARGUMENT,
         "{}: {} parts; expected 0 or more, with one offset more than parts",
         where, count);
  requireNonNull(offsets, where, "offsets");
  if (offsets[0] != 0)
    fail(CLIQUE_INVALID_ARGUMENT, "{}: offsets[0] is {}, expected 0", where,
         offsets[0]);
  for (int64_t c = 0; c < count; ++c)
    if (offsets[c + 1] < offsets[c])
      fail(
          CLIQUE_INVALID_ARGUMENT,
          "{}: offsets[{}] = {} is smaller than offsets[{}] = {}; offsets must "
          "not decrease",
          where, c + 1, offsets[c + 1], c, offsets[c]);
}

GraphPtr clique::makeCliques(const char *where, int64_t count,
                             const int64_t *offsets, bool causal, bool noSelf) {
  checkOffsets(where, count, offsets);
  checkNodeCount(offsets[count], where, "nodes");
  ImplicitForm form;
  form.topology =
      causal ? CLIQUE_TOPOLOGY_CAUSAL_CLIQUES : CLIQUE_TOPOLOGY_CLIQUES;
  form.noSelf = noSelf;
  form.offsets.assign(offsets, offsets + count + 1);
  return std::make_unique<clique_graph>(offsets[count], offsets[count],
                                        std::move(form));
}

static void checkIds(const char *where, const char *array, const int32_t *ids,
                     int64_t count, int64_t limit, const char *kind) {
  LoopInterruption interruption;
  for (int64_t k = 0; k < count; ++k) {
    interruption.check();
    if (ids[k] < 0 || ids[k] >= limit)
      fail(CLIQUE_INVALID_ARGUMENT,
           "{}: {}[{}] is {}, expected 0 <= {} < {}, the number of {}s", where,
           array, k, ids[k], kind, limit, kind);
  }
}

GraphPtr clique::makeCsr(const char *where, int64_t numDst, int64_t numSrc,
                         const int64_t *indptr, const int32_t *indices,
                         std::shared_ptr<const void> owner) {
  checkNodeCount(numDst, where, "destinations");
  checkNodeCount(numSrc, where, "sources");
  if (numDst)
    requireNonNull(indptr, where, "indptr");
  if (indptr && indptr[0] != 0)
    fail(CLIQUE_INVALID_ARGUMENT, "{}: indptr[0] is {}, expected 0", where,
         indptr[0]);
  if (numDst == 0)
    return std::make_unique<clique_graph>(0, numSrc, nullptr, indices);
  for (int64_t i = 0; i < numDst; ++i)
    if (indptr[i + 1] < indptr[i])
      fail(CLIQUE_INVALID_ARGUMENT,
           "{}: indptr[{}] = {} is smaller than indptr[{}] = {}; row pointers "
           "must not decrease",
           where, i + 1, indptr[i + 1], i, indptr[i]);
  if (indptr[numDst])
    requireNonNull(indices, where, "indices");
  checkIds(where, "indices", indices, indptr[numDst], numSrc, "source");
  return std::make_unique<clique_graph>(numDst, numSrc, indptr, indices,
                                        std::move(owner));
}

GraphPtr clique::makeCoo(const char *where, int64_t numDst, int64_t numSrc,
                         int64_t numEdges, const int32_t *dst,
                         const int32_t *src) {
  checkNodeCount(numDst, where, "destinations");
  checkNodeCount(numSrc, where, "sources");
  if (numEdges < 0)
    fail(CLIQUE_INVALID_ARGUMENT, "{}: {} edges, expected 0 or more", where,
         numEdges);
  if (numEdges) {
    requireNonNull(dst, where, "dst");
    requireNonNull(src, where, "src");
  }
  checkIds(where, "dst", dst, numEdges, numDst, "destination");
  checkIds(where, "src", src, numEdges, numSrc, "source");
  return std::make_unique<clique_graph>(numDst, numSrc, numEdges, dst, src);
}

//===----------------------------------------------------------------------===//
// The C ABI
//===----------------------------------------------------------------------===//

/// Runs a constructor and hands its graph out; NULL on failure.
template <typename Fn>
static clique_status handOut(const char *where, clique_graph **out,
                             Fn &&make) noexcept {
  return guarded([&] {
    requireNonNull(out, where, "graph");
    *out = nullptr;
    *out = make().release();
  });
}

clique_status clique_graph_from_csr(int64_t num_dst, int64_t num_src,
                                    const int64_t *indptr,
                                    const int32_t *indices,
                                    clique_graph **graph) {
  return handOut(__func__, graph, [&] {
    return makeCsr("clique_graph_from_csr", num_dst, num_src, indptr, indices);
  });
}

clique_status clique_graph_from_coo(int64_t num_dst, int64_t num_src,
                                    int64_t num_edges, const int32_t *dst,
                                    const int32_t *src, clique_graph **graph) {
  return handOut(__func__, graph, [&] {
    return makeCoo("clique_graph_from_coo", num_dst, num_src, num_edges, dst,
                   src);
  });
}

clique_status clique_graph_adopt_csr(int64_t num_dst, int64_t num_src,
                                     const int64_t *indptr,
                                     const int32_t *indices,
                                     void (*release)(void *owner), void *owner,
                                     clique_graph **graph) {
  auto give = [release](const void *owner) {
    if (release)
      release(const_cast<void *>(owner));
  };
  return guarded([&] {
    // From here on the arrays are given back, whatever is refused.
    std::shared_ptr<const void> arrays(owner, give);
    requireNonNull(graph, "clique_graph_adopt_csr", "graph");
    *graph = nullptr;
    *graph = makeCsr("clique_graph_adopt_csr", num_dst, num_src, indptr,
                     indices, std::move(arrays))
                 .release();
  });
}

clique_status clique_graph_complete(int64_t n, int32_t no_self,
                                    clique_graph **graph) {
  return handOut(__func__, graph, [&] {
    return makeComplete("clique_graph_complete", n, no_self != 0);
  });
}

clique_status clique_graph_bipartite(int64_t num_dst, int64_t num_src,
                                     clique_graph **graph) {
  return handOut(__func__, graph, [&] {
    return makeBipartite("clique_graph_bipartite", num_dst, num_src);
  });
}

clique_status clique_graph_causal(int64_t n, int32_t no_self,
                                  clique_graph **graph) {
  return handOut(__func__, graph, [&] {
    return makeCausal("clique_graph_causal", n, no_self != 0);
  });
}

clique_status clique_graph_window(int64_t n, int64_t half_width,
                                  int32_t no_self, clique_graph **graph) {
  return handOut(__func__, graph, [&] {
    return makeWindow("clique_graph_window", n, half_width, no_self != 0);
  });
}

clique_status clique_graph_cliques(int64_t count, const int64_t *offsets,
                                   int32_t causal, int32_t no_self,
                                   clique_graph **graph) {
  return handOut(__func__, graph, [&] {
    return makeCliques("clique_graph_cliques", count, offsets, causal != 0,
                       no_self != 0);
  });
}

clique_status clique_graph_reverse(const clique_graph *graph,
                                   clique_graph **reversed) {
  return handOut(__func__, reversed, [&] {
    requireNonNull(graph, "clique_graph_reverse", "graph");
    return makeReverse(*graph);
  });
}

clique_status clique_graph_add_self_loops(const clique_graph *graph,
                                          clique_graph **with_loops) {
  return handOut(__func__, with_loops, [&] {
    requireNonNull(graph, "clique_graph_add_self_loops", "graph");
    return makeSelfLoops("clique_graph_add_self_loops", *graph);
  });
}

void clique_graph_free(clique_graph *graph) { delete graph; }

int64_t clique_graph_num_dst(const clique_graph *graph) {
  return graph->numDst;
}
int64_t clique_graph_num_src(const clique_graph *graph) {
  return graph->numSrc;
}
int64_t clique_graph_num_edges(const clique_graph *graph) {
  return graph->numEdges;
}

clique_status clique_graph_csr(const clique_graph *graph,
                               const int64_t **indptr, const int32_t **indices,
                               const int64_t **edge_ids) {
  return guarded([&] {
    requireNonNull(graph, "clique_graph_csr", "graph");
    // Too many edges are an error before rows take memory.
    if (indices)
      *indices = graph->indices().data();
    if (indptr)
      *indptr = graph->indptr().data();
    if (edge_ids)
      *edge_ids = graph->edgesInOrder() ? nullptr : graph->edgeIds().data();
  });
}

clique_status clique_graph_inspect(const clique_graph *graph,
                                   clique_graph_info *info) {
  return guarded([&] {
    requireNonNull(graph, "clique_graph_inspect", "graph");
    requireNonNull(info, "clique_graph_inspect", "info");
    *info = graph->info();
  });
}
