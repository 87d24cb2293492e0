//===- NpzWrite.cpp - Graphs as sparse matrices of SciPy ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What scipy.sparse.save_npz makes of a CSR matrix: a zip archive of arrays.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/GraphFiles.h"
#include "runtime/Npy.h"
#include "runtime/OutputFile.h"

#include <cerrno>
#include <cstring>
#include <deque>
#include <zip.h>

using namespace clique;

namespace {
/// Arrays on their way into an archive. They must stay as they are until
/// commit().
class NpzFile {
public:
  explicit NpzFile(const char *path);
  ~NpzFile() {
    if (archive)
      zip_discard(archive);
  }
  NpzFile(const NpzFile &) = delete;
  NpzFile &operator=(const NpzFile &) = delete;

  template <typename T>
  void add(const char *member, const std::string &descr,
           const std::vector<T> &values) {
    const auto count = int64_t(values.size());
    add(member, makeNpyHeader(descr, {&count, 1}), values.data(),
        values.size() * sizeof(T));
  }
  void add(const char *member, std::string header, const void *data,
           size_t size);
  void commit();

private:
  [[noreturn]] void refuse() { file.refuse(zip_strerror(archive)); }
  /// What libzip asks of the file that it writes to.
  static zip_int64_t answer(void *self, void *data, zip_uint64_t size,
                            zip_source_cmd_t request);

  OutputFile file;
  int errors[2] = {ZIP_ER_WRITE, 0};
  zip_t *archive = nullptr;
  std::deque<std::string> headers; ///< of all members
};
} // namespace

zip_int64_t NpzFile::answer(void *self, void *data, zip_uint64_t size,
                            zip_source_cmd_t request) {
  auto *npz = static_cast<NpzFile *>(self);
  std::FILE *stream = npz->file.stream();
  auto check = [&](bool done, zip_int64_t result) -> zip_int64_t {
    npz->errors[1] = errno;
    return done ? result : -1;
  };
  switch (request) {
  case ZIP_SOURCE_SUPPORTS:
    return zip_source_make_command_bitmap(
        ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
        ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
        ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE,
        ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_COMMIT_WRITE,
        ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_REMOVE, -1);
  case ZIP_SOURCE_STAT:
    zip_stat_init(static_cast<zip_stat_t *>(data));
    return sizeof(zip_stat_t);
  case ZIP_SOURCE_ERROR:
    std::memcpy(data, npz->errors, sizeof(npz->errors));
    return sizeof(npz->errors);
  case ZIP_SOURCE_WRITE:
    return check(std::fwrite(data, 1, size, stream) == size, zip_int64_t(size));
  case ZIP_SOURCE_SEEK_WRITE: {
    auto *to = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, size, nullptr);
    return check(to && fseeko(stream, to->offset, to->whence) == 0, 0);
  }
  case ZIP_SOURCE_TELL_WRITE: {
    const off_t place = ftello(stream);
    return check(place >= 0, place);
  }
  default: // There is nothing to read, and nothing to do.
    return 0;
  }
}

NpzFile::NpzFile(const char *path) : file(path) {
  zip_source_t *target = zip_source_function_create(answer, this, nullptr);
  archive =
      target ? zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, nullptr)
             : nullptr;
  if (archive)
    return;
  zip_source_free(target);
  file.refuse("out of memory");
}

void NpzFile::add(const char *member, std::string header, const void *data,
                  size_t size) {
  std::string &kept = headers.emplace_back(std::move(header));
  auto *elements = static_cast<zip_uint8_t *>(const_cast<void *>(data));
  const zip_buffer_fragment_t parts[] = {
      {reinterpret_cast<zip_uint8_t *>(kept.data()), kept.size()},
      {elements, size}};
  zip_source_t *source =
      zip_source_buffer_fragment(archive, parts, size ? 2 : 1, 0);
  if (!source)
    refuse();
  const zip_int64_t index = zip_file_add(archive, member, source, 0);
  if (index < 0) {
    zip_source_free(source);
    refuse();
  }
  // The same graph is the same file: no date but the format's first one.
  constexpr zip_uint16_t firstDay = 1 << 5 | 1;
  if (zip_file_set_dostime(archive, zip_uint64_t(index), 0, firstDay, 0) != 0)
    refuse();
}

void NpzFile::commit() {
  if (zip_close(archive) != 0)
    refuse();
  archive = nullptr;
  file.commit();
}

/// The sources in the caller's order, which must be one by destination.
static std::vector<int32_t> listSources(const char *path,
                                        const clique_graph &graph) {
  const ArrayView<int32_t> columns = graph.indices();
  const ArrayView<int64_t> rows = graph.indptr();
  if (graph.edgesInOrder())
    return {columns.begin(), columns.end()};
  const ArrayView<int64_t> ids = graph.edgeIds();
  std::vector<int32_t> sources(size_t(graph.numEdges));
  LoopInterruption interruption;
  for (int64_t i = 0; i < graph.numDst; ++i)
    for (int64_t k = rows[i]; k < rows[i + 1]; ++k) {
      interruption.check();
      if (ids[k] < rows[i] || ids[k] >= rows[i + 1])
        fail(CLIQUE_INVALID_ARGUMENT,
             "{}: the edges are not listed by destination (edge {}, to node "
             "{}, would be between {} and {}), so a CSR matrix would give "
             "them other numbers; write Matrix Market, or sort them",
             path, ids[k], i, rows[i], rows[i + 1] - 1);
      sources[size_t(ids[k])] = columns[k];
    }
  return sources;
}

void clique::writeNpz(const char *path, const clique_graph &graph) {
  const std::vector<int32_t> sources = listSources(path, graph);
  const ArrayView<int64_t> rowPointers = graph.indptr();
  const std::vector<int64_t> rows(rowPointers.begin(), rowPointers.end());
  const std::vector<int64_t> shape = {graph.numDst, graph.numSrc};
  const std::vector<int8_t> ones(sources.size(), 1);
  NpzFile file(path);
  file.add("indices.npy", "<i4", sources);
  file.add("indptr.npy", "<i8", rows);
  constexpr char format[] = "csr";
  file.add("format.npy", makeNpyHeader("|S3", {}), format, 3);
  file.add("shape.npy", "<i8", shape);
  file.add("data.npy", "|i1", ones);
  file.commit();
}
