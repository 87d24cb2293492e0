//===- Image.cpp - Code of the emulated device ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From bytes to functions, by the system's loader.
//
//===----------------------------------------------------------------------===//
#include "runtime/emulation/Image.h"
#include "runtime/emulation/emulated.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace clique::emulation;

/// The driver is told an image's address only; its headers tell the size.
static size_t measure(const char *elf) {
  Elf64_Ehdr header;
  std::memcpy(&header, elf, sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN ||
      header.e_machine != EM_X86_64)
    throw ImageError("the image is no shared object for x86-64");
  uint64_t size =
      header.e_shoff + uint64_t(header.e_shnum) * header.e_shentsize;
  for (int k = 0; k < header.e_phnum; ++k) {
    Elf64_Phdr segment;
    std::memcpy(&segment, elf + header.e_phoff + k * sizeof(segment),
                sizeof(segment));
    size = std::max(size, segment.p_offset + segment.p_filesz);
  }
  for (int k = 0; k < header.e_shnum; ++k) {
    Elf64_Shdr section;
    std::memcpy(&section, elf + header.e_shoff + k * sizeof(section),
                sizeof(section));
    if (section.sh_type != SHT_NOBITS)
      size = std::max(size, section.sh_offset + section.sh_size);
  }
  return size;
}

/// Images find the driver's functions only among global symbols, and whoever
/// opened the driver may have kept it local.
static void publishDriver() {
  static std::once_flag once;
  std::call_once(once, [] {
    Dl_info info;
    if (dladdr(reinterpret_cast<void *>(&clique_emu_last_error), &info))
      dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  });
}

static void writeAll(int file, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(file, bytes, count);
    if (written <= 0)
      throw ImageError("no memory for the image");
    bytes += written;
    count -= size_t(written);
  }
}

Image::Image(const void *elf) {
  publishDriver();
  const auto *bytes = static_cast<const char *>(elf);
  const size_t size = measure(bytes);
  file = memfd_create("clique-emulated-image", MFD_CLOEXEC);
  if (file < 0)
    throw ImageError("no memory for the image");
  try {
    writeAll(file, bytes, size);
    load();
  } catch (...) {
    close(file);
    throw;
  }
}

void Image::load() {
  handle = dlopen(fmt::format("/proc/self/fd/{}", file).c_str(),
                  RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw ImageError(dlerror());
}

Image::~Image() {
  dlclose(handle);
  close(file);
}

Function *Image::find(const std::string &name) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = functions.find(name);
  if (found != functions.end())
    return &found->second;
  void *entry = dlsym(handle, ("clique_emu_kernel_" + name).c_str());
  if (!entry)
    return nullptr;
  Function function;
  function.name = name;
  function.entry = reinterpret_cast<void (*)(void **)>(entry);
  return &functions.emplace(name, function).first->second;
}
