/*===- clique.h - The C ABI of Clique's runtime ---------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What a program needs to call a compiled layer: graphs, files, the layer's
|* description and its invocation. No LLVM and no MLIR behind it.
|*
|* Conventions
|* - A function that can fail returns a clique_status (0 = success); the text of
|*   the last failure on this thread is clique_last_error().
|* - Tensors are DLPack's DLTensor: row-major, contiguous, on the device that
|*   the layer was compiled for. Strides may be NULL (contiguous) or must
|*   describe a row-major contiguous tensor.
|* - A graph is stored by destination (CSR): row i lists the sources that
|*   destination i receives from. Node ids are 32 bits, edge counts 64.
|* - Edge features are in the order in which the caller listed the edges. The
|*   graph keeps the permutation to its own order (by destination, then source).
|* - Graphs are immutable; what is derived (topology, CSR of an implicit graph,
|*   the reverse and the self-loops that layers ask for) is computed once, on
|*   demand, thread-safely, and cached with the graph.
|*
\*===----------------------------------------------------------------------===*/
#ifndef CLIQUE_RUNTIME_CLIQUE_H
#define CLIQUE_RUNTIME_CLIQUE_H

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

/* Raised whenever a layout below or the interface between compiled code and
   the runtime changes; a layer compiled for another version is refused. */
#define CLIQUE_ABI_VERSION 17

#if defined(__GNUC__)
#define CLIQUE_API __attribute__((visibility("default")))
#else
#define CLIQUE_API
#endif

/* Whatever number a program in C hands over as a value of an enumeration is one
   that C++ may read, and refuse. */
#ifdef __cplusplus
#define CLIQUE_ANY_INT32 : int32_t
extern "C" {
#else
#define CLIQUE_ANY_INT32
#endif

/*===--- Errors -----------------------------------------------------------===*/

typedef enum clique_status CLIQUE_ANY_INT32 {
  CLIQUE_OK = 0,
  CLIQUE_INVALID_ARGUMENT = 1, /* a value, shape, type or index is wrong */
  CLIQUE_IO_ERROR = 2,         /* a file cannot be read or written */
  CLIQUE_FORMAT_ERROR = 3,     /* a file's contents are wrong */
  CLIQUE_OUT_OF_MEMORY = 4,
  CLIQUE_INCOMPATIBLE = 5, /* other ABI version, or a processor or GPU that the
                              layer was not compiled for */
  CLIQUE_DEVICE_ERROR = 6, /* no driver, no GPU, or the GPU reports a failure */
  CLIQUE_INTERRUPTED = 7   /* as clique_set_interrupt's function asked for */
} clique_status;

/* The message of the last failed call on this thread; "" if none. Says where,
   what was given, what was expected and how to mend it. */
CLIQUE_API const char *clique_last_error(void);
/* ABI version of the library that is loaded. */
CLIQUE_API uint32_t clique_abi_version(void);

/*===--- Graphs -----------------------------------------------------------===*/

/* The topologies a lowering can exploit. All but SPARSE and BLOCKS are interval
   graphs: destination i receives from the sources [begin(i), end(i)), possibly
   without i. */
typedef enum clique_topology CLIQUE_ANY_INT32 {
  CLIQUE_TOPOLOGY_SPARSE = 0,
  CLIQUE_TOPOLOGY_COMPLETE = 1, /* every node receives from every node */
  CLIQUE_TOPOLOGY_BIPARTITE =
      2,                      /* every destination receives from every source */
  CLIQUE_TOPOLOGY_CAUSAL = 3, /* i receives from j <= i */
  CLIQUE_TOPOLOGY_WINDOW = 4, /* i receives from |i - j| <= param */
  CLIQUE_TOPOLOGY_CLIQUES = 5,        /* disjoint complete graphs */
  CLIQUE_TOPOLOGY_CAUSAL_CLIQUES = 6, /* disjoint causal graphs */
  CLIQUE_TOPOLOGY_UNKNOWN = 7,        /* not yet inspected */
  CLIQUE_TOPOLOGY_BLOCKS = 8          /* some whole blocks of param x param
                                         pairs, from (0, 0) on; those at the
                                         end are cut off there */
} clique_topology;

typedef struct clique_graph clique_graph;

/* What the inspector found. */
typedef struct clique_graph_info {
  int64_t num_dst, num_src, num_edges;
  clique_topology topology;
  int64_t param;   /* WINDOW: the half width; BLOCKS: the size, at least 8, the
                      largest one that holds */
  int32_t no_self; /* 1 if the class holds with every edge i->i removed */
  int64_t num_components; /* CLIQUES, CAUSAL_CLIQUES: how many; else 1 */
  int64_t max_degree;     /* largest in-degree */
  int64_t num_isolated;   /* destinations without incoming edge */
} clique_graph_info;

/* CSR by destination. indptr: num_dst + 1 entries, indptr[0] = 0, monotone;
   indices: sources, in [0, num_src), in any order inside a row. Copied. */
CLIQUE_API clique_status clique_graph_from_csr(int64_t num_dst, int64_t num_src,
                                               const int64_t *indptr,
                                               const int32_t *indices,
                                               clique_graph **graph);
/* The same of arrays that live and do not change until `release` is called with
   `owner`, once: when the graph is freed, or at once, if there is an error or
   it is not made of them. It has no copy of arrays whose rows are sorted. */
CLIQUE_API clique_status
clique_graph_adopt_csr(int64_t num_dst, int64_t num_src, const int64_t *indptr,
                       const int32_t *indices, void (*release)(void *owner),
                       void *owner, clique_graph **graph);
/* Edge k goes from src[k] to dst[k]. Copied. */
CLIQUE_API clique_status clique_graph_from_coo(int64_t num_dst, int64_t num_src,
                                               int64_t num_edges,
                                               const int32_t *dst,
                                               const int32_t *src,
                                               clique_graph **graph);
/* Implicit graphs: O(1) memory until someone asks for their CSR. */
CLIQUE_API clique_status clique_graph_complete(int64_t n, int32_t no_self,
                                               clique_graph **graph);
CLIQUE_API clique_status clique_graph_bipartite(int64_t num_dst,
                                                int64_t num_src,
                                                clique_graph **graph);
CLIQUE_API clique_status clique_graph_causal(int64_t n, int32_t no_self,
                                             clique_graph **graph);
CLIQUE_API clique_status clique_graph_window(int64_t n, int64_t half_width,
                                             int32_t no_self,
                                             clique_graph **graph);
/* Clique c holds the nodes [offsets[c], offsets[c+1]); count + 1 offsets from
   0, monotone; empty cliques are allowed. */
CLIQUE_API clique_status clique_graph_cliques(int64_t count,
                                              const int64_t *offsets,
                                              int32_t causal, int32_t no_self,
                                              clique_graph **graph);
/* Every edge turned round. Its edges are listed in the same order, so that edge
   features stay where they are. */
CLIQUE_API clique_status clique_graph_reverse(const clique_graph *graph,
                                              clique_graph **reversed);
/* One edge i->i for each node that has none; new edges are listed last, by
   node. Needs num_dst == num_src. */
CLIQUE_API clique_status clique_graph_add_self_loops(const clique_graph *graph,
                                                     clique_graph **with_loops);
/* From a file: Matrix Market (.mtx, .mtx.gz; row = destination, column =
   source, 1-based) or a scipy CSR matrix (.npz), told apart by content, not by
   name. A symmetric file is expanded: the mirrored edges follow all listed
   ones, in the same order. After two seconds a terminal shows progress. */
CLIQUE_API clique_status clique_graph_read(const char *path,
                                           clique_graph **graph);
/* To a file of which clique_graph_read makes the same graph, or to none. A CSR
   matrix is refused for edges that the caller did not list by destination. */
typedef enum clique_graph_format CLIQUE_ANY_INT32 {
  CLIQUE_GRAPH_MTX = 0,    /* Matrix Market, each edge listed */
  CLIQUE_GRAPH_MTX_GZ = 1, /* the same, gzip'd */
  CLIQUE_GRAPH_NPZ = 2     /* a scipy CSR matrix */
} clique_graph_format;
CLIQUE_API clique_status clique_graph_write(const char *path,
                                            clique_graph_format format,
                                            const clique_graph *graph);
CLIQUE_API void clique_graph_free(clique_graph *graph);

CLIQUE_API int64_t clique_graph_num_dst(const clique_graph *graph);
CLIQUE_API int64_t clique_graph_num_src(const clique_graph *graph);
CLIQUE_API int64_t clique_graph_num_edges(const clique_graph *graph);
/* Materialises the CSR of an implicit graph. Valid as long as the graph. Any
   of the outputs may be NULL. edge_ids[k]: the caller's number of the edge at
   CSR position k, or NULL as a whole if the two orders are the same. */
CLIQUE_API clique_status clique_graph_csr(const clique_graph *graph,
                                          const int64_t **indptr,
                                          const int32_t **indices,
                                          const int64_t **edge_ids);
/* Classifies the graph, once, in O(edges). */
CLIQUE_API clique_status clique_graph_inspect(const clique_graph *graph,
                                              clique_graph_info *info);
/* "complete", "cliques" ... */
CLIQUE_API const char *clique_topology_name(clique_topology topology);

/*===--- Order of nodes ---------------------------------------------------===*/

/* Layers on sparse graphs wait for the rows of sources that no cache holds:
   for fewer, where nodes that are gathered together have near numbers. */
typedef enum clique_node_order CLIQUE_ANY_INT32 {
  CLIQUE_ORDER_GIVEN = 0,
  CLIQUE_ORDER_DEGREE = 1, /* those of the highest out-degree first */
  CLIQUE_ORDER_RCM = 2,    /* reverse Cuthill-McKee: neighbours come together */
  CLIQUE_ORDER_AUTO = 3    /* the one that is expected to be fastest */
} clique_node_order;

typedef struct clique_order_info {
  clique_node_order order; /* the one taken: not AUTO */
  /* By order: what reading the rows of the sources of all edges is expected to
     take, in nanoseconds per edge; 0 where that was not asked for. */
  double gather[3];
} clique_order_info;

/* The graph with its nodes in another order. Node i becomes new_of_old[i] (an
   array of num_dst entries): that is the row of the new features that takes the
   row i of the given ones, and the row of a result that belongs to node i.
   Edges keep their numbers, and edge features their places.
   bytes_per_node: of the features that an edge reads of its source. AUTO takes
   the given order where another promises less than a quarter and makes no class
   of the graph (mixed cliques), and for graphs that have no other. A given
   order makes no graph: *reordered is NULL. The other orders are errors for a
   graph whose destinations and sources are not the same nodes, and for one with
   edges that is not SPARSE: its sources lie together already. O(nodes + edges)
   memory, O(edges) time but for sorting nodes by their degree. `info` may be
   NULL. */
CLIQUE_API clique_status clique_graph_reorder(
    const clique_graph *graph, clique_node_order order, int64_t bytes_per_node,
    int32_t *new_of_old, clique_order_info *info, clique_graph **reordered);
/* "given", "degree", "rcm", "auto". */
CLIQUE_API const char *clique_node_order_name(clique_node_order order);

/*===--- Array files ------------------------------------------------------===*/

/* Reads a .npy (or .npy.gz) array: f2, f4, f8, i1, i4, i8, u1, bool, little
   endian, C order (Fortran order is transposed on reading). The caller frees
   with tensor->deleter(tensor). A NaN in a floating array is an error unless
   allow_nan is set; infinities are values, such as those of a mask. */
CLIQUE_API clique_status clique_npy_read(const char *path, int32_t allow_nan,
                                         DLManagedTensor **tensor);
/* Writes to a temporary beside the target, then renames: never half a file.
   bfloat16 is written as f4. */
CLIQUE_API clique_status clique_npy_write(const char *path,
                                          const DLTensor *tensor);

/*===--- Layers -----------------------------------------------------------===*/

#define CLIQUE_DYNAMIC (-1)

typedef enum clique_arg_kind CLIQUE_ANY_INT32 {
  CLIQUE_ARG_GRAPH = 0,
  CLIQUE_ARG_TENSOR = 1, /* an ordinary tensor, or a node feature */
  CLIQUE_ARG_EDGES = 2,  /* an edge feature: [num_edges, ...] */
  CLIQUE_ARG_SCALAR = 3  /* index, integer or float: a tensor of rank 0 */
} clique_arg_kind;

/* What the first dimension of a tensor counts. */
typedef enum clique_extent CLIQUE_ANY_INT32 {
  CLIQUE_EXTENT_NONE = 0,
  CLIQUE_EXTENT_DST = 1,  /* destinations of graph argument `graph` */
  CLIQUE_EXTENT_SRC = 2,  /* sources */
  CLIQUE_EXTENT_EDGES = 3 /* edges */
} clique_extent;

/* One argument or result. */
typedef struct clique_arg {
  const char *name;
  int32_t kind;     /* clique_arg_kind */
  int32_t extent;   /* clique_extent */
  int32_t graph;    /* index of the graph argument meant by extent, or -1 */
  int32_t topology; /* GRAPH: the topology the layer was compiled for, or
                       CLIQUE_TOPOLOGY_UNKNOWN for any */
  int64_t param;    /* GRAPH: the topology's parameter */
  int32_t no_self;  /* GRAPH: as in clique_graph_info */
  DLDataType dtype; /* TENSOR, EDGES, SCALAR; index is int64 */
  int32_t rank;
  int32_t renumberable; /* GRAPH: 1 if the results do not depend on the numbers
                           of its nodes: see clique_graph_reorder */
  const int64_t *shape; /* rank sizes, CLIQUE_DYNAMIC where not static */
} clique_arg;

/* One body of the layer for one class of CPUs. `features` is a comma-separated
   list of what it needs, in LLVM's spelling ("avx512f,avx512bw,fma"); the first
   variant whose features the CPU has is taken.
   entry: args[k] points to the k-th argument: to a `const clique_graph *`, to a
   scalar's value, or to a tensor's ranked memref descriptor (MLIR's: allocated,
   aligned, offset, sizes, strides); then, for each result, to memory for its
   descriptor. A result whose memory comes from the runtime's allocator and is
   no other result's is handed out as it is; any other is copied. */
typedef struct clique_variant {
  const char *features;
  void (*entry)(void **args);
} clique_variant;

/* The layer's code for its device, in the terms of runtime/compiled.h. */
typedef struct clique_device_code clique_device_code;

/* What a compiled layer exports as `clique_layer_NAME`. */
typedef struct clique_layer {
  uint32_t abi_version;
  int32_t num_args;
  int32_t num_results;
  int32_t num_variants;
  const char *name;
  const clique_arg *args;
  const clique_arg *results;
  const clique_variant *variants;
  int32_t device_type; /* DLDeviceType of its tensors: kDLCPU or kDLCUDA */
  int32_t reserved;
  clique_device_code *code; /* kernels of a CUDA layer; NULL for the CPU */
} clique_layer;

/* A value handed to a layer: a graph or a tensor (scalars: rank 0). */
typedef union clique_value {
  const clique_graph *graph;
  const DLTensor *tensor;
} clique_value;

/* Checks the arguments against the layer's description (ABI version, CPU,
   kinds, types, shapes, graph sizes, topology), runs it, and hands out one new
   tensor for each result; the caller frees it with t->deleter(t). On failure
   nothing is handed out. Thread-safe. A CUDA layer takes and returns tensors of
   the thread's device, but takes scalars on the host, and is done when the
   thread's stream is. */
CLIQUE_API clique_status clique_layer_invoke(const clique_layer *layer,
                                             const clique_value *args,
                                             int32_t num_args,
                                             DLManagedTensor **results,
                                             int32_t num_results);
/* The same, of arguments of which the caller gives some away: donated[k] is
   NULL, or the tensor whose dl_tensor args[k].tensor points to. The call takes
   it over whether or not it succeeds. A result may be written to its memory, or
   that is freed as soon as nothing reads it any more; this is so for what a
   backward function gets from the forward one, in memory that another call
   returned. Other memory is let go at the end of the call. The tensors are
   distinct, and share no memory with other arguments. */
CLIQUE_API clique_status clique_layer_invoke_donating(
    const clique_layer *layer, const clique_value *args, int32_t num_args,
    DLManagedTensor *const *donated, DLManagedTensor **results,
    int32_t num_results);

/* Loads a compiled library. `layers` is its NULL-terminated table, which the
   library exports as `clique_layers`; it lives until clique_library_close. */
typedef struct clique_library clique_library;
CLIQUE_API clique_status
clique_library_open(const char *path, clique_library **library,
                    const clique_layer *const **layers);
CLIQUE_API void clique_library_close(clique_library *library);

/*===--- Execution --------------------------------------------------------===*/

typedef enum clique_lowering CLIQUE_ANY_INT32 {
  CLIQUE_LOWERING_AUTO = 0,
  CLIQUE_LOWERING_DENSE = 1,
  CLIQUE_LOWERING_SPARSE = 2,
  CLIQUE_LOWERING_MEASURED = 3
} clique_lowering;

/* Overrides the cost model for this process. DENSE on a graph with parallel
   edges is an error of the layer's invocation, and so is a version that the
   layer was compiled without. MEASURED: where the cost model sees less than a
   factor of four between rows and tiles, a kernel runs as either by turns in
   its first calls on a graph, eight at most, and stays with the faster one as
   long as the graph lives. Results of these calls differ by rounding. On a GPU,
   and for graphs that a layer makes as parts of others, as AUTO. */
CLIQUE_API clique_status clique_set_lowering(clique_lowering lowering);
/* Threads that layers use, at most 1024; 0 = all cores (the default). */
CLIQUE_API clique_status clique_set_num_threads(int32_t num_threads);

/* A function for what takes this thread long, asked on this thread at most
   every 20 ms: between blocks of a layer's work, and while a graph is read from
   a file, made from edges, inspected, or its CSR made. Once it returns another
   number than 0 no more blocks are taken, and the call fails with
   CLIQUE_INTERRUPTED; the graph is as it was. NULL: nobody asks (default). */
typedef int32_t (*clique_interrupt_function)(void *data);
CLIQUE_API void clique_set_interrupt(clique_interrupt_function ask, void *data);

/* Where CUDA layers of this thread run: a device by its number (default 0), and
   a CUstream of it (default NULL, its default stream). A tensor that a layer
   returns may be used on other streams too; free it when they are done. Destroy
   a stream when its work is done: memory that was freed in it is taken again in
   the next stream of the same handle. */
CLIQUE_API void clique_set_cuda_device(int32_t device);
CLIQUE_API void clique_set_cuda_stream(void *stream);
/* What is put into the stream `after` from now on begins when what `before`
   holds by now is done; both of this thread's device. Does not wait. */
CLIQUE_API clique_status clique_cuda_order_streams(void *before, void *after);
/* Memory for scratch and results of this thread's CUDA layers from another
   library, so that one cache of freed memory serves both. NULL (the default):
   from the driver. The struct is copied; what `data` points to stays until the
   last result is freed.
   allocate: that many bytes of the device, one or more, at an address that is
   a multiple of `alignment`, for work in `stream`; NULL if there are none.
   `*handle` is what free() is called with, once, on any thread, while work in
   the stream may still use the memory. Neither may be NULL. */
typedef struct clique_cuda_allocator {
  void *data;
  void *(*allocate)(void *data, int32_t device, void *stream, size_t bytes,
                    size_t alignment, void **handle);
  void (*free)(void *data, void *handle);
} clique_cuda_allocator;
CLIQUE_API clique_status
clique_set_cuda_allocator(const clique_cuda_allocator *allocator);
/* Waits for this thread's stream; errors of kernels show here at the latest. */
CLIQUE_API clique_status clique_cuda_synchronize(void);
/* Name of this thread's device ("NVIDIA H200"); NULL: clique_last_error(). */
CLIQUE_API const char *clique_cuda_device_name(void);
/* What its code is made for: "sm_90", or "emulated"; NULL as above. */
CLIQUE_API const char *clique_cuda_architecture(void);
/* A copy of a tensor of the CPU or of this thread's CUDA device on the other or
   on the same; the caller frees it by its deleter. Waits until it is made. */
CLIQUE_API clique_status clique_tensor_copy(const DLTensor *from,
                                            DLDeviceType to,
                                            DLManagedTensor **copy);

/* Decisions of the last invocation on this thread, a line each:
   "attention_0: cliques of 188 graphs, dense tiles: mean row 99.1, 1.6 times as
   fast as rows". */
CLIQUE_API const char *clique_last_decisions(void);
/* Scratch and result memory of compiled layers, in bytes: the most that was in
   use at once since the last reset. */
CLIQUE_API int64_t clique_peak_memory(void);
CLIQUE_API void clique_reset_peak_memory(void);
/* Gives freed memory of the host, kept for later calls, back to the system. */
CLIQUE_API void clique_release_kept_memory(void);

#ifdef __cplusplus
}
#endif

/* The type code of truth values, a byte each: kDLBool of DLPack since its
   version 0.8. */
#define CLIQUE_DL_BOOL 6
#endif /* CLIQUE_RUNTIME_CLIQUE_H */
