// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded before a program: from the FAIL_FROM-th on, no large block of memory
// is to be had inside OpenMP's parallel regions.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

int posix_memalign(void **memory, size_t alignment, size_t size) {
  static int (*next)(void **, size_t, size_t);
  static int (*level)(void);
  static atomic_long count;
  if (!next)
    next = (int (*)(void **, size_t, size_t))dlsym(RTLD_NEXT, "posix_memalign");
  if (!level)
    level = (int (*)(void))dlsym(RTLD_DEFAULT, "omp_get_level");
  if (size >= 16384 && level && level() > 0 &&
      ++count >= atol(getenv("FAIL_FROM")))
    return ENOMEM;
  return next(memory, alignment, size);
}
