//===- CodeCache.cpp - Machine code of layers on disk ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys are hashes of the module with its locations, the options, the
// processor, and the builds of compiler, MLIR and LLVM. A file is the object
// and its hash.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/CodeCache.h"
#include "compiler/Target/AtomicFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <link.h>

using namespace llvm;
using namespace clique;

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

/// The part of a cache that is this program's.
static constexpr StringLiteral kFolder = "run";
/// Files of other names are never removed (pruneCache).
static constexpr StringLiteral kPrefix = "llvmcache-";
/// Begins the names of files that are being written.
static constexpr StringLiteral kUnfinished = "unfinished-";
static constexpr uint64_t kDefaultMiB = 512;

Expected<std::optional<CodeCache>> CodeCache::open() {
  CodeCache cache;
  const char *limit = getenv("CLIQUE_CACHE_MIB");
  uint64_t mebibytes = kDefaultMiB;
  if (limit && (!to_integer(limit, mebibytes, 10) || mebibytes >> 40))
    return createStringError("CLIQUE_CACHE_MIB is '" + Twine(limit) +
                             "', expected a number of MiB");
  cache.limit = mebibytes << 20;

  SmallString<128> folder;
  const char *chosen = getenv("CLIQUE_CACHE_DIR");
  if (chosen && *chosen) {
    folder = chosen;
    cache.isAskedFor = true;
  } else if (sys::path::cache_directory(folder)) {
    sys::path::append(folder, "clique");
  } else {
    return std::nullopt;
  }
  sys::path::append(folder, kFolder);
  cache.folder = folder.str();
  return cache;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
/// The library or program that has this address, and the hash of its contents
/// that its linker left in it.
struct LoadedFile {
  uintptr_t address;
  std::string buildId;
};
} // namespace

static void readNotes(const char *notes, size_t size, std::string &buildId) {
  for (const char *end = notes + size; notes + sizeof(ElfW(Nhdr)) <= end;) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof(header));
    const char *name = notes + sizeof(header);
    const char *contents = name + alignTo<4>(header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID &&
        StringRef(name, header.n_namesz) == StringRef("GNU", 4))
      buildId.assign(contents, header.n_descsz);
    notes = contents + alignTo<4>(header.n_descsz);
  }
}

static int readBuildId(dl_phdr_info *file, size_t, void *into) {
  auto *wanted = static_cast<LoadedFile *>(into);
  ArrayRef<ElfW(Phdr)> segments(file->dlpi_phdr, file->dlpi_phnum);
  if (none_of(segments, [&](const ElfW(Phdr) & segment) {
        return segment.p_type == PT_LOAD &&
               wanted->address - (file->dlpi_addr + segment.p_vaddr) <
                   segment.p_memsz;
      }))
    return 0;
  for (const ElfW(Phdr) &segment : segments)
    if (segment.p_type == PT_NOTE)
      readNotes(
          reinterpret_cast<const char *>(file->dlpi_addr + segment.p_vaddr),
          segment.p_memsz, wanted->buildId);
  return 1;
}

/// Which builds of compiler, MLIR and LLVM this is; none if one has no hash.
static std::optional<std::string> getBuild() {
  std::string all;
  for (const void *address :
       {reinterpret_cast<const void *>(&getBuild),
        mlir::TypeID::get<mlir::ModuleOp>().getAsOpaquePointer(),
        reinterpret_cast<const void *>(&sys::path::cache_directory)}) {
    LoadedFile file{reinterpret_cast<uintptr_t>(address), ""};
    dl_iterate_phdr(readBuildId, &file);
    if (file.buildId.empty())
      return std::nullopt;
    all += file.buildId;
  }
  return all;
}

static constexpr size_t kHashSize = 40; ///< digits

static std::string hash(StringRef contents) {
  return toHex(BLAKE3::hash<kHashSize / 2>(arrayRefFromStringRef(contents)),
               /*LowerCase=*/true);
}

std::optional<std::string>
CodeCache::getKey(mlir::ModuleOp module, ArrayRef<LayerSignature> signatures,
                  const LayerCompiler::Options &options) {
  std::optional<std::string> build = getBuild();
  if (!build || any_of(options.gpus,
                       [](const TargetGpu &gpu) { return !gpu.isEmulated(); }))
    return std::nullopt;
  std::string all;
  raw_string_ostream stream(all);
  mlir::MLIRContext *context = module.getContext();
  stream << *build << '\n';
  for (const TargetCpu &cpu : options.cpus)
    stream << cpu.name << ' ' << cpu.features << ' ' << cpu.required << ' '
           << cpu.suffix << ' ' << cpu.describe(context) << '\n';
  for (const TargetGpu &gpu : options.gpus)
    stream << gpu.name << ' ' << gpu.describe(context) << '\n';
  stream << int(options.target) << ' ' << int(options.f32Products) << ' '
         << int(options.sanitizer) << ' ' << options.quick << ' '
         << int(options.lowering) << ' ' << options.from << '\n';
  for (const LayerSignature &signature : signatures)
    stream << signature.name << '\n';
  module.print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  return hash(all);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string getPath(StringRef folder, StringRef key) {
  SmallString<128> path(folder);
  sys::path::append(path, kPrefix + key);
  return path.str().str();
}

std::unique_ptr<MemoryBuffer> CodeCache::find(StringRef key) const {
  std::string path = getPath(folder, key);
  Expected<sys::fs::file_t> file =
      sys::fs::openNativeFileForRead(path, sys::fs::OF_UpdateAtime);
  if (!file) {
    consumeError(file.takeError());
    return nullptr;
  }
  auto contents = MemoryBuffer::getOpenFile(*file, path, /*FileSize=*/-1,
                                            /*RequiresNullTerminator=*/false);
  if (sys::fs::closeFile(*file) || !contents)
    return nullptr;
  StringRef code = (*contents)->getBuffer();
  if (code.size() < kHashSize)
    return nullptr;
  StringRef end = code.take_back(kHashSize);
  code = code.drop_back(kHashSize);
  return hash(code) == end ? MemoryBuffer::getMemBufferCopy(code, path)
                           : nullptr;
}

/// Removes what runs left that were killed as they wrote it.
static void removeUnfinished(StringRef folder) {
  const auto now = std::chrono::system_clock::now();
  std::error_code error;
  for (sys::fs::directory_iterator file(folder, error), end;
       !error && file != end; file.increment(error)) {
    if (!sys::path::filename(file->path()).starts_with(kUnfinished))
      continue;
    ErrorOr<sys::fs::basic_file_status> status = file->status();
    if (status &&
        now - status->getLastModificationTime() > std::chrono::hours(1))
      sys::fs::remove(file->path());
  }
}

Error CodeCache::store(StringRef key, StringRef code) const {
  auto write = [&]() -> Error {
    if (std::error_code error = sys::fs::create_directories(
            folder, /*IgnoreExisting=*/true, sys::fs::owner_all))
      return makeWriteError(folder, error);
    Expected<AtomicFile> file =
        AtomicFile::create(getPath(folder, key), kUnfinished);
    if (!file)
      return file.takeError();
    if (Error error = file->write([&](raw_pwrite_stream &out) {
          out << code << hash(code);
          return Error::success();
        }))
      return error;
    return file->commit();
  };
  if (Error error = write()) {
    // Nobody asked for a cache that is only the usual one.
    if (isAskedFor)
      return createStringError("CLIQUE_CACHE_DIR: " +
                               toString(std::move(error)));
    consumeError(std::move(error));
    return Error::success();
  }
  CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0);
  policy.Expiration = std::chrono::seconds(0);
  // 0 would be no limit.
  policy.MaxSizeBytes = std::max<uint64_t>(limit, 1);
  pruneCache(folder, policy);
  removeUnfinished(folder);
  return Error::success();
}
