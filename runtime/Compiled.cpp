//===- Compiled.cpp - What compiled code calls in the runtime -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of compiled.h, over the graph, the cost model and the memory.
//
//===----------------------------------------------------------------------===//
#include "runtime/compiled.h"
#include "runtime/Caches.h"
#include "runtime/CostModel.h"
#include "runtime/Decisions.h"
#include "runtime/Graph.h"
#include "runtime/Invocation.h"

#include <cstring>

using namespace clique;

//===----------------------------------------------------------------------===//
// Arrays in and out
//===----------------------------------------------------------------------===//

/// Points a descriptor at an array that the graph owns, or at its copy on the
/// invocation's device.
template <typename T>
static void lend(Memref1D<const T> *out, const clique_graph *g,
                 ArrayView<T> array) {
  const T *data = array.data(), *allocated = data;
  const Invocation *invocation = Invocation::current();
  if (Device *device = Invocation::currentDevice()) {
    data = static_cast<const T *>(g->onDevices().get(
        *device, data, array.size() * sizeof(T), !invocation->owns(g)));
    // A block of the device's memory, but none that the layer may free.
    allocated = nullptr;
  }
  *out = {allocated, data, 0, int64_t(array.size()), 1};
}

template <typename T>
static void lend(Memref1D<const T> *out, const clique_graph *g,
                 const std::vector<T> &array) {
  lend(out, g, ArrayView<T>(array));
}

namespace {
/// A contiguous view of a descriptor's elements; a copy of those of a device.
template <typename T>
class Elements {
public:
  explicit Elements(const Memref1D<const T> &array) : count(array.size) {
    const T *start = array.aligned + array.offset;
    std::vector<T> fetched;
    if (Device *device = Invocation::currentDevice(); device && count > 0) {
      fetched.resize((count - 1) * array.stride + 1);
      device->read(fetched.data(), start, fetched.size() * sizeof(T));
      start = fetched.data();
    }
    if (array.stride == 1 || array.size <= 1) {
      copy = std::move(fetched);
      first = start;
      return;
    }
    copy.reserve(array.size);
    for (int64_t k = 0; k < array.size; ++k)
      copy.push_back(start[k * array.stride]);
    first = copy.data();
  }

  const T *data() const { return first; }
  int64_t size() const { return count; }

private:
  int64_t count;
  const T *first;
  std::vector<T> copy;
};
} // namespace

//===----------------------------------------------------------------------===//
// Graph data
//===----------------------------------------------------------------------===//

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

bool clique_rt_edges_in_order(const clique_graph *g) {
  return g->edgesInOrder();
}

void _mlir_ciface_clique_rt_edge_ids(Memref1D<const int64_t> *out,
                                     const clique_graph *g) {
  guardedForLayer([&] { lend(out, g, g->edgeIds()); });
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

void _mlir_ciface_clique_rt_row_blocks(Memref1D<const int64_t> *out,
                                       const clique_graph *g, int64_t rows,
                                       int64_t edges, bool aligned) {
  guardedForLayer([&] { lend(out, g, g->rowBlocks(rows, edges, aligned)); });
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
    if (Invocation *invocation = Invocation::current())
      invocation->keep(list);
    return list.get();
  });
}

void _mlir_ciface_clique_rt_type_blocks(Memref1D<const int64_t> *out,
                                        const clique_typed_edges *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->blocks); });
}

void _mlir_ciface_clique_rt_type_chunks(Memref1D<const int64_t> *out,
                                        const clique_typed_edges *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->chunks); });
}

void _mlir_ciface_clique_rt_type_groups(Memref1D<const int64_t> *out,
                                        const clique_typed_edges *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->groups); });
}

void _mlir_ciface_clique_rt_type_sources(Memref1D<const int32_t> *out,
                                         const clique_typed_edges *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->sources); });
}

void _mlir_ciface_clique_rt_type_edge_ids(Memref1D<const int64_t> *out,
                                          const clique_typed_edges *t) {
  guardedForLayer([&] { lend(out, &t->graph, t->edgeIds); });
}

//===----------------------------------------------------------------------===//
// Decisions and checks
//===----------------------------------------------------------------------===//

bool clique_rt_choose_dense(const clique_graph *g, const char *kernel,
                            int64_t versions, int64_t bytes_per_edge,
                            int64_t flops_per_edge, int64_t products_per_edge) {
  return guardedForLayer([&] {
    Choice choice =
        chooseLowering(*g, kernel, versions,
                       {bytes_per_edge, flops_per_edge, products_per_edge});
    recordDecision(kernel, g->info(), choice);
    return choice.dense;
  });
}

bool clique_rt_outgrows_caches(int64_t bytes) {
  return bytes >= cacheSizes().last / 2;
}

int64_t _mlir_ciface_clique_rt_check_offsets(Memref1D<const int64_t> *offsets,
                                             int64_t total) {
  return guardedForLayer([&] {
    Elements<int64_t> values(*offsets);
    const int64_t count = values.size() - 1;
    if (count < 0)
      fail(CLIQUE_INVALID_ARGUMENT,
           "mp.readout: offsets are empty, expected one offset more than "
           "graphs");
    checkOffsets("mp.readout", count, values.data());
    if (values.data()[count] != total)
      fail(CLIQUE_INVALID_ARGUMENT,
           "mp.readout: the last offset is {}, expected {}, the number of "
           "nodes",
           values.data()[count], total);
    return count;
  });
}

static std::string describeRange(int64_t least, int64_t most) {
  if (most < least)
    return "none";
  if (most == least)
    return std::to_string(least);
  if (most == INT64_MAX)
    return fmt::format("{} or more", least);
  return fmt::format("{} to {}", least, most);
}

void clique_rt_check(int64_t actual, int64_t least, int64_t most,
                     const char *what) {
  if (least <= actual && actual <= most)
    return;
  guardedForLayer([&] {
    fail(CLIQUE_INVALID_ARGUMENT, "{}: given {}, expected {}", what, actual,
         describeRange(least, most));
  });
}

//===----------------------------------------------------------------------===//
// Graphs made in the spec
//===----------------------------------------------------------------------===//

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
      [&] { return makeReverse(*g); });
}

clique_graph *clique_rt_self_loops(const clique_graph *g) {
  constexpr const char *where = "mp.self_loops";
  return derive(
      g, [&]() -> const clique_graph & { return g->withSelfLoops(where); },
      [&] { return makeSelfLoops(where, *g); });
}

void clique_rt_release(clique_graph *g) {
  Invocation *invocation = Invocation::current();
  if (invocation && !invocation->owns(g))
    return; // kept with the caller's graph
  if (invocation)
    invocation->disown(g);
  delete g;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment, uint64_t size) {
  // A null pointer would be written to.
  return guardedForLayer([&] {
    Device *device = Invocation::currentDevice();
    BlockRequest request;
    request.size = size;
    request.alignment = alignment;
    request.owner = Invocation::currentId();
    request.stream = device ? device->stream() : nullptr;
    return allocateOrFail(device, request);
  });
}

void *_mlir_memref_to_llvm_alloc(uint64_t size) {
  return _mlir_memref_to_llvm_aligned_alloc(kBlockAlignment, size);
}

void *clique_rt_try_alloc(uint64_t alignment, uint64_t size) {
  BlockRequest request;
  request.size = size;
  request.alignment = alignment;
  try {
    return hostMemory().allocate(request);
  } catch (...) {
    return nullptr;
  }
}

void clique_rt_out_of_memory(uint64_t size) {
  guardedForLayer([&] { failForMemory(size); });
}

void _mlir_memref_to_llvm_free(void *ptr) {
  const Invocation *invocation = Invocation::current();
  (invocation ? invocation->memory() : hostMemory()).free(ptr);
}

//===----------------------------------------------------------------------===//
// Kernels and copies
//===----------------------------------------------------------------------===//

void clique_rt_launch(clique_device_code *code, const char *kernel,
                      const int64_t *grid3_block3, int64_t shared_bytes,
                      void **params) {
  guardedForLayer([&] {
    Device *device = Invocation::currentDevice();
    if (!device || !code)
      fail(CLIQUE_INCOMPATIBLE,
           "kernel '{}': started by a layer that was compiled for the CPU; "
           "compile it again",
           kernel);
    failIfInterrupted(clique_rt_interruption());
    device->launch(*code, kernel, grid3_block3, shared_bytes, params);
  });
}

void clique_rt_unload(clique_device_code *code) { unloadDeviceCode(code); }

/// Copies on the invocation's device, or on the host if there is none.
template <typename Fn>
static void copyBytes(void *to, const void *from, int64_t bytes,
                      Fn &&onDevice) {
  if (bytes <= 0)
    return;
  guardedForLayer([&] {
    if (Device *device = Invocation::currentDevice())
      onDevice(*device);
    else
      std::memmove(to, from, size_t(bytes));
  });
}

void clique_rt_read(void *host, const void *device, int64_t bytes) {
  copyBytes(host, device, bytes,
            [&](Device &d) { d.read(host, device, size_t(bytes)); });
}

void clique_rt_write(void *device, const void *host, int64_t bytes) {
  copyBytes(device, host, bytes,
            [&](Device &d) { d.write(device, host, size_t(bytes)); });
}

void clique_rt_copy(void *device_to, const void *device_from, int64_t bytes) {
  copyBytes(device_to, device_from, bytes,
            [&](Device &d) { d.copy(device_to, device_from, size_t(bytes)); });
}
