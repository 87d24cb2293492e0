//===- Library.cpp - Compiled libraries -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the shared library of a compiled layer and checks its table before
// anything in it is used.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"

#include <dlfcn.h>
#include <memory>
#include <string>

using namespace clique;

struct clique_library {
  explicit clique_library(void *handle) : handle(handle) {}
  ~clique_library() { dlclose(handle); }
  clique_library(const clique_library &) = delete;
  clique_library &operator=(const clique_library &) = delete;

  void *handle;
};

static std::unique_ptr<clique_library> load(const char *path) {
  // Without a slash the loader would search the system's folders.
  std::string file = path;
  if (file.find('/') == std::string::npos)
    file = "./" + file;
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    fail(CLIQUE_IO_ERROR, "{}: cannot be loaded as a shared library: {}", path,
         reason ? reason : "unknown reason");
  }
  return std::make_unique<clique_library>(handle);
}

static const clique_layer *const *findLayers(const char *path, void *handle) {
  auto *layers =
      static_cast<const clique_layer *const *>(dlsym(handle, "clique_layers"));
  if (!layers)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: is no compiled layer: it exports no table 'clique_layers'; "
         "compile a spec with clique-compile",
         path);
  for (const clique_layer *const *layer = layers; *layer; ++layer)
    if ((*layer)->abi_version != CLIQUE_ABI_VERSION)
      fail(CLIQUE_INCOMPATIBLE,
           "{}: compiled for ABI version {}, this runtime has version {}; "
           "compile it again",
           path, (*layer)->abi_version, CLIQUE_ABI_VERSION);
  return layers;
}

clique_status clique_library_open(const char *path, clique_library **library,
                                  const clique_layer *const **layers) {
  return guarded([&] {
    requireNonNull(path, "clique_library_open", "path");
    requireNonNull(library, "clique_library_open", "library");
    requireNonNull(layers, "clique_library_open", "layers");
    *library = nullptr;
    *layers = nullptr;
    std::unique_ptr<clique_library> opened = load(path);
    *layers = findLayers(path, opened->handle);
    *library = opened.release();
  });
}

void clique_library_close(clique_library *library) { delete library; }
