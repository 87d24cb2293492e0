/*===- call_layers.c - Calls compiled layers from C
-------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Through the header that clique-compile generates, linked with the library.
|* Prints results and the errors of wrong calls; FileCheck compares.
|*
\*===------------------------------------------------------------------------===*/
#include "layers.h"

#include <stdio.h>

/* The path graph 0 -> 1 -> 2, with an edge 0 -> 2 listed first. */
static const int32_t dst[] = {2, 1, 2}, src[] = {0, 0, 1};

static void printFloats(const char *name, const DLManagedTensor *tensor) {
  const DLTensor *t = &tensor->dl_tensor;
  printf("%s [%ld, %ld]:", name, (long)t->shape[0], (long)t->shape[1]);
  for (int64_t k = 0; k < t->shape[0] * t->shape[1]; ++k)
    printf(" %g", t->dtype.bits == 32 ? ((const float *)t->data)[k]
                                      : ((const double *)t->data)[k]);
  printf("\n");
}

static void callGather(const clique_graph *graph) {
  const float h[3 * 4] = {1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400};
  DLManagedTensor *out = NULL;
  if (clique_run_gather(graph, h, &out) != CLIQUE_OK) {
    printf("gather failed: %s\n", clique_last_error());
    return;
  }
  printFloats("gather", out);
  out->deleter(out);
}

static void callMade(int64_t n) {
  const float h[2 * 4] = {1, 2, 3, 4, 3, 4, 5, 6};
  DLManagedTensor *mean = NULL, *count = NULL;
  if (clique_run_made(n, h, 2, &mean, &count) != CLIQUE_OK) {
    printf("made failed: %s\n", clique_last_error());
    return;
  }
  printFloats("made", mean);
  printf("edges %ld, rank %d\n", (long)*(const int64_t *)count->dl_tensor.data,
         (int)count->dl_tensor.ndim);
  mean->deleter(mean);
  count->deleter(count);
}

static void callEdges(const clique_graph *graph) {
  const double x[3 * 2] = {1, 1, 2, 2, 3, 3}, y[2 * 2] = {1, 2, 3, 4};
  const double table[5 * 2] = {0, 0, 1, 10, 2, 20, 3, 30, 4, 40};
  const int32_t kind[3] = {1, 2, 3};
  clique_graph *pairs = NULL;
  DLManagedTensor *message = NULL, *sum = NULL;
  if (clique_graph_bipartite(1, 2, &pairs) != CLIQUE_OK ||
      clique_run_edges(graph, pairs, x, y, kind, table, &message, &sum) !=
          CLIQUE_OK) {
    printf("edges failed: %s\n", clique_last_error());
    return;
  }
  printFloats("message", message);
  printFloats("sum", sum);
  message->deleter(message);
  sum->deleter(sum);
  clique_graph_free(pairs);
}

int main(void) {
  clique_graph *graph = NULL;
  if (clique_graph_from_coo(3, 3, 3, dst, src, &graph) != CLIQUE_OK) {
    printf("%s\n", clique_last_error());
    return 1;
  }
  callGather(graph);
  callMade(2);
  callEdges(graph);
  callGather(NULL);
  callMade(3);
  clique_graph_free(graph);
  return 0;
}
