/*===- gradients.c - Forward and backward functions from C ----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Two backward passes of one forward pass: the last one takes over what is kept
|* for it.
|*
\*===----------------------------------------------------------------------===*/
#include "attend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(clique_status status) {
  if (status != CLIQUE_OK) {
    fprintf(stderr, "error: %s\n", clique_last_error());
    exit(1);
  }
}

static float *makeFeature(int64_t rows, float step) {
  float *values = (float *)malloc((size_t)rows * 8 * sizeof(float));
  for (int64_t k = 0; k < rows * 8; ++k)
    values[k] = (float)(k % 13) * step;
  return values;
}

static void drop(DLManagedTensor *tensor) { tensor->deleter(tensor); }

static int areEqual(const DLManagedTensor *a, const DLManagedTensor *b) {
  const size_t bytes = (size_t)a->dl_tensor.shape[0] * 8 * sizeof(float);
  return memcmp(a->dl_tensor.data, b->dl_tensor.data, bytes) == 0;
}

static void printMemory(void) {
  clique_reset_peak_memory();
  printf("in use afterwards: %ld bytes\n", (long)clique_peak_memory());
}

int main(int argc, char **argv) {
  clique_graph *graph;
  check(clique_graph_read(argv[argc - 1], &graph));
  const int64_t n = clique_graph_num_dst(graph);
  float *q = makeFeature(n, 0.1f), *v = makeFeature(n, 0.2f),
        *cotangent = makeFeature(n, 0.3f);
  DLManagedTensor *out, *kept[2], *first[2], *last[2];
  check(clique_forward_attend(graph, q, v, &out, &kept[0], &kept[1]));
  const float *result = (const float *)out->dl_tensor.data;
  check(clique_backward_attend(
      graph, q, v, result, (const float *)kept[0]->dl_tensor.data,
      (const float *)kept[1]->dl_tensor.data, cotangent, &first[0], &first[1]));
  check(clique_finish_backward_attend(graph, q, v, result, kept[0], kept[1],
                                      cotangent, &last[0], &last[1]));
  printf("gradients: %s\n",
         areEqual(first[0], last[0]) && areEqual(first[1], last[1])
             ? "equal"
             : "different");
  drop(out);
  for (int k = 0; k < 2; ++k) {
    drop(first[k]);
    drop(last[k]);
  }
  printMemory();

  check(clique_forward_attend(graph, q, v, &out, &kept[0], &kept[1]));
  drop(kept[0]);
  if (clique_finish_backward_attend(
          graph, q, v, (const float *)out->dl_tensor.data, NULL, kept[1],
          cotangent, &last[0], &last[1]) != CLIQUE_OK)
    printf("refused: %s\n", clique_last_error());
  drop(out);
  printMemory();
  clique_graph_free(graph);
  free(q);
  free(v);
  free(cotangent);
  return 0;
}
