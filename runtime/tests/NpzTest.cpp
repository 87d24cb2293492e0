//===- NpzTest.cpp - Sparse matrices of SciPy ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CSR archives as save_npz writes them, and each way to break one.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <cmath>
#include <map>
#include <zip.h>

using namespace clique::test;

/// Members of an archive by name.
using Members = std::map<std::string, std::string>;

template <typename T>
static std::string npy(const std::string &descr, const std::string &shape,
                       const std::vector<T> &values) {
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string file = std::string("\x93NUMPY\x01\0", 8);
  file += char(header.size());
  file += '\0';
  return file + header +
         std::string(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(T));
}

template <typename T>
static std::string vector(const std::string &descr, const std::vector<T> &v) {
  return npy(descr, "(" + std::to_string(v.size()) + ",)", v);
}

/// Two rows, three columns, the edges (0, 2), (0, 0), (1, 1).
static Members goodMembers() {
  return {{"format.npy", npy<char>("|S3", "()", {'c', 's', 'r'})},
          {"shape.npy", vector<int64_t>("<i8", {2, 3})},
          {"indptr.npy", vector<int32_t>("<i4", {0, 2, 3})},
          {"indices.npy", vector<int32_t>("<i4", {2, 0, 1})},
          {"data.npy", vector<float>("<f4", {1, 2, 3})}};
}

static std::string writeNpz(const TempFolder &folder, const Members &members) {
  const std::string path = folder.path("g.npz");
  zip_t *archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  for (const auto &[name, bytes] : members)
    zip_file_add(archive, name.c_str(),
                 zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
  EXPECT_EQ(zip_close(archive), 0);
  return path;
}

static void expectError(const Members &members, const std::string &part) {
  TempFolder folder;
  clique_graph *graph = nullptr;
  EXPECT_EQ(clique_graph_read(writeNpz(folder, members).c_str(), &graph),
            CLIQUE_FORMAT_ERROR);
  EXPECT_EQ(graph, nullptr);
  EXPECT_TRUE(lastErrorHas("g.npz"));
  EXPECT_TRUE(lastErrorHas(part));
}

static Members changed(const std::string &member, const std::string &bytes) {
  Members members = goodMembers();
  members[member] = bytes;
  return members;
}

TEST(Npz, Csr) {
  TempFolder folder;
  Graph graph =
      make(clique_graph_read, writeNpz(folder, goodMembers()).c_str());
  EXPECT_EQ(clique_graph_num_src(graph.get()), 3);
  EXPECT_EQ(edgesOf(graph.get()), (Edges{{0, 2}, {0, 0}, {1, 1}}));
}

TEST(Npz, WideIndices) {
  TempFolder folder;
  Members members = changed("indices.npy", vector<int64_t>("<i8", {2, 0, 1}));
  members["indptr.npy"] = vector<int64_t>("<i8", {0, 2, 3});
  Graph graph = make(clique_graph_read, writeNpz(folder, members).c_str());
  EXPECT_EQ(clique_graph_num_edges(graph.get()), 3);
}

TEST(Npz, ValuesMayBeOfAnyType) {
  for (const std::string &values :
       {vector<uint32_t>("<u4", {1, 2, 3}), vector<int16_t>("<i2", {1, 2, 3}),
        vector<float>("<f4", {1, 2, NAN})}) {
    TempFolder folder;
    Graph graph = make(clique_graph_read,
                       writeNpz(folder, changed("data.npy", values)).c_str());
    EXPECT_EQ(clique_graph_num_edges(graph.get()), 3);
  }
}

TEST(Npz, OtherFormatsAreRefused) {
  expectError(changed("format.npy", npy<char>("|S3", "()", {'c', 's', 'c'})),
              "holds a 'csc' matrix, expected 'csr'");
  expectError(changed("format.npy", npy<float>("<f4", "()", {1})),
              "expected one short byte string");
}

TEST(Npz, MissingMembers) {
  for (const auto &[name, bytes] : goodMembers()) {
    Members members = goodMembers();
    members.erase(name);
    expectError(members, "member '" + name + "' cannot be read (");
    expectError(members,
                "expected a CSR matrix written by scipy.sparse.save_npz");
  }
}

TEST(Npz, InconsistentMatrices) {
  expectError(changed("indptr.npy", vector<int32_t>("<i4", {0, 3})),
              "indptr has 2 entries, expected 3, one more than rows");
  expectError(changed("indptr.npy", vector<int32_t>("<i4", {})),
              "indptr has 0 entries");
  expectError(changed("indptr.npy", vector<int32_t>("<i4", {0, 2, 4})),
              "indptr ends with 4, but there are 3 indices");
  expectError(changed("indptr.npy", vector<int32_t>("<i4", {0, 4, 3})),
              "row pointers must not decrease");
  expectError(changed("indices.npy", vector<int32_t>("<i4", {2, 0, 3})),
              "indices[2] is 3");
  expectError(changed("indices.npy", vector<int32_t>("<i4", {2, -1, 1})),
              "indices[1] is -1");
  expectError(changed("indices.npy", vector<int64_t>("<i8", {2, 0, 1l << 40})),
              "node ids have 32 bits");
  expectError(changed("indices.npy", vector<float>("<f4", {2, 0, 1})),
              "expected 32- or 64-bit integers");
  expectError(changed("shape.npy", vector<int64_t>("<i8", {2, 3, 4})),
              "shape has 3 entries, expected 2");
  expectError(changed("shape.npy", vector<int64_t>("<i8", {-2, 3})),
              "indptr has 3 entries");
  expectError(changed("data.npy", vector<float>("<f4", {1, 2})),
              "data has shape [2], expected [3]");
  expectError(
      changed("shape.npy",
              vector<int64_t>("<i8", {std::numeric_limits<int64_t>::max(), 3})),
      "indptr has 3 entries, expected 9223372036854775808, one more");
  Members noRows = changed("shape.npy", vector<int64_t>("<i8", {0, 3}));
  noRows["indptr.npy"] = vector<int32_t>("<i4", {3});
  expectError(noRows, "indptr[0] is 3, expected 0");
}

/// Eight bits are read as they are, not as eight of sixty-four.
TEST(Npz, NarrowIntegers) {
  const std::vector<int8_t> many(1000, 0);
  for (const char *member : {"indices.npy", "indptr.npy", "shape.npy"})
    expectError(changed(member, vector<int8_t>("|i1", many)),
                std::string(member) +
                    "): has element type i8 and 1 dimensions, expected 32- or "
                    "64-bit integers in one dimension");
}

TEST(Npz, HostileMember) {
  expectError(
      changed("indices.npy", npy<int32_t>("<i4", "(900000000000,)", {1})),
      "more than the file can hold");
}

TEST(Npz, DamagedArchive) {
  TempFolder folder;
  const std::string path = writeNpz(folder, goodMembers());
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  clique_graph *graph = nullptr;
  for (size_t length = 4; length < bytes.size(); length += 7) {
    folder.write("g.npz", bytes.substr(0, length));
    EXPECT_EQ(clique_graph_read(path.c_str(), &graph), CLIQUE_FORMAT_ERROR)
        << length;
  }
  EXPECT_TRUE(lastErrorHas("g.npz: is a damaged zip archive"));
  // One byte of the elements of an array.
  std::string changed = bytes;
  const size_t place = bytes.find("indices.npy");
  bool isNoticed = false;
  for (size_t k = place + 12; k < place + 90 && !isNoticed; ++k) {
    changed[k] ^= 1;
    folder.write("g.npz", changed);
    isNoticed = clique_graph_read(path.c_str(), &graph) != CLIQUE_OK &&
                lastErrorHas("indices.npy): the archive is damaged: ");
    changed[k] ^= 1;
  }
  EXPECT_TRUE(isNoticed);
}
