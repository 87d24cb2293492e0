//===- two_libraries.c - Libraries with a layer of one name --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked with both, each still lists its own; with two headers of one name.
//
//===----------------------------------------------------------------------===//
#include "layers.h"
#include "other/layers.h"
// Its contents come once.
#include "other/layers.h"

#include <stdio.h>

static void list(const char *path) {
  clique_library *library;
  const clique_layer *const *layer;
  if (clique_library_open(path, &library, &layer) != CLIQUE_OK) {
    printf("%s\n", clique_last_error());
    return;
  }
  for (; *layer; ++layer)
    printf("%s: %s of %d arguments\n", path, (*layer)->name,
           (int)(*layer)->num_args);
  clique_library_close(library);
}

int main(void) {
  (void)clique_run_gather;
  (void)clique_run_names;
  list("./libnames.so");
  list("./libother.so");
  return 0;
}
