//===- DamageTest.cpp - Files with random damage --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever bytes a file holds, reading it ends in a value or in an error that
// names the file. Most useful under the sanitizers.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <functional>
#include <random>
#include <string_view>
#include <zip.h>
#include <zlib.h>

using namespace clique::test;

static std::string contents(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Reads many damaged versions of a file: bytes changed, cut off, doubled.
static void damage(const std::string &good,
                   const std::function<clique_status(const char *)> &read) {
  TempFolder folder;
  std::mt19937 random(11);
  for (int round = 0; round < 600; ++round) {
    std::string bad = good;
    for (unsigned k = 0; k < 1 + random() % 4; ++k)
      bad[random() % bad.size()] =
          round % 2 ? char(random()) : "0123456789-, ()\n"[random() % 16];
    if (round % 5 == 0)
      bad.resize(random() % bad.size());
    if (round % 7 == 0)
      bad.insert(random() % (bad.size() + 1), bad.substr(0, 20));
    const std::string path = folder.write("damaged", bad);
    if (read(path.c_str()) != CLIQUE_OK) {
      EXPECT_TRUE(lastErrorHas("damaged"));
    }
  }
}

static clique_status readGraph(const char *path) {
  clique_graph *graph = nullptr;
  clique_status status = clique_graph_read(path, &graph);
  EXPECT_EQ(status == CLIQUE_OK, graph != nullptr);
  if (graph)
    edgesOf(graph);
  clique_graph_free(graph);
  return status;
}

static clique_status readArray(const char *path) {
  DLManagedTensor *tensor = nullptr;
  clique_status status = clique_npy_read(path, 0, &tensor);
  EXPECT_EQ(status == CLIQUE_OK, tensor != nullptr);
  if (tensor)
    tensor->deleter(tensor);
  return status;
}

static std::string arrayFile(DLDataType type, std::vector<int64_t> shape,
                             const void *data) {
  TempFolder folder;
  const DLTensor tensor = {const_cast<void *>(data),
                           {kDLCPU, 0},
                           int(shape.size()),
                           type,
                           shape.data(),
                           nullptr,
                           0};
  EXPECT_OK(clique_npy_write(folder.path("a.npy").c_str(), &tensor));
  return contents(folder.path("a.npy"));
}

constexpr std::string_view matrix =
    "%%MatrixMarket matrix coordinate real general\n% comment\n4 5 6\n"
    "1 1 0.5\n1 5 -1e3\n2 2 1\n3 4 2\n4 4 1.25\n4 5 7\n";

TEST(Damage, MatrixMarket) { damage(std::string(matrix), readGraph); }

TEST(Damage, GzippedMatrixMarket) {
  TempFolder folder;
  gzFile gz = gzopen(folder.path("g").c_str(), "wb");
  gzwrite(gz, matrix.data(), unsigned(matrix.size()));
  gzclose(gz);
  damage(contents(folder.path("g")), readGraph);
}

TEST(Damage, Npy) {
  const std::vector<float> data(12, 1.5f);
  damage(arrayFile({kDLFloat, 32, 1}, {3, 4}, data.data()), readArray);
}

TEST(Damage, Npz) {
  TempFolder folder;
  const std::vector<int64_t> shape = {2, 3}, indptr = {0, 2, 3},
                             indices = {2, 0, 1};
  const std::pair<const char *, std::string> members[] = {
      {"format.npy",
       std::string("\x93NUMPY\x01\0\x3c\0", 10) +
           "{'descr': '|S3', 'fortran_order': False, 'shape': (), }    \ncsr"},
      {"shape.npy", arrayFile({kDLInt, 64, 1}, {2}, shape.data())},
      {"indptr.npy", arrayFile({kDLInt, 64, 1}, {3}, indptr.data())},
      {"indices.npy", arrayFile({kDLInt, 64, 1}, {3}, indices.data())},
      {"data.npy", arrayFile({kDLInt, 64, 1}, {3}, indices.data())}};
  const std::string path = folder.path("g.npz");
  zip_t *archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  for (const auto &[name, bytes] : members) {
    zip_int64_t index = zip_file_add(
        archive, name,
        zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
    // Stored as they are, so that the damage reaches the arrays.
    zip_set_file_compression(archive, zip_uint64_t(index), ZIP_CM_STORE, 0);
  }
  ASSERT_EQ(zip_close(archive), 0);
  EXPECT_EQ(readGraph(path.c_str()), CLIQUE_OK) << clique_last_error();
  damage(contents(path), readGraph);
}
