//===- TestUtil.h - Helpers of the runtime's tests --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owning handles, small graphs, and files that vanish after the test.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TESTS_TESTUTIL_H
#define CLIQUE_RUNTIME_TESTS_TESTUTIL_H

#include "runtime/compiled.h"

#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

/// Of the address sanitizer, in programs that have it.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((weak)) void __asan_init();

namespace clique::test {

struct GraphDeleter {
  void operator()(clique_graph *graph) const { clique_graph_free(graph); }
};
using Graph = std::unique_ptr<clique_graph, GraphDeleter>;

struct TensorDeleter {
  void operator()(DLManagedTensor *tensor) const { tensor->deleter(tensor); }
};
using Tensor = std::unique_ptr<DLManagedTensor, TensorDeleter>;

/// Expects success, and shows the message if there is none.
#define EXPECT_OK(CALL) EXPECT_EQ(CALL, CLIQUE_OK) << clique_last_error()
#define ASSERT_OK(CALL) ASSERT_EQ(CALL, CLIQUE_OK) << clique_last_error()

inline ::testing::AssertionResult lastErrorHas(const std::string &part) {
  const std::string message = clique_last_error();
  if (message.find(part) != std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "'" << part << "' is not in '" << message << "'";
}

/// Edges as (destination, source).
using Edges = std::vector<std::pair<int32_t, int32_t>>;

inline Graph makeGraph(int64_t numDst, int64_t numSrc, const Edges &edges) {
  std::vector<int32_t> dst, src;
  for (auto [i, j] : edges) {
    dst.push_back(i);
    src.push_back(j);
  }
  clique_graph *graph = nullptr;
  EXPECT_OK(clique_graph_from_coo(numDst, numSrc, int64_t(edges.size()),
                                  dst.data(), src.data(), &graph));
  return Graph(graph);
}

/// Whether the caller's order of the edges is that of the CSR.
inline bool edgesInOrder(const clique_graph *graph) {
  const int64_t *ids;
  EXPECT_OK(clique_graph_csr(graph, nullptr, nullptr, &ids));
  return !ids;
}

/// The caller's number of the edge at position k of destination i, as compiled
/// code computes it from the array of clique_rt_edge_ids.
inline int64_t edgeNumber(const clique::Memref1D<const int64_t> &ids, int64_t k,
                          int64_t i) {
  const int64_t *a = ids.aligned;
  return a[a[4 + i * a[1]] + k * a[0]] + k * a[2] + i * a[3];
}

/// The edges in the caller's order, as the CSR and its edge numbers tell.
inline Edges edgesOf(const clique_graph *graph) {
  const int64_t *indptr, *ids;
  const int32_t *indices;
  EXPECT_OK(clique_graph_csr(graph, &indptr, &indices, &ids));
  Edges edges(clique_graph_num_edges(graph), {-1, -1});
  for (int64_t i = 0; i < clique_graph_num_dst(graph); ++i)
    for (int64_t k = indptr[i]; k < indptr[i + 1]; ++k) {
      if (k > indptr[i]) {
        EXPECT_LE(indices[k - 1], indices[k]);
      }
      edges.at(ids ? ids[k] : k) = {int32_t(i), indices[k]};
    }
  return edges;
}

inline clique_graph_info inspect(const clique_graph *graph) {
  clique_graph_info info = {};
  EXPECT_OK(clique_graph_inspect(graph, &info));
  return info;
}

/// Calls one of the C constructors.
template <typename Fn, typename... Args>
Graph make(Fn *constructor, Args... args) {
  clique_graph *graph = nullptr;
  EXPECT_OK(constructor(args..., &graph));
  return Graph(graph);
}

/// A folder of its own for each test.
class TempFolder {
public:
  TempFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "clique-runtime-XXXXXX")
            .string();
    folder = mkdtemp(name.data());
  }
  ~TempFolder() { std::filesystem::remove_all(folder); }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }
  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  size_t count() const {
    using Iterator = std::filesystem::directory_iterator;
    return size_t(std::distance(Iterator(folder), Iterator()));
  }

private:
  std::string folder;
};

/// The folder of real graphs; tests skip where it is missing.
inline std::string dataFolder() {
  const char *folder = std::getenv("CLIQUE_DATA");
  return folder ? folder : TEST_DATA;
}

} // namespace clique::test

#endif // CLIQUE_RUNTIME_TESTS_TESTUTIL_H
