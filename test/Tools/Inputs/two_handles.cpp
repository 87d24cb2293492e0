//===- two_handles.cpp - A library that is opened twice -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that one handle loaded stays when another handle is closed.
//
//===----------------------------------------------------------------------===//
#include "runtime/compiled.h"

#include <cstdio>

static void check(clique_status status) {
  if (status != CLIQUE_OK)
    std::printf("failed: %s\n", clique_last_error());
}

int main() {
  clique_library *first, *second;
  const clique_layer *const *layers, *const *same;
  check(clique_library_open("./layer.so", &first, &layers));
  check(clique_library_open("./layer.so", &second, &same));

  float numbers[] = {1, 2, 3, 4};
  int64_t shape[] = {1, 4};
  DLTensor tensor = {numbers, {kDLCPU, 0}, 2, {kDLFloat, 32, 1},
                     shape,   nullptr,     0};
  DLManagedTensor *input, *result;
  check(clique_tensor_copy(&tensor, kDLCUDA, &input));
  clique_value value;
  value.tensor = &input->dl_tensor;
  check(clique_layer_invoke(layers[0], &value, 1, &result, 1));
  const void *loaded = layers[0]->code->loaded;
  clique_library_close(second);
  std::printf("one table: %d, loaded: %d, kept: %d\n", layers == same,
              loaded != nullptr, layers[0]->code->loaded == loaded);
  result->deleter(result);
  input->deleter(input);
  clique_library_close(first);
  return 0;
}
