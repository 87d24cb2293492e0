/*===- clique_compiler.h - The C ABI of Clique's compiler -----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The compiler as a library, libclique_compiler: what a program in another
|* language needs to compile specs, to look at the IR and to check results
|* against the reference interpreter. LLVM and MLIR are behind it, and none of
|* their symbols is exported. Layers are called through runtime/clique.h.
|*
|* All functions may be called from several threads at once. No handler of
|* signals is left behind, and nothing is printed.
|*
\*===----------------------------------------------------------------------===*/
#ifndef CLIQUE_COMPILER_CAPI_CLIQUE_COMPILER_H
#define CLIQUE_COMPILER_CAPI_CLIQUE_COMPILER_H

#include "runtime/clique.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What to compile, and for what. Texts end with NUL, but for `text`; NULL is
   the default. */
typedef struct clique_compile_request {
  const char *text; /* the spec: MLIR, as text or as bytecode */
  size_t size;      /* of the text, in bytes */
  const char *name; /* what messages call it: the path of its file */
  /* As the options of clique-compile that are spelled alike: */
  const char *entry;        /* the layers, with commas between; all */
  const char *cpu;          /* native */
  const char *features;     /* none */
  const char *target;       /* cpu */
  const char *gpu_arch;     /* multi */
  const char *f32_products; /* exact */
  int32_t remarks;          /* 1: messages say what passes decided, and why */
  /* 0: the layers. 1: instead of each layer NAME its gradient: NAME_forward and
     NAME_backward, as docs/gradients.md has them. 2: those of NAME_gradient,
     which is the gradient as a function; and so on. */
  int32_t derivative;
  const char *gradients;   /* by which arguments, with commas between; all */
  const char *prune_heads; /* as --prune-heads; none */
} clique_compile_request;

/* Bytes that the caller frees with clique_buffer_free(); a NUL follows them. */
typedef struct clique_buffer {
  char *data;
  size_t size;
} clique_buffer;

CLIQUE_API void clique_buffer_free(clique_buffer *buffer);

/* "0.1.0". */
CLIQUE_API const char *clique_compiler_version(void);

/* Each of these makes `messages`, also on success: remarks and warnings, or why
   it failed, as clique-compile prints them: "NAME:LINE:COLUMN: error: ...". */

/* Compiles the layers to a shared library at `path`, for
   clique_library_open(). What is there after a failure is of no use.
   CLIQUE_IO_ERROR: it cannot be written. */
CLIQUE_API clique_status
clique_compile_library(const clique_compile_request *request, const char *path,
                       clique_buffer *messages);
/* Makes what `kind` says: a stage of the compiler, "asm", "llvm", "obj",
   "bitcode", "ptx" or "cubin", or "header": the C header of layers for the
   processor. */
CLIQUE_API clique_status
clique_compile_emit(const clique_compile_request *request, const char *kind,
                    clique_buffer *contents, clique_buffer *messages);

/* How far a result is from that of the reference interpreter. */
typedef struct clique_deviation {
  double error;     /* largest difference over the largest value */
  double tolerance; /* what rounding explains: the default of clique-run */
  double actual, expected; /* where the difference is largest */
} clique_deviation;

/* Evaluates the layer of this name edge by edge in double precision, on the
   values that it was invoked with, and compares its results. All tensors are
   on the CPU. */
CLIQUE_API clique_status clique_compile_verify(
    const clique_compile_request *request, const char *layer,
    const clique_value *args, int32_t num_args, const DLTensor *const *results,
    int32_t num_results, clique_deviation *deviations, clique_buffer *messages);

/* Runs a tool in this process: "run", "compile", "graph" or "opt", whose name
   is argv[0]. Its exit status; some options end the process. What the tool is
   told holds for the process, which had better do nothing else. */
CLIQUE_API int clique_tool_main(const char *tool, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif /* CLIQUE_COMPILER_CAPI_CLIQUE_COMPILER_H */
