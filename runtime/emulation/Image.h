//===- Image.h - Code of the emulated device --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module: an ELF shared object in memory, loaded into this process.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_IMAGE_H
#define CLIQUE_RUNTIME_EMULATION_IMAGE_H

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

namespace clique::emulation {

class ImageError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A kernel of an image.
struct Function {
  std::string name;
  void (*entry)(void **params) = nullptr;
  int64_t maxSharedBytes = 48 * 1024; ///< until cuFuncSetAttribute raises it
};

class Image {
public:
  /// Throws ImageError.
  explicit Image(const void *elf);
  ~Image();
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;

  /// nullptr if there is no such kernel. Valid as long as the image.
  Function *find(const std::string &name);

private:
  void load();

  // Open as long as the image is loaded: the loader knows images by their
  // names, and the number of the file is this one's.
  int file = -1;
  void *handle = nullptr;
  std::mutex mutex;
  std::map<std::string, Function> functions;
};

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_IMAGE_H
