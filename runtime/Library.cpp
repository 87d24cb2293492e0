//===- Library.cpp - Compiled libraries -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the shared library of a compiled layer and checks its table before
// anything in it is used.
//
//===----------------------------------------------------------------------===//
#include "runtime/ByteSource.h"
#include "runtime/Device.h"
#include "runtime/Error.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <vector>

using namespace clique;

namespace {
/// How often each library is open: the loader hands out one image for all, so
/// that what was loaded for it belongs to all of them.
class OpenLibraries {
public:
  static OpenLibraries &get() {
    static auto &all = *new OpenLibraries;
    return all;
  }

  /// False if the image is that of another file, which had this name before.
  bool add(void *handle, const struct stat &file) {
    std::lock_guard<std::mutex> lock(mutex);
    Image &image = images[handle];
    if (image.count > 0 &&
        (image.device != file.st_dev || image.number != file.st_ino))
      return false;
    image = {image.count + 1, file.st_dev, file.st_ino};
    return true;
  }
  /// Calls `unload` behind the last one.
  template <typename Fn>
  void remove(void *handle, Fn &&unload) {
    std::lock_guard<std::mutex> lock(mutex);
    if (--images[handle].count > 0)
      return;
    images.erase(handle);
    unload();
  }

private:
  struct Image {
    int64_t count = 0;
    dev_t device = 0;
    ino_t number = 0;
  };
  std::mutex mutex;
  std::map<void *, Image> images;
};
} // namespace

struct clique_library {
  /// `handle`: one that OpenLibraries knows.
  explicit clique_library(void *handle) : handle(handle) {}
  ~clique_library() {
    OpenLibraries::get().remove(handle, [&] {
      for (const clique_layer *const *layer = layers; layer && *layer; ++layer)
        clique::unloadDeviceCode((*layer)->code);
    });
    dlclose(handle);
  }
  clique_library(const clique_library &) = delete;
  clique_library &operator=(const clique_library &) = delete;

  void *handle;
  const clique_layer *const *layers = nullptr;
};

/// The loader maps a file that was cut off, and the process dies when it
/// touches what is missing. What is no ELF file at all is left to the loader; a
/// pipe is not opened, which would wait for a writer.
static void checkNotTruncated(const std::string &path) {
  const uint64_t size = regularFileSize(path.c_str());
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!file.read(reinterpret_cast<char *>(&header), sizeof(header)) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return;
  auto isInside = [&](uint64_t offset, uint64_t bytes) {
    return offset <= size && bytes <= size - offset;
  };
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  file.seekg(std::streamoff(header.e_phoff));
  bool isWhole =
      isInside(header.e_phoff, segments.size() * sizeof(Elf64_Phdr)) &&
      isInside(header.e_shoff, uint64_t(header.e_shnum) * header.e_shentsize) &&
      file.read(reinterpret_cast<char *>(segments.data()),
                std::streamsize(segments.size() * sizeof(Elf64_Phdr)));
  for (const Elf64_Phdr &segment : segments)
    isWhole = isWhole && isInside(segment.p_offset, segment.p_filesz);
  if (!isWhole)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: is cut off: its {} bytes are less than its headers promise; copy "
         "or compile it again",
         path, size);
}

static std::unique_ptr<clique_library> load(const char *path) {
  // Without a slash the loader would search the system's folders.
  std::string file = path;
  if (file.find('/') == std::string::npos)
    file = "./" + file;
  checkNotTruncated(path);
  while (true) {
    void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    struct stat status;
    if (!handle || stat(file.c_str(), &status) != 0) {
      const char *reason = dlerror();
      fail(CLIQUE_IO_ERROR, "{}: cannot be loaded as a shared library: {}",
           path, reason ? reason : "unknown reason");
    }
    if (OpenLibraries::get().add(handle, status))
      return std::make_unique<clique_library>(handle);
    // The loader knows files by their names, and a file that was replaced has
    // the name of the old one: another name of the same file.
    dlclose(handle);
    file.insert(file.rfind('/'), "/.");
  }
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
    *layers = opened->layers = findLayers(path, opened->handle);
    *library = opened.release();
  });
}

void clique_library_close(clique_library *library) { delete library; }
