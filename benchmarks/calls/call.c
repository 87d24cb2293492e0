/*===- call.c - What a call of a layer costs from C -----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* usage: call LAYER.so: attention of one head of size 16 on a complete graph of
|* 16 nodes, on one thread; the least microseconds per call of many rounds.
|*
\*===----------------------------------------------------------------------===*/
#include "runtime/clique.h"
#include <stdio.h>
#include <time.h>

enum { kNodes = 16, kSize = 16, kRounds = 2000, kCalls = 100 };

static float features[kNodes * kSize];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int check(clique_status status) {
  if (status != CLIQUE_OK)
    fprintf(stderr, "error: %s\n", clique_last_error());
  return status == CLIQUE_OK;
}

int main(int argc, char **argv) {
  clique_library *library;
  const clique_layer *const *layers;
  clique_graph *graph;
  if (argc != 2 || !check(clique_library_open(argv[1], &library, &layers)) ||
      !check(clique_graph_complete(kNodes, 0, &graph)))
    return 1;
  clique_set_num_threads(1);
  for (int k = 0; k < kNodes * kSize; ++k)
    features[k] = (float)(k % 7) * 0.1f;
  int64_t shape[3] = {kNodes, 1, kSize};
  DLTensor tensor = {0};
  tensor.data = features;
  tensor.device.device_type = kDLCPU;
  tensor.ndim = 3;
  tensor.dtype.code = kDLFloat;
  tensor.dtype.bits = 32;
  tensor.dtype.lanes = 1;
  tensor.shape = shape;
  clique_value args[4];
  args[0].graph = graph;
  for (int k = 1; k < 4; ++k)
    args[k].tensor = &tensor;

  double least = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const double start = now();
    for (int k = 0; k < kCalls; ++k) {
      DLManagedTensor *result;
      if (!check(clique_layer_invoke(layers[0], args, 4, &result, 1)))
        return 1;
      result->deleter(result);
    }
    const double elapsed = (now() - start) / kCalls;
    least = elapsed < least ? elapsed : least;
  }
  printf("%.2f\n", least);
  clique_graph_free(graph);
  clique_library_close(library);
  return 0;
}
