//===- MatrixMarketWrite.cpp - Graphs as Matrix Market files --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/GraphFiles.h"
#include "runtime/OutputFile.h"

#include <charconv>
#include <unistd.h>

using namespace clique;

namespace {
/// Text on its way to a file, compressed if so wanted.
class TextFile {
public:
  TextFile(const char *path, bool compressed);
  ~TextFile() {
    if (zip)
      gzclose_w(zip);
  }
  TextFile(const TextFile &) = delete;
  TextFile &operator=(const TextFile &) = delete;

  void add(std::string_view more);
  void commit();

private:
  static constexpr size_t kFull = size_t(1) << 20;

  void flush();

  OutputFile file;
  gzFile zip = nullptr;
  std::string text;
};
} // namespace

TextFile::TextFile(const char *path, bool compressed) : file(path) {
  if (!compressed)
    return;
  // Its fastest level: lists of numbers gain little from the others.
  const int descriptor = dup(fileno(file.stream()));
  zip = descriptor < 0 ? nullptr : gzdopen(descriptor, "wb1");
  if (zip)
    return;
  if (descriptor >= 0)
    close(descriptor);
  file.refuse();
}

void TextFile::flush() {
  if (!zip)
    file.write(text.data(), text.size());
  else if (!text.empty() &&
           gzwrite(zip, text.data(), unsigned(text.size())) == 0)
    file.refuse();
  text.clear();
}

void TextFile::add(std::string_view more) {
  text += more;
  if (text.size() >= kFull)
    flush();
}

void TextFile::commit() {
  flush();
  if (gzFile closing = std::exchange(zip, nullptr))
    if (gzclose_w(closing) != Z_OK)
      file.refuse();
  file.commit();
}

/// "DESTINATION SOURCE", counted from 1.
static void addEdge(TextFile &file, int32_t dst, int32_t src) {
  char line[24];
  char *end = std::to_chars(line, line + 11, int64_t(dst) + 1).ptr;
  *end++ = ' ';
  end = std::to_chars(end, end + 11, int64_t(src) + 1).ptr;
  *end++ = '\n';
  file.add({line, size_t(end - line)});
}

void clique::writeMatrixMarket(const char *path, const clique_graph &graph,
                               bool compressed) {
  TextFile file(path, compressed);
  file.add(fmt::format(
      "%%MatrixMarket matrix coordinate pattern general\n{} {} {}\n",
      graph.numDst, graph.numSrc, graph.numEdges));
  LoopInterruption interruption;
  if (graph.edgesInOrder()) {
    // First what may be too much for this machine.
    const ArrayView<int32_t> columns = graph.indices();
    const ArrayView<int64_t> rows = graph.indptr();
    for (int64_t i = 0; i < graph.numDst; ++i)
      for (int64_t k = rows[i]; k < rows[i + 1]; ++k) {
        interruption.check();
        addEdge(file, int32_t(i), columns[k]);
      }
  } else {
    const EdgeList edges = graph.edgeList();
    for (size_t k = 0; k < edges.dst.size(); ++k) {
      interruption.check();
      addEdge(file, edges.dst[k], edges.src[k]);
    }
  }
  file.commit();
}
