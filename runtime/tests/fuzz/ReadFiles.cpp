//===- ReadFiles.cpp - Any bytes as a file --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target of libFuzzer: whatever bytes a file holds, reading it ends in a
// value or in an error that names the file. An input is the file itself, or,
// behind one of two prefixes that spare the mutator checksums,
//   gzip:BYTES         the file is BYTES, compressed
//   npz:BYTES|BYTES... a zip archive of format, shape, indptr, indices and
//                      data.npy, in this order, between '|PART|'
//
//===----------------------------------------------------------------------===//
#include "runtime/clique.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>
#include <zip.h>
#include <zlib.h>

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A few bytes may announce two billion nodes, which is no mistake; the limit
/// makes it an error, which the address sanitizer's own operator cannot report.
static constexpr size_t kMostBytes = size_t(256) << 20;

void *operator new(size_t size) {
  void *memory = size <= kMostBytes ? std::malloc(size ? size : 1) : nullptr;
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

extern "C" const char *__asan_default_options() { // NOLINT
  return "allocator_may_return_null=1:max_allocation_size_mb=256:"
         "alloc_dealloc_mismatch=0";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {

/// A file in memory that has a path.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view bytes)
      : descriptor(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (write(descriptor, bytes.data(), bytes.size()) != ssize_t(bytes.size()))
      std::abort();
    std::snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
  }
  ~MemoryFile() { close(descriptor); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  const char *getPath() const { return path; }

private:
  int descriptor;
  char path[40];
};

} // namespace

static bool dropPrefix(std::string_view &text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix)
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

static std::string compress(std::string_view bytes) {
  z_stream stream = {};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = uInt(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

static std::vector<std::string_view> split(std::string_view text) {
  constexpr std::string_view mark = "|PART|";
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(mark);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + mark.size());
  }
}

static std::string makeArchive(std::string_view text) {
  const std::vector<std::string_view> parts = split(text);
  static const char *const members[] = {"format.npy", "shape.npy", "indptr.npy",
                                        "indices.npy", "data.npy"};
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t *archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  for (size_t k = 0; k < std::min(parts.size(), std::size(members)); ++k) {
    zip_source_t *part =
        zip_source_buffer(archive, parts[k].data(), parts[k].size(), 0);
    zip_int64_t index = zip_file_add(archive, members[k], part, 0);
    zip_set_file_compression(archive, zip_uint64_t(index), ZIP_CM_STORE, 0);
  }
  zip_close(archive);
  std::string bytes;
  if (zip_source_open(target) == 0) {
    zip_source_seek(target, 0, SEEK_END);
    bytes.resize(size_t(zip_source_tell(target)));
    zip_source_seek(target, 0, SEEK_SET);
    zip_source_read(target, bytes.data(), bytes.size());
    zip_source_close(target);
  }
  zip_source_free(target);
  zip_error_fini(&error);
  return bytes;
}

static std::string makeFile(std::string_view input) {
  if (dropPrefix(input, "gzip:"))
    return compress(input);
  if (dropPrefix(input, "npz:"))
    return makeArchive(input);
  return std::string(input);
}

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

static void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "%s: '%s'\n", what, clique_last_error());
  std::abort();
}

/// A failure names the file, or says that the memory is too small.
static void checkStatus(clique_status status, bool hasValue, const char *path) {
  require(hasValue == (status == CLIQUE_OK), "status and value disagree");
  require(status == CLIQUE_OK || status == CLIQUE_OUT_OF_MEMORY ||
              std::strstr(clique_last_error(), path),
          "the error does not name the file");
}

/// Sources are nodes, rows ascend.
static void checkGraph(const clique_graph *graph) {
  const int64_t *indptr, *ids;
  const int32_t *indices;
  if (clique_graph_csr(graph, &indptr, &indices, &ids) != CLIQUE_OK)
    return;
  const int64_t numDst = clique_graph_num_dst(graph);
  require(indptr[0] == 0 && indptr[numDst] == clique_graph_num_edges(graph),
          "row pointers");
  for (int64_t i = 0; i < numDst; ++i)
    require(indptr[i] <= indptr[i + 1], "row pointers");
  for (int64_t k = 0; k < clique_graph_num_edges(graph); ++k)
    require(indices[k] >= 0 && indices[k] < clique_graph_num_src(graph),
            "sources");
  clique_graph_info info = {};
  clique_graph_inspect(graph, &info);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const MemoryFile file(makeFile({reinterpret_cast<const char *>(data), size}));
  const char *path = file.getPath();
  clique_graph *graph = nullptr;
  checkStatus(clique_graph_read(path, &graph), graph, path);
  if (graph)
    checkGraph(graph);
  clique_graph_free(graph);
  for (int32_t allowNan : {0, 1}) {
    DLManagedTensor *tensor = nullptr;
    checkStatus(clique_npy_read(path, allowNan, &tensor), tensor, path);
    if (tensor)
      tensor->deleter(tensor);
  }
  return 0;
}
